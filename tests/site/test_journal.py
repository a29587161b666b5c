"""Every kind of entry is told in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.replaying import Reading, read_folder
from pbem.moderator.public_view import entry_lines
from pbem.report.language.templates import languages
from pbem.report.letters.entries import facts_of, fingerprint
from pbem.site.archive import SiteWords
from pbem.site.content import lines_of
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
        r.LockRecord("1/france", (5,), forced=True),
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
        r.ClockRecord(7, "a flat battery", deadline=UNTIL),
        r.SubstituteRecord("louis", key, "gone", "Lise"),
        r.SubstituteRecord("louis", key, "gone"),
        r.KeyChangeRecord("louis", key, 3, "00", "letter"),
        r.KeyChangeRecord("", key, why="lost"),
        r.AgreementRecord(("louis", "frederick"), "No march before spring.", (3, 4)),
        r.HeirloomRecord(("00", "00"), {"louis": 1, "frederick": 2}),
        r.SuccessionRecord(key, {"louis": "letter", "frederick": "letter"}, "Wilhelmine"),
        r.SuccessionRecord(key, {"louis": "letter"}, seat="louis"),
        r.SuccessionRecord(key, {"moderator": "letter"}, "Wilhelmine"),
        r.ProposalRecord("louis", "draw", 5, "00", "letter"),
        r.VoteRecord("frederick", 9, "yes", 4, "00", "letter"),
        r.EndRecord(9, "draw"),
        r.ResolutionRecord(9, "replace", "louis"),
        r.ResolutionRecord(9, "clock", "5d"),
        r.CloseRecord("00", "00", "enough"),
        r.CloseRecord("00", "00"),
    ]


@pytest.mark.parametrize("language", languages())
def test_every_entry_is_told_in_words(running: Path, language: str) -> None:
    reading = read_folder(running, NOW)
    say = SiteWords(language, "maria")
    records = made_up(reading)
    assert {type(record) for record in records} == set(r.KINDS.values())
    people = {seat: who.name for seat, who in reading.public.players.items()}
    told = [say.entry(facts_of(record, reading.settings.clock), people) for record in records]
    for words in told:
        assert re.fullmatch(r"\S.*[.\w)]", words), words
        assert not re.search(r"  | [.,;:]|\.\.|None|\{|\(\)", words), words
    assert len(set(told)) == len(told)
    everything = " ".join(told)
    for facts in ("he is ill", "Hussars may swim.", "holidays", "a mistake", "Lise", "before spring", "enough"):
        assert facts in everything
    assert everything.count("SHA256:") >= 5


LINES = """\
vienna-1741: frederick, louis, maria-theresa
Lou plays louis
somebody plays louis
orders of louis for 1/france, seq 3, draft, written by the moderator: he is ill
plan of louis, seq 4, final
reveal of louis, seq 4, final
agreement of louis, seq 4, final
message of louis, seq 4, final
key-change of louis, seq 4, final
from somebody
from louis
everybody has sealed for 1/france; now all reveal
the moderator went on: what is sealed is fixed for 1/france; now all reveal
1/france → 1/prussia, 7 public events, defaults for louis (no orders by the deadline), defaults for frederick \
(something else), the letter of maria-theresa went back, louis forfeits orders, plans, \
the moderator went on before the clock allowed it, the game is over
Hussars may swim. (§7)
the deadline is Tuesday, 1 December 2026, 20:00 (Europe/Vienna): holidays
louis is away from 2026-12-01 to 2026-12-03: ill
louis is away from 2026-12-01 to 2026-12-01
louis, frederick (before)
back to entry 5, 1/setup: a mistake
the clock was wrong behind entry 5; all stands as then, 1/setup: a flat battery
the clock was wrong behind entry 2; all stands as then: a flat battery
the clock was wrong; what was shown behind the lock stays: a flat battery
Lise plays louis: gone
somebody else plays louis: gone
louis signs with another key, {key}
the moderator signs with another key, {key}: lost
louis, frederick: No march before spring.
parts of a key for an heir: louis, frederick
Wilhelmine carries on, wanted by louis, frederick
somebody else carries on, wanted by louis
Wilhelmine carries on, handed over by the moderator before
louis: to end the game as a draw
frederick: yes (entry 9)
a draw
louis is vacant, carrying out the proposal of entry 9
5\N{NO-BREAK SPACE}days for each later stage, carrying out the proposal of entry 9
the secrets are published: enough
the secrets are published
"""


def test_every_entry_is_told_in_a_line(running: Path) -> None:
    reading = read_folder(running, NOW)
    records = made_up(reading)
    english = entry_lines(reading, records, "en")
    key = next(record for record in records if isinstance(record, r.KeyChangeRecord)).key
    assert "\n".join(english) + "\n" == LINES.format(key=fingerprint(key))
    theirs = [{"new", "ruling", "agreement"} & {r.NAMES[type(record)]} for record in records]
    for language in languages():
        told = entry_lines(reading, records, language)
        assert len(set(told)) == len(told)
        assert [line == first for line, first in zip(told, english, strict=True)] == [
            language == "en" or bool(each) for each in theirs
        ]
        assert not [line for line in told if re.search(r"  | [.,;:]|None|\{|\(\)|\n", line)]


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
