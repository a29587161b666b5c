"""The cards of a position file: what is named is where it is said to be, the rest is dealt from the seed (§4, §8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.cards import Cards, deck_cards, deck_of, set_aside
from pbem.engine.nouns import Card, Deck
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.paper.positions.reader import MOST_CARDS, PositionReader
from pbem.paper.positions.rows import Row
from pbem.paper.positions.shared import DRAW, HANDS, PILES, SHUFFLES, UNUSED


def read_cards(reading: PositionReader, usual: Mapping[str, int]) -> None:
    """Read hands, draw deck and piles; before set-up begins all decks are still untouched.

    `usual` has the sizes of the hands that are dealt where the file does not say.
    """
    state = reading.state
    if state.stage == "setup" and not state.begun and not set(reading.entries) & {"hands", "draw"}:
        return
    facts = reading.rules.common.decks
    hands, draw = given(reading, HANDS) or {}, given(reading, DRAW)
    piles = given(reading, PILES) or [[] for _ in range(facts.decks)]
    unused = given(reading, UNUSED)
    if unused is None:
        unused = [Deck(deck) for deck in range(1, facts.decks) if all(deck_of(card) != deck for card in reading.placed)]
    in_use = [deck for deck in range(facts.decks) if deck not in unused]
    rest = [card for deck in in_use for card in deck_cards(facts, deck) if card not in reading.placed]
    cards = Cards(draw or [], unused, piles, hands={}, shuffles=len(in_use))
    if draw is None:
        rest = fill_piles(reading, piles, list(reading.table.dealer.shuffle(0, rest)))
        cards.draw = fill_unnamed(reading, rest)[::-1]
    else:
        for card in fill_unnamed(reading, rest):
            set_aside(cards, card)
    if SHUFFLES.key in reading.entries:
        cards.shuffles = given(reading, SHUFFLES) or 0
    deal_missing(reading, cards, hands, usual)
    state.cards = cards


def given(reading: PositionReader, row: Row) -> Any:
    """The value of a row's own kind, if the file has it."""
    return row.kind.read(reading, reading.entries[row.key]) if row.key in reading.entries else None


def deal_missing(reading: PositionReader, cards: Cards, hands: dict[str, list[Card]], usual: Mapping[str, int]) -> None:
    """Hands that are not given are dealt from the draw deck, as large as is said, or as at the start (§4)."""
    for power, size in {**usual, **read_sizes(reading)}.items():
        if power not in hands:
            hands[power] = sorted(cards.draw.pop() for _ in range(min(size, len(cards.draw))))
    cards.hands = {power: hands[power] for power in reading.rules.powers}


def read_sizes(reading: PositionReader) -> dict[str, int]:
    """How many cards powers have whose hands are not given."""
    sizes: dict[str, int] = {}
    if "hand sizes" in reading.entries:
        for name, power, value in reading.powers(reading.entries["hand sizes"], "hand sizes"):
            size = reading.reader.number(value, words("hand-of", power=name.value), 0, MOST_CARDS)
            if power in reading.rules.powers and size is not None:
                sizes[power] = size
    return sizes


def fill_piles(reading: PositionReader, piles: list[list[Card]], rest: list[Card]) -> list[Card]:
    """Piles of which only the sizes are given get cards of their decks out of the rest; gives what is left."""
    if "pile sizes" not in reading.entries:
        return rest
    nodes = reading.reader.items(reading.entries["pile sizes"], "pile sizes")
    if len(nodes) > len(piles):
        reading.reader.note(nodes[-1], wrong("E-POSITION.decks", rule=reading.game.cited.cards, count=len(piles)))
    for deck, (pile, node) in enumerate(zip(piles, nodes, strict=False)):
        size = reading.reader.number(node, words("pile-size"), 0, MOST_CARDS) or 0
        found = [card for card in rest if deck_of(card) == deck][: max(0, size - len(pile))]
        rest = [card for card in rest if card not in found]
        pile += found
        pile.sort()
    return rest


def fill_unnamed(reading: PositionReader, rest: list[Card]) -> list[Card]:
    """Places of which only the number of cards is known get that many of the rest; gives what is left."""
    for cards, count in reading.unnamed:
        cards += rest[:count]
        rest = rest[count:]
    return rest
