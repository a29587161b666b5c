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


def days_of(absences: Iterable[Absence]) -> set[date]:
    """All days of some absences; what overlaps counts once."""
    return {
        absence.first + number * ONE_DAY
        for absence in absences
        for number in range((absence.last - absence.first).days + 1)
    }


def check_absence(wish: Absence, known: Iterable[Absence], now: datetime, clock: Clock) -> None:
    """Refuse an absence that is none, that begins before today or too far ahead, or that exceeds the allowance."""
    today = local_day(now, clock)
    if wish.last < wish.first:
        raise ClockFault(wrong("E-ABSENCE-ORDER", last=str(wish.last), first=str(wish.first)))
    if wish.first < today:
        raise ClockFault(wrong("E-ABSENCE-PAST", day=str(wish.first), today=str(today)))
    if wish.last > today + FARTHEST:
        raise ClockFault(wrong("E-ABSENCE-FAR", day=str(wish.last), most=str(today + FARTHEST)))
    before = days_of(of_players(known, [wish.player]))
    added = days_of([wish]) - before
    left = clock.absences - len(before)
    if len(added) > left:
        raise ClockFault(wrong("E-ABSENCE-ALLOWANCE", count=len(added), left=max(0, left), all=clock.absences))
