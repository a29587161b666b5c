"""The clock of a campaign as `docs/protocol.md` and `docs/absent.md` say: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Days = list[tuple[str, str]]
"""First and last days of absences."""


class Owed(NamedTuple):
    """Orders that are in from somebody who is asked."""

    since: datetime
    is_draft: bool
    is_whole: bool


def span(text: str) -> timedelta:
    """A span of time."""
    return int(text[:-1]) * UNITS[text[-1]]


def moment(text: str) -> datetime:
    """A moment."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def deadline(clock: Any, now: str, before: str, away: Days) -> str:
    """Next deadline, if it is set now; not earlier than the one before."""
    zone = ZoneInfo(clock["zone"])
    earliest = moment(now) + span(clock["next"])
    if before:
        earliest = max(earliest, moment(before))
    hour, minute = map(int, clock["at"].split(":"))
    day = earliest.astimezone(zone).date()
    while True:
        found = datetime.combine(day, time(hour, minute), zone).astimezone(UTC)
        falls_on = found.astimezone(zone).date()
        away_until = max((last for first, last in away if first <= falls_on.isoformat() <= last), default="")
        if found >= earliest and WEEKDAYS[falls_on.weekday()] in clock["days"] and not away_until:
            return f"{found:%Y-%m-%dT%H:%M:%SZ}"
        day = max(day, date.fromisoformat(away_until)) if away_until else day
        day += timedelta(days=1)


def days_in_all(away: Days) -> int:
    """Number of these days; overlapping ones count once."""
    count, until = 0, 0
    for first, last in sorted((day_number(first), day_number(last)) for first, last in away):
        count += max(0, last - max(first - 1, until))
        until = max(until, last)
    return count


def is_day(written: str) -> bool:
    """True if there is such a day, of the years in which there are any, and it is written in this form."""
    try:
        day = date.fromisoformat(written)
        return day.isoformat() == written and 1000 <= day.year <= 9000
    except ValueError:
        return False


def day_number(written: str) -> int:
    """The number of a day."""
    return date.fromisoformat(written).toordinal()


def year_behind(clock: Any, now: str) -> str:
    """The last day for which anybody may have announced an absence by now."""
    return (moment(now).astimezone(ZoneInfo(clock["zone"])).date() + timedelta(days=366)).isoformat()


def local_day(clock: Any, now: str) -> str:
    """The day that it is by the campaign's clock."""
    return moment(now).astimezone(ZoneInfo(clock["zone"])).date().isoformat()


def permitted(
    clock: Any, now: str, until: str, all_owed: list[Owed | None], waiting: bool, began: str, drawn: int = 0
) -> str:
    """Reason for which an adjudication is allowed: `orders` or `deadline`; empty if it is not yet. So many seconds may
    be drawn from banks."""
    at, end = moment(now), moment(until)
    late = at >= end
    grace = end + timedelta(seconds=drawn) + span(clock["grace"])
    if all(owed and owed.is_whole and (late or not owed.is_draft) for owed in all_owed):
        if waiting and not late:
            return ""
        return "orders" if at >= ready_from(clock, end, grace, all_owed, began) else ""
    if at < grace or clock["at_deadline"] == "wait":
        return ""
    return "deadline"


def ready_from(clock: Any, end: datetime, grace: datetime, all_owed: list[Owed | None], began: str) -> datetime:
    """Moment from which nobody may change their orders."""
    moments = [max(owed.since, end) if owed.is_draft else owed.since for owed in all_owed if owed]
    if not moments:
        return moment(began)
    last = max(moments)
    return min([last + span(clock["delay"]), *(limit for limit in (end, grace) if last <= limit)])
