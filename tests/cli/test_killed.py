"""Moderators' commands that are killed between any two writes: run again with the same words, they worked once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from copy import copy
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from pbem.campaign.campaign import opened_by_moderator
from pbem.campaign.proof.verifying import verify
from tests.campaign.faulty import Faulty, Killed
from tests.cli.correspondence import NAME, Correspondence

Words = tuple[str, ...]

PLACES = 4
"""At the most twice so many places are tried where a command is killed; with `PBEM_STRIDE=1` all of them."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign that waits for the first orders, of which only copies are played on."""
    table = Correspondence(tmp_path_factory.mktemp("begun"))
    table.begin("--next", "24h", "--votes", "majority")
    table.join()
    return table


def copied(table: Correspondence, root: Path) -> Correspondence:
    """The same people and folders, elsewhere."""
    other = copy(table)
    other.root = Path(shutil.copytree(table.root, root))
    other.folder = other.root / NAME
    return other


def spare_key(table: Correspondence) -> str:
    """The public half of a key that nobody has used."""
    table.run("key", "new", "--no-passphrase", as_="spare")
    return "spare/key.pub"


def acting(table: Correspondence) -> Words:
    """Orders in a player's place."""
    seat = table.owing()[0]
    return ("act", seat, table.sheet(seat), "--why", "ill")


def accepting(table: Correspondence) -> Words:
    """A letter with orders."""
    seat = table.owing()[0]
    sheet = table.sheet(seat)
    table.run("sign", sheet, as_=seat)
    return ("accept", sheet)


def refusing(table: Correspondence) -> Words:
    """A letter that is not signed."""
    return ("accept", table.sheet(table.owing()[0]))


def forcing(table: Correspondence) -> Words:
    """Defaults for all who are asked, long before the deadline: then the next stage waits for others at once."""
    return ("adjudicate", "--force")


def adjudicating(table: Correspondence) -> Words:
    """All orders are in."""
    for seat in table.owing():
        table.order(seat)
    table.now += timedelta(hours=1)
    return ("adjudicate",)


def away(table: Correspondence) -> Words:
    """Two entries: a deadline moves."""
    seat = table.owing()[0]
    return ("absent", seat, f"{table.now:%Y-%m-%d}", f"{table.now + timedelta(days=4):%Y-%m-%d}", "--why", "a wedding")


def reminding(table: Correspondence) -> Words:
    """Reminders, written before they are entered."""
    table.now += timedelta(days=2)
    return ("remind",)


def substituting(table: Correspondence) -> Words:
    """A seat, a key and an address."""
    return (
        "substitute", "louis", "--new-key", spare_key(table), "--address", "l@example.org", "--why", "gone"
    )  # fmt: skip


def giving(table: Correspondence) -> Words:
    """A letter that takes an open seat of the running game."""
    table.moderate("invite", "--open", "louis", "--why", "gone")
    spare_key(table)
    offer = table.sent("everybody-louis-invitation.invitation.yaml")
    table.run("join", offer, "--name", "Ada", "-o", "ada.yaml", as_="spare")
    return ("accept", "ada.yaml")


def asked(table: Correspondence, *options: str) -> None:
    """Two strangers ask for a seat for which the moderator chooses."""
    table.moderate("invite", "--open", "louis", "--choose", *options)
    offer = table.sent("everybody-louis-invitation.invitation.yaml")
    for who in ("ada", "ben"):
        table.run("key", "new", "--no-passphrase", as_=who)
        table.run("join", offer, "--name", who.title(), "-o", f"{who}.yaml", as_=who)


def asking(table: Correspondence) -> Words:
    """Two letters that ask for a seat."""
    asked(table, "--why", "gone")
    return ("accept", "ada.yaml", "ben.yaml")


def choosing(table: Correspondence) -> Words:
    """A seat given to the second of two who have asked."""
    table.moderate(*asking(table))
    return ("choose", "louis", "Ben")


def voting(table: Correspondence) -> Words:
    """The last vote on an end, which is carried out behind it."""
    report = table.sent("frederick.report.yaml")
    table.run("propose", "draw", "--report", report, "-o", "p.yaml", as_="frederick")
    (letter,) = table.accept("p.yaml")
    table.moderate("post", "--no-pictures")
    for seat in ("louis", "maria-theresa"):
        report = table.sent(f"{seat}.report.yaml")
        table.run("vote", str(letter["entry"]), "yes", "--report", report, "-o", f"{seat}.yaml", as_=seat)
    table.accept("louis.yaml")
    return ("accept", "maria-theresa.yaml")


