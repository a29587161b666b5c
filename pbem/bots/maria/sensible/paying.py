"""What cards are worth to their holder, and payments: tolls, trains and the subsidy."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pbem.engine.cards import is_reserve, points, suit_of, value_of
from pbem.engine.decisions import Answer, GiveSubsidy, PayToll, Subsidy, Toll
from pbem.engine.supply import shortages

from .sight import Sight

RESERVE_WORTH = 14.0
"""How dear a Reserve is; it is paid out last of all."""

SUIT_WORTH = 2.0
"""How much dearer a card is for every general whose sector has its suit."""


def worth(sight: Sight, power: str, card: int) -> float:
    """How gladly the power keeps a card: its value, and more in the suits of the sectors its generals stand in."""
    if is_reserve(card):
        return RESERVE_WORTH
    suits = [sight.common.board.suit[sight.place(g)] for g in sight.common.generals(power) if sight.place(g) >= 0]
    return value_of(card) + SUIT_WORTH * suits.count(suit_of(card))


def cheapest(sight: Sight, power: str, price: int) -> tuple[int, ...]:
    """The cards of least worth that pay the price; the hand must be enough."""
    if price <= 0:
        return ()
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for card in sight.hands[power]:
        cost, value = worth(sight, power, card), points(sight.common.decks, [card])
        for paid, (spent, cards) in list(best.items()):
            total = min(price, paid + value)
            if paid < price and (total not in best or spent + cost < best[total][0]):
                best[total] = (spent + cost, (*cards, card))
    return best[price][1]


def give_subsidy(sight: Sight, decision: Subsidy, chance: Random) -> Answer:
    """Give it while the receiver has a general to fight with and holds far fewer cards than the giver."""
    in_the_field = any(sight.place(general) >= 0 for general in sight.common.generals(decision.receiver))
    sizes = sight.hand_sizes
    return GiveSubsidy(in_the_field and 2 * sizes[decision.receiver] < sizes[decision.power])


def pay_toll(sight: Sight, decision: Toll, chance: Random) -> Answer:
    """Pay with the cards of least worth; if all are not enough, the generals with fewest troops go short."""
    rules = sight.common

    def lost(group: Sequence[int]) -> int:
        return sum(2 * sight.field.pieces[g].troops + len(group) for g in group)

    unsupplied = min(shortages(rules, decision.claims, decision.hand), key=lost)
    if unsupplied and rules.unpaid == "pay all":
        return PayToll(decision.hand, unsupplied)
    price = sum(len(claim.path) for claim in decision.claims if claim.piece not in unsupplied)
    return PayToll(cheapest(sight, decision.power, price), unsupplied)
