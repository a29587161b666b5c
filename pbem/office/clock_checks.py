"""Clock of the computer, held against the mails that came and against the campaigns' last entries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec import json

from pbem.campaign.campaign import LONGEST_SILENCE
from pbem.campaign.clock.clock import stamp
from pbem.faults.wrong import Wrong, wrong
from pbem.office.doubts import mail_names
from pbem.office.fetching import LONGEST_PAUSE, SEEN, TELLER, clock_doubt, latest_moment
from pbem.office.store import Store


class ClockChecks:
    """Checks of the computer's clock by the memory of an office."""

    def __init__(self, store: Store, now: Callable[[], datetime], is_vouched: Callable[[], bool]) -> None:
        """Take a function that tells whether a person vouches for the clock."""
        self.store = store
        self.now = now
        self.is_vouched = is_vouched

    def time_doubt(self, longest: timedelta, *moments: str, of: str = "") -> Wrong | None:
        """Return the fault of the clock if `moments` or the mails of a campaign show another time, else None.

        `longest` is the longest silence that is not doubted. `of` is a stroke and a campaign's name, or empty for the
        mails of all campaigns.
        """
        seen = self.store.fact(SEEN + of)
        then, now = None if self.is_vouched() else latest_moment(*moments, seen), self.now()
        if then and then > now and stamp(then) == seen and (teller := self.store.fact(TELLER + of)):
            sender, subject = mail_names(*json.decode(teller, type=tuple[str, str]))
            told, was = (f"{each:%Y-%m-%d %H:%M}" for each in (now, then))
            return wrong("W-OFFICE-CLOCK.mail", now=told, then=was, sender=sender, subject=subject)
        return clock_doubt(then, now, longest) if then else None

    def campaign_doubt(self, name: str, time: str) -> Wrong | None:
        """Return the fault of the clock by a campaign's mails and by `time`, the time of its last entry, or None."""
        if self.store.fact("last"):
            return self.time_doubt(LONGEST_SILENCE, time, of=f"/{name}")
        return self.time_doubt(LONGEST_PAUSE, time, self.store.fact(SEEN), of=f"/{name}")

    def is_behind_mails(self, name: str) -> bool:
        """Return whether a campaign's mails are later than the clock, and no person vouches for the clock."""
        return not self.is_vouched() and self.store.fact(f"{SEEN}/{name}") > stamp(self.now())