def last_vote(table: Correspondence, *subject: str) -> Words:
    """The last vote on something that more than half of the seats can carry."""
    report = table.sent("frederick.report.yaml")
    table.run("propose", *subject, "--report", report, "-o", "p.yaml", as_="frederick")
    (letter,) = table.accept("p.yaml")
    table.moderate("post", "--no-pictures")
    report = table.sent("louis.report.yaml")
    table.run("vote", str(letter["entry"]), "yes", "--report", report, "-o", "v.yaml", as_="louis")
    return ("accept", "v.yaml")


def voting_out(table: Correspondence) -> Words:
    """The last vote on a silent seat."""
    table.now += timedelta(days=2)
    return last_vote(table, "replace", "maria-theresa")


def rekeying(table: Correspondence) -> Words:
    """A key was lost."""
    return ("rekey", "louis", spare_key(table), "--why", "lost")


def going_back(table: Correspondence) -> Words:
    """To the beginning."""
    table.moderate("adjudicate", "--force")
    return ("rollback", "--to", "5", "--why", "a slip")


def repairing(table: Correspondence) -> Words:
    """A clock that was ahead by a year."""
    table.now += timedelta(days=365)
    table.moderate("adjudicate", "--force", "--clock-is-right")
    table.now -= timedelta(days=364)
    return ("repair-clock", "--why", "a flat battery", "--clock-is-right")


def posting(table: Correspondence) -> Words:
    """Reports of what happened."""
    table.moderate("rule", "Be kind.")
    return ("post", "--no-pictures")


CASES: dict[str, Callable[[Correspondence], Words]] = {
    "act": acting,
    "accept": accepting,
    "refuse": refusing,
    "force": forcing,
    "adjudicate": adjudicating,
    "extend": lambda table: ("extend", "48h", "--why", "a storm"),
    "absent": away,
    "rule": lambda table: ("rule", "A late letter counts.", "--cite", "§1"),
    "remind": reminding,
    "substitute": substituting,
    "open seat": giving,
    "ask": asking,
    "choose": choosing,
    "vote": voting,
    "vote out": voting_out,
    "vote on the clock": lambda table: last_vote(table, "clock", "5d"),
    "rekey": rekeying,
    "rollback": going_back,
    "repair-clock": repairing,
    "post": posting,
    "close": lambda table: ("close", "--why", "far enough"),
}


class Disk(Faulty):
    """A disk that fails only where something is done."""

    def make_folder(self, path: Path) -> None:
        if path.is_dir():
            raise FileExistsError
        super().make_folder(path)


