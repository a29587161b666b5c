"""An office at work. It is opened under a lock, and works round after round until a signal asks it to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from types import FrameType, TracebackType
from typing import Self

from pbem.campaign.clock.clock import span
from pbem.campaign.disk.folder import hold_lock
from pbem.office.counter import Counter, Round, mailbox_away
from pbem.office.doubts import MAILBOX
from pbem.office.moderator_office import Office
from pbem.office.player_office import PlayerOffice
from pbem.office.settings import Imap, OfficeSettings
from pbem.office.store import NAME, Store
from pbem.paper.documents.faults import Refused


@contextmanager
def office_for_work(settings: OfficeSettings, now: Callable[[], datetime]) -> Iterator[Office | PlayerOffice]:
    """Open the office of a moderator or a player to work with it. A lock prevents other programs from doing the
    same."""
    folder = settings.state_folder
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with hold_lock(folder, "pbem mail", now()), office_at_work(settings, now) as office:
        yield office


@contextmanager
def office_for_reading(settings: OfficeSettings, now: Callable[[], datetime]) -> Iterator[Office | PlayerOffice]:
    """Open an office to read its memory. Another program may be working with it at the same time. If there is no memory
    yet, create it under the office's lock."""
    is_there = (settings.state_folder / NAME).exists()
    with (office_at_work if is_there else office_for_work)(settings, now) as office:
        yield office


@contextmanager
def office_at_work(settings: OfficeSettings, now: Callable[[], datetime]) -> Iterator[Office | PlayerOffice]:
    """Open an office, and close its memory at the end. It is a player's office if the settings name a seat."""
    store = Store(settings.state_folder)
    try:
        yield PlayerOffice(settings, store, now) if settings.seat else Office(settings, store, now)
    finally:
        store.close()


SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Stop:
    """Listener for signals that ask the program to stop. The office finishes its round before it stops."""

    def __init__(self) -> None:
        self.told = threading.Event()

    def __enter__(self) -> Self:
        self.before = {number: signal.signal(number, self.take) for number in SIGNALS}
        return self

    def take(self, number: int, frame: FrameType | None) -> None:
        self.told.set()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restore the handlers of signals that were set before."""
        for number, before in self.before.items():
            signal.signal(number, before)


def rounds(office: Counter, stop: Stop, once: bool) -> Iterator[Round]:
    """Do round after round, or only one if `once` is true, and yield the result of each. If a round raises `Refused`,
    note a doubt about the mailbox and go on. If `once` is true, the exception is raised instead."""
    wait = span(office.settings.poll).total_seconds()
    while not stop.told.is_set():
        try:
            yield one_round(office, hurry=once)
        except Refused as refused:
            if once:
                raise
            # There is a doubt about this already if the folder of campaigns is missing.
            if refused.faults[0].code != "E-OFFICE-FOLDER":
                office.doubts.note("", mailbox_away(refused), MAILBOX)
        if once:
            return
        rest(office, stop, wait)


def one_round(office: Counter, hurry: bool = True) -> Round:
    """Do one round, and return its result. If the round raises `Refused`, send the new doubts by mail before the
    exception is raised."""
    try:
        return office.round(hurry=hurry)
    except Refused:
        office.tell_by_mail(hurry)
        raise


def rest(office: Counter, stop: Stop, seconds: float) -> None:
    """Wait for the next round. The wait ends after some seconds, or when the mail server announces new mail, or when a
    signal asks to stop."""
    imap = office.settings.inbox.imap
    if imap and imap.idle:
        with suppress(Refused):
            listen(imap, stop, seconds)
            return
    stop.told.wait(seconds)


def listen(imap: Imap, stop: Stop, seconds: float) -> None:
    """Wait until the mail server announces new mail, or a signal asks to stop, but no longer than `seconds`. Raises
    `Refused` if the server reports an error."""
    from pbem.office.servers import ImapSource

    source = ImapSource(imap)
    try:
        source.wait(seconds, stop.told)
    finally:
        source.close()
