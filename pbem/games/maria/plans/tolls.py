"""Payment by a plan for supply through hussars (§9)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.cards import cheapest
from pbem.engine.nouns import Card, Piece
from pbem.engine.supply import loss_of
from pbem.games.maria.rules.decisions import PayToll, Toll
from pbem.games.maria.rules.tolls import shortages, total_toll
from pbem.paper.plans.data import TollWish
from pbem.plans.fighting import cards_kept_back
from pbem.plans.paying import highest
from pbem.plans.sight import PlanSight


def pay(sight: PlanSight, decision: Toll, wish: TollWish) -> tuple[PayToll, ...]:
    """Payments for everybody if the hand is enough; else those named go unsupplied first, then those who lose least."""
    rules = sight.rules.common
    held = cards_kept_back(sight.hand, wish.keep)
    purse = [card for card in decision.hand if card not in held]
    first = [general.number for general in wish.unsupplied]

    def rank(group: Sequence[Piece]) -> tuple[int, int, tuple[int, ...]]:
        spared = sum(general not in group for general in first)
        lost = sum(loss_of(sight.field.pieces[general]) for general in group)
        return spared, lost, tuple(group)

    found: list[PayToll] = []
    for unsupplied in sorted(shortages(rules, decision.claims, decision.hand), key=rank):
        price = total_toll(decision.claims, unsupplied)
        if wish.pay == "never":
            cards: tuple[Card, ...] | None = ()
        elif unsupplied and rules.unpaid == "pay all":
            cards = None if held else decision.hand
        else:
            cards = (cheapest if wish.pay == "cheapest" else highest)(rules.decks, purse, price)
        if cards is not None:
            found.append(PayToll(cards, unsupplied))
    return tuple(found)
