"""Clock of a campaign: the length of stages, the days and hours of deadlines, and moments as the ledger writes them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from msgspec import UNSET, Meta, Struct, UnsetType

from pbem.faults.wrong import Words, WrongError, words
from pbem.paper.documents.names import as_quoted

FIRST_YEAR, LAST_YEAR = 1000, 9000
"""First and last year of all moments and days. They leave enough room in the calendar for every time zone and span."""

_BEGIN, _END = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC), datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC)


class OutsideCalendar(ValueError):
    """Exception for a moment or day outside the years `FIRST_YEAR` to `LAST_YEAR`."""


def is_in_calendar(moment: datetime) -> bool:
    return _BEGIN <= moment < _END


def stamp(moment: datetime) -> str:
    """Return a moment as the ledger writes it, such as `2026-03-01T20:00:00Z`."""
    # All moments are written in UTC and with one length, so that comparing the texts compares the moments. Many callers
    # rely on this.
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def checked_stamp(text: str) -> str:
    """Return the text unchanged. Raises `ValueError` unless the text is empty, or a moment as `stamp` writes it."""
    if text:
        parse_moment(text)
    return text


def checked_day(text: str) -> str:
    """Return the text unchanged if it is a day such as `2026-03-01`. Raises `ValueError` for any other text, and
    `OutsideCalendar` for a year too far off."""
    day = date.fromisoformat(text)
    if day.isoformat() != text:
        raise ValueError("days are written in one way")
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise OutsideCalendar
    return text


@lru_cache(maxsize=256)
def parse_moment(text: str) -> datetime:
    """Return the moment that the ledger writes as `text` (`stamp`). Raises `ValueError` for any other text, and
    `OutsideCalendar` for a year too far off."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo != UTC or stamp(moment) != text:
        raise ValueError("moments are written in one way")
    if not is_in_calendar(moment):
        raise OutsideCalendar
    return moment


def is_moment(text: str) -> bool:
    with suppress(ValueError):
        return bool(parse_moment(text))
    return False


Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

AtDeadline = Literal["wait", "standing", "hold"]

_SPAN = re.compile(r"([0-9]{1,4})([mhdw])")
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_TIME = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_LONGEST = timedelta(days=366)


class Bank(Struct, frozen=True, forbid_unknown_fields=True):
    """Terms of a bank of time: what a seat saves by early answers, and draws when it is late."""

    start: str
    """Time in each seat's bank when the game begins."""
    add: str
    """Most time that one stage adds, if a seat answers before the deadline."""
    most: str
    """Most time that a bank holds."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the clock. Spans of time are written `30m`, `72h`, `3d` or `1w`; a day has 24 hours."""

    next: str = "72h"
    """Shortest time from an adjudication to the next deadline."""
    at: str = "20:00"
    """Time of day of deadlines, in `zone`."""
    zone: str = "UTC"
    """Time zone of days and of the time of day."""
    days: Annotated[tuple[Weekday, ...], Meta(min_length=1, max_length=7)] = WEEKDAYS
    """Days of the week on which deadlines may fall."""
    grace: str = "24h"
    """Time after a deadline in which late orders are still accepted."""
    delay: str = "30m"
    """Time after the last necessary order in which players may still change their orders."""
    remind: Annotated[tuple[str, ...], Meta(max_length=10)] = ("24h",)
    """Times before a deadline at which players are reminded of it."""
    at_deadline: AtDeadline = "wait"
    """Rule for missing orders after the grace: wait, use standing orders, or use the default orders."""
    absences: Annotated[int, Meta(ge=0, le=366)] = 21
    """Most days for which each player may be absent in the whole campaign."""
    # No bank by default: the entry of an older campaign must give the same bytes when it is written again.
    bank: Bank | UnsetType = UNSET
    """Bank of time for each seat; missing if the campaign has no bank."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for faulty spans or times, and for a bank that starts with more than it may hold."""
        if faults := [*faulty_spans(self), *faulty_times(self)]:
            raise ValueError("; ".join(faults))
        if (bank := self.bank or None) and span(bank.start) > span(bank.most):
            raise ValueError(f"bank: start: {as_quoted(bank.start)} is more than most")


