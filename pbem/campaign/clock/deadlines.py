"""Deadlines, absences and reminders: the end of a stage, permission to adjudicate it, and players to remind."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Literal

from msgspec import Struct

from pbem.campaign.clock.clock import Clock, ClockFault, is_open, local_day, moment_on, span
from pbem.campaign.ledger.records import Occasion
from pbem.campaign.letters.letterbox import OwedOrders, orders_waited_for, state_of
from pbem.faults.wrong import wrong

ONE_DAY = timedelta(days=1)

FARTHEST = timedelta(days=366)
"""Longest time ahead for which an absence may be announced."""


Policy = Literal["all in", "deadline", "by hand"]
"""Rule for when the moderator's program adjudicates a stage. `all in`: only if all orders are in. `deadline`: also if
defaults may answer for missing orders. `by hand`: never."""


class Absence(Struct, frozen=True):
    """Days on which a player is away, the first and the last included, in the campaign's time zone."""

    player: str
    first: date
    last: date
    reason: str = ""
    bot: str = ""
    """Bot that stands in on these days; empty without a bot."""


AWAY = re.compile(r"([a-z]+(?:-[a-z]+)*) is away")
"""Pattern of the reason that an entry gives for a deadline that was moved because of an absence
(`reason_of_absence`)."""


def reason_of_absence(seat: str) -> str:
    return f"{seat} is away"


def away_in(why: str) -> str:
    """Return the seat in the text `why`, if `reason_of_absence` has made that text. Return an empty text for any other
    reason."""
    found = AWAY.fullmatch(why)
    return found[1] if found else ""


def is_away(day: date, absences: Iterable[Absence]) -> bool:
    return any(absence.first <= day <= absence.last for absence in absences)


def absences_of_players(absences: Iterable[Absence], players: Collection[str]) -> tuple[Absence, ...]:
    return tuple(absence for absence in absences if absence.player in players)


def absences_to_wait_for(absences: Iterable[Absence], players: Collection[str]) -> tuple[Absence, ...]:
    """Return the absences of these players in which no bot stands in."""
    return tuple(absence for absence in absences_of_players(absences, players) if not absence.bot)


def spans_of(absences: Iterable[Absence]) -> list[tuple[date, date]]:
    """Join absences into spans of consecutive days. Return the first and the last day of each span, in order."""
    # The days are not listed one by one, because an absence in somebody else's archive may last for thousands of years.
    found: list[tuple[date, date]] = []
    for first, last in sorted((absence.first, absence.last) for absence in absences):
        if found and (first - found[-1][1]).days <= 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def count_of_days(absences: Iterable[Absence]) -> int:
    """Return the number of days that the absences cover. A day of two absences counts once."""
    return sum((last - first).days + 1 for first, last in spans_of(absences))


def check_absence(wish: Absence, known: Iterable[Absence], now: datetime, clock: Clock) -> None:
    """Raise `ClockFault` for an absence that ends before it begins, begins before today, or lies too far ahead. Also
    raise it if the player would be absent for more days in all than the clock allows. `known` are the absences so
    far."""
    today = local_day(now, clock)
    if wish.last < wish.first:
        raise ClockFault(wrong("E-ABSENCE-ORDER", last=str(wish.last), first=str(wish.first)))
    if wish.first < today:
        raise ClockFault(wrong("E-ABSENCE-PAST", day=str(wish.first), today=str(today)))
    if wish.last > today + FARTHEST:
        raise ClockFault(wrong("E-ABSENCE-FAR", day=str(wish.last), most=str(today + FARTHEST)))
    own = absences_of_players(known, [wish.player])
    before = count_of_days(own)
    added, left = count_of_days([*own, wish]) - before, clock.absences - before
    if added > left:
        raise ClockFault(wrong("E-ABSENCE-ALLOWANCE", count=added, left=max(0, left), all=clock.absences))


def next_open_moment(moment: datetime, clock: Clock, absences: Sequence[Absence]) -> datetime:
    """Return the first moment, `moment` or later, at which a deadline may fall: at the clock's time of day, on a
    weekday that is open for deadlines, and on no day of these absences."""
    day, away = local_day(moment, clock), spans_of(absences)
    # The loop ends: some day of the week is open, and an absence is skipped as a whole.
    while True:
        found = moment_on(day, clock)
        falls_on = local_day(found, clock)  # another day than `day` if the zone has skipped a whole day
        if found >= moment and is_open(falls_on, clock):
            if not (back := [last for first, last in away if first <= falls_on <= last]):
                return found
            day = back[0]
        day += ONE_DAY


