"""One example watched: it ends in time, with an answer or with one of the faults that a caller of it expects."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from msgspec import Struct

from pbem.campaign.clock.clock import ClockFault
from pbem.campaign.disk.atomic import StorageFault
from pbem.faults.wrong import Wrong
from pbem.paper.documents.faults import Fault, Refused
from pbem.seal.faults import SealFault

SECONDS = 10.0
"""No example may take longer, on a slow machine that is busy with other things as well."""

EXPECTED = (SealFault, StorageFault, ClockFault)
"""Exceptions that refuse in words, besides `Refused`."""


class TooSlow(BaseException):
    """An example that did not end in time; no `except` of the program takes it for one of its own."""


class Target(Struct, frozen=True):
    """Something that reads bytes which anybody may have written."""

    name: str
    seeds: tuple[bytes, ...]
    """Sound files, of which examples are made."""
    read: Callable[[bytes], object]
    """Reads an example; asserts what must hold of the outcome."""
    rewritten: Callable[[object], bytes] | None = None
    """Writes a tree as such a file; nothing where examples are changed byte by byte only."""
    trees: tuple[object, ...] = ()
    """Values in the seeds."""
    weight: int = 1
    """Number of examples for one of the slowest."""


@contextmanager
def in_time(seconds: float = SECONDS) -> Iterator[None]:
    """Raise `TooSlow` in what takes longer."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow(f"it took more than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def watched(target: Target, data: bytes) -> float:
    """Let a target read an example; gives the seconds that it took."""
    begun = time.perf_counter()
    with in_time():
        try:
            target.read(data)
        except Refused as refused:
            check_faults(refused.faults)
        except EXPECTED as fault:
            check_words(fault.code, str(fault.message))
    return time.perf_counter() - begun


def check_faults(faults: tuple[Wrong, ...]) -> None:
    """Check that every fault has a code, a sentence on one line, and a place, unless it is about something missing."""
    assert faults, "nobody is refused without a reason"
    for fault in faults:
        check_words(fault.code, str(fault.message))
        assert len(str(fault.hint)) < 2000, str(fault.hint)
        place = (fault.line, fault.column) if isinstance(fault, Fault) else (0, 0)
        assert place == (0, 0) or min(place) >= 1, fault


def check_words(code: str, message: str) -> None:
    """A code and a sentence that a terminal can show."""
    assert code.startswith(("E-", "W-")), code
    assert message, code
    assert "\n" not in message, message
    assert len(message) < 2000, message
    assert "Traceback" not in message, message
    assert not any(0xD800 <= ord(letter) < 0xE000 for letter in message), code
