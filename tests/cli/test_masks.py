"""Masked players by the command line: founding, joining, a seat that changes hands, a killed command, the close."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from pbem.campaign.campaign import opened_by_moderator
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Newcomer
from pbem.seal.keys import load_private
from tests.campaign.faulty import Faulty, Killed
from tests.cli.correspondence import NAME, SEATS, Correspondence
from tests.protocol.second import verify as second

PEOPLE = {"maria-theresa": "Zofia R.", "frederick": "Fritz W.", "louis": "Ludovic B."}
"""Names with a blank, which no sealed file has by chance."""


def founded(root: Path) -> Correspondence:
    """A campaign to which everybody was invited by name."""
    table = Correspondence(root)
    sitting = [f"--seat={seat}={name} <{seat}@example.org>" for seat, name in PEOPLE.items()]
    table.begin("--masks", "until the close", "--moderator", "Max <max@example.org>", *sitting)
    return table


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """Everybody has joined, one with a language."""
    table = founded(tmp_path_factory.mktemp("masks"))
    for seat in SEATS:
        words = ("--language", "de") if seat == "louis" else ()
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), *words, as_=seat)
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in SEATS))
    table.moderate("adjudicate")
    table.post()
    table.run("key", "new", "--no-passphrase", "--comment", "ada@home", as_="ada")
    return table


@pytest.fixture
def table(base: Correspondence, tmp_path: Path) -> Correspondence:
    return base.copied(tmp_path / "table")


def known(table: Correspondence) -> dict[str, Newcomer]:
    """Names and languages, as the moderator's commands know them."""
    key = load_private((table.root / "moderator" / "key").read_bytes(), None)
    with opened_by_moderator(table.folder, key, "test", table.now) as campaign:
        return {seat: campaign.person(seat) for seat in SEATS}


def is_sound(table: Correspondence) -> bool:
    return verify(table.folder).is_good and second(table.folder) == []


def public_text(table: Correspondence) -> bytes:
    """Everything in the folder that is not sealed and may be published."""
    return b"".join(data for name, data in table.files().items() if not name.startswith("outbox"))


def test_nobody_is_named_before_the_close(table: Correspondence) -> None:
    assert known(table) == {seat: Newcomer(name, "de" if seat == "louis" else "en") for seat, name in PEOPLE.items()}
    assert not [name for name in PEOPLE.values() if name.encode() in public_text(table)]
    invitation = Path(table.sent("louis-invitation.txt")).read_text("utf-8")
    assert "nobody but the moderator knows who plays which seat" in " ".join(invitation.split())
    assert "Ludovic" in Path(table.sent("louis.eml")).read_text("utf-8").partition("\n\n")[0]
    assert "Du bist am Zug" in Path(table.sent("louis.txt")).read_text("utf-8")
    table.moderate("close", "--why", "enough")
    assert not [name for name in PEOPLE.values() if name.encode() not in public_text(table)]
    assert is_sound(table)


def test_reports_are_held_against_the_ledger(table: Correspondence) -> None:
    report = table.sent("frederick.report.yaml")
    assert "nothing is wrong" in table.run("verify", NAME, "--report", report).output
    assert "Ludovic" not in Path(report).read_text("utf-8")
    table.moderate("close", "--why", "enough")
    table.post()
    report = table.sent("frederick.report.yaml")
    assert "nothing is wrong" in table.run("verify", NAME, "--report", report).output
    assert "Ludovic" in Path(report).read_text("utf-8")


def test_a_key_that_others_know_is_told(tmp_path: Path) -> None:
    table = founded(tmp_path)
    invitation = table.sent("louis-invitation.invitation.yaml")
    assert "W-JOIN-MASK" not in table.run("join", invitation, as_="louis").output
    notes = next((table.root / "louis" / "key.campaigns").glob("*.json"))
    shutil.copy(notes, notes.with_name("paris-1742.louis.json"))
    told = table.run("join", invitation, "-o", "again.yaml", as_="louis").output
    assert "W-JOIN-MASK" in told
    assert "paris-1742" in told
    (warning,) = table.json("join", invitation, "-o", "once.yaml", as_="louis")["warnings"]
    assert "paris-1742" in warning


def test_an_open_seat_of_the_running_game(table: Correspondence) -> None:
    table.moderate("invite", "--open", "louis", "--why", "gone")
    offer = table.sent("everybody-louis-invitation.invitation.yaml")
    table.run("join", offer, "--name", "Ada L.", "--language", "it", "-o", "ada.yaml", as_="ada")
    assert table.accept("ada.yaml")[0]["status"] == "final"
    table.accept("ada.yaml")
    assert len([*(table.folder / "ledger").glob("*-substitute.yaml")]) == 1
    assert known(table)["louis"] == Newcomer("Ada L.", "it")
    assert b"Ada L." not in public_text(table)
    assert b"ada@home" not in public_text(table)
    table.moderate("close", "--why", "enough")
    assert b"louis: Ada L." in public_text(table)
    assert is_sound(table)


GIVING = ("louis", "--new-key", "ada/key.pub", "--name", "Ada L.", "--language", "it", "--why", "gone")
"""Words by which a seat gets a substitute."""


def killed_anywhere(
    base: Correspondence, root: Path, monkeypatch: pytest.MonkeyPatch, words: Sequence[str]
) -> Iterator[Correspondence]:
    """Copies of a table on which a command was killed behind each operation of the disk, and run again."""
    place, counted = "pbem.moderator.campaigns.opened_by_moderator", Faulty()
    whole = base.copied(root / "whole")
    with monkeypatch.context() as patch:
        patch.setattr(place, partial(opened_by_moderator, disk=counted))
        whole.moderate(*words)
    for at in range(counted.count):
        table = base.copied(root / f"{at}")
        with monkeypatch.context() as patch:
            patch.setattr(place, partial(opened_by_moderator, disk=Faulty(at, "behind")))
            with pytest.raises(Killed):
                table.moderate(*words)
        table.moderate(*words)
        yield table


def test_a_killed_command_knows_the_name_of_a_substitute_when_it_is_run_again(
    base: Correspondence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in killed_anywhere(base, tmp_path, monkeypatch, ("substitute", *GIVING)):
        assert known(table)["louis"] == Newcomer("Ada L.", "it")
        assert len([*(table.folder / "ledger").glob("*-substitute.yaml")]) == 1
        assert is_sound(table)


def test_a_killed_command_knows_who_has_joined_when_it_is_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "base").mkdir()
    base = founded(tmp_path / "base")
    invitation = base.sent("louis-invitation.invitation.yaml")
    base.run("join", invitation, "--name", "Louis", "--language", "es", "-o", "join.yaml", as_="louis")
    for table in killed_anywhere(base, tmp_path, monkeypatch, ("accept", "join.yaml")):
        assert known(table)["louis"] == Newcomer("Louis", "es")
        assert len([*(table.folder / "ledger").glob("*-join.yaml")]) == 1
        assert is_sound(table)
