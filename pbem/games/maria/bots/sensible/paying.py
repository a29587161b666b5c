"""Payments that only MARIA has: tolls and the subsidy."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pbem.bots.sensible.paying import cheapest
from pbem.engine.decisions import Answer
from pbem.engine.nouns import Piece
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules.decisions import GiveSubsidy, PayToll, Subsidy, Toll
from pbem.games.maria.rules.tolls import shortages, total_toll


def give_subsidy(outlook: MariaSight, decision: Subsidy, chance: Random) -> Answer:
    """Give it while the receiver has a general on the map and less than half of the giver's cards."""
    sight = outlook.sight
    in_the_field = any(sight.place(general) >= 0 for general in sight.common.generals(decision.receiver))
    sizes = sight.hand_sizes
    return GiveSubsidy(in_the_field and 2 * sizes[decision.receiver] < sizes[decision.power])


def pay_toll(outlook: MariaSight, decision: Toll, chance: Random) -> Answer:
    """Pay with the cards of least worth. If all are not enough, generals with the fewest troops go unsupplied."""
    sight = outlook.sight
    rules = sight.common

    def lost(group: Sequence[Piece]) -> int:
        return sum(2 * sight.field.pieces[g].troops + len(group) for g in group)

    unsupplied = min(shortages(rules, decision.claims, decision.hand), key=lost)
    if unsupplied and rules.unpaid == "pay all":
        return PayToll(decision.hand, unsupplied)
    price = total_toll(decision.claims, unsupplied)
    return PayToll(cheapest(sight, decision.power, price), unsupplied)
