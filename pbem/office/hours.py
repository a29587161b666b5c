"""What the office holds of the clock of this computer, before anything is entered by it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from statistics import median_low

from msgspec import Struct

from pbem.campaign.clock.timestamps import parse_moment
from pbem.faults.wrong import Wrong, wrong

SEEN = "seen"
"""The fact that says how late it is by the mails that have come."""

LONGEST_PAUSE = timedelta(days=10)
"""If nothing has been heard of for longer, neither a round nor a mail, somebody must vouch for the time."""

MOST_AHEAD = timedelta(days=1)
"""So far a mail may be ahead of this clock."""


class Dated(Struct, frozen=True):
    """When a mail was written, as it says, and when it came, as the last server says."""

    written: datetime | None
    received: datetime | None


def newest(mails: Iterable[Dated], now: datetime) -> datetime | None:
    """How late it is at least, as new mails tell; what lies ahead counts if servers say so of most of them.

    A date is easily written wrong; a clock that is ahead of all mails is found by those that are right.
    """
    dates = [date for each in mails if (date := each.received or each.written)]
    received = sorted(each.received for each in mails if each.received)
    if received and (usual := median_low(received)) > now + MOST_AHEAD:
        return usual
    return max((min(date, now) for date in dates if date <= now + MOST_AHEAD), default=None)


def clock_doubt(then: datetime, now: datetime, longest: timedelta = LONGEST_PAUSE) -> Wrong | None:
    """What is wrong with the time, if it was as late as this before."""
    told, was = (f"{each:%Y-%m-%d %H:%M}" for each in (now, then))
    if now < then:
        return wrong("W-OFFICE-CLOCK", now=told, then=was)
    if now - then > longest:
        return wrong("W-OFFICE-CLOCK.ahead", now=told, then=was)
    return None


def latest(*moments: str) -> datetime | None:
    """The last of some moments, of which some may be unknown."""
    return max((parse_moment(each) for each in moments if each), default=None)
