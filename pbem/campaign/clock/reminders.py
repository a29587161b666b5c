"""Who is to be reminded of what: before a deadline, at it, and once a day while a stage waits for late orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from pbem.campaign.clock.absences import ONE_DAY
from pbem.campaign.clock.clock import Clock, span
from pbem.campaign.clock.permission import StageClock, end_of_grace
from pbem.campaign.ledger.records import Occasion
from pbem.campaign.letters.order_states import OwedOrders, state_of, still_waited_for

Why = Literal["none yet", "draft", "wait"]


class Reminder(Struct, frozen=True):
    """A reminder to one player."""

    player: str
    occasion: Occasion
    mark: datetime
    """The moment it became due; every mark is good for one reminder."""
    why: Why
    """No orders yet, a draft, or a flag to wait which alone holds the stage up."""
    powers: tuple[str, ...] = ()
    """The powers whose orders are not final."""


def reminders_due(
    last_reminded: Mapping[str, datetime],
    now: datetime,
    clock: Clock,
    stage: StageClock,
    all_orders: Sequence[OwedOrders],
) -> tuple[Reminder, ...]:
    """The reminders to send now, at most one a player; `last_reminded` tells when each was reminded in this stage."""
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
    """The last moment up to now at which reminders fell due; what lies before the stage needs no reminder."""
    marks = [stage.deadline - span(text) for text in clock.remind]
    if now >= stage.deadline:
        marks += [stage.deadline, last_daily(now, clock, stage)]
    return max((mark for mark in marks if stage.began < mark <= now), default=None)


def last_daily(now: datetime, clock: Clock, stage: StageClock) -> datetime:
    """The last of the daily marks since the deadline; they end with the grace, unless everybody goes on waiting."""
    days = (now - stage.deadline) // ONE_DAY
    if clock.at_deadline != "wait":
        within = end_of_grace(clock, stage) - stage.deadline
        # Rounded up, less one: none falls due just when the grace ends.
        days = min(days, max(0, -(-within // ONE_DAY) - 1))
    return stage.deadline + days * ONE_DAY


def reasons(
    now: datetime, stage: StageClock, all_orders: Sequence[OwedOrders]
) -> dict[str, tuple[Why, tuple[str, ...]]]:
    """Why each player is to be reminded, and of which powers."""
    past = now >= stage.deadline
    late = still_waited_for(all_orders, drafts_count=past)
    if not late:
        return {} if past else dict.fromkeys(stage.waiting, ("wait", ()))
    found: dict[str, tuple[Why, tuple[str, ...]]] = {}
    for player in dict.fromkeys(orders.player for orders in late):
        mine = [orders for orders in late if orders.player == player]
        nothing_yet = any(state_of(orders) in ("none yet", "not revealed") for orders in mine)
        found[player] = ("none yet" if nothing_yet else "draft", tuple(orders.power for orders in mine))
    return found
