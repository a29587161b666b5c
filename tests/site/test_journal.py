"""Every kind of entry is told in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.reading import Reading, read_folder
from pbem.report.language.templates import languages
from pbem.site.journal import lines_of, seats, words_of
from pbem.site.words import SiteWords
from tests.site.reading import NOW

UNTIL = "2026-12-01T19:00:00Z"


def made_up(reading: Reading) -> list[r.Record]:
    """An entry of every kind, with everything in it that its kind can tell."""
    key = reading.public.moderator
    adjudicated = next(record for _, record in reading.entries if isinstance(record, r.AdjudicationRecord))
    return [
        reading.entries[0][1],
        r.JoinRecord("louis", key, "00", 1, "00", "", "Lou"),
        r.JoinRecord("louis", "", "00", 1, "00", ""),
        r.LetterRecord("louis", "orders", "00", "1/france", 3, "draft", True, {"orders": "00"}, "he is ill"),
        *(
            r.LetterRecord("louis", kind, "00", "", 4)
            for kind in ("plan", "reveal", "agreement", "message", "key-change")
        ),
        r.RefusedRecord("00"),
        r.RefusedRecord("00", "louis"),
        r.LockRecord("1/france", (5,), UNTIL),
        r.LockRecord("1/france", (5,)),
        replace(
            adjudicated,
            stage="1/france",
            next=replace(adjudicated.next, stage="1/prussia", over=True),
            absent={"louis": "no orders by the deadline", "frederick": "something else"},
            returned=("maria-theresa",),
            forfeited={"louis": ("orders", "plans")},
            forced=True,
        ),
        r.RulingRecord("Hussars may swim.", "§7"),
        r.ExtensionRecord(UNTIL, "holidays"),
        r.AbsenceRecord("louis", "2026-12-01", "2026-12-03", "ill"),
        r.AbsenceRecord("louis", "2026-12-01", "2026-12-01"),
        r.ReminderRecord(("louis", "frederick"), "before"),
        r.RollbackRecord(5, "a mistake", adjudicated.next),
        r.ClockRecord(5, "a flat battery", adjudicated.next),
        r.ClockRecord(2, "a flat battery"),
        r.SubstituteRecord("louis", key, "gone", "Lise"),
        r.SubstituteRecord("louis", key, "gone"),
        r.KeyChangeRecord("louis", key, 3, "00", "letter"),
        r.KeyChangeRecord("", key, why="lost"),
        r.AgreementRecord(("louis", "frederick"), "No march before spring.", (3, 4)),
        r.CloseRecord("00", "00", "enough"),
        r.CloseRecord("00", "00"),
    ]


@pytest.mark.parametrize("language", languages())
def test_every_entry_is_told_in_words(running: Path, language: str) -> None:
    reading = read_folder(running, NOW)
    say = SiteWords(language, "maria")
    records = made_up(reading)
    assert {type(record) for record in records} == set(r.KINDS.values())
    told = [words_of(reading, say, record, seats(reading)) for record in records]
    for words in told:
        assert re.fullmatch(r"\S.*[.\w)]", words), words
        assert not re.search(r"  | [.,;:]|\.\.|None|\{|\(\)", words), words
    assert len(set(told)) == len(told)
    everything = " ".join(told)
    for facts in ("he is ill", "Hussars may swim.", "holidays", "a mistake", "Lise", "before spring", "enough"):
        assert facts in everything
    assert everything.count("SHA256:") >= 5


def test_the_players_of_an_entry_are_those_that_it_is_of(running: Path) -> None:
    reading = read_folder(running, NOW)
    lines = lines_of(reading, SiteWords("en", "maria"), {5: 0}, {2: "letters/0002.txt"})
    assert [line.players for line in lines[:4]] == [(), *((seat,) for seat in reading.public.players)]
    assert (lines[4].stage, lines[4].kind) == (0, "adjudication")
    assert (lines[1].letter, lines[2].letter) == ("letters/0002.txt", "")
    assert lines[0].utc == "2026-11-21T12:00:00Z"


def test_a_letter_is_of_who_held_the_seat_when_it_came(running: Path) -> None:
    reading = read_folder(running, NOW)
    seat = next(iter(reading.public.players))
    first, last = dict(reading.people[0]), dict(reading.people[-1])
    letter = r.LetterRecord(seat, "orders", "00", "1/france", 4)
    entry, _ = reading.entries[-1]
    reading.entries = [(entry, letter), (entry, r.SubstituteRecord(seat, "", "gone", "Lise")), (entry, letter)]
    reading.people = [{**last, seat: "Lou"}, {**last, seat: "Lise"}, {**last, seat: "Lise"}]
    told = [line.words for line in lines_of(reading, SiteWords("en", "maria"), {}, {})]
    assert ("Lou" in told[0], "Lise" in told[0]) == (True, False)
    assert "Lise" in told[2]
    assert first == {}
