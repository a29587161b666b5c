"""Content of the pages, read without a browser: sound HTML, links that lead somewhere, no way out, the right facts."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urldefrag

import pytest

from pbem.campaign.ledger.entries import events_in
from pbem.campaign.ledger.records import NAMES, AdjudicationRecord
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.proof.verifying import verify
from pbem.engine.events import BattleJoined, CardPlayed, StageBegan
from pbem.faults.nouns import turn_noun
from pbem.report.formats.escaping import one_line
from pbem.report.picture.position import words_in
from pbem.site.atlas import position_of
from pbem.site.export import Site, site_of
from pbem.site.pages import asset, fingerprint
from pbem.site.story import rules_for, story_of
from tests.campaign.simulated import SimulatedTable
from tests.site.reading import HTML, NOW, SVG, atlas_in, by_id, elements, parsed, text_of

PAGES = ("index.html", "stages.html", "story.html", "battles.html", "log.html", "hands.html", "rules.html")


@pytest.fixture(params=["closed_site", "running_site", "fateful_site"])
def site(request: pytest.FixtureRequest) -> Site:
    found: Site = request.getfixturevalue(request.param)
    return found


def pages_in(site: Site) -> dict[str, bytes]:
    return {name: data for name, data in site.files.items() if name.endswith(".html")}


def test_every_page_is_sound_html_with_each_id_once(site: Site) -> None:
    for page in pages_in(site).values():
        ids = [each.get("id") for each in parsed(page).iter() if each.get("id")]
        assert len(ids) == len(set(ids))


def test_every_link_leads_to_something_in_the_folder(site: Site) -> None:
    ids = {name: {each.get("id") for each in parsed(page).iter()} for name, page in pages_in(site).items()}
    followed = 0
    for name, page in pages_in(site).items():
        for link in elements(parsed(page), "a"):
            target, fragment = urldefrag(link.get("href"))
            assert (target or name) in site.files, link.get("href")
            assert not fragment or fragment in ids[target or name], link.get("href")
            followed += 1
    assert followed > 20


def test_nothing_is_fetched_from_anywhere(site: Site) -> None:
    for name, page in pages_in(site).items():
        tree = parsed(page)
        assert not re.search(b"https?:", page), name
        assert not {each.tag for each in tree.iter()} & {HTML + tag for tag in ("img", "iframe", "object", "base")}
        assert [link.get("href") for link in elements(tree, "link")] == ["data:,"]
        for each in tree.iter():
            assert not each.get("src"), name
            assert not each.get("style"), name
            assert not [key for key in each.attrib if str(key).startswith("on")], name
            if str(each.tag).startswith(SVG):
                reference = each.get("href") or each.get("{http://www.w3.org/1999/xlink}href") or "#"
                assert reference.startswith("#"), name


def test_the_policy_allows_the_one_style_and_the_one_script_and_nothing_else(site: Site) -> None:
    for name, page in pages_in(site).items():
        tree = parsed(page)
        (policy,) = (each.get("content") for each in elements(tree, "meta") if each.get("http-equiv"))
        (style,) = elements(tree, "style")
        scripts = [each for each in elements(tree, "script") if each.get("type") != "application/json"]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert f"style-src '{fingerprint(style.text)}'" in policy
        allowed = [f"'{fingerprint(each.text)}'" for each in scripts] or ["'none'"]
        assert f"script-src {' '.join(allowed)};" in policy, name


def test_the_script_and_the_style_reach_out_to_nothing() -> None:
    words = ("fetch", "XMLHttp", "import", "eval", "url(", "http", "Function(", "setTimeout", "cookie", "localStorage")
    for name in ("site.js", "site.css"):
        assert not [word for word in words if word in asset(name)], name


def test_a_running_campaign_has_no_page_of_hands_and_no_letters_but_of_joining(running_site: Site) -> None:
    assert set(running_site.files) == {
        *(name for name in PAGES if name != "hands.html"),
        *(f"letters/{number:04d}.txt" for number in (2, 3, 4)),
    }
    assert b"signature:" in running_site.files["letters/0002.txt"]


def test_a_closed_campaign_has_every_letter_that_was_opened(closed: Path, closed_site: Site) -> None:
    reading = read_folder(closed, NOW)
    accepted = {entry.number for entry, record in reading.entries if NAMES[type(record)] in ("join", "letter")}
    assert {name for name in closed_site.files if name.startswith("letters/")} == {
        f"letters/{number:04d}.txt" for number in accepted
    }
    hands = parsed(closed_site.files["hands.html"])
    opened = [each for each in elements(hands, "details") if (each.get("id") or "").startswith("l")]
    assert len(opened) == len(accepted) - 3
    assert "move:" in text_of(hands)


def test_the_title_page_tells_who_played_and_what_the_verification_found(closed: Path, closed_site: Site) -> None:
    reading, found = read_folder(closed, NOW), verify(closed)
    tree = parsed(closed_site.files["index.html"])
    words = text_of(tree)
    for told in ("vienna-1741", "MARIA · The advanced game", reading.head.hash, "has found nothing wrong", "is closed"):
        assert told in words
    assert f"Last entry of the ledger: {reading.head.number}" in words
    figures = found.figures
    numbers = [int(text_of(each)) for each in elements(tree, "dt")]
    assert numbers == [figures.entries, figures.letters, figures.shuffles, figures.cards, figures.adjudications]
    for seat in ("Maria Theresa", "Frederick", "Louis"):
        assert seat in words
    assert words.count("SHA256:") == 4


def test_the_title_page_of_a_running_campaign_tells_what_it_waits_for(running: Path, running_site: Site) -> None:
    waiting = read_folder(running, NOW).public.next
    words = text_of(parsed(running_site.files["index.html"]))
    assert waiting is not None
    for told in (turn_noun(waiting.stage, "en")[1:], "still being played", "Orders are owed by"):
        assert told in words
    assert "adjudications carried out again" not in words


def test_those_who_owe_orders_stand_in_the_order_of_play_until_their_orders_are_in(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()

    def said() -> str:
        return " ".join(text_of(parsed(site_of(table.root, NOW).files["index.html"])).split())

    assert "Orders are owed by Louis, Frederick and Maria Theresa." in said()
    table.ordered("frederick")
    assert "Orders are owed by Louis and Maria Theresa." in said()


def test_there_is_an_account_and_a_map_for_every_stage(closed: Path, closed_site: Site) -> None:
    reading = read_folder(closed, NOW)
    events = [
        event
        for _, record in reading.entries
        if isinstance(record, AdjudicationRecord)
        for event in events_in("maria", record.events)
    ]
    page = closed_site.files["stages.html"]
    stages = list(elements(parsed(page), "article"))
    assert len(stages) == 1 + sum(isinstance(event, StageBegan) for event in events)
    assert len(atlas_in(page)["over"]) == len(stages)
    (options,) = (each for each in elements(parsed(page), "select") if each.get("id") == "choose")
    assert len(list(elements(options, "option"))) == len(stages)
    assert "Turn 1, stage of France" in text_of(stages[3])
    assert "draw" in text_of(stages[3])


def test_a_map_shows_what_stands_there_at_the_end_of_its_stage(closed: Path, closed_site: Site) -> None:
    reading = read_folder(closed, NOW)
    rules = rules_for(reading)
    story = story_of(reading, rules, "en")
    atlas = atlas_in(closed_site.files["stages.html"])
    cities = rules.common.board.cities
    for stage, over in zip(story.stages, atlas["over"], strict=True):
        shown = "".join(atlas["signs"][sign] for sign in over)
        for piece, place in enumerate(stage.on_map.places):
            facts = rules.common.pieces[piece]
            if place >= 0 and rules.common.is_general(piece):
                name = cities[place].name
                what = (
                    rf'<g class="general[^"]*" data-power="{facts.power}" data-label="{facts.rank}" data-city="{name}">'
                )
                assert re.search(what, shown), (stage.title, facts.name)
        assert shown.count('class="general') == sum(
            rules.common.is_general(piece) for piece, place in enumerate(stage.on_map.places) if place >= 0
        )
        assert shown.count('<g class="march"') + shown.count('<g class="retreat"') == len(
            position_of(rules.common, stage, (), words_in("en")).moves
        )


def test_nothing_that_moves_is_on_the_ground(site: Site) -> None:
    for ground in (
        each for each in parsed(site.files["stages.html"]).iter(SVG + "svg") if "ground" in each.get("class")
    ):
        moving = [
            each for each in ground.iter() if each.get("data-label") or each.get("class") in ("hussar", "question")
        ]
        assert moving == []
        assert len(list(ground.iter(SVG + "text"))) > 100


def test_all_battles_are_told_card_by_card(closed: Path, closed_site: Site) -> None:
    reading = read_folder(closed, NOW)
    happened = [
        event
        for _, record in reading.entries
        if isinstance(record, AdjudicationRecord)
        for event in events_in("maria", record.events)
    ]
    tree = parsed(closed_site.files["battles.html"])
    battles = list(elements(tree, "article"))
    assert len(battles) == sum(isinstance(event, BattleJoined) for event in happened) > 0
    cards = sum(isinstance(event, CardPlayed) for event in happened)
    told = " ".join(text_of(each) for each in elements(tree, "li") if "(" in text_of(each))
    assert len(re.findall(r"\((\d+ (ahead|behind)|even)\)", told)) == cards


def test_the_ledger_has_a_line_for_every_entry(site: Site) -> None:
    tree = parsed(site.files["log.html"])
    lines = list(by_id(tree, "entries"))
    assert len(lines) == site.figures["entries"]
    assert [line.get("id") for line in lines] == [f"e{number}" for number in range(1, len(lines) + 1)]
    kinds = {line.get("data-kind") for line in lines}
    options = {each.get("value") for each in elements(by_id(tree, "kind"), "option")}
    assert options == kinds | {""}
    assert all(text_of(line) for line in lines)


def test_a_site_is_the_same_bytes_whenever_and_wherever_it_is_made(
    closed: Path, closed_site: Site, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "copy"
    elsewhere.symlink_to(closed)
    again = site_of(closed, NOW.replace(year=2040))
    assert again.files == closed_site.files


def test_a_site_fits_through_a_narrow_door(site: Site) -> None:
    assert sum(map(len, site.files.values())) < 5_000_000
    for page in pages_in(site).values():
        drawn = re.findall(rb"<svg.*?</svg>", page, re.DOTALL)
        assert all(len(each) < 400_000 for each in drawn)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_with_a_theme_there_is_one_ground_in_it(running: Path, theme: str) -> None:
    found = site_of(running, NOW, theme=theme)  # type: ignore[arg-type]
    page = parsed(found.files["stages.html"])
    grounds = [each.get("class") for each in page.iter(SVG + "svg") if "ground" in each.get("class")]
    assert grounds == [f"ground {theme}"]
    assert page.get("data-theme") == theme


def test_before_the_game_has_begun_there_is_a_page_that_says_so(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory")
    found = site_of(table.root, NOW)
    assert "the game has not begun" in text_of(parsed(found.files["stages.html"]))
    assert "free" in text_of(parsed(found.files["index.html"]))
    assert found.figures["stages"] == 0


def test_words_are_the_ledgers(closed: Path, closed_site: Site) -> None:
    lines = list(by_id(parsed(closed_site.files["log.html"]), "entries"))
    assert one_line("far enough") in text_of(lines[-1])
