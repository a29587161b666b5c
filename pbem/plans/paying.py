"""With which cards a plan pays: the least that are enough, or the fewest."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.cards import DeckFacts, is_reserve, points
from pbem.engine.nouns import Card


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
