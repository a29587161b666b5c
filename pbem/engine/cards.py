"""Tactical cards: what a card is, the decks it comes from, and how hands are filled (MARIA §8).

A card is one whole number: suit, value and deck of origin (`card_of`). A Reserve has the suit RESERVE and counts its
copies, not points, in the place of the value. Of four decks, sorted cards stand as a player would hold them; a fifth
deck came later, and its numbers lie behind those of the others, which stayed what they were (`as_held`).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Protocol, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import fields

from pbem.engine.events import DeckShuffled, Event
from pbem.engine.nouns import Card, Deck, Power, Suit

RESERVE = Suit(4)
"""The suit of a Reserve, beyond the four of the board."""

OTHER_DECKS = 1000
"""Shuffles are numbered; from this number on they are of other cards than tactical ones, such as a year's politics."""

PICKS = 2000
"""From this number on they are of hands, to pick a card at random."""


NumberT = TypeVar("NumberT", bound=int)


class DeckFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """How the tactical decks of a game are made up."""

    decks: int
    lowest: int
    highest: int
    reserves: int
    reserve_most: int


class Cards(Struct):
    """Where every tactical card is."""

    draw: list[Card]
    """The draw deck; its top is the last card."""
    unused: list[Deck]
    """Decks that have not been shuffled into the draw deck yet, in order."""
    discards: list[list[Card]]
    """The cards set aside, one pile for each deck of origin."""
    hands: dict[Power, list[Card]]
    shuffles: int = 0
    """How many shuffles there have been; each has a random stream of its own."""


class Dealer(Protocol):
    """The source of all chance in a game: it orders the cards of a shuffle by a stream the engine does not know."""

    def shuffle(self, number: int, cards: Sequence[NumberT]) -> list[NumberT]:
        """The cards of the given shuffle in their new order, the top of the deck first."""


def card_of(suit: Suit, value: int, deck: int) -> Card:
    """The card of this suit and value from this deck (decks count from 0): suit · 64 + value · 4 + deck.

    From the fifth deck on four decks more count as 512, and the rest as before.
    """
    return Card(deck >> 2 << 9 | suit << 6 | value << 2 | deck & 3)


def suit_of(card: Card) -> Suit:
    """The card's suit, or RESERVE."""
    return Suit(card >> 6 & 7)


def value_of(card: Card) -> int:
    """The value printed on the card; for a Reserve the number of the copy."""
    return card >> 2 & 15


def deck_of(card: Card) -> int:
    """The deck the card belongs to, which its back shows."""
    return card >> 9 << 2 | card & 3


def as_held(card: Card) -> tuple[int, int, int]:
    """The place of a card in a hand as a player holds it: by suit, by value, by deck."""
    return suit_of(card), value_of(card), deck_of(card)


def is_reserve(card: Card) -> bool:
    """Whether the card is a Reserve."""
    return card >> 6 & 7 == RESERVE


def deck_cards(facts: DeckFacts, deck: int) -> list[Card]:
    """All cards of one deck."""
    suited = [
        card_of(suit, value, deck) for suit in map(Suit, range(4)) for value in range(facts.lowest, facts.highest + 1)
    ]
    return suited + [card_of(RESERVE, copy + 1, deck) for copy in range(facts.reserves)]


def points(facts: DeckFacts, cards: Iterable[Card]) -> int:
    """What cards are worth in a payment, where the suit does not matter (§8)."""
    return sum([facts.reserve_most if is_reserve(card) else value_of(card) for card in cards])


def cheapest(decks: DeckFacts, hand: Sequence[Card], price: int) -> tuple[Card, ...] | None:
    """The cards of least value that pay the price, those with a suit before Reserves; nothing if all are too few."""
    payments: dict[int, tuple[Card, ...]] = {0: ()}
    for card in sorted(hand, key=lambda card: (is_reserve(card), card)):
        for paid, cards in list(payments.items()):
            if paid < price:
                payments.setdefault(paid + points(decks, [card]), (*cards, card))
    return payments[min(enough)] if (enough := [paid for paid in payments if paid >= price]) else None


