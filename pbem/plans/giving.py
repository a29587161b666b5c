"""Which card of a hand a plan gives away, places or sets aside."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.cards import is_reserve, suit_of, value_of
from pbem.engine.nouns import Card, Suit
from pbem.paper.lexicon import from_hand
from pbem.paper.plans.data import CardsWish, CardWish
from pbem.plans.fighting import cards_kept_back


def cards_for(
    wish: CardsWish, cards: Sequence[Card], trump: Suit | None = None, lead: int = 0
) -> tuple[Card | None, ...]:
    """The cards that the wish leads to, the one wanted most first; None for `none`; trumps above `lead` would lead."""
    held = cards_kept_back(cards, wish.keep)
    free = [card for card in cards if card not in held]
    found: list[Card | None] = []
    for choice in wish.choices:
        if choice.card is None and not choice.pick:
            found.append(None)
            continue
        card = from_hand(free, choice.card) if choice.card else picked(choice, free, trump, lead)
        if card is not None and card not in found:
            found.append(card)
    return tuple(found)


def picked(choice: CardWish, cards: Sequence[Card], trump: Suit | None, lead: int) -> Card | None:
    """The highest or lowest card of a suit within limits; of equals the one from the lowest deck."""
    fit = [
        card
        for card in cards
        if not is_reserve(card) and fits(choice, card, trump, lead) and choice.values.holds(value_of(card))
    ]
    if choice.pick == "highest":
        return max(fit, key=lambda card: (value_of(card), -card), default=None)
    return min(fit, key=lambda card: (value_of(card), card), default=None)


def fits(choice: CardWish, card: Card, trump: Suit | None, lead: int) -> bool:
    """Whether a card is of the suit that is meant."""
    match choice.suit:
        case "card":
            return True
        case "trump":
            return suit_of(card) == trump
        case "leading":
            return suit_of(card) == trump and value_of(card) > lead
        case "other":
            return suit_of(card) != trump
        case suit:
            return suit_of(card) == suit
