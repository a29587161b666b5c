"""The map on a phone in a real browser: how much of it can be seen and tapped, whatever is asked and told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

import pytest

from pbem.report.language.templates import languages
from tests.desk.fields import (
    attacks,
    duel,
    hussars,
    influence,
    politics,
    retreat,
    set_up,
    starving,
    toll,
    winter,
)
from tests.desk.sitting import Sitter

HEIGHT = 760
"""Pixels of a phone's screen."""

LEAST = 0.45
"""Share of the screen's height that the map keeps."""

SEEN = """
const columns = Array.from({ length: 24 }, (_, at) => (at + 0.5) * innerWidth / 24);
let rows = 0;
for (let y = 0; y < innerHeight; y += 2)
  if (columns.filter((x) => document.elementFromPoint(x, y)?.closest('.map')).length > 12) rows += 1;
return 2 * rows;
"""
"""Pixels of height at which more than half of the screen's width is the map, with nothing over it."""

NEWS = """
const step = sitting.steps.at(-1), line = 'Something that others have done, which takes its time to be told. ';
document.getElementById('came').replaceChildren(line.repeat(30));
document.getElementById('prompt').append(` ${line.repeat(10)}`);
"""
"""More news than the bar has room for."""

FIELDS: dict[str, Callable[[], bytes]] = {
    "set-up": set_up,
    "marches": starving,
    "attacks": attacks,
    "battle": duel,
    "retreat": retreat,
    "hussars": hussars,
    "winter": winter,
    "politics": politics,
    "influence": influence,
    "toll": toll,
}


@pytest.fixture
def phone(sitter: Sitter) -> Iterator[Sitter]:
    """Somebody who sits at the desk with a phone."""
    sitter.hold_phone(360, HEIGHT)
    yield sitter
    sitter.put_phone_away()


CHOICES = """
const edge = document.querySelector("#bar .telling").getBoundingClientRect().bottom;
const choices = [...document.querySelectorAll("#choices :is(.card, .printed, .pick, .small)")];
const boxes = choices.map((each) => each.getBoundingClientRect());
const arrow = getComputedStyle(document.querySelector("#bar > .head"), "::before");
return { number: boxes.length, beside: boxes.filter(({ left, right }) => left < 0 || right > innerWidth).length,
  below: boxes.some(({ bottom }) => bottom > edge + 10), told: !["none", ""].includes(arrow.content) };
"""
"""Choices in the bar: beyond its sides, and below its edge; and whether an arrow tells that more lies below."""


@pytest.mark.parametrize("width", [360, 412])
@pytest.mark.parametrize("name", ["politics", "influence", "battle", "toll"])
def test_no_choice_lies_out_of_sight_untold(sitter: Sitter, tmp_path: Path, name: str, width: int) -> None:
    (tmp_path / "field.yaml").write_bytes(FIELDS[name]())
    sitter.hold_phone(width, 640)
    try:
        sitter.open(str(tmp_path / "field.yaml"))
        sitter.reader.run(
            "hideAim(); document.querySelectorAll('#choices .card.reserve').forEach((each) => each.click())"
        )
        sitter.until("return Boolean(document.querySelector('#choices :is(.card, .printed)'))")
        sitter.until(f"const found = (() => {{{CHOICES}}})(); return found.told || !found.below")
        found = sitter.reader.run(CHOICES)
        assert found["number"] >= 2
        assert found["beside"] == 0
        # At the end of what lies there the arrow goes.
        sitter.reader.run("const place = document.querySelector('#bar .telling'); place.scrollTop = place.scrollHeight")
        sleep(0.5)
        assert not sitter.reader.run(CHOICES)["told"]
    finally:
        sitter.put_phone_away()


def test_on_a_phone_what_the_others_did_stands_above_political_cards(phone: Sitter, tmp_path: Path) -> None:
    (tmp_path / "politics.yaml").write_bytes(politics())
    phone.open(str(tmp_path / "politics.yaml"))
    phone.until("return Boolean(document.querySelector('#choices .printed'))")
    phone.reader.run("document.getElementById('came').textContent = 'Others have played. '.repeat(30)")
    prompt, came, last, first = phone.reader.run(
        "const box = (way) => document.querySelector(way).getBoundingClientRect();"
        "return [box('#prompt').bottom, box('#came').top, box('#came').bottom, box('#choices .printed').top]"
    )
    assert prompt <= came < last <= first


