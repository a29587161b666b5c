"""With which cards a plan pays: the least that are enough, or the fewest."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.cards import DeckFacts, is_reserve, points


def cheapest(decks: DeckFacts, hand: Sequence[int], price: int) -> tuple[int, ...] | None:
    """The cards of least value that pay the price, those with a suit before Reserves; nothing if all are too few."""
    payments: dict[int, tuple[int, ...]] = {0: ()}
    for card in sorted(hand, key=lambda card: (is_reserve(card), card)):
        for paid, cards in list(payments.items()):
            if paid < price:
                payments.setdefault(paid + points(decks, [card]), (*cards, card))
    return payments[min(enough)] if (enough := [paid for paid in payments if paid >= price]) else None


def highest(decks: DeckFacts, hand: Sequence[int], price: int) -> tuple[int, ...] | None:
    """The cards of greatest value, until the price is paid, Reserves last; none of them is needless."""
    chosen: list[int] = []
    for card in sorted(hand, key=lambda card: (is_reserve(card), -points(decks, [card]), card)):
        if points(decks, chosen) < price:
            chosen.append(card)
    for card in sorted(chosen, key=lambda card: (points(decks, [card]), card)):
        if points(decks, chosen) - points(decks, [card]) >= price:
            chosen.remove(card)
    return tuple(chosen) if points(decks, chosen) >= price else None
