"""Absences: the days on which players cannot order, within what the campaign allows each of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta

from msgspec import Struct

from pbem.campaign.clock.clock import Clock, ClockFault, local_day
from pbem.faults.wrong import wrong

ONE_DAY = timedelta(days=1)

FARTHEST = timedelta(days=366)
"""How far ahead an absence may be announced."""


class Absence(Struct, frozen=True):
    """A player is away from the first to the last of these days, in the campaign's time zone."""

    player: str
    first: date
    last: date
    reason: str = ""
    bot: str = ""
    """The bot that stands in meanwhile."""


def is_away(day: date, absences: Iterable[Absence]) -> bool:
    """Whether somebody is away on that day."""
    return any(absence.first <= day <= absence.last for absence in absences)


def of_players(absences: Iterable[Absence], players: Collection[str]) -> tuple[Absence, ...]:
    """The absences of these players."""
    return tuple(absence for absence in absences if absence.player in players)


def waited_for(absences: Iterable[Absence], players: Collection[str]) -> tuple[Absence, ...]:
    """The absences that move a deadline: of these players, who owe something, where no bot stands in."""
    return tuple(absence for absence in of_players(absences, players) if not absence.bot)


def spans_of(absences: Iterable[Absence]) -> list[tuple[date, date]]:
    """Return the days of some absences as spans, first and last day, in their order, of which no two touch."""
    # Counted, never walked: in an archive from elsewhere an absence may last for thousands of years.
    found: list[tuple[date, date]] = []
    for first, last in sorted((absence.first, absence.last) for absence in absences):
        if found and (first - found[-1][1]).days <= 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def count_of_days(absences: Iterable[Absence]) -> int:
    """Return how many days some absences have; what overlaps counts once."""
    return sum((last - first).days + 1 for first, last in spans_of(absences))


def check_absence(wish: Absence, known: Iterable[Absence], now: datetime, clock: Clock) -> None:
    """Refuse an absence that is none, that begins before today or too far ahead, or that exceeds the allowance."""
    today = local_day(now, clock)
    if wish.last < wish.first:
        raise ClockFault(wrong("E-ABSENCE-ORDER", last=str(wish.last), first=str(wish.first)))
    if wish.first < today:
        raise ClockFault(wrong("E-ABSENCE-PAST", day=str(wish.first), today=str(today)))
    if wish.last > today + FARTHEST:
        raise ClockFault(wrong("E-ABSENCE-FAR", day=str(wish.last), most=str(today + FARTHEST)))
    own = of_players(known, [wish.player])
    before = count_of_days(own)
    added, left = count_of_days([*own, wish]) - before, clock.absences - before
    if added > left:
        raise ClockFault(wrong("E-ABSENCE-ALLOWANCE", count=added, left=max(0, left), all=clock.absences))
