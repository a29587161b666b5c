"""Blocks of which a report consists in every format. The module also has functions that return names of cities, cards
and other things that have numbers in the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from itertools import groupby

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.board import Board
from pbem.engine.cards import as_held, deck_of, is_reserve
from pbem.engine.nouns import Card, City, Piece, Suit
from pbem.engine.rules import Rules
from pbem.engine.table import GameRules, Table
from pbem.kit import with_parts
from pbem.paper.boards.files import city_names_in
from pbem.paper.documents.names import fold
from pbem.paper.lexicon import SUIT_SIGNS, card_text
from pbem.seal.canonical import AnyTree

RESERVE_SIGN = "R"


def plain_data(value: object) -> AnyTree:
    """Convert a value to mappings, lists, texts and numbers, so that it can be written as JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def in_words(rules: GameRules, language: str) -> GameRules:
    """Return the rules of a game with the names of cities in the given language. They are for writing texts only; the
    game is not played with them."""
    return with_parts(rules, common=common_in_words(rules.common, language))


def common_in_words(common: Rules, language: str) -> Rules:
    """Return the part of the rules that all games share, with the names of cities in the given language."""
    return replace(common, board=_renamed_board(common.board, language))


def table_in_words(table: Table, language: str) -> Table:
    return with_parts(table, rules=in_words(table.rules, language))


@lru_cache(maxsize=16)
def _renamed_board(board: Board, language: str) -> Board:
    """Return the board with the names of cities in the given language. `index` and `data` of the board still have the
    old names."""
    names = city_names_in(board.name, tuple(city.name for city in board.cities), language)
    found = copy(board)
    found.cities = tuple(replace(city, name=name) for city, name in zip(board.cities, names, strict=True))
    return found


def city(rules: Rules, index: City) -> str:
    return rules.board.cities[index].name


def place(rules: Rules, index: City) -> str | None:
    """Return the name of a city. Return None for a place off the map."""
    return city(rules, index) if index >= 0 else None


def piece(rules: Rules, index: Piece) -> str:
    """Return the name of a general or a train. The name of a train is of the form `austria train 2`."""
    return rules.pieces[index].name


def power(key: str) -> str:
    """Return the name of a power, such as `Austria`."""
    return key.capitalize()


def player(key: str) -> str:
    """Return the name under which a seat's player acts in the game, such as `Maria Theresa`."""
    return " ".join(word.capitalize() for word in key.split("-"))


def suit(index: Suit) -> str:
    return SUIT_SIGNS[index]


def city_suit(rules: Rules, index: City) -> str:
    return suit(rules.board.suit[index])


def deck(index: int) -> int:
    return index + 1


def notation(card: Card, with_deck: bool = False, declared: int | None = None) -> str:
    """Return a card in the form that orders use: `♠7`, or `R` for a Reserve. A Reserve that was declared as five is
    `R5`. With its deck, a card is `♠7/2`."""
    written = card_text(card, with_deck)
    return written.replace(RESERVE_SIGN, f"{RESERVE_SIGN}{declared}", 1) if declared and is_reserve(card) else written


def card(card: Card, with_deck: bool = False, reserve: str = "Reserve") -> str:
    """Return a card in the form that sentences use: `♠7` or `Reserve`. With its deck, it is `♠7/2`."""
    written = notation(card, with_deck)
    return written.replace(RESERVE_SIGN, reserve, 1) if is_reserve(card) else written


def cities(rules: Rules, indexes: Iterable[City]) -> list[str]:
    return [city(rules, index) for index in indexes]


def places(rules: Rules, indexes: Iterable[City]) -> list[str | None]:
    return [place(rules, index) for index in indexes]


def alphabetical(names: Iterable[str]) -> list[str]:
    """Sort names as an index of a book does: `Böhmisch Brod` comes before `Brünn`."""
    return sorted(names, key=fold)


def pieces(rules: Rules, indexes: Iterable[Piece]) -> list[str]:
    return [piece(rules, index) for index in indexes]


def hand_notation(cards: Iterable[Card]) -> list[str]:
    """Return the cards of a hand, sorted, in the form that orders use, with their decks. The two Reserves of a deck are
    written in the same way."""
    return [f"{notation(card)}/{deck(deck_of(card))}" for card in sorted(cards)]


def notations(cards: Iterable[Card], with_deck: bool = False) -> list[str]:
    """Return cards in the form that orders use. They are sorted as a hand is shown."""
    return [notation(card, with_deck) for card in sorted(cards, key=as_held)]


CELL = "\ue000"
"""Character that comes before each cell of a row in the markup of blocks."""
THEIRS = "\ue001"
"""Character that comes before words of a person, so that no heading and no list begins with them."""
BACKTICK = "\ue002"
"""Character that takes the place of a backtick in words of a person."""
INSERT = "\ue003"
"""Character with which a line begins that gives a name. The blocks with this name take the place of the line."""

FOLD = "\ue004"
"""Character that comes before the title of a folded part, and again after the part. Folded parts are shown only in a
complete letter."""


class TextSpan(Struct, frozen=True, omit_defaults=True):
    """Part of a line. If `code` is true, its text is something that the reader can type."""

    text: str
    code: bool = False


Line = tuple[TextSpan, ...]


class Heading(Struct, frozen=True, tag="heading", omit_defaults=True):
    """Heading. The title of a letter has level 1. With `is_bare`, no line is drawn under it in plain text."""

    level: int
    line: Line
    is_bare: bool = False


class Paragraph(Struct, frozen=True, tag="paragraph"):
    """Lines of words that follow each other without an empty line."""

    lines: tuple[Line, ...]


