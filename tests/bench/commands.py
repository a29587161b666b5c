"""Time of each command as a process of its own, early and late in a campaign, in two revisions in turn."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.campaign import opened_by_moderator
from pbem.campaign.ledger.records import RulingRecord
from pbem.seal.keys import load_private
from tests.bench.against import ROOT, checked_out, install

NAME = "bench"
SEATS = ("maria-theresa", "frederick", "louis")
MODERATOR = ("--key", "moderator/key")
LENGTHS = (100, 1_000, 9_990)
"""Entries of the ledger; it can have 9,999."""

RULE = ("rule", "Be kind.", "-C", NAME, *MODERATOR)
"""Something happens."""

COMMANDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "status": (RULE, ("status", NAME)),
    "sign": (("sign", "{asked}.yaml", "--key", "{asked}/key"),),
    "check": (("check", "{asked}.yaml", "--report", "report.yaml", "--key", "{asked}/key"),),
    "legal": (("legal", "report.yaml"),),
    "accept": (("accept", "signed.yaml", "-C", NAME, *MODERATOR),),
    "adjudicate": (("adjudicate", "--force", "-C", NAME, *MODERATOR),),
    "post, no pictures": (RULE, ("post", "--no-pictures", "-C", NAME, *MODERATOR)),
    "post": (RULE, ("post", "-C", NAME, *MODERATOR)),
    "log": (("log", NAME),),
    "verify": (("verify", NAME),),
}
"""Commands to measure, the last of some; the seat that is asked for orders stands in place of `{asked}`."""


IMPORTED = re.compile(r"import time: +([0-9]+) \|")
"""A module in what Python tells of imports: the microseconds of itself alone."""


class Cost(Struct, frozen=True):
    """Time and memory of one process."""

    seconds: float
    """Of the processor."""
    megabytes: float
    """The most memory it had."""
    imports: float = 0.0
    """The seconds that its imports took, where they were counted."""


class Table:
    """A campaign of this many entries, and the people who play it with a program."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = os.environ | {"XDG_CONFIG_HOME": str(root / "config"), "XDG_CACHE_HOME": str(root / "cache")}
        (root / "cache").mkdir(parents=True)

    def run(self, python: Path, *words: str, counted: bool = False) -> Cost:
        """One command, which must succeed; with its imports `counted` it takes longer."""
        flags = ("-X", "importtime") if counted else ()
        with tempfile.TemporaryFile("w+", encoding="utf-8") as told:
            process = subprocess.Popen(
                [python, *flags, "-m", "pbem", *words],
                cwd=self.root, env=self.environment, stdout=subprocess.DEVNULL, stderr=told,
            )  # fmt: skip
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            told.seek(0)
            lines = told.read().splitlines()
        assert status == 0, (words, lines[-3:])
        imports = sum(int(match[1]) for line in lines if (match := IMPORTED.match(line)))
        return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, imports / 1e6)

    def begin(self, python: Path) -> None:
        """Everybody has a key and a seat, and somebody is asked for orders, which are signed."""
        for who in ("moderator", *SEATS):
            self.run(python, "key", "new", "--no-passphrase", "--key", f"{who}/key")
        self.run(python, "new", NAME, "--delay", "0m", *MODERATOR)
        self.run(python, "invite", "-C", NAME, *MODERATOR)
        for seat in SEATS:
            self.run(python, "join", self.sent(f"{seat}-invitation.invitation.yaml"), "--key", f"{seat}/key")
        self.run(python, "accept", *(f"join-{NAME}-{seat}.yaml" for seat in SEATS), "-C", NAME, *MODERATOR)
        self.run(python, "adjudicate", "-C", NAME, *MODERATOR)
        self.run(python, "post", "-C", NAME, *MODERATOR)
        asked = self.asked
        shutil.copy(self.sent(f"{asked}.report.yaml"), self.root / "report.yaml")
        for letter in (f"{asked}.yaml", "signed.yaml"):
            shutil.copy(self.sent(f"{asked}.orders.yaml"), self.root / letter)
        self.run(python, "sign", "signed.yaml", "--key", f"{asked}/key")

    def sent(self, name: str) -> str:
        """The newest file of this name in the outbox."""
        return str(max((self.root / NAME / "outbox").glob(f"*/{name}")))

    @property
    def asked(self) -> str:
        """The seat that is asked for orders."""
        sheets = max((self.root / NAME / "outbox").iterdir()).glob("*.orders.yaml")
        return min(path.name.partition(".")[0] for path in sheets)

    def lengthen(self, python: Path, entries: int) -> None:
        """The moderator rules on this and that until the ledger is so long; everybody has been told."""
        key = load_private((self.root / "moderator/key").read_bytes(), None)
        with opened_by_moderator(self.root / NAME, key, "rule", datetime.now(UTC)) as campaign:
            while len(os.listdir(self.root / NAME / "ledger")) < entries:
                campaign.add(RulingRecord("Be kind.", ""))
            campaign.save()
        self.run(python, "post", "--no-pictures", "-C", NAME, *MODERATOR)

    def copied(self, root: Path) -> Table:
        """The same once more, with what the program keeps for itself."""
        shutil.copytree(self.root, root, dirs_exist_ok=True)
        other = Table.__new__(Table)
        other.root, other.environment = root, self.environment
        return other


def costs(table: Table, python: Path, words: Sequence[tuple[str, ...]], counted: bool = False) -> Cost:
    """A command on a copy of the campaign: the last of its words is what is measured."""
    here = table.copied(Path(tempfile.mkdtemp(prefix="copy-", dir=table.root.parent)))  # known to no register
    *before, last = ([word.format(asked=table.asked) for word in each] for each in words)
    for each in before:
        here.run(python, *each)
    found = here.run(python, *last, counted=counted)
    shutil.rmtree(here.root)
    return found


def compared(pythons: Sequence[Path], root: Path, rounds: int) -> Iterator[tuple[str, int, list[Cost], float]]:
    """Every command at every length: of each revision the round that took least, and the imports of the first."""
    table = Table(root / "table")
    table.begin(pythons[-1])  # an older one need not read what a newer one has begun
    for entries in LENGTHS:
        table.lengthen(pythons[-1], entries)
        for name, words in COMMANDS.items():
            found: list[list[Cost]] = [[] for _ in pythons]
            for number in range(rounds):
                for python, times in list(zip(pythons, found, strict=True))[:: 1 if number % 2 else -1]:
                    times.append(costs(table, python, words))
            counted = costs(table, pythons[0], words, counted=True)
            yield name, entries, [min(times, key=lambda cost: cost.seconds) for times in found], counted.imports


def compare(revision: str, rounds: int) -> None:
    """Print what the commands of this revision and of another cost."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = (ROOT, checked_out(revision, folder / "source"))
        pythons = [install(source, folder / str(number)) for number, source in enumerate(sources)]
        print(
            f"| CPU, the least of {rounds} | entries | {revision} | now | times as quick | imports now | memory now |"
        )
        print("|---|---|---|---|---|---|---|")
        for command, entries, (this, other), imports in compared(pythons, folder, rounds):
            ratio = other.seconds / this.seconds
            times = f"{other.seconds:.2f} s | {this.seconds:.2f} s | **{ratio:.1f}**"
            print(f"| `{command}` | {entries:,} | {times} | {imports:.2f} s | {this.megabytes:.0f} MB |", flush=True)
