"""One command at a time in a campaign folder: an exclusive lock that ends with the process that holds it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from pbem.campaign.disk.atomic import PRIVATE, StorageFault, fault_of, short_path

try:
    import fcntl
except ImportError:  # only systems of the Unix family have it
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
_MOST = 200
_HOLDER = re.compile(r"[\x20-\x7e]{1,200}")


@contextmanager
def locked(folder: Path, command: str, now: datetime) -> Iterator[None]:
    """Hold the lock of this folder; raises `StorageFault` (`E-LOCK-HELD`) telling who holds it, and does not wait."""
    if fcntl is None:
        raise StorageFault("E-LOCK-SYSTEM", "this system has no file locks (flock); use Linux, macOS or WSL")
    path = folder / LOCK
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, PRIVATE)
    except OSError as error:
        raise fault_of(error, path, "lock") from None
    try:
        _take(handle, path)
        _sign(handle, command, now)
        yield
    finally:
        # The file stays: were it removed, two commands could hold locks on two files of this name.
        os.close(handle)


def _take(handle: int, path: Path) -> None:
    """The lock itself; closing the file gives it back, and so does the end of the process."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        raise StorageFault("E-DISK-KIND", f"cannot lock {short_path(path)}: it is no ordinary file")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        message = f"another command is at work in this folder: {_holder(handle)}; try again when it has finished"
        raise StorageFault("E-LOCK-HELD", message) from None
    except OSError as error:
        raise fault_of(error, path, "lock") from None


def _sign(handle: int, command: str, now: datetime) -> None:
    """Tell who holds the lock; only a courtesy, so a full disk does not matter."""
    since = f"{now:%Y-%m-%d %H:%M:%S %Z}".strip()
    note = f"`{command}`, since {since} (process {os.getpid()})"
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, note.encode("ascii", "replace")[:_MOST], 0)
    except OSError:
        return


def _holder(handle: int) -> str:
    """What the holder has written of itself; anything might stand there."""
    note = os.pread(handle, _MOST, 0).decode("ascii", "replace")
    return note if _HOLDER.fullmatch(note) else "it has not told its name"
