"""The site in a real browser: by keyboard, by day and by night, on a telephone, without scripts, without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.site.export import Site, site_of, write_site
from tests.site.browsing import BROWSER, CONTRASTS, DRIVER, END, HOME, LEFT, RIGHT, TAB, Reader, reader
from tests.site.reading import NOW
from tests.site.test_hostile import hostile_table

pytest.importorskip("selenium", reason="selenium drives the browser")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="there is no chromium with its driver on this machine"),
]

PAGES = ("index.html", "stages.html", "story.html", "battles.html", "log.html", "hands.html", "rules.html")

NOW_SHOWN = "return [...document.querySelectorAll('.stage')].filter(e => e.checkVisibility()).map(e => e.id)"


@pytest.fixture(scope="module")
def anybody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with reader(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def person(anybody: Reader) -> Reader:
    """A reader by day, at a desk."""
    anybody.look()
    return anybody


@pytest.fixture(scope="module")
def folder(closed_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("sites") / "site"
    write_site(target, closed_site.files)
    return target


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_for_nothing_else_and_the_browser_has_no_complaint(person: Reader, folder: Path, page: str) -> None:
    person.open(folder, page)
    person.run("document.querySelectorAll('button, select').forEach((each) => each.click())")
    assert person.complaints() == []
    asked = {url.partition("#")[0] for url in person.requested() if not url.startswith("data:font/woff;base64,")}
    assert asked - {"data:,"} == {f"{folder.as_uri()}/{page}"}


def test_a_map_is_written_in_the_font_that_the_page_brings_along(person: Reader, folder: Path) -> None:
    """Nothing of it is cut off or overruns its frame on a machine that lacks the font."""
    person.open(folder, "stages.html")
    assert person.run("return document.fonts.ready.then(() => [...document.fonts].map(each => each.status))") == [
        "loaded",
        "loaded",
        "loaded",
    ]
    wide = "return [...document.querySelectorAll('.ground.light text')].map(e => e.getComputedTextLength())"
    before = person.run(wide)
    person.run("document.querySelectorAll('svg').forEach(e => e.setAttribute('font-family', 'serif'))")
    assert len(before) > 300
    assert sum(before) != pytest.approx(sum(person.run(wide)), rel=0.01)


def test_the_stages_are_leafed_through_by_keys(person: Reader, folder: Path) -> None:
    person.open(folder, "stages.html")
    last = person.run("return document.querySelectorAll('.stage').length") - 1
    assert last > 10
    assert person.run(NOW_SHOWN) == ["s0"]
    person.press(END)
    before = person.run("return document.getElementById('signs').innerHTML")
    person.press(HOME)
    assert person.run(NOW_SHOWN) == ["s0"]
    assert person.run("return document.getElementById('signs').innerHTML") != before
    person.press(RIGHT, RIGHT, RIGHT, LEFT)
    assert person.run(NOW_SHOWN) == ["s2"]
    assert person.run("return location.hash") == "#s2"
    slide = person.run("return [document.getElementById('slide').value, document.getElementById('choose').value]")
    assert slide == ["2", "2"]
    person.press(END)
    assert person.run(NOW_SHOWN) == [f"s{last}"]
    assert person.run("return document.getElementById('later').disabled")
    assert person.complaints() == []


def test_slider_list_and_buttons_do_the_same_and_can_be_reached_by_tab(person: Reader, folder: Path) -> None:
    person.open(folder, "stages.html")
    reached = []
    for _ in range(20):
        person.press(TAB)
        reached.append(person.run("return document.activeElement.id"))
        outline = person.run("return getComputedStyle(document.activeElement).outlineStyle")
        assert outline not in ("none", ""), reached
        if reached[-1] == "slide":
            person.press(HOME, *[RIGHT] * 7)
            assert person.run(NOW_SHOWN) == ["s7"]
        if reached[-1] == "larger":
            break
    assert [each for each in reached if each] == ["slide", "later", "choose", "seat", "larger"]
    person.run("document.getElementById('earlier').click()")
    assert person.run(NOW_SHOWN) == ["s6"]
    person.run("const c = document.getElementById('choose'); c.value = '3'; c.dispatchEvent(new Event('change'))")
    assert person.run(NOW_SHOWN) == ["s3"]
    assert person.run("return document.getElementById('heard').textContent").startswith("Turn 1")
    seen = (
        "return [...document.querySelectorAll('.stage.now .seen')].filter((e) => !e.hidden).map((e) => e.dataset.seat)"
    )
    assert person.run(seen) == []
    person.run("const s = document.getElementById('seat'); s.value = 'louis'; s.dispatchEvent(new Event('change'))")
    assert person.run(seen) == ["louis"]
    person.run("const c = document.getElementById('choose'); c.value = '0'; c.dispatchEvent(new Event('change'))")
    account = "return [...document.querySelectorAll('.stage.now > p:not([hidden])')].map((e) => e.innerText).join()"
    assert "France allocates its troops: Moritz" in person.run(account)
    assert "France, Bavaria, Prussia" not in person.run(account)
    person.run("const s = document.getElementById('seat'); s.value = ''; s.dispatchEvent(new Event('change'))")
    assert "France, Bavaria, Prussia" in person.run(account)


def test_a_stage_has_an_address(person: Reader, folder: Path) -> None:
    person.open(folder, "stages.html#s5")
    assert person.run(NOW_SHOWN) == ["s5"]
    assert person.run("return scrollY") == 0
    person.run(
        "location.hash = '#s4'; return new Promise(done => addEventListener('hashchange', () => done(0), {once: true}))"
    )
    assert person.run(NOW_SHOWN) == ["s4"]
    person.open(folder, "stages.html#s999")
    assert len(person.run(NOW_SHOWN)) == 1
    assert person.complaints() == []


def test_the_map_grows_without_the_page_growing(person: Reader, folder: Path) -> None:
    person.open(folder, "stages.html")
    measure = "return [document.getElementById('sheet').offsetWidth, document.documentElement.scrollWidth]"
    before, wide = person.run(measure)
    person.run("document.getElementById('larger').click(); document.getElementById('larger').click()")
    after, still = person.run(measure)
    assert after > 2 * before
    assert still == wide == 1280
    sizes = person.run("return [...document.querySelectorAll('#sheet svg')].map(e => e.clientHeight).filter(h => h)")
    assert len(sizes) == 2
    assert sizes[0] == sizes[1]


def test_the_filters_of_the_ledger_filter(person: Reader, folder: Path) -> None:
    person.open(folder, "log.html")
    shown = "return [...document.querySelectorAll('#entries > li')].filter(e => e.checkVisibility())"
    every = person.run(f"{shown}.length")
    choose = (
        "const c = document.getElementById(arguments[0]); c.value = arguments[1]; c.dispatchEvent(new Event('input'))"
    )
    person.run(choose, "kind", "join")
    assert person.run(f"{shown}.map(e => e.id)") == ["e2", "e3", "e4"]
    person.run(choose, "player", "louis")
    assert person.run(f"{shown}.length") == 1
    assert person.run("return document.getElementById('count').textContent") == f"1 / {every}"
    person.run(choose, "kind", "")
    letters = person.run(f"{shown}.length")
    assert 1 < letters < every
    person.run(choose, "player", "")
    person.run("document.getElementById('words').focus()")
    person.press(*"FAR Enough")
    assert person.run(f"{shown}.map(e => e.dataset.kind)") == ["close"]
    person.run(choose, "words", "")
    assert person.run(f"{shown}.length") == every


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read_by_day_and_by_night(person: Reader, folder: Path, scheme: str) -> None:
    person.look(scheme=scheme)
    for page in PAGES:
        person.open(folder, page)
        found = person.run(CONTRASTS)
        assert found["seen"] > 10
        assert found["poor"] == [], page


def test_by_night_the_page_and_the_map_are_dark(person: Reader, folder: Path) -> None:
    look = """
        const seen = [...document.querySelectorAll('.ground')].filter(e => getComputedStyle(e).display !== 'none');
        return [getComputedStyle(document.documentElement).backgroundColor, seen.map(e => e.classList[1])];
    """
    person.open(folder, "stages.html")
    day = person.run(look)
    person.look(scheme="dark")
    night = person.run(look)
    assert (day[1], night[1]) == (["light"], ["dark"])
    assert sum(map(int, night[0][4:-1].split(","))) < 120 < sum(map(int, day[0][4:-1].split(",")))


@pytest.mark.parametrize("page", PAGES)
def test_on_a_telephone_nothing_is_wider_than_the_screen(person: Reader, folder: Path, page: str) -> None:
    person.look(375, 740)
    person.open(folder, page)
    person.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert person.run("return [document.documentElement.scrollWidth, innerWidth]") == [375, 375]
    small = person.run(
        "return [...document.querySelectorAll('button, select, input, nav a')].filter(e => e.checkVisibility())"
        ".map(e => [e.id, e.offsetHeight]).filter(([, high]) => high < 24)"
    )
    assert small == []


def test_without_scripts_every_stage_is_told_and_the_map_shows_the_last(person: Reader, folder: Path) -> None:
    person.tell("Emulation.setScriptExecutionDisabled", value=True)
    try:
        person.open(folder, "stages.html")
        person.wait_for("body.stages > footer")
        stages = person.driver.find_elements("css selector", ".stage")
        assert len(stages) > 10
        assert all(stage.is_displayed() for stage in stages)
        assert person.driver.find_element("css selector", ".plain").is_displayed()
        assert not person.driver.find_element("id", "slide").is_displayed()
        assert person.driver.find_elements("css selector", "#signs .general")
        person.open(folder, "log.html")
        person.wait_for("body.log > footer")
        assert not person.driver.find_element("id", "filters").is_displayed()
    finally:
        person.tell("Emulation.setScriptExecutionDisabled", value=False)


def test_nothing_that_people_wrote_is_run(person: Reader, tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    write_site(tmp_path / "site", site_of(hostile_table(tmp_path / "table").root, NOW).files)
    for page in PAGES[:4]:
        person.open(tmp_path / "site", page)
        assert person.complaints() == []
        assert person.run("return document.querySelectorAll('img, iframe, marquee').length") == 0


def test_the_story_is_printed_dark_on_white_and_its_boards_scroll_on_a_telephone(person: Reader, folder: Path) -> None:
    person.look(360, 780, "dark")
    person.open(folder, "story.html")
    assert person.run("return document.documentElement.scrollWidth") <= 360
    assert person.run("const e = document.querySelector('.turn .wide'); return e.scrollWidth > 2 * e.clientWidth")
    person.tell(
        "Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}]
    )
    style = "return getComputedStyle(document.querySelector('%s'))['%s']"
    try:
        assert person.run(style % ("html", "backgroundColor")) == "rgb(255, 255, 255)"
        assert person.run(style % (".turn", "columnCount")) == "2"
        assert person.run(style % (".ground.dark", "display")) == "none"
    finally:
        person.tell("Emulation.setEmulatedMedia", media="")
