"""Substitutions whose command is killed or given twice: each person gets the mails of their own time in the seat."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.test_killed import Disk, Stricken, Words
from tests.office.post import PostalTable, copied

EVE = "eve@example.org"

NEW_PLAYER = ("--new-key", "eve/key.pub", "--name", "Eve", "--why", "gone")
SUBSTITUTE = ("substitute", "louis", *NEW_PLAYER, "--address", EVE)
PLACES = 6
"""Number of places, about, at which a command is killed."""


@pytest.fixture
def start(settled: PostalTable, tmp_path: Path) -> PostalTable:
    """A table at which Eve has a key, and louis plays."""
    table = copied(settled, tmp_path / "start")
    table.run("key", "new", "--no-passphrase", as_="eve")
    table.now += timedelta(hours=1)
    return table


def subjects(table: PostalTable) -> dict[str, list[str]]:
    """Subjects of the mails to the former and the present player of the seat, by address."""
    found: dict[str, list[str]] = {EVE: [], "louis@example.org": []}
    for mail in table.sent_mails():
        if (to := str(mail["To"]).rpartition("<")[2].strip(">")) in found:
            found[to].append(str(mail["Subject"]))
    return {address: sorted(each) for address, each in found.items()}


def entries(table: PostalTable) -> list[str]:
    return sorted(path.name for path in (table.folder / "ledger").glob("*.yaml"))


def order_as_eve(table: PostalTable) -> str:
    """Eve signs the sheet of the seat and mails it; return what the evening says."""
    table.run("sign", table.sheet("louis"), as_="eve")
    table.post_letter("louis", "louis/orders.yaml")
    return table.evening()


WITHOUT: Words = ("substitute", "louis", *NEW_PLAYER)
BY_NAME: Words = ("substitute", "Louis", *NEW_PLAYER, "--address", EVE)
KILLED: dict[str, tuple[Words, bool]] = {
    "with address, at once": (SUBSTITUTE, False),
    "with address, behind an evening": (SUBSTITUTE, True),
    "without, behind an evening": (WITHOUT, True),
    "without, at once": (WITHOUT, False),
    "by name, at once": (BY_NAME, False),
    "by name, behind an evening": (BY_NAME, True),
}
"""Command, and whether there is an evening before it is run again."""


@pytest.mark.parametrize(("words", "has_evening"), KILLED.values(), ids=KILLED)
def test_a_substitution_that_is_killed_and_run_again_mails_what_one_run_does(
    start: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: Words, *, has_evening: bool
) -> None:
    clean, counted, stricken = copied(start, tmp_path / "clean"), Disk(), Stricken(monkeypatch)
    stricken.run(clean, words, counted)
    clean.evening()
    expected, length = subjects(clean), len(entries(clean))
    assert len([each for each in expected["louis@example.org"] if "played by somebody else" in each]) == 1
    assert len(expected[EVE]) == ("--address" in words)
    stride = int(os.environ.get("PBEM_STRIDE", 1 + counted.count // PLACES))
    for at in range(int(has_evening), counted.count, stride):
        struck = copied(start, tmp_path / f"{at}")
        stricken.killed(struck, words, at)
        was_entered = len(entries(struck)) == length
        if has_evening:
            struck.evening()
            assert subjects(struck)[EVE] == (expected[EVE] if was_entered else []), at
        struck.now += timedelta(minutes=7)
        # By the name of the former player nobody knows the seat any more, if another command came between.
        struck.moderate(*words, code=None)
        struck.evening()
        assert subjects(struck) == expected, at
        assert len(entries(struck)) == length, at
        assert "letters taken: 1" in order_as_eve(struck), "her key counts"


@pytest.mark.parametrize("has_evening", [False, True], ids=["at once", "behind an evening"])
def test_a_substitution_that_is_given_twice_is_entered_once(start: PostalTable, *, has_evening: bool) -> None:
    table = start
    table.moderate(*SUBSTITUTE)
    if has_evening:
        table.evening()
        assert "letters taken: 1" in order_as_eve(table)
    before, length = subjects(table), len(entries(table))
    again = table.moderate(*SUBSTITUTE)
    assert "entry 6: Eve plays louis" in again.stdout
    assert "W-DONE-BEFORE that person has louis already, since entry 6" in again.stderr
    assert len(entries(table)) == length
    table.evening()
    if has_evening:
        assert subjects(table) == before, "nothing is told again"
    assert [each for each in subjects(table)[EVE] if "played by somebody else" in each] == []
    assert len([each for each in subjects(table)["louis@example.org"] if "played by somebody else" in each]) == 1
    table.moderate(*SUBSTITUTE[:-1], "new@example.org")
    table.evening()
    new = [str(mail["Subject"]) for mail in table.sent_mails() if "new@example.org" in str(mail["To"])]
    assert any("Turn 1" in each for each in new), "the address of the same person was corrected"
    assert len(entries(table)) == length


BACK = ("substitute", "louis", "--new-key", "louis/key.pub", "--why", "back")
LOST = "played by somebody else"


def farewells(table: PostalTable) -> list[str]:
    """Addresses to which mails say that somebody else has the seat."""
    return sorted(address for address, each in subjects(table).items() for subject in each if LOST in subject)


@pytest.mark.parametrize("address", ["louis@example.org", "new@example.org"])
def test_a_substitution_taken_back_before_the_next_round_is_told_to_nobody(start: PostalTable, address: str) -> None:
    table = start
    table.moderate(*SUBSTITUTE)
    assert "entry 7" in table.moderate(*BACK, "--address", address).stdout
    table.evening()
    assert farewells(table) == [], "the one has the seat again, and the other has never heard of it"
    assert not [*(table.folder / "outbox").glob("*/*-moved-*ruling*")]
    assert any(address in mail["To"] and "0007 Turn 1" in mail["Subject"] for mail in table.sent_mails())
    table.moderate(*SUBSTITUTE)
    table.evening()
    assert farewells(table) == ["louis@example.org"] * (address == "louis@example.org")
    table.moderate(*BACK, "--address", address)
    table.evening()
    assert farewells(table)[0] == EVE


def test_a_farewell_that_could_not_be_sent_yet_goes_away_with_the_substitution(start: PostalTable) -> None:
    table = start
    table.moderate(*SUBSTITUTE)
    settings = table.root / "mail.yaml"
    before = settings.read_text()
    settings.write_text(before.replace("files: sent", "sendmail: [no-such-program]"))
    table.evening(code=None)
    assert LOST not in str(subjects(table))
    settings.write_text(before)
    table.moderate(*BACK, "--address", "louis@example.org")
    told = table.evening()
    assert "is gone" not in told
    assert "louis@example.org" not in farewells(table)
    assert "waiting: 0; failed: 0" in table.mail("status")


def test_a_seat_whose_address_is_given_behind_a_killed_substitution_gets_no_older_mails(
    start: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, stricken = Disk(), Stricken(monkeypatch)
    words = ("substitute", "louis", *NEW_PLAYER)
    stricken.run(copied(start, tmp_path / "counted"), words, counted)
    length = len(entries(start)) + 1
    for at in range(0, counted.count, int(os.environ.get("PBEM_STRIDE", 1 + counted.count // PLACES))):
        struck = copied(start, tmp_path / f"{at}")
        stricken.killed(struck, words, at)
        struck.moderate(*words)
        struck.evening()
        struck.moderate("invite", "--address", f"louis={EVE}")
        struck.evening()
        (report,) = subjects(struck)[EVE]
        assert "0006 Turn 1" in report, at
        assert len(entries(struck)) == length


def test_an_agreement_is_offered_to_whoever_takes_the_seat_later(start: PostalTable) -> None:
    table, report = start, start.sent("frederick.report.yaml")
    table.run("agree", "louis", "Saxony stays neutral", "--report", report, "-o", "frederick/a.yaml", as_="frederick")
    table.post_letter("frederick", "frederick/a.yaml")
    table.evening()
    table.moderate(*SUBSTITUTE)
    table.evening()
    table.run("sign", table.sheet("frederick"), as_="frederick")
    table.post_letter("frederick", "frederick/orders.yaml")
    table.evening()
    table.evening()
    offered = [address for address, each in subjects(table).items() for said in each if "is offered to you" in said]
    assert sorted(offered) == [EVE, "louis@example.org"]