def first_deadline(now: datetime, clock: Clock, absences: Sequence[Absence] = ()) -> datetime:
    """Return the deadline of the first stage; `absences` are those of players who owe orders in that stage."""
    return next_open_moment(now + span(clock.next), clock, absences)


def deadline_after(previous: datetime, now: datetime, clock: Clock, absences: Sequence[Absence] = ()) -> datetime:
    """Return the deadline of a stage that begins now. It is never earlier than `previous`, the deadline of the stage
    before."""
    return next_open_moment(max(now + span(clock.next), previous), clock, absences)


def deadline_with_absence(deadline: datetime, now: datetime, clock: Clock, absences: Sequence[Absence]) -> datetime:
    """Return the deadline, or the first possible moment after these absences if the deadline falls on a day of absence.
    A deadline that has passed is not moved."""
    if now >= deadline or not is_away(local_day(deadline, clock), absences):
        return deadline
    return next_open_moment(deadline, clock, absences)


def extended_deadline(deadline: datetime, until: datetime, now: datetime) -> datetime:
    """Return `until`, the new deadline that the moderator wants. Raises `ClockFault` if `until` has passed or is not
    later than the present deadline."""
    if until <= deadline:
        raise ClockFault(wrong("E-DEADLINE-EARLIER", moment=moment_text(deadline)))
    if until <= now:
        raise ClockFault(wrong("E-DEADLINE-PAST", moment=moment_text(now)))
    return until


def moment_text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} {moment.tzname()}"


ClockState = Literal["running", "delayed", "ready", "grace", "due", "overdue"]
"""State of a stage.

`running`: before the deadline. `delayed`: all orders are in, but may still be changed. `ready`: the stage may be
adjudicated. `grace`: the stage waits for late orders. `due`: the grace is over, and defaults answer. `overdue`: the
grace is over, but the stage waits for all orders.
"""

AnswerSource = Literal["orders", "standing", "hold"]


class StageClock(Struct, frozen=True):
    """Times of the present stage, and the players who asked to wait for its deadline."""

    began: datetime
    deadline: datetime
    """The present deadline, as absences and the moderator have moved it."""
    waiting: tuple[str, ...] = ()
    """Players who asked not to be adjudicated before the deadline."""
    bank: timedelta = timedelta()
    """Longest time after the deadline for which a seat without orders may still draw time from its bank."""


class Permission(Struct, frozen=True):
    """Permission or refusal to adjudicate the stage."""

    may: bool
    basis: AnswerSource = "orders"
    """Source of answers for powers without orders. Where standing orders have no answer, the default orders answer."""
    absent: tuple[str, ...] = ()
    """Powers without orders."""
    earliest: datetime | None = None
    """First moment at which the stage may be adjudicated if no further letter comes; None if only a letter can help."""


def clock_state(now: datetime, clock: Clock, stage: StageClock, all_orders: Sequence[OwedOrders]) -> ClockState:
    past = now >= stage.deadline
    if not orders_waited_for(all_orders, drafts_count=past):
        if stage.waiting and not past:
            return "running"
        return "ready" if now >= ready_from(clock, stage, all_orders) else "delayed"
    if not past:
        return "running"
    if now < end_of_grace(clock, stage):
        return "grace"
    return "overdue" if clock.at_deadline == "wait" else "due"


def end_of_grace(clock: Clock, stage: StageClock) -> datetime:
    return stage.deadline + stage.bank + span(clock.grace)


def ready_from(clock: Clock, stage: StageClock, all_orders: Sequence[OwedOrders]) -> datetime:
    """Return the moment from which a stage with all its orders may be adjudicated. This is the clock's `delay` after
    the last owed orders came in. The delay never ends after the deadline if these orders were in time, and never after
    the grace if they were late. If no orders are owed, return the beginning of the stage."""
    last = last_order(stage, all_orders)
    if last is None:
        return stage.began
    limits = [limit for limit in (stage.deadline, end_of_grace(clock, stage)) if last <= limit]
    return min([last + span(clock.delay), *limits])


def last_order(stage: StageClock, all_orders: Sequence[OwedOrders]) -> datetime | None:
    """Return the moment at which the last of the awaited orders came in, or None if none have come. A draft counts as
    sent at the deadline, or when it came if that was later."""
    found = None
    for orders in all_orders:
        if orders.owed and orders.accepted is not None:
            is_draft = state_of(orders) == "draft"
            since = max(orders.accepted.since, stage.deadline) if is_draft else orders.accepted.since
            found = max(found or since, since)
    return found


