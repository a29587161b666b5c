"""With which cards a plan pays: the least that are enough, the fewest, or those that are least missed."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.cards import DeckFacts, is_reserve, least_missed, points, suit_of, value_of
from pbem.engine.nouns import Card
from pbem.plans.sight import PlanSight

RESERVE_NEED = 14
"""As what a Reserve counts where cards are weighed by how they would be missed."""

SUIT_NEED = 2
"""How much more a card counts there for every general of its power who stands in a sector of its suit."""


def spared(sight: PlanSight, hand: Sequence[Card], price: int) -> tuple[Card, ...] | None:
    """The cards that are least missed where the power's generals stand, and pay the price."""
    common, pieces = sight.rules.common, sight.field.pieces
    stands = [pieces[general].city for general in common.generals(sight.power)]
    suits = [common.board.suit[city] for city in stands if city >= 0]

    def need(card: Card) -> int:
        return RESERVE_NEED if is_reserve(card) else value_of(card) + SUIT_NEED * suits.count(suit_of(card))

    return least_missed(common.decks, hand, price, need)


def highest(decks: DeckFacts, hand: Sequence[Card], price: int) -> tuple[Card, ...] | None:
    """The cards of greatest value, until the price is paid, Reserves last; none of them is needless."""
    chosen: list[Card] = []
    for card in sorted(hand, key=lambda card: (is_reserve(card), -points(decks, [card]), card)):
        if points(decks, chosen) < price:
            chosen.append(card)
    for card in sorted(chosen, key=lambda card: (points(decks, [card]), card)):
        if points(decks, chosen) - points(decks, [card]) >= price:
            chosen.remove(card)
    return tuple(chosen) if points(decks, chosen) >= price else None
