"""Which office is meant, and that it is opened by one program at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from pbem.campaign.disk.lock import locked
from pbem.office.desk import Desk
from pbem.office.office import Office
from pbem.office.settings import OfficeSettings
from pbem.office.store import Store


@contextmanager
def opened(settings: OfficeSettings, now: Callable[[], datetime]) -> Iterator[Office | Desk]:
    """The office of a moderator, or of a player."""
    folder = settings.state_folder
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(folder, "pbem mail", now()):
        store = Store(folder)
        try:
            yield Desk(settings, store, now) if settings.seat else Office(settings, store, now)
        finally:
            store.close()