def may_adjudicate(now: datetime, clock: Clock, stage: StageClock, all_orders: Sequence[OwedOrders]) -> Permission:
    """Return the permission or refusal to adjudicate the stage now, with the earliest moment for it."""
    late = tuple(orders.power for orders in orders_waited_for(all_orders, drafts_count=True))
    match clock_state(now, clock, stage, all_orders):
        case "ready":
            return Permission(True, earliest=ready_from(clock, stage, all_orders))
        case "due":
            assert clock.at_deadline != "wait"
            return Permission(True, clock.at_deadline, late, end_of_grace(clock, stage))
        case "delayed":
            return Permission(False, earliest=ready_from(clock, stage, all_orders))
        case "overdue":
            return Permission(False, absent=late)
        case "running" | "grace":
            return Permission(False, absent=late, earliest=ready_without_letters(clock, stage, late))


def ready_without_letters(clock: Clock, stage: StageClock, late: Sequence[str]) -> datetime | None:
    """Return the moment at which a stage may be adjudicated if no more letters come. If no orders are missing, this is
    the deadline, else the end of the grace. Return None if orders are missing and the campaign waits for them without
    limit. `late` are the powers whose orders are missing."""
    if not late:
        return stage.deadline
    return None if clock.at_deadline == "wait" else end_of_grace(clock, stage)


Why = Literal["none yet", "draft", "wait"]


class Reminder(Struct, frozen=True):
    """A reminder that is due for one player."""

    player: str
    occasion: Occasion
    """`before` for a reminder before the deadline, `deadline` for one at the deadline, `late` for a daily one after
    it."""
    mark: datetime
    """Moment at which the reminder became due. Each player gets one reminder for each such moment."""
    why: Why
    """Reason of the reminder: there are no orders yet, the orders are a draft, or only the player's request to wait
    delays the stage."""
    powers: tuple[str, ...] = ()
    """Powers without final orders."""


def reminders_due(
    last_reminded: Mapping[str, datetime],
    now: datetime,
    clock: Clock,
    stage: StageClock,
    all_orders: Sequence[OwedOrders],
) -> tuple[Reminder, ...]:
    """Return the reminders to send now, at most one for each player. `last_reminded` is the moment of each player's
    last reminder in this stage."""
    mark = latest_mark(now, clock, stage)
    if mark is None:
        return ()
    occasion: Occasion = "before" if mark < stage.deadline else "deadline" if mark == stage.deadline else "late"
    return tuple(
        Reminder(player, occasion, mark, why, powers)
        for player, (why, powers) in reasons(now, stage, all_orders).items()
        if player not in last_reminded or last_reminded[player] < mark
    )


def latest_mark(now: datetime, clock: Clock, stage: StageClock) -> datetime | None:
    """Return the latest moment, up to `now`, at which reminders became due in this stage. Return None if none became
    due."""
    marks = [stage.deadline - span(text) for text in clock.remind]
    if now >= stage.deadline:
        marks += [stage.deadline, last_daily(now, clock, stage)]
    return max((mark for mark in marks if stage.began < mark <= now), default=None)


def last_daily(now: datetime, clock: Clock, stage: StageClock) -> datetime:
    """Return the latest moment, up to `now`, at which a daily reminder became due. Such reminders are due whole days
    after the deadline. They end with the grace, unless the campaign waits without limit for late orders."""
    days = (now - stage.deadline) // ONE_DAY
    if clock.at_deadline != "wait":
        within = end_of_grace(clock, stage) - stage.deadline
        # Rounded up, less one: no reminder is due at the very end of the grace.
        days = min(days, max(0, -(-within // ONE_DAY) - 1))
    return stage.deadline + days * ONE_DAY


def reasons(
    now: datetime, stage: StageClock, all_orders: Sequence[OwedOrders]
) -> dict[str, tuple[Why, tuple[str, ...]]]:
    """Return the players to remind, each with the reason and the powers whose orders are not final. If all orders are
    in before the deadline, return the players who asked to wait for it. If all are in after the deadline, return
    nobody."""
    past = now >= stage.deadline
    late = orders_waited_for(all_orders, drafts_count=past)
    if not late:
        return {} if past else dict.fromkeys(stage.waiting, ("wait", ()))
    found: dict[str, tuple[Why, tuple[str, ...]]] = {}
    for player in dict.fromkeys(orders.player for orders in late):
        mine = [orders for orders in late if orders.player == player]
        nothing_yet = any(state_of(orders) in ("none yet", "not revealed") for orders in mine)
        found[player] = ("none yet" if nothing_yet else "draft", tuple(orders.power for orders in mine))
    return found
