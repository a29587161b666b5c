"""The office that goes on: round after round, until somebody stops it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Self

from pbem.campaign.clock.clock import span
from pbem.faults.wrong import wrong
from pbem.office.counter import Counter, Round
from pbem.office.settings import Imap
from pbem.paper.documents.faults import Refused

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Stop:
    """A wish to stop, which the system tells by a signal; nothing that was begun is broken off."""

    def __init__(self) -> None:
        """Nobody has told it yet."""
        self.told = threading.Event()

    def __enter__(self) -> Self:
        """Listen."""
        self.before = {number: signal.signal(number, self.take) for number in SIGNALS}
        return self

    def take(self, number: int, frame: FrameType | None) -> None:
        """A signal has come."""
        self.told.set()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave signals as they were."""
        for number, before in self.before.items():
            signal.signal(number, before)


def rounds(office: Counter, stop: Stop, once: bool) -> Iterator[Round]:
    """One round after the other; where the mailbox cannot be looked into, it is tried again."""
    wait = span(office.settings.poll).total_seconds()
    while not stop.told.is_set():
        try:
            yield office.round(hurry=once)
            office.doubts.settle("", about="mailbox")
        except Refused as refused:
            if once:
                raise
            office.doubts.note("", wrong("W-OFFICE-MAILBOX", why=str(refused.faults[0].message)), "mailbox")
        if once:
            return
        rest(office, stop, wait)


def rest(office: Counter, stop: Stop, seconds: float) -> None:
    """Wait for the next round, or until new mail is there."""
    imap = office.settings.inbox.imap
    if imap and imap.idle:
        with suppress(Refused):
            listen(imap, stop, seconds)
            return
    stop.told.wait(seconds)


def listen(imap: Imap, stop: Stop, seconds: float) -> None:
    """Wait at the server."""
    from pbem.office.imap import ImapSource

    source = ImapSource(imap)
    try:
        source.wait(seconds, stop.told)
    finally:
        source.close()
