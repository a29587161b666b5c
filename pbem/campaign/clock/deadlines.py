"""When deadlines fall: never too early, never on a closed day, never while somebody who owes orders is away."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pbem.campaign.clock.absences import ONE_DAY, Absence, is_away, spans_of
from pbem.campaign.clock.clock import Clock, ClockFault, is_open, local_day, moment_on, span
from pbem.faults.wrong import wrong


def aligned(moment: datetime, clock: Clock, absences: Sequence[Absence]) -> datetime:
    """The first moment from this one on at which a deadline may fall."""
    day, away = local_day(moment, clock), spans_of(absences)
    # It ends: some day of the week is open, and an absence is passed at once.
    while True:
        found = moment_on(day, clock)
        falls_on = local_day(found, clock)  # another day than asked for where a zone has skipped a whole one
        if found >= moment and is_open(falls_on, clock):
            if not (back := [last for first, last in away if first <= falls_on <= last]):
                return found
            day = back[0]
        day += ONE_DAY


def first_deadline(now: datetime, clock: Clock, absences: Sequence[Absence] = ()) -> datetime:
    """The deadline of the first stage; the absences are those of players who owe something in it."""
    return aligned(now + span(clock.next), clock, absences)


def deadline_after(previous: datetime, now: datetime, clock: Clock, absences: Sequence[Absence] = ()) -> datetime:
    """The deadline of a stage that begins now; never earlier than that of the stage before it."""
    return aligned(max(now + span(clock.next), previous), clock, absences)


def moved_by_absence(deadline: datetime, now: datetime, clock: Clock, absences: Sequence[Absence]) -> datetime:
    """The deadline once an absence has been announced; one that has passed is not moved any more."""
    if now >= deadline or not is_away(local_day(deadline, clock), absences):
        return deadline
    return aligned(deadline, clock, absences)


def extended(deadline: datetime, until: datetime, now: datetime) -> datetime:
    """The deadline as the moderator has moved it, to any moment that is later and still to come."""
    if until <= deadline:
        raise ClockFault(wrong("E-DEADLINE-EARLIER", moment=moment_text(deadline)))
    if until <= now:
        raise ClockFault(wrong("E-DEADLINE-PAST", moment=moment_text(now)))
    return until


def moment_text(moment: datetime) -> str:
    """A moment as it stands in messages."""
    return f"{moment:%Y-%m-%d %H:%M} {moment.tzname()}"