VALUES = """
const seen = [...document.querySelectorAll(".values:not([hidden]) .pick")].map((each) => each.getBoundingClientRect());
return seen.length > 0 && seen.some(({ left, right }) => left >= 0 && right <= innerWidth);
"""


def test_the_values_of_a_reserve_come_into_sight_and_a_double_tap_plays_none(phone: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    phone.open(str(tmp_path / "duel.yaml"))
    before = phone.reader.run("return sitting.steps.length")
    reserve = phone.reader.run(
        "const found = [...document.querySelectorAll('#choices .card.reserve')].at(-1);"
        "found.parentNode.scrollLeft += found.getBoundingClientRect().right - innerWidth + 30;"
        "const { left, top } = found.getBoundingClientRect(); return [left + 9, top + 9];"
    )
    # A tap becomes a click only some time after it.
    phone.reader.run("window.clicks = 0; addEventListener('click', () => { clicks++; }, true)")
    phone.tap(reserve)
    phone.tap(reserve)
    phone.until("return clicks === 2 && !document.getElementById('busy')")
    assert phone.reader.run("return sitting.steps.length") == before
    if not phone.reader.run("return document.querySelector('.values:not([hidden])')"):
        phone.tap(reserve)
    phone.until(VALUES)


TAKEN = """
const button = document.getElementById("follow"), box = button?.getBoundingClientRect();
return !button || [box.top + 2, box.bottom - 2].every((y) => document.elementFromPoint(box.left + 9, y) === button);
"""


@pytest.mark.parametrize("name", FIELDS)
def test_a_phone_keeps_nearly_half_of_its_height_to_the_map(phone: Sitter, tmp_path: Path, name: str) -> None:
    (tmp_path / "field.yaml").write_bytes(FIELDS[name]())
    phone.open(str(tmp_path / "field.yaml"))
    phone.reader.run("hideAim()")
    found = {"alone": phone.reader.run(SEEN)}
    phone.tap(phone.middle("#advise"))
    phone.until("return document.querySelector('#counsel p, #notice p')")
    found["advice"] = phone.reader.run(SEEN)
    assert phone.reader.run(TAKEN), "nothing lies over the button that takes the advice"
    phone.reader.run("counsel.why = Array(6).fill('one of several reasons that are told at length'); tellCounsel();")
    found["long advice"] = phone.reader.run(SEEN)
    phone.reader.run(NEWS)
    found["long advice and news"] = phone.reader.run(SEEN)
    phone.tap(phone.middle("#advise"))
    phone.reader.run(NEWS)
    found["news"] = phone.reader.run(SEEN)
    phone.reader.run("if (document.getElementById('aim-show')) showAim()")
    found["goal"] = phone.reader.run(SEEN)
    phone.tap(phone.middle("#advise"))
    phone.until("return !document.getElementById('aim')")
    assert {what: seen for what, seen in found.items() if seen < LEAST * HEIGHT} == {}, found


HANDS = """
const box = document.querySelector("#hands p")?.getBoundingClientRect();
return Boolean(box && document.elementFromPoint(box.left + 9, box.top + 9)?.closest("#hands"));
"""
"""Tells if the first line of the cards is in sight, and nothing lies over it."""


@pytest.mark.parametrize(("name", "over"), [("attacks", ""), ("attacks", "#advise"), ("winter", "#aim-show")])
def test_cards_come_into_sight_wherever_the_bar_was_scrolled_and_whatever_lay_over_it(
    phone: Sitter, tmp_path: Path, name: str, over: str
) -> None:
    (tmp_path / "field.yaml").write_bytes(FIELDS[name]())
    phone.open(str(tmp_path / "field.yaml"))
    phone.reader.run(f"hideAim(); {NEWS}")
    if over:
        phone.tap(phone.middle(over))
        phone.until("return document.querySelector('#counsel p, #aim') && !document.getElementById('busy')")
    phone.reader.run("const place = document.querySelector('#bar .telling'); place.scrollTop = place.scrollHeight")
    phone.until("return document.querySelector('#bar .telling').scrollTop > 0")
    phone.tap(phone.middle("#cards"))
    phone.until(HANDS)


def test_words_beside_the_steps_take_two_lines_at_most(phone: Sitter, tmp_path: Path) -> None:
    (tmp_path / "field.yaml").write_bytes(duel())
    phone.open(str(tmp_path / "field.yaml"))
    for language in languages():
        phone.reader.run("speak(arguments[0]); leafing.go(0)", language)
        height, line = phone.reader.run(
            "const label = document.querySelector('#steps label');"
            "return [label.getBoundingClientRect().height, parseFloat(getComputedStyle(label).lineHeight)];"
        )
        assert 0 < height < 2.5 * line, language
    phone.reader.run("speak('en')")


def test_a_list_of_pieces_without_orders_is_in_sight_to_its_end(phone: Sitter, tmp_path: Path) -> None:
    (tmp_path / "many.yaml").write_text("game: friedrich\nturn: 2\nstage: prussia\nphase: movement\n", encoding="utf-8")
    phone.open(str(tmp_path / "many.yaml"))
    phone.reader.run("hideAim()")
    for language in languages():
        phone.reader.run("speak(arguments[0]); done()", language)
        number, last, edge = phone.reader.run(
            "const named = document.querySelectorAll('#prompt .piece');"
            "const end = (each) => each.getBoundingClientRect().bottom;"
            "return [named.length, end([...named].at(-1)), end(document.querySelector('#bar .telling'))];"
        )
        assert number == 10
        assert last <= edge, language
    phone.reader.run("speak('en')")


def test_until_the_first_card_it_is_told_when_cards_are_played(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.open(str(tmp_path / "duel.yaml"))
    assert "at once" in sitter.find("#choices .at-first").text
    # The rings at the two ends of the battle are among the signs.
    assert "asked or told about" in sitter.reader.run("return board.meanings.textContent")
    sitter.find("#choices .pick.card").click()
    sitter.until("return !document.getElementById('busy')")
    sitter.reader.run("forms.clear(); refresh(state)")
    assert not sitter.reader.driver.find_elements("css selector", "#choices .at-once .at-first")
    # A political card is another matter.
    assert sitter.reader.run(
        "return [toldOnce('card-at-once'), toldOnce('card-waits')?.textContent.includes('Done')]"
    ) == [
        None,
        True,
    ]


def test_generals_without_orders_are_named_with_their_city_and_troops(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "attacks.yaml").write_bytes(attacks())
    sitter.open(str(tmp_path / "attacks.yaml"))
    sitter.find("#done").click()
    assert "Broglie (F3) · Wels · 8 troops" in " ".join(sitter.find("#prompt").text.split())


def test_a_list_of_generals_has_their_cities_and_troops(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "winter.yaml").write_bytes(winter())
    sitter.open(str(tmp_path / "winter.yaml"))
    rows = sitter.reader.run("return [...document.querySelectorAll('.number label')].map((each) => each.textContent)")
    names = sitter.reader.run(
        "return state.pieces.filter((each) => each.kind === 'general' && each.troops !== null)"
        ".map((each) => [called(each.name), calledCity(each.city), each.troops])"
    )
    listed = [(row, city, troops) for row in rows for name, city, troops in names if f" {name}" in row]
    assert listed
    assert all(f"· {city} · {troops} " in row for row, city, troops in listed)
    # Of troops that the reader does not know, none are told.
    told = sitter.reader.run(
        "const found = state.pieces.find((each) => each.kind === 'general'); found.troops = null;"
        "return [whereabouts(found.name), calledCity(found.city)]"
    )
    assert told[0] == f" · {told[1]}"


def test_a_step_without_a_title_leaves_no_brackets_and_a_battle_without_cards_is_named(
    sitter: Sitter, tmp_path: Path
) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    sitter.open(str(tmp_path / "duel.yaml"))
    moment = "tellMoment(); return board.moment.textContent"
    step = "leafing.go(0); sitting.steps = sitting.steps.map((each) => ({ ...each, title: arguments[0] })); "
    assert sitter.reader.run(step + moment, "Turn 9") == "Board: then (Turn 9)"
    assert sitter.reader.run(step + moment, "") == "Board: then"
    told = "return stopTold({ city: 'Linz', suit: '♦', score: 3, troops: 2 }).textContent"
    assert sitter.reader.run(told).startswith("Battle of Linz. You hold no card of the suit (♦)")
