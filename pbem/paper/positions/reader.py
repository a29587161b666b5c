"""One reading of a position file: the table to fill, and what any kind of value needs in order to be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pbem.engine.nouns import Card, Power
from pbem.engine.table import GameRules, Table
from pbem.faults.words import Words, words
from pbem.faults.wrong import wrong
from pbem.kit import game_named
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node, Text
from pbem.paper.lexicon import Lexicon, WrittenCard

MOST_CARDS = 999
"""More cards than any game has."""


class OwnPart(Protocol):
    """What reading a position asks of a game besides its rows; its `GamePaper` has it."""

    @property
    def last_turn(self) -> Callable[[GameRules], int]: ...
    @property
    def hands(self) -> Callable[[Table], dict[str, int]]: ...


class PositionReader:
    """Writes what a position file says over the position at the start of its scenario."""

    def __init__(self, reader: Reader, table: Any, entries: dict[str, Node], own: OwnPart) -> None:
        """Take the faults' reader, the table of any game to fill, the entries of the file, and the game's own part."""
        self.reader = reader
        self.table = table
        self.rules = table.rules
        self.state = table.state
        self.game = game_named(table.rules.terms.game)
        self.own = own
        self.entries = entries
        self.lexicon = Lexicon(table.rules)
        self.written: set[int] = set()
        """The pieces that are placed."""
        self.placed: set[Card] = set()
        """The tactical cards that have a place."""
        self.unnamed: list[tuple[list[Card], int]] = []
        """Places of which only the number of cards is known."""

    def powers(self, node: Node, what: Words | str) -> list[tuple[Text, Power, Node]]:
        """The entries of a mapping whose keys are powers: each key as it is written, its power, its value."""
        pairs = self.reader.pairs(node, what)
        found = [(key, self.reader.name(key, words("a-power"), self.lexicon.power), value) for key, value in pairs]
        return [(key, power, value) for key, power, value in found if power is not None]

    def place_some(self, node: Node) -> list[Card]:
        """Written cards; or a number, for as many that nobody names."""
        if not (isinstance(node, Text) and node.value.isdecimal()):
            return self.place_cards(node)
        cards: list[Card] = []
        self.unnamed.append((cards, self.reader.number(node, words("how-many-cards"), 0, MOST_CARDS) or 0))
        return cards

    def place_cards(self, node: Node) -> list[Card]:
        """Written cards, each taken from the first deck that still has it."""
        cards = []
        for item in self.reader.items(node, words("cards")):
            written = self.reader.name(item, words("a-card"), self.lexicon.card)
            if written is not None:
                card = self.first_free(written)
                if card is None:
                    rule = self.game.cited.cards
                    self.reader.note(item, wrong("E-POSITION.copies", rule=rule))
                else:
                    self.placed.add(card)
                    cards.append(card)
        return cards

    def first_free(self, written: WrittenCard) -> Card | None:
        """The first copy of a card that has no place yet."""
        return next((card for card in self.lexicon.copies(written) if card not in self.placed), None)
