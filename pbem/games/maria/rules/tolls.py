"""The hussars' toll: what may be paid for it, and who goes unsupplied (§9)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from pbem.engine.cards import points
from pbem.engine.decisions import Claim
from pbem.engine.errors import IllegalOrder
from pbem.engine.rules import Rules
from pbem.engine.supply import check_in_hand
from pbem.games.maria.rules.decisions import PayToll


def check_payment(rules: Rules, claims: Sequence[Claim], hand: Sequence[int], answer: PayToll) -> None:
    """Refuse a payment that leaves a debt which the power could pay (§9)."""
    check_in_hand(hand, answer.cards)
    cost = {claim.piece: len(claim.path) for claim in claims}
    for place, general in enumerate(answer.unsupplied):
        if general not in cost or answer.unsupplied.count(general) > 1:
            name = rules.pieces[general].name
            raise IllegalOrder(
                "§9", "E-TOLL-GENERAL", f"{name} owes no toll", f"choose among {rules.names_of(cost, ', ')}, each once",
                ("unsupplied", place),
            )  # fmt: skip
    purse = points(rules.decks, hand)
    owed = sum(cost.values())
    paid = points(rules.decks, answer.cards)
    if purse >= owed:
        if answer.unsupplied:
            raise IllegalOrder(
                "§9", "E-TOLL-MUST", f"the hand is worth {purse}, the toll is {owed}: a power that can pay must pay",
                "leave nobody unsupplied", ("unsupplied",),
            )  # fmt: skip
        if paid < owed:
            raise IllegalOrder(
                "§9", "E-TOLL-SHORT", f"the cards are worth {paid}, the toll is {owed}", where=("cards",)
            )
        return
    check_shortage(rules, cost, purse, hand, answer)


def check_shortage(rules: Rules, cost: dict[int, int], purse: int, hand: Sequence[int], answer: PayToll) -> None:
    """Refuse an answer to a toll that exceeds the whole hand, unless it follows §9."""
    if rules.unpaid == "pay all" and sorted(answer.cards) != sorted(hand):
        raise IllegalOrder(
            "§9", "E-TOLL-ALL", f"the hand is worth {purse}, less than the toll of {sum(cost.values())}",
            "pay all cards, and say which generals go unsupplied", ("cards",),
        )  # fmt: skip
    kept = sum(cost.values()) - sum(cost[general] for general in answer.unsupplied)
    means = purse if rules.unpaid == "pay all" else points(rules.decks, answer.cards)
    if kept > means:
        raise IllegalOrder(
            "§9", "E-TOLL-UNPAID", f"the cards are worth {means}, the supplied generals' paths {kept}",
            "name more unsupplied generals", ("unsupplied",),
        )  # fmt: skip
    for place, general in enumerate(answer.unsupplied):
        if kept + cost[general] <= purse:
            raise IllegalOrder(
                "§9", "E-TOLL-MUST", f"{rules.pieces[general].name} can still be paid for: {purse - kept} points left",
                "a power must pay if it can", ("unsupplied", place),
            )  # fmt: skip


def shortages(rules: Rules, claims: Sequence[Claim], hand: Sequence[int]) -> list[tuple[int, ...]]:
    """The legal choices of generals who go unsupplied when the whole hand is worth less than the toll."""
    purse = points(rules.decks, hand)
    cost = {claim.piece: len(claim.path) for claim in claims}
    if purse >= sum(cost.values()):
        return [()]
    found = []
    for size in range(1, len(cost) + 1):
        for group in combinations(sorted(cost), size):
            kept = sum(cost.values()) - sum(cost[general] for general in group)
            if kept <= purse and all(kept + cost[general] > purse for general in group):
                found.append(group)
    return found