def least_missed(
    decks: DeckFacts, hand: Sequence[Card], price: int, worth: Callable[[Card], float]
) -> tuple[Card, ...] | None:
    """The cards that together are worth least to their holder and pay the price; nothing if all are too few."""
    best: dict[int, tuple[float, tuple[Card, ...]]] = {0: (0, ())}
    for card in hand:
        cost, value = worth(card), points(decks, [card])
        for paid, (spent, cards) in list(best.items()):
            total = min(price, paid + value)
            if paid < price and (total not in best or spent + cost < best[total][0]):
                best[total] = (spent + cost, (*cards, card))
    return best[max(price, 0)][1] if max(price, 0) in best else None


def is_needless(facts: DeckFacts, cards: Sequence[Card], price: int) -> bool:
    """Whether a payment would still be enough without one of its cards; there is no change given (§8)."""
    paid = points(facts, cards)
    return any(paid - points(facts, [card]) >= price for card in cards)


def fresh_cards(facts: DeckFacts, powers: Iterable[Power]) -> Cards:
    """Empty hands, no draw deck yet, and every deck still to be used."""
    decks = range(facts.decks)
    return Cards(
        draw=[], unused=list(map(Deck, decks)), discards=[[] for _ in decks], hands={power: [] for power in powers}
    )


def lifted(cards: Cards, facts: DeckFacts, dealer: Dealer, events: list[Event]) -> Iterator[Card]:
    """The cards from the top of the draw deck, one by one; each new deck that this takes is added to the events."""
    while True:
        if not cards.draw:
            shuffled = refill(cards, facts, dealer)
            if shuffled is None:
                return
            events.append(shuffled)
        yield cards.draw.pop()


def draw(cards: Cards, facts: DeckFacts, dealer: Dealer, power: Power, count: int) -> tuple[list[Card], list[Event]]:
    """Move cards from the top of the draw deck to a hand; fewer than asked for if all others are in hands."""
    drawn: list[Card] = []
    events: list[Event] = []
    for card in islice(lifted(cards, facts, dealer, events), count):
        drawn.append(card)
        insort(cards.hands[power], card)
    return drawn, events


def throw(cards: Cards, facts: DeckFacts, dealer: Dealer, count: int) -> tuple[int, list[Event]]:
    """Set cards from the top of the draw deck aside, unseen by anybody: how many there were."""
    thrown = 0
    events: list[Event] = []
    for card in islice(lifted(cards, facts, dealer, events), count):
        set_aside(cards, card)
        thrown += 1
    return thrown, events


def set_aside(cards: Cards, card: Card) -> None:
    """Put a card on the pile of its deck of origin."""
    insort(cards.discards[deck_of(card)], card)


def refill(cards: Cards, facts: DeckFacts, dealer: Dealer) -> DeckShuffled | None:
    """Make a new draw deck: the next unused deck, or the two sets with most cards set aside (§8)."""
    if cards.unused:
        decks = [cards.unused.pop(0)]
        pool = deck_cards(facts, decks[0])
    else:
        # Of equally full sets the lower number: it must be nobody's choice (docs/rulings.md, §8).
        fullest = sorted(map(Deck, range(facts.decks)), key=lambda deck: (-len(cards.discards[deck]), deck))[:2]
        decks = sorted(deck for deck in fullest if cards.discards[deck])
        pool = sorted(card for deck in decks for card in cards.discards[deck])
        for deck in decks:
            cards.discards[deck] = []
    if not pool:
        return None
    # Dealers name the top first, the draw deck has it last.
    cards.draw = dealer.shuffle(cards.shuffles, pool)[::-1]
    cards.shuffles += 1
    return DeckShuffled(cards.shuffles, tuple(decks), len(pool))


def discard(cards: Cards, power: Power, played: Iterable[Card]) -> None:
    """Set played or paid cards aside, sorted by their deck of origin."""
    hand = cards.hands[power]
    for card in played:
        hand.remove(card)
        set_aside(cards, card)


def cards_of(event: Event) -> tuple[Card, ...]:
    """The tactical cards that an event speaks of."""
    found: list[Card] = []
    for name in card_fields(type(event)):
        value: Card | tuple[Card, ...] | None = getattr(event, name)
        found += value if isinstance(value, tuple) else [] if value is None else [value]
    return tuple(found)


@cache
def card_fields(kind: type[Event]) -> list[str]:
    """The fields of a type of events that hold tactical cards."""
    return [field.name for field in fields(kind) if {Card, tuple[Card, ...]} & {field.type, *get_args(field.type)}]
