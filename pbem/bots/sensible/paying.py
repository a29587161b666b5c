"""Worth of cards to their holder, and the cheapest payment."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.bots.sensible.sight import Sight
from pbem.engine.cards import is_reserve, least_missed, suit_of, value_of
from pbem.engine.nouns import Card, Power


def worth(sight: Sight, power: Power, card: Card) -> float:
    """Worth of a card to the power: its value, and more for the suits of its generals' sectors."""
    if is_reserve(card):
        return sight.weights.reserve_worth
    suits = [sight.common.board.suit[sight.place(g)] for g in sight.common.generals(power) if sight.place(g) >= 0]
    return value_of(card) + sight.weights.suit_worth * suits.count(suit_of(card))


def least_worth(sight: Sight, power: Power, cards: Sequence[Card]) -> list[Card]:
    """Cards by their worth to the power, the least first."""
    return sorted(cards, key=lambda card: (worth(sight, power, card), card))


def cheapest(sight: Sight, power: Power, price: int) -> tuple[Card, ...]:
    """Cards of least worth that pay the price; the hand must be enough."""
    cards = least_missed(sight.common.decks, sight.hands[power], price, lambda card: worth(sight, power, card))
    assert cards is not None
    return cards
