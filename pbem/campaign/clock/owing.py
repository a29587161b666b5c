"""Orders that the seats owe now, and seats that do not answer in time. Both are found in the public state alone."""

from __future__ import annotations

from datetime import datetime

from pbem.campaign.clock.bank import longest_left
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.ledger.public_state import PublicState, hidden_orders, hidden_plans, is_held, unrevealed_parts
from pbem.campaign.letters.letterbox import AcceptedOrders, OwedOrders, orders_waited_for


def orders_now(public: PublicState) -> list[OwedOrders]:
    """Return the orders that every power owes, with those that were accepted for it. Behind a lock, players who only
    have to reveal are included. A held seat (`is_held`) only owes sealed parts that it has to reveal."""
    found = []
    for player, powers in (public.next.owing if public.next else {}).items():
        pending = public.pending.get(player)
        accepted = None
        if player in (public.next.answered if public.next else ()):
            accepted = AcceptedOrders(("orders",), parse_moment(public.last_needed or public.began))
        if pending:
            answers = ("orders",) if pending.status != "partial" else ("something",)
            since = parse_moment(public.last_needed) if public.last_needed else parse_moment(public.time)
            accepted = AcceptedOrders(answers, since, pending.status == "draft" and not public.locked)
        hidden = public.locked and bool(hidden_orders(public, player) or hidden_plans(public, player))
        accepted = None if hidden else accepted
        owed = () if is_held(public, player) and not hidden else ("orders",)
        found += [OwedOrders(power, player, owed, accepted, hidden) for power in powers]
    asked = public.next.owing if public.next else {}
    if public.locked:
        others = [player for player in unrevealed_parts(public) if player not in asked]
        found += [OwedOrders(player, player, ("orders",), hidden=True) for player in others]
    return found


def is_silent(public: PublicState, seat: str, now: datetime) -> bool:
    """True if the seat still owes orders after the deadline and after the time in its own bank. Behind a lock, or
    without a deadline, no seat is silent."""
    if public.locked or not public.deadline:
        return False
    until = parse_moment(public.deadline) + longest_left(public, [seat])
    late = orders_waited_for(orders_now(public), drafts_count=True)
    return now >= until and any(each.player == seat for each in late)
