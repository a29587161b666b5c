"""Fixed space of a game's small choices: every word has a number."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.cards import deck_cards, is_reserve
from pbem.engine.nouns import each_piece
from pbem.engine.table import GameRules
from pbem.env.filling import PASS
from pbem.paper.orders.names import SectionWriter

NUMBERS = 101
"""Numbers, from 0, that are words of their own."""

OTHERS = 64
"""Most other words that can be offered at once, numbered in alphabetical order."""


class Vocabulary:
    """Words of one game: nothing, numbers, cities, pieces, powers, cards, and places for all others."""

    def __init__(self, rules: GameRules) -> None:
        common = rules.common
        pen = SectionWriter(common, rules.powers[0])
        cards = [card for deck in range(common.decks.decks) for card in deck_cards(common.decks, deck)]
        values = range(1, common.decks.reserve_most + 1)
        played = [pen.card(card, value) for card in cards for value in (0, *(values if is_reserve(card) else ()))]
        words = [
            PASS,
            *map(str, range(NUMBERS)),
            *(city.name for city in common.board.cities),
            *(pen.piece(piece) for piece, _ in each_piece(common.pieces)),
            *rules.powers,
            *played,
        ]
        self.words = tuple(dict.fromkeys(words))
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self.size = len(self.words) + OTHERS

    def offered(self, words: Iterable[str]) -> dict[int, str]:
        """Words offered together, by their numbers."""
        others = sorted(word for word in words if word not in self.numbers)
        known = {self.numbers[word]: word for word in words if word in self.numbers}
        return known | {len(self.words) + place: word for place, word in enumerate(others[:OTHERS])}