class Items(Struct, frozen=True, tag="items"):
    """Items of a list. Each has one line."""

    items: tuple[Line, ...]


class TableBlock(Struct, frozen=True, tag="table"):
    """Rows of cells. If a row has only one cell, the cell spans all columns."""

    rows: tuple[tuple[Line, ...], ...]


class BattleBlock(Struct, frozen=True, tag="battle"):
    """Combat: its opening, the cards that were played, and its end."""

    opening: Line
    exchanges: tuple[Line, ...]
    end: Line


class Quote(Struct, frozen=True, tag="quote"):
    """Words of somebody else. With `exact`, all spaces in them are shown."""

    lines: tuple[str, ...]
    exact: bool = False


class Code(Struct, frozen=True, tag="code", omit_defaults=True):
    """Text that the reader can copy character by character. `letter` is true if the reader should send it. A short mail
    shows the lines of `short` instead, if there are any."""

    lines: tuple[str, ...]
    letter: bool = False
    short: tuple[str, ...] = ()


class Picture(Struct, frozen=True, tag="picture"):
    """Place where the picture of the board is shown, with a description of the picture."""

    shows: str
    """Description of the picture, for readers who cannot see it."""


class FoldedPart(Struct, frozen=True, tag="folded"):
    """Part of a letter. A short letter gives only its title."""

    title: Line
    blocks: tuple[Block, ...]


Block = Heading | Paragraph | Items | TableBlock | BattleBlock | Quote | Code | Picture | FoldedPart


def blocks_data(blocks: Sequence[Block]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = plain_data(blocks)
    return found


def complete_blocks(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks of the complete letter. Each folded part is shown under a heading."""
    found: list[Block] = []
    for block in blocks:
        found += (Heading(2, block.title), *block.blocks) if isinstance(block, FoldedPart) else (block,)
    return found


def short_blocks(blocks: Sequence[Block], place: str) -> list[Block]:
    """Return the blocks of a short letter. In place of each folded part, there is a line with its title and with
    `place`, the name of the file in which it can be read."""
    is_folded = any(isinstance(block, FoldedPart) for block in blocks)
    found: list[Block] = []
    for block in blocks:
        match block:
            case FoldedPart(title):
                leading: Line = (*title, TextSpan(": "), TextSpan(place, code=True))
                found.append(Paragraph((leading,)))
            case Heading() if is_folded:
                found.append(replace(block, is_bare=True))
            case Code(letter=letter, short=short) if short:
                found.append(Code(short, letter))
            case _:
                found.append(block)
    return found


def parsed_blocks(markup: str, inserts: Mapping[str, Sequence[Block]] | None = None) -> list[Block]:
    """Parse the markup of this module. The text may have one folded part. `inserts` has blocks under the names with
    which the text inserts them."""
    shown, fold, rest = markup.partition(FOLD)
    found = blocks_in(shown, inserts)
    if fold:
        folded, _, after = rest.partition(FOLD)
        title, _, within = folded.partition("\n")
        found += [FoldedPart(line_of(title), tuple(blocks_in(within, inserts))), *blocks_in(after, inserts)]
    return found


def blocks_in(markup: str, inserts: Mapping[str, Sequence[Block]] | None) -> list[Block]:
    """Parse a text that has no folded part. Each line of the kind `INSERT` is replaced by the blocks that `inserts` has
    under the name on this line."""
    found: list[Block] = []
    for kind, group in groupby(markup.split("\n"), kind_of):
        lines = list(group)
        if kind == INSERT:
            for line in lines:
                found += (inserts or {})[line.removeprefix(INSERT)]
        elif kind:
            found += blocks_of(kind, lines)
    return found


def kind_of(line: str) -> str:
    """Return the kind of block to which a line belongs, as the sign at the beginning of the line, such as `#` for a
    heading. For plain words, return a full stop. For an empty line, return an empty text."""
    if not line.strip():
        return ""
    if CELL in line:
        return CELL
    sign = re.match(rf"#+ |- |>\||>|    |{INSERT}", line)
    return sign.group() if sign else "."


def blocks_of(kind: str, lines: list[str]) -> list[Block]:
    """Parse lines that follow each other and are all of the kind `kind`."""
    rest = [line.removeprefix(kind) for line in lines]
    if kind.startswith("#"):
        return [Heading(len(kind) - 1, line_of(line)) for line in rest]
    match kind:
        case "- ":
            return [Items(tuple(line_of(line) for line in rest))]
        case ">" | ">|":
            return [Quote(tuple(line.removeprefix(" ") for line in rest), kind == ">|")]
        case "    ":
            return [Code(tuple(rest))]
    if kind == CELL:
        return [TableBlock(tuple(row_of(line) for line in lines))]
    return [Paragraph(tuple(line_of(line) for line in lines))]


def row_of(line: str) -> tuple[Line, ...]:
    return tuple(line_of(cell) for cell in line.split(CELL)[1:])


def line_of(text: str) -> Line:
    """Parse a line into words and parts to type. Parts to type are enclosed in backticks."""
    parts = text.replace(THEIRS, "").strip().split("`")
    return tuple(TextSpan(part.replace(BACKTICK, "`"), at % 2 == 1) for at, part in enumerate(parts) if part)


def plain_words(text: str) -> str:
    """Mark and change the words of a person, so that nothing in them is read as markup."""
    return THEIRS + text.replace("`", BACKTICK)


def line_text(line: Line) -> str:
    """Return a line as plain text. Parts to type are enclosed in backticks."""
    return "".join(f"`{span.text}`" if span.code else span.text for span in line)
