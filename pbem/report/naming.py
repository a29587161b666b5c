"""From the numbers the engine uses to the names people read and write (the way back is in paper/lexicon.py).

A card has two names: its notation, which can be written in an order and is the same in every language (`♠7`, `R`,
`R5`), and its name in a sentence, where a Reserve is called by a word. Decks and hussars count from 1 for people.

A city has the board's own name for programs and files, and what people call it in their language in what they read: the
same functions give either, by the rules that they are handed (`in_words`).
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from functools import lru_cache

from msgspec.structs import replace

from pbem.engine.board import Board
from pbem.engine.cards import as_held, deck_of, is_reserve
from pbem.engine.nouns import Card, City, Piece, Suit
from pbem.engine.rules import Rules
from pbem.engine.table import GameRules, Table
from pbem.kit import with_parts
from pbem.paper.boards.place_names import called
from pbem.paper.documents.names import fold
from pbem.paper.lexicon import SUIT_SIGNS, card_text

RESERVE_SIGN = "R"


def in_words(rules: GameRules, language: str) -> GameRules:
    """The rules of a game whose cities are called as in a language; to tell with, not to play by."""
    return with_parts(rules, common=common_in_words(rules.common, language))


def common_in_words(common: Rules, language: str) -> Rules:
    """What all games have of them, in the same way."""
    return replace(common, board=_renamed(common.board, language))


def table_in_words(table: Table, language: str) -> Table:
    """A table whose names are those of a language."""
    return with_parts(table, rules=in_words(table.rules, language))


@lru_cache(maxsize=16)
def _renamed(board: Board, language: str) -> Board:
    """The board with its cities called as in a language; `index` and `data` keep to its own names."""
    names = called(board.name, tuple(city.name for city in board.cities), language)
    found = copy(board)
    found.cities = tuple(replace(city, name=name) for city, name in zip(board.cities, names, strict=True))
    return found


def city(rules: Rules, index: City) -> str:
    return rules.board.cities[index].name


def place(rules: Rules, index: City) -> str | None:
    """The name of a city, or nothing for a place beside the board."""
    return city(rules, index) if index >= 0 else None


def piece(rules: Rules, index: Piece) -> str:
    """The name of a general, or of a train as the game numbers it: `austria train 2`."""
    return rules.pieces[index].name


def power(key: str) -> str:
    """A power, capitalised."""
    return key.capitalize()


def player(key: str) -> str:
    """A player, written as a name: `Maria Theresa`."""
    return " ".join(word.capitalize() for word in key.split("-"))


def suit(index: Suit) -> str:
    """The sign of a suit."""
    return SUIT_SIGNS[index]


def city_suit(rules: Rules, index: City) -> str:
    """The sign of the suit that is played in a city."""
    return suit(rules.board.suit[index])


def deck(index: int) -> int:
    """The number of a deck as people count."""
    return index + 1


def notation(card: Card, with_deck: bool = False, declared: int | None = None) -> str:
    """How a card is written in an order: `♠7`, `R`, a declared Reserve `R5`; with its deck `♠7/2`."""
    written = card_text(card, with_deck)
    return written.replace(RESERVE_SIGN, f"{RESERVE_SIGN}{declared}", 1) if declared and is_reserve(card) else written


def card(card: Card, with_deck: bool = False, reserve: str = "Reserve") -> str:
    """How a card is called in a sentence: `♠7`, `Reserve`; with its deck `♠7/2`."""
    written = notation(card, with_deck)
    return written.replace(RESERVE_SIGN, reserve, 1) if is_reserve(card) else written


def cities(rules: Rules, indexes: Iterable[City]) -> list[str]:
    """The names of cities."""
    return [city(rules, index) for index in indexes]


def places(rules: Rules, indexes: Iterable[City]) -> list[str | None]:
    """The names of cities, with nothing for every place beside the board."""
    return [place(rules, index) for index in indexes]


def alphabetical(names: Iterable[str]) -> list[str]:
    """Names as an index has them, `Böhmisch Brod` before `Brünn`."""
    return sorted(names, key=fold)


def pieces(rules: Rules, indexes: Iterable[Piece]) -> list[str]:
    """The names of pieces."""
    return [piece(rules, index) for index in indexes]


def hand_notation(cards: Iterable[Card]) -> list[str]:
    """Cards of a hand as a player reads them: with their decks, but the two Reserves of a deck are alike."""
    return [f"{notation(card)}/{deck(deck_of(card))}" for card in sorted(cards)]


def notations(cards: Iterable[Card], with_deck: bool = False) -> list[str]:
    """Cards as they are written in an order, sorted as one holds them."""
    return [notation(card, with_deck) for card in sorted(cards, key=as_held)]
