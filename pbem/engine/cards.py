"""Tactical cards, their decks, the filling of hands (MARIA §8), and shuffles from a stream of bytes."""

from __future__ import annotations

import hashlib
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
"""Index that stands for the suit of a Reserve. It follows the indices of the four suits."""

OTHER_DECKS = 1000
"""Number of the first shuffle of other cards, such as political cards. Shuffles of tactical cards have lower numbers.
"""

PICKS = 2000
"""Number of the first shuffle by which a card is picked from a hand at random."""


NumberT = TypeVar("NumberT", bound=int)


class DeckFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Number and content of the decks of tactical cards in a game, and the highest value of a Reserve."""

    decks: int
    lowest: int
    highest: int
    reserves: int
    reserve_most: int


class Cards(Struct):
    """Places of all tactical cards."""

    draw: list[Card]
    """Draw deck; its top is the last card."""
    unused: list[Deck]
    """Decks that have not been used yet, in the order in which they will be used."""
    discards: list[list[Card]]
    """Cards set aside, one pile for each deck of origin."""
    hands: dict[Power, list[Card]]
    shuffles: int = 0
    """Number of shuffles so far; each has its own random stream."""


class Dealer(Protocol):
    """Source of all chance in a game: the order of the cards after each shuffle."""

    def shuffle(self, number: int, cards: Sequence[NumberT]) -> list[NumberT]:
        """Return the cards of shuffle `number` in their new order, the top of the deck first."""


def card_of(suit: Suit, value: int, deck: int) -> Card:
    """Return the number of a card: (deck // 4) · 512 + suit · 64 + value · 4 + deck % 4."""
    return Card(deck >> 2 << 9 | suit << 6 | value << 2 | deck & 3)


def suit_of(card: Card) -> Suit:
    return Suit(card >> 6 & 7)


def value_of(card: Card) -> int:
    """Return the value of a suited card, or the number of a Reserve among the Reserves of its deck."""
    return card >> 2 & 15


def deck_of(card: Card) -> int:
    """Return the number of the deck that the card comes from. The back of the card shows it."""
    return card >> 9 << 2 | card & 3


def as_held(card: Card) -> tuple[int, int, int]:
    """Return the key by which players sort a hand: suit, value, deck."""
    return suit_of(card), value_of(card), deck_of(card)


def is_reserve(card: Card) -> bool:
    return card >> 6 & 7 == RESERVE


def deck_cards(facts: DeckFacts, deck: int) -> list[Card]:
    suited = [
        card_of(suit, value, deck) for suit in map(Suit, range(4)) for value in range(facts.lowest, facts.highest + 1)
    ]
    return suited + [card_of(RESERVE, copy + 1, deck) for copy in range(facts.reserves)]


def points(facts: DeckFacts, cards: Iterable[Card]) -> int:
    """Return the worth of cards as a payment, in points. Their suits do not matter (§8)."""
    return sum([facts.reserve_most if is_reserve(card) else value_of(card) for card in cards])


def cheapest(decks: DeckFacts, hand: Sequence[Card], price: int) -> tuple[Card, ...] | None:
    """Return the cards that pay the price with the smallest sum of points; None if the hand cannot pay it. If several
    payments have the same sum, suited cards are preferred to Reserves."""
    payments: dict[int, tuple[Card, ...]] = {0: ()}
    for card in sorted(hand, key=lambda card: (is_reserve(card), card)):
        for paid, cards in list(payments.items()):
            if paid < price:
                payments.setdefault(paid + points(decks, [card]), (*cards, card))
    return payments[min(enough)] if (enough := [paid for paid in payments if paid >= price]) else None


def least_missed(
    decks: DeckFacts, hand: Sequence[Card], price: int, worth: Callable[[Card], float]
) -> tuple[Card, ...] | None:
    """Return the cards that pay the price with the smallest sum of `worth`; None if the hand cannot pay the price.
    `worth` is a function that returns the value of a card to its holder."""
    best: dict[int, tuple[float, tuple[Card, ...]]] = {0: (0, ())}
    for card in hand:
        cost, value = worth(card), points(decks, [card])
        for paid, (spent, cards) in list(best.items()):
            total = min(price, paid + value)
            if paid < price and (total not in best or spent + cost < best[total][0]):
                best[total] = (spent + cost, (*cards, card))
    return best[max(price, 0)][1] if max(price, 0) in best else None


def is_needless(facts: DeckFacts, cards: Sequence[Card], price: int) -> bool:
    """True if at least one of the cards is not needed, because the others pay the price alone (§8)."""
    paid = points(facts, cards)
    return any(paid - points(facts, [card]) >= price for card in cards)


def fresh_cards(facts: DeckFacts, powers: Iterable[Power]) -> Cards:
    """Return the places of the cards before the game: empty hands, no draw deck, and all decks unused."""
    decks = range(facts.decks)
    return Cards(
        draw=[], unused=list(map(Deck, decks)), discards=[[] for _ in decks], hands={power: [] for power in powers}
    )


def lift_cards(cards: Cards, facts: DeckFacts, dealer: Dealer, events: list[Event]) -> Iterator[Card]:
    """Take the top cards off the draw deck one by one, and yield each. An empty draw deck is made anew, and its shuffle
    is added to `events`. The iterator ends when all decks are used and all piles are empty."""
    while True:
        if not cards.draw:
            shuffled = refill(cards, facts, dealer)
            if shuffled is None:
                return
            events.append(shuffled)
        yield cards.draw.pop()


def draw(cards: Cards, facts: DeckFacts, dealer: Dealer, power: Power, count: int) -> tuple[list[Card], list[Event]]:
    """Move at most `count` cards from the draw deck to a hand. Return the cards that were moved, and the events of new
    draw decks."""
    drawn: list[Card] = []
    events: list[Event] = []
    for card in islice(lift_cards(cards, facts, dealer, events), count):
        drawn.append(card)
        insort(cards.hands[power], card)
    return drawn, events


def throw(cards: Cards, facts: DeckFacts, dealer: Dealer, count: int) -> tuple[int, list[Event]]:
    """Move at most `count` cards, unseen, from the top of the draw deck to the piles of cards set aside. Return the
    number of cards that were moved, and the events of new draw decks."""
    thrown = 0
    events: list[Event] = []
    for card in islice(lift_cards(cards, facts, dealer, events), count):
        put_on_pile(cards, card)
        thrown += 1
    return thrown, events


def put_on_pile(cards: Cards, card: Card) -> None:
    """Put a card on the pile of cards set aside that belongs to the card's deck."""
    insort(cards.discards[deck_of(card)], card)


def refill(cards: Cards, facts: DeckFacts, dealer: Dealer) -> DeckShuffled | None:
    """Make a draw deck of the next unused deck. If there is none, make it of the two fullest piles of cards set aside
    (§8). Return the event of the shuffle, or None if there are no cards for a draw deck."""
    if cards.unused:
        decks = [cards.unused.pop(0)]
        pool = deck_cards(facts, decks[0])
    else:
        # Of equally full piles, those with lower numbers are taken, so that nobody has to choose (docs/rulings.md, §8).
        fullest = sorted(map(Deck, range(facts.decks)), key=lambda deck: (-len(cards.discards[deck]), deck))[:2]
        decks = sorted(deck for deck in fullest if cards.discards[deck])
        pool = sorted(card for deck in decks for card in cards.discards[deck])
        for deck in decks:
            cards.discards[deck] = []
    if not pool:
        return None
    # Dealers return the top card first; in the draw deck the top card is the last.
    cards.draw = dealer.shuffle(cards.shuffles, pool)[::-1]
    cards.shuffles += 1
    return DeckShuffled(cards.shuffles, tuple(decks), len(pool))


def discard(cards: Cards, power: Power, played: Iterable[Card]) -> None:
    """Move played or paid cards from the hand to the piles of their decks."""
    hand = cards.hands[power]
    for card in played:
        hand.remove(card)
        put_on_pile(cards, card)


def cards_of(event: Event) -> tuple[Card, ...]:
    """Return the tactical cards that an event names."""
    found: list[Card] = []
    for name in card_fields(type(event)):
        value: Card | tuple[Card, ...] | None = getattr(event, name)
        found += value if isinstance(value, tuple) else [] if value is None else [value]
    return tuple(found)


@cache
def card_fields(kind: type[Event]) -> list[str]:
    """Return the names of the fields of an event type that hold tactical cards."""
    return [field.name for field in fields(kind) if {Card, tuple[Card, ...]} & {field.type, *get_args(field.type)}]


T = TypeVar("T")


def shuffle_cards(cards: Sequence[T], stream: Iterator[int]) -> list[T]:
    """Return the cards in an order shuffled by Fisher–Yates, the top of the deck first. `stream` yields
    32-bit numbers."""
    order = list(cards)
    for place in range(len(order) - 1):
        left = len(order) - place
        other = place + random_below(left, stream)
        order[place], order[other] = order[other], order[place]
    return order


def random_below(limit: int, stream: Iterator[int]) -> int:
    """Return a random number from 0 to limit - 1, each equally likely. Raises `ValueError` if the stream ends."""
    usable = (1 << 32) - (1 << 32) % limit
    for number in stream:
        if number < usable:
            return number % limit
    raise ValueError("the random stream has ended")


def stream_numbers(block: Callable[[int], bytes]) -> Iterator[int]:
    """Yield big-endian 32-bit numbers from an endless stream of bytes. The stream comes in blocks: `block` returns the
    block with a given number, counted from 0."""
    count = 0
    while True:
        data = block(count)
        for at in range(0, len(data) - 3, 4):
            yield int.from_bytes(data[at : at + 4], "big")
        count += 1


class SeededDealer:
    """Dealer for simulations, puzzles and trials. All shuffles follow from a seed, which need not be secret."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def shuffle(self, number: int, cards: Sequence[T]) -> list[T]:
        """Return the cards in the order that the seed and the number of the shuffle give, the top first."""
        # SHA-256 in counter mode over the seed and the number of the shuffle.
        key = f"pbem/seeded/1/{number}/{self.seed}/".encode()
        return shuffle_cards(cards, stream_numbers(lambda count: hashlib.sha256(key + str(count).encode()).digest()))
