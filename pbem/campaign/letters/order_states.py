"""What has become of the orders of each power: nothing required, none yet, draft, final, or still to be revealed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from msgspec import Struct

OrderState = Literal["nothing required", "none yet", "draft", "final", "not revealed"]


class AcceptedOrders(Struct, frozen=True):
    """The newest orders that were accepted from a power for a stage."""

    answers: tuple[str, ...]
    """The things they answer, named as in `owed`; none at all is an explicit empty set of orders."""
    since: datetime
    """Since when the power has had orders of this state; changing final orders for other final ones keeps it."""
    draft: bool = False


class OwedOrders(Struct, frozen=True):
    """What a power owes in a stage, and what has been accepted from it."""

    power: str
    player: str
    owed: tuple[str, ...] = ()
    accepted: AcceptedOrders | None = None
    hidden: bool = False
    """Whether they are in, and behind a lock still to be revealed."""


def state_of(orders: OwedOrders) -> OrderState:
    """The state of a power's orders; who answers only part of what is owed has a draft."""
    if not orders.owed:
        return "nothing required"
    if orders.accepted is None:
        return "not revealed" if orders.hidden else "none yet"
    if orders.accepted.draft or not answers_all_owed(orders.owed, orders.accepted):
        return "draft"
    return "final"


def answers_all_owed(owed: Iterable[str], accepted: AcceptedOrders) -> bool:
    """Whether orders answer all that is owed; an explicit empty set says that nothing is ordered, and does."""
    return not accepted.answers or set(owed) <= set(accepted.answers)


def need_not_wait_for(orders: OwedOrders, drafts_count: bool) -> bool:
    """Whether nobody has to wait for this power; from the deadline on a whole draft counts as final."""
    match state_of(orders):
        case "nothing required" | "final":
            return True
        case "draft":
            return drafts_count and orders.accepted is not None and answers_all_owed(orders.owed, orders.accepted)
        case "none yet" | "not revealed":
            return False


def still_waited_for(all_orders: Iterable[OwedOrders], drafts_count: bool) -> tuple[OwedOrders, ...]:
    """The powers that have to be waited for."""
    return tuple(orders for orders in all_orders if not need_not_wait_for(orders, drafts_count))
