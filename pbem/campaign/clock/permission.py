"""How a stage stands in time, and whether it may be adjudicated now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from pbem.campaign.clock.clock import Clock, span
from pbem.campaign.letters.order_states import OwedOrders, state_of, still_waited_for

ClockState = Literal["running", "delayed", "ready", "grace", "due", "overdue"]
"""`running` before the deadline; `delayed` all orders in, minds may still be changed; `ready` to be adjudicated;
`grace` waiting for late orders; `due` the grace is over and defaults answer; `overdue` it is over and all wait."""

AnswerSource = Literal["orders", "standing", "hold"]


class StageClock(Struct, frozen=True):
    """What the clock knows of the current stage."""

    began: datetime
    deadline: datetime
    """As it is now: absences and the moderator may have moved it."""
    waiting: tuple[str, ...] = ()
    """The players who asked not to be hurried; they are heard until the deadline."""


class Permission(Struct, frozen=True):
    """Whether the stage may be adjudicated."""

    may: bool
    basis: AnswerSource = "orders"
    """What answers for those who have not ordered; standing orders where there are none are the default orders."""
    absent: tuple[str, ...] = ()
    """The powers that have not ordered."""
    earliest: datetime | None = None
    """From when on it may be, if no further letter comes; None if only a letter can help."""


def clock_state(now: datetime, clock: Clock, stage: StageClock, all_orders: Sequence[OwedOrders]) -> ClockState:
    """How the stage stands now."""
    past = now >= stage.deadline
    if not still_waited_for(all_orders, drafts_count=past):
        if stage.waiting and not past:
            return "running"
        return "ready" if now >= ready_from(clock, stage, all_orders) else "delayed"
    if not past:
        return "running"
    if now < end_of_grace(clock, stage):
        return "grace"
    return "overdue" if clock.at_deadline == "wait" else "due"


def end_of_grace(clock: Clock, stage: StageClock) -> datetime:
    """Until when late orders are waited for."""
    return stage.deadline + span(clock.grace)


def ready_from(clock: Clock, stage: StageClock, all_orders: Sequence[OwedOrders]) -> datetime:
    """When everybody has had time to change their mind: some time after the last order, but by the deadline.

    After the deadline the end of the grace is the limit, and after that there is none.
    """
    last = last_order(stage, all_orders)
    if last is None:
        return stage.began
    limits = [limit for limit in (stage.deadline, end_of_grace(clock, stage)) if last <= limit]
    return min([last + span(clock.delay), *limits])


def last_order(stage: StageClock, all_orders: Sequence[OwedOrders]) -> datetime | None:
    """When the last order needed came in; a draft does so at the deadline. None if nothing was needed."""
    found = None
    for orders in all_orders:
        if orders.owed and orders.accepted is not None:
            is_draft = state_of(orders) == "draft"
            since = max(orders.accepted.since, stage.deadline) if is_draft else orders.accepted.since
            found = max(found or since, since)
    return found


def may_adjudicate(now: datetime, clock: Clock, stage: StageClock, all_orders: Sequence[OwedOrders]) -> Permission:
    """Whether the stage may be adjudicated now, by what, and if not, from when on."""
    late = tuple(orders.power for orders in still_waited_for(all_orders, drafts_count=True))
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
            return Permission(False, absent=late, earliest=if_nobody_writes(clock, stage, late))


def if_nobody_writes(clock: Clock, stage: StageClock, late: Sequence[str]) -> datetime | None:
    """When a stage that still waits may be adjudicated without another letter."""
    if not late:
        return stage.deadline
    return None if clock.at_deadline == "wait" else end_of_grace(clock, stage)
