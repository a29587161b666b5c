"""Blocks of a report, the same for every format; and names of cities, cards and other things that the rules number."""

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
    """Convert a value to mappings, lists, texts and numbers, as JSON has them."""
    return msgspec.json.decode(msgspec.json.encode(value))


def in_words(rules: GameRules, language: str) -> GameRules:
    """Return the rules of a game with the names of cities in a language. Such rules are for texts, not for play."""
    return with_parts(rules, common=common_in_words(rules.common, language))


def common_in_words(common: Rules, language: str) -> Rules:
    """Return the rules that all games share, with the names of cities in a language."""
    return replace(common, board=_renamed_board(common.board, language))


def table_in_words(table: Table, language: str) -> Table:
    return with_parts(table, rules=in_words(table.rules, language))


@lru_cache(maxsize=16)
def _renamed_board(board: Board, language: str) -> Board:
    """Return the board with the names of cities in a language; `index` and `data` keep the board's own names."""
    names = city_names_in(board.name, tuple(city.name for city in board.cities), language)
    found = copy(board)
    found.cities = tuple(replace(city, name=name) for city, name in zip(board.cities, names, strict=True))
    return found


def city(rules: Rules, index: City) -> str:
    return rules.board.cities[index].name


def place(rules: Rules, index: City) -> str | None:
    """Return the name of a city; None for a place beside the board."""
    return city(rules, index) if index >= 0 else None


def piece(rules: Rules, index: Piece) -> str:
    """Return the name of a general or a train, such as `austria train 2`."""
    return rules.pieces[index].name


def power(key: str) -> str:
    """Return the name of a power, such as `Austria`."""
    return key.capitalize()


def player(key: str) -> str:
    """Return the name that a seat's player has in the game, such as `Maria Theresa`."""
    return " ".join(word.capitalize() for word in key.split("-"))


def suit(index: Suit) -> str:
    return SUIT_SIGNS[index]


def city_suit(rules: Rules, index: City) -> str:
    return suit(rules.board.suit[index])


def deck(index: int) -> int:
    return index + 1


def notation(card: Card, with_deck: bool = False, declared: int | None = None) -> str:
    """Return a card as orders write it: `♠7`, `R` for a Reserve, `R5` for a Reserve declared as five, or `♠7/2` with
    its deck."""
    written = card_text(card, with_deck)
    return written.replace(RESERVE_SIGN, f"{RESERVE_SIGN}{declared}", 1) if declared and is_reserve(card) else written


def card(card: Card, with_deck: bool = False, reserve: str = "Reserve") -> str:
    """Return a card as sentences write it: `♠7`, `Reserve`, or `♠7/2` with its deck."""
    written = notation(card, with_deck)
    return written.replace(RESERVE_SIGN, reserve, 1) if is_reserve(card) else written


def cities(rules: Rules, indexes: Iterable[City]) -> list[str]:
    return [city(rules, index) for index in indexes]


def places(rules: Rules, indexes: Iterable[City]) -> list[str | None]:
    return [place(rules, index) for index in indexes]


def alphabetical(names: Iterable[str]) -> list[str]:
    """Sort names as in an index: `Böhmisch Brod` before `Brünn`."""
    return sorted(names, key=fold)


def pieces(rules: Rules, indexes: Iterable[Piece]) -> list[str]:
    return [piece(rules, index) for index in indexes]


def hand_notation(cards: Iterable[Card]) -> list[str]:
    """Return the cards of a hand, sorted, as orders write them, with their decks. The two Reserves of a deck look
    alike."""
    return [f"{notation(card)}/{deck(deck_of(card))}" for card in sorted(cards)]


def notations(cards: Iterable[Card], with_deck: bool = False) -> list[str]:
    """Return cards as orders write them, in the order in which a hand is shown."""
    return [notation(card, with_deck) for card in sorted(cards, key=as_held)]


CELL = "\ue000"
"""Character in the markup of blocks before every cell of a row."""
THEIRS = "\ue001"
"""Character before words that somebody wrote, so that they begin no heading and no list."""
BACKTICK = "\ue002"
"""Character in place of a backtick in words that somebody wrote."""
INSERT = "\ue003"
"""Character at the beginning of a line that names blocks. These blocks are inserted in place of the line."""

FOLD = "\ue004"
"""Character before the title of a folded part, and after the part. Only a complete letter shows folded parts."""


