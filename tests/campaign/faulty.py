"""Disks that fail on purpose, and a small campaign's ledger to try them on."""

from __future__ import annotations

import errno
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.campaign.disk.atomic import Disk
from pbem.campaign.ledger.chain import Ledger
from pbem.seal.keys import new_key

START = datetime(1741, 4, 10, 8, 0, tzinfo=UTC)
KEY = new_key("moderator")


class Killed(BaseException):
    """The process is gone: nothing that it would have done afterwards happens."""


def full() -> OSError:
    """Raise the error of a full disk."""
    return OSError(errno.ENOSPC, "No space left on device")


class Faulty(Disk):
    """A disk on which the n-th operation goes wrong (counted from 0), before it is done, behind it or half-way."""

    def __init__(self, at: int = -1, when: str = "before", error: Callable[[], BaseException] = Killed) -> None:
        self.at = at
        self.when = when
        self.error = error
        self.count = 0

    def _operation(self, do: Callable[[], None], half: Callable[[], None] | None = None) -> None:
        is_now = self.count == self.at
        self.count += 1
        if is_now and self.when == "half" and half:
            half()
        elif not is_now or self.when == "behind":
            do()
        if is_now:
            raise self.error()

    def write(self, path: Path, data: bytes, mode: int) -> None:
        whole, half = super().write, data[: len(data) // 2]
        self._operation(lambda: whole(path, data, mode), lambda: whole(path, half, mode))

    def sync(self, path: Path) -> None:
        self._operation(lambda: None)

    def rename(self, path: Path, target: Path) -> None:
        do = super().rename
        self._operation(lambda: do(path, target))

    def link(self, path: Path, target: Path) -> None:
        do = super().link
        self._operation(lambda: do(path, target))

    def unlink(self, path: Path) -> None:
        do = super().unlink
        self._operation(lambda: do(path))

    def make_folder(self, path: Path) -> None:
        do = super().make_folder
        self._operation(lambda: do(path))


def small_ledger(folder: Path, entries: int = 3) -> Ledger:
    """A ledger of the campaign `vienna` in this folder, an entry an hour."""
    ledger = Ledger(folder, "vienna")
    for number in range(1, entries + 1):
        time = START + timedelta(hours=number)
        ledger.append("note", {"words": f"line {number}", "list": [number, "ä"]}, time, KEY, Faulty())
    return ledger