class ClockFault(WrongError):
    """Exception for a request that the clock's settings do not allow."""


def span(text: str) -> timedelta:
    """Return the length of a span of time that is written like `72h`. Raises `ValueError` for any other text, and for a
    span of more than a year."""
    written = _SPAN.fullmatch(text)
    if written is None or (found := int(written[1]) * _UNITS[written[2]]) > _LONGEST:
        raise ValueError(f"{as_quoted(text)} is no span of time of up to a year: write 90m, 72h, 3d or 1w")
    return found


def time_of_day(text: str) -> time:
    """Return the time of day that is written like `20:00`. Raises `ValueError` for any other text."""
    written = _TIME.fullmatch(text)
    if written is None:
        raise ValueError(f"{as_quoted(text)} is no time of day: write 20:00")
    return time(int(written[1]), int(written[2]))


def zone_named(name: str) -> tzinfo:
    """Return the time zone with this full name. Raises `ValueError` for any other name. Abbreviations such as CET are
    refused: they say nothing about summer time."""
    if name == "UTC":
        return UTC
    try:
        if "/" in name:
            return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        pass
    zones = {each.casefold(): each for each in sorted(name for name in available_timezones() if "/" in name)}
    near = difflib.get_close_matches(name.casefold(), zones, n=2)
    hint = f"did you mean {' or '.join(zones[each] for each in near)}?" if near else "write Europe/Madrid, or UTC"
    raise ValueError(f"there is no time zone {as_quoted(name)}: {hint}")


def faulty_spans(clock: Clock) -> Iterator[str]:
    """Yield the faults of the spans of time in the settings. A span is faulty if it cannot be read. A span of zero is
    faulty as `next`, in `remind`, and as `most` of `bank`."""
    written = [("next", clock.next), ("grace", clock.grace), ("delay", clock.delay)]
    if bank := clock.bank or None:
        written += [("bank: start", bank.start), ("bank: add", bank.add), ("bank: most", bank.most)]
    for key, text in [*written, *(("remind", each) for each in clock.remind)]:
        try:
            if not span(text) and key in ("next", "remind", "bank: most"):
                yield f"{key}: {as_quoted(text)} is no time at all"
        except ValueError as error:
            yield f"{key}: {error}"


def faulty_times(clock: Clock) -> Iterator[str]:
    """Yield a fault for an unreadable time of day in the settings, and one for an unknown time zone."""
    try:
        time_of_day(clock.at)
    except ValueError as error:
        yield f"at: {error}"
    try:
        zone_named(clock.zone)
    except ValueError as error:
        yield f"zone: {error}"


def local_day(moment: datetime, clock: Clock) -> date:
    """Return the day of the calendar on which a moment falls in the campaign's time zone."""
    assert moment.tzinfo is not None, "a moment without a zone is no moment"
    return moment.astimezone(zone_named(clock.zone)).date()


def moment_on(day: date, clock: Clock) -> datetime:
    """Return the moment of a deadline on this day. If clocks skip this time of day when summer time begins, the
    deadline is as much later as the clocks are put forward."""
    return datetime.combine(day, time_of_day(clock.at), zone_named(clock.zone)).astimezone(UTC)


def next_hour(moment: datetime, clock: Clock) -> datetime:
    """Return the first moment after `moment` at the hour of deadlines, on any day of the week."""
    days = (local_day(moment, clock) + timedelta(days=number) for number in range(3))
    return next(at for at in (moment_on(day, clock) for day in days) if at > moment)


def is_open(day: date, clock: Clock) -> bool:
    """True if the settings allow deadlines on the weekday of this day."""
    return WEEKDAYS[day.weekday()] in clock.days


def local_moment(written: str, clock: Clock) -> Words:
    """Return words for a moment of the ledger in the campaign's time zone, or “no deadline” for an empty text."""
    if not written:
        return words("no-deadline")
    moment = parse_moment(written).astimezone(zone_named(clock.zone))
    return words("moment", weekday=WEEKDAYS[moment.weekday()], moment=f"{moment:%Y-%m-%d %H:%M %Z}")
