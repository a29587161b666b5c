"""After the close each seat's account is what its own reports told it then."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.campaign.briefing import briefings
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.replaying import Reading
from pbem.report.account import Passage, Voice, chapters
from pbem.site.archive import accounts_of, passages_read, verify_for_site
from pbem.site.export import Site
from pbem.site.story import ToldPassage, rules_for, story_of
from tests.campaign.test_rollback import adjudications, rolled_back
from tests.site.conftest import played
from tests.site.reading import NOW, elements, parsed, text_of


def test_a_seat_reads_what_its_reports_told_it(tmp_path: Path) -> None:
    table = played(tmp_path, 5, scenario="advanced")
    rolled_back(table, adjudications(table)[3])
    table.play(3)
    with table.open() as campaign:
        told = briefings(campaign)
    table.close("far enough")
    seen = verify_for_site(table.root)
    reading = Reading(open_folder(table.root), NOW, seen.entries)
    rules = rules_for(reading)
    story = story_of(reading, rules, "es")
    accounts = accounts_of(rules, story, seen.news, "es")
    assert {*accounts} == {stage.number for stage in story.stages}
    for seat in rules.seats:
        then = [each for chapter in chapters(Voice(rules, "es"), told[seat].news.events) for each in chapter.passages]
        assert [each for stage in story.stages for each in accounts[stage.number][seat]] == then
        assert then != [each.passage for stage in story.stages for each in stage.told]


def passages(*texts: str) -> list[Passage]:
    return [Passage(text) for text in texts]


@pytest.mark.parametrize("own", ["abcd", "aXcd", "aXYd", "Xabcd", "abcdX", "", "Xd", "acd"])
def test_what_differs_stands_in_its_place(own: str) -> None:
    public = [ToldPassage(passage, number) for number, passage in enumerate(passages(*"abcd"))]
    read = passages_read(public, {"louis": passages(*own), "frederick": passages(*"abcd")})

    def read_by(seat: str) -> str:
        return "".join(each.told.passage.text for each in read if each.seat in ("", seat) and seat not in each.without)

    assert read_by("louis") == own
    assert read_by("frederick") == read_by("") == "abcd"


def test_a_battle_that_a_seat_read_otherwise_keeps_its_number() -> None:
    fought = Passage("fought", of_battle=True)
    read = passages_read(
        [ToldPassage(fought, 3)], {"louis": [Passage("told", ("♠7",), of_battle=True), Passage("drew")]}
    )
    assert [(each.told.battle, each.seat, each.without) for each in read] == [
        (3, "louis", ()),
        (0, "louis", ()),
        (3, "", ("louis",)),
    ]


def shown_to(page: bytes, seat: str) -> str:
    """All accounts as they are shown to whoever has chosen a seat."""
    return " ".join(
        text_of(each)
        for each in elements(parsed(page), "p")
        if each.get("data-seat", seat) == seat and seat not in each.get("data-without", "").split()
    )


def test_the_page_has_the_account_of_every_seat_only_once_all_is_published(
    closed_site: Site, running_site: Site
) -> None:
    stages = closed_site.files["stages.html"]
    louis, everybody = shown_to(stages, "louis"), shown_to(stages, "")
    assert "France allocates its troops: Moritz von Sachsen" in louis
    for power, seen, is_there in (("France", louis, False), ("Austria", louis, True), ("France", everybody, True)):
        assert bool(re.search(rf"{power}[^.:]* have allocated their troops\.", seen)) == is_there, power
    assert "allocates its troops" not in everybody
    assert b"data-without=" not in running_site.files["stages.html"]
