"""Which office is meant, and that it is opened by one program at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from pbem.campaign.disk.lock import locked
from pbem.office.desk import Desk
from pbem.office.office import Office
from pbem.office.settings import OfficeSettings
from pbem.office.store import NAME, Store


@contextmanager
def opened(settings: OfficeSettings, now: Callable[[], datetime]) -> Iterator[Office | Desk]:
    """The office of a moderator, or of a player."""
    folder = settings.state_folder
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(folder, "pbem mail", now()), at_work(settings, now) as office:
        yield office


@contextmanager
def looked_at(settings: OfficeSettings, now: Callable[[], datetime]) -> Iterator[Office | Desk]:
    """The same, of which nothing is changed: also while another program works in it."""
    is_there = (settings.state_folder / NAME).exists()
    with (at_work if is_there else opened)(settings, now) as office:
        yield office


@contextmanager
def at_work(settings: OfficeSettings, now: Callable[[], datetime]) -> Iterator[Office | Desk]:
    """An office with its memory."""
    store = Store(settings.state_folder)
    try:
        yield Desk(settings, store, now) if settings.seat else Office(settings, store, now)
    finally:
        store.close()