class Stricken:
    """Commands whose disk fails at one operation."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.whole = opened_by_moderator

    def run(self, table: Correspondence, words: Words, disk: Faulty) -> None:
        """One command on this disk, however it ends."""
        with self.monkeypatch.context() as patched:
            patched.setattr("pbem.moderator.campaigns.opened_by_moderator", partial(self.whole, disk=disk))
            table.moderate(*words, code=None)

    def killed(self, table: Correspondence, words: Words, at: int) -> None:
        """The command is killed behind this operation."""
        disk = Disk(at, "behind")
        with pytest.raises(Killed):
            self.run(table, words, disk)


@pytest.fixture
def stricken(monkeypatch: pytest.MonkeyPatch) -> Stricken:
    """Disks that fail."""
    return Stricken(monkeypatch)


def ledger(table: Correspondence) -> list[bytes]:
    """Content of the ledger."""
    return [path.read_bytes() for path in sorted((table.folder / "ledger").glob("*.yaml"))]


def left(table: Correspondence) -> dict[str, bytes]:
    """Everything in the folder; of sealed files, which are new bytes each time, and of the outbox, the names."""
    files = table.files().items()
    return {name: b"" if name.endswith(".age") or name.startswith("outbox") else data for name, data in files}


@pytest.mark.parametrize("name", CASES)
def test_a_command_killed_between_any_two_writes_and_run_again_works_once(
    begun: Correspondence, tmp_path: Path, stricken: Stricken, name: str
) -> None:
    table = copied(begun, tmp_path / "start")
    words = CASES[name](table)
    clean = copied(table, tmp_path / "clean")
    clean.moderate(*words, code=(0, 1)[name == "refuse"])
    counted = Disk()
    stricken.run(copied(table, tmp_path / "counted"), words, counted)
    until = counted.count - 2  # then it has answered, and its last file has its name
    for at in range(0, until, int(os.environ.get("PBEM_STRIDE", 1 + until // PLACES))):
        struck = copied(table, tmp_path / f"{at}")
        stricken.killed(struck, words, at)
        struck.now += timedelta(minutes=7)
        if len(ledger(struck)) < len(ledger(clean)):
            struck.now = table.now
        struck.moderate(*words, code=None if name == "refuse" else 0)  # or it was refused before
        assert ledger(struck) == ledger(clean), (name, at)
        assert left(struck) == left(clean), (name, at)
    found = verify(clean.folder)
    assert found.is_good, found.findings


def struck_behind_its_entry(table: Correspondence, stricken: Stricken, words: Words) -> None:
    """The command is killed when its entry is there, and nothing that follows from it."""
    before = len(ledger(table))
    probe = Disk()
    stricken.run(copied(table, table.root.with_name("probe")), words, probe)
    for at in range(probe.count):
        other = copied(table, table.root.with_name(f"probe-{at}"))
        stricken.killed(other, words, at)
        if len(ledger(other)) > before:
            table.root, table.folder = other.root, other.folder
            return


def test_the_same_words_after_success_are_a_new_command(begun: Correspondence, tmp_path: Path) -> None:
    table = copied(begun, tmp_path / "here")
    deadlines = [
        table.json("extend", "48h", "--why", "a storm", "-C", NAME, as_="moderator")["deadline"] for _ in (1, 2)
    ]
    assert deadlines == ["2026-11-24T20:00:00Z", "2026-11-26T20:00:00Z"]


def test_what_was_done_before_is_told_and_then_forgotten(
    begun: Correspondence, tmp_path: Path, stricken: Stricken
) -> None:
    table = copied(begun, tmp_path / "here")
    words = ("extend", "48h", "--why", "a storm")
    struck_behind_its_entry(table, stricken, words)
    told = table.moderate(*words)
    assert "entry 6: the deadline is" in told.stdout
    assert "W-DONE-BEFORE `pbem extend` had been interrupted behind entry 6" in told.stderr
    again = table.moderate(*words)
    assert "entry 7: the deadline is" in again.stdout
    assert "W-DONE-BEFORE" not in again.stderr


@pytest.mark.parametrize(
    "other", [("rule", "Be kind."), ("extend", "48h", "--why", "another storm"), ("adjudicate", "--force")]
)
def test_another_command_between_makes_it_a_new_one(
    begun: Correspondence, tmp_path: Path, stricken: Stricken, other: Words
) -> None:
    table = copied(begun, tmp_path / "here")
    words = ("extend", "48h", "--why", "a storm")
    struck_behind_its_entry(table, stricken, words)
    table.moderate(*other)
    assert "W-DONE-BEFORE" not in table.moderate(*words).stderr
    assert len(ledger(table)) == 8


def test_a_command_line_of_other_words_is_another_command(
    begun: Correspondence, tmp_path: Path, stricken: Stricken
) -> None:
    table = copied(begun, tmp_path / "here")
    struck_behind_its_entry(table, stricken, ("adjudicate", "--force"))
    assert "E-CAMPAIGN-WAITING" in table.moderate("adjudicate", code=1).stderr
    assert "W-DONE-BEFORE" in table.moderate("adjudicate", "--force").stderr


def test_orders_that_were_changed_meanwhile_are_another_command(
    begun: Correspondence, tmp_path: Path, stricken: Stricken
) -> None:
    table = copied(begun, tmp_path / "here")
    seat = table.owing()[0]
    table.sheet(seat)
    words = ("act", seat, f"{seat}/orders.yaml", "--why", "ill")
    struck_behind_its_entry(table, stricken, words)
    other = copied(table, tmp_path / "other")
    assert "W-DONE-BEFORE" in table.moderate(*words).stderr
    (other.root / seat / "orders.yaml").write_text("orders: {}\n")
    assert "W-DONE-BEFORE" not in other.moderate(*words).stderr
    assert len(ledger(other)) == len(ledger(table)) + 1