class TextSpan(Struct, frozen=True, omit_defaults=True):
    """Part of a line: words, or with `code` something that the reader may type."""

    text: str
    code: bool = False


Line = tuple[TextSpan, ...]


class Heading(Struct, frozen=True, tag="heading", omit_defaults=True):
    """A heading, of level 1 for the title of a letter. With `is_bare`, plain text draws no line under it."""

    level: int
    line: Line
    is_bare: bool = False


class Paragraph(Struct, frozen=True, tag="paragraph"):
    """Lines of words without empty lines between them."""

    lines: tuple[Line, ...]


class Items(Struct, frozen=True, tag="items"):
    """Items of a list, one line each."""

    items: tuple[Line, ...]


class TableBlock(Struct, frozen=True, tag="table"):
    """Rows of cells. A cell that is alone in its row spans all columns."""

    rows: tuple[tuple[Line, ...], ...]


class BattleBlock(Struct, frozen=True, tag="battle"):
    """A combat: its opening, the cards played, its end."""

    opening: Line
    exchanges: tuple[Line, ...]
    end: Line


class Quote(Struct, frozen=True, tag="quote"):
    """Words of somebody else. With `exact`, all spaces stay."""

    lines: tuple[str, ...]
    exact: bool = False


class Code(Struct, frozen=True, tag="code", omit_defaults=True):
    """Text to copy character by character. `letter` is true if the reader is to send the text. A short mail shows
    the lines of `short` instead, if there are any."""

    lines: tuple[str, ...]
    letter: bool = False
    short: tuple[str, ...] = ()


class Picture(Struct, frozen=True, tag="picture"):
    """Place of the board's picture, with a description of the picture."""

    shows: str
    """Description of the picture, for readers who cannot see it."""


class FoldedPart(Struct, frozen=True, tag="folded"):
    """Part of a letter that a short letter only names."""

    title: Line
    blocks: tuple[Block, ...]


Block = Heading | Paragraph | Items | TableBlock | BattleBlock | Quote | Code | Picture | FoldedPart


def blocks_data(blocks: Sequence[Block]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = plain_data(blocks)
    return found


def complete_blocks(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks of the complete letter, with a heading above each folded part."""
    found: list[Block] = []
    for block in blocks:
        found += (Heading(2, block.title), *block.blocks) if isinstance(block, FoldedPart) else (block,)
    return found


def short_blocks(blocks: Sequence[Block], place: str) -> list[Block]:
    """Return the blocks of a short letter. Folded parts become lines with their title and `place`, the name of the
    whole file."""
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
    """Parse the markup of this module; the text may have one folded part. `inserts` maps names to blocks to insert."""
    shown, fold, rest = markup.partition(FOLD)
    found = blocks_in(shown, inserts)
    if fold:
        folded, _, after = rest.partition(FOLD)
        title, _, within = folded.partition("\n")
        found += [FoldedPart(line_of(title), tuple(blocks_in(within, inserts))), *blocks_in(after, inserts)]
    return found


def blocks_in(markup: str, inserts: Mapping[str, Sequence[Block]] | None) -> list[Block]:
    """Parse a text without folded part. A line of the kind `INSERT` is replaced by the blocks of that name in
    `inserts`."""
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
    """Return the sign that shows to which kind of block a line belongs, such as `#` for a heading. For plain words
    return a full stop, for an empty line an empty text."""
    if not line.strip():
        return ""
    if CELL in line:
        return CELL
    sign = re.match(rf"#+ |- |>\||>|    |{INSERT}", line)
    return sign.group() if sign else "."


def blocks_of(kind: str, lines: list[str]) -> list[Block]:
    """Parse successive lines of the kind `kind`."""
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
    """Parse a line into words and parts to type, which stand in backticks."""
    parts = text.replace(THEIRS, "").strip().split("`")
    return tuple(TextSpan(part.replace(BACKTICK, "`"), at % 2 == 1) for at, part in enumerate(parts) if part)


def plain_words(text: str) -> str:
    """Mark and change a person's words so that nothing in them counts as markup."""
    return THEIRS + text.replace("`", BACKTICK)


def line_text(line: Line) -> str:
    """Return a line as plain text, with backticks around parts to type."""
    return "".join(f"`{span.text}`" if span.code else span.text for span in line)
