"""Hussars' toll: legal payments, and the generals who go unsupplied (§9)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import combinations

from pbem.engine.cards import points
from pbem.engine.decisions import Claim
from pbem.engine.errors import IllegalOrder
from pbem.engine.nouns import Card, Piece
from pbem.engine.rules import Rules
from pbem.engine.supply import check_in_hand
from pbem.faults.wrong import wrong
from pbem.games.maria.rules.decisions import PayToll


def total_toll(claims: Iterable[Claim], unsupplied: Container[Piece] = ()) -> int:
    """Price of supply for all but some generals."""
    return sum(claim.toll for claim in claims if claim.piece not in unsupplied)


def check_payment(rules: Rules, claims: Sequence[Claim], hand: Sequence[Card], answer: PayToll) -> None:
    """Refuse a payment that leaves a debt which the power could pay (§9)."""
    check_in_hand(hand, answer.cards)
    cost = {claim.piece: claim.toll for claim in claims}
    for place, general in enumerate(answer.unsupplied):
        if general not in cost or answer.unsupplied.count(general) > 1:
            fault = wrong("E-TOLL-GENERAL", general=rules.pieces[general].name, generals=rules.names(cost))
            raise IllegalOrder(fault, where=("unsupplied", place))
    purse = points(rules.decks, hand)
    price = total_toll(claims)
    paid = points(rules.decks, answer.cards)
    if purse >= price:
        if answer.unsupplied:
            raise IllegalOrder(wrong("E-TOLL-MUST", purse=purse, owed=price), where=("unsupplied",))
        if paid < price:
            raise IllegalOrder(wrong("E-TOLL-SHORT", paid=paid, owed=price), where=("cards",))
        return
    check_shortage(rules, cost, purse, hand, answer)


def check_shortage(rules: Rules, cost: dict[Piece, int], purse: int, hand: Sequence[Card], answer: PayToll) -> None:
    """Refuse an illegal answer to a toll that exceeds the whole hand (§9)."""
    if rules.unpaid == "pay all" and sorted(answer.cards) != sorted(hand):
        raise IllegalOrder(wrong("E-TOLL-ALL", purse=purse, owed=sum(cost.values())), where=("cards",))
    kept = sum(cost.values()) - sum(cost[general] for general in answer.unsupplied)
    means = purse if rules.unpaid == "pay all" else points(rules.decks, answer.cards)
    if kept > means:
        raise IllegalOrder(wrong("E-TOLL-UNPAID", means=means, kept=kept), where=("unsupplied",))
    for place, general in enumerate(answer.unsupplied):
        if kept + cost[general] <= purse:
            fault = wrong("E-TOLL-MUST.general", general=rules.pieces[general].name, left=purse - kept)
            raise IllegalOrder(fault, where=("unsupplied", place))


def shortages(rules: Rules, claims: Sequence[Claim], hand: Sequence[Card]) -> list[tuple[Piece, ...]]:
    """Legal choices of generals who go unsupplied when the whole hand is worth less than the toll."""
    purse = points(rules.decks, hand)
    cost = {claim.piece: claim.toll for claim in claims}
    if purse >= sum(cost.values()):
        return [()]
    found = []
    for size in range(1, len(cost) + 1):
        for group in combinations(sorted(cost), size):
            kept = sum(cost.values()) - sum(cost[general] for general in group)
            if kept <= purse and all(kept + cost[general] > purse for general in group):
                found.append(group)
    return found
