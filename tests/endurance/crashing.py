"""Commands on disks that fail: killed at a random operation, and run again until they are done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import TypeVar

from pbem.campaign.campaign import Campaign, opened_by_moderator
from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.ledger.chain import state_text
from tests.campaign.faulty import Faulty, Killed, full
from tests.campaign.simulated import SimulatedTable
from tests.endurance.counting import Work, counting

T = TypeVar("T")

WAYS: tuple[tuple[str, Callable[[], BaseException]], ...] = (
    ("before", Killed),
    ("half", Killed),
    ("behind", Killed),
    ("half", full),
)
"""Failures of an operation."""


class Runner:
    """Runs the moderator's commands, some of which are killed on the way."""

    def __init__(self, table: SimulatedTable, chance: Random, often: float) -> None:
        """Strike a command this often."""
        self.table = table
        self.chance = chance
        self.often = often
        self.lengths: dict[str, int] = {}
        """Numbers of operations on the disk, by the latest command of a name."""
        self.struck: Counter[str] = Counter()
        self.works: list[Work] = []

    def run(self, name: str, do: Callable[[Campaign], T], kinds: tuple[str, ...] = ()) -> T | None:
        """Run a command until it is done; `kinds` are entries by which a moderator sees that it was done already.

        Returns nothing if it was done by a command that was killed.
        """
        before = self.entries()
        while True:
            disk = self.disk(name)
            work = Work(name, before)
            try:
                with counting(self.table.root, work):
                    found = self.once(do, before, kinds, disk)
            except (Killed, StorageFault):
                assert disk.count > disk.at >= 0, "nothing but the disk that was made to fail may fail"
                self.struck[name] += 1
                continue
            self.lengths[name] = disk.count
            self.works.append(work)
            return found

    def once(self, do: Callable[[Campaign], T], before: int, kinds: tuple[str, ...], disk: Faulty) -> T | None:
        """One try; what follows from the ledger must lie there afterwards."""
        table = self.table
        with opened_by_moderator(table.root, table.moderator, "test", table.now, disk) as campaign:
            found: T | None = None
            if not any(entry.kind in kinds for entry in campaign.ledger.entries(before + 1)):
                found = do(campaign)
                campaign.save()
            told = state_text(campaign.public, campaign.ledger.head)
        assert (table.root / "state.yaml").read_text("utf-8") == told, "state.yaml does not follow from the ledger"
        return found

    def disk(self, name: str) -> Faulty:
        """A disk for one try."""
        if self.chance.random() >= self.often:
            return Faulty()
        when, error = self.chance.choice(WAYS)
        return Faulty(self.chance.randrange(self.lengths.get(name, 12) + 1), when, error)

    def entries(self) -> int:
        """Number of entries of the ledger."""
        return len([path for path in (self.table.root / "ledger").iterdir() if path.suffix == ".yaml"])
