"""Kinds of values in position files. A kind has two functions: one reads a value, the other writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import fields

from pbem.engine.combat import attack_name as pair_name
from pbem.engine.decisions import Pairing
from pbem.engine.events import Ending
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import Words, words, wrong
from pbem.kit import game_named
from pbem.paper.documents.reader import Reader, split
from pbem.paper.documents.strict import Node, SequenceNode, Text
from pbem.paper.documents.writing import Value
from pbem.paper.lexicon import SUIT_NAMES, Lexicon, card_text

MOST_CARDS = 999
"""Largest number of cards in a position. No game has so many."""


class OwnPart(Protocol):
    """Those parts of a game's `GamePaper` that are needed to read a position."""

    @property
    def last_turn(self) -> Callable[[GameRules], int]: ...
    @property
    def hands(self) -> Callable[[Table], dict[str, int]]: ...


class PositionReader:
    """Reader of a position file. It begins with the values of the scenario's start, and replaces them by those of the
    file."""

    def __init__(self, reader: Reader, table: Any, entries: dict[str, Node], own: OwnPart) -> None:
        """Store the reader that collects faults, the table whose values are replaced, the values in the file by key,
        and the game's `GamePaper`."""
        self.reader = reader
        self.table = table
        self.rules = table.rules
        self.state = table.state
        self.game = game_named(table.rules.terms.game)
        self.own = own
        self.entries = entries
        self.lexicon = Lexicon(table.rules)
        self.written: set[int] = set()
        """Pieces whose place has been read."""
        self.placed: set[Card] = set()
        """Tactical cards to which the file has given a place so far."""
        self.unnamed: list[tuple[list[Card], int]] = []
        """Lists of cards for which the file gives only a length. Each is a pair of the list, which is empty at first,
        and its length."""

    def powers(self, node: Node, label: Words | str) -> list[tuple[Text, Power, Node]]:
        """Read a mapping whose keys are powers. Return three values for each entry: the key as it is written, the
        power, and the node of the value."""
        pairs = self.reader.pairs(node, label)
        found = [(key, self.reader.name(key, words("a-power"), self.lexicon.power), value) for key, value in pairs]
        return [(key, power, value) for key, power, value in found if power is not None]

    def place_some(self, node: Node) -> list[Card]:
        """Return cards, and store that they have a place. If the node is only a number, return an empty list, which is
        filled later with so many cards (`unnamed`)."""
        if not (isinstance(node, Text) and node.value.isdecimal()):
            return self.place_cards(node)
        cards: list[Card] = []
        self.unnamed.append((cards, self.reader.number(node, words("how-many-cards"), 0, MOST_CARDS) or 0))
        return cards

    def place_cards(self, node: Node) -> list[Card]:
        """Return cards, and store that they have a place. If a card is written without its deck, it is taken from the
        first deck in which it has no place yet. If there is no such deck, add a fault."""
        cards = []
        for item in self.reader.items(node, words("cards")):
            written = self.reader.name(item, words("a-card"), self.lexicon.card)
            if written is not None:
                card = next((card for card in self.lexicon.copies(written) if card not in self.placed), None)
                if card is None:
                    rule = self.game.cited.cards
                    self.reader.note(item, wrong("E-POSITION.copies", rule=rule))
                else:
                    self.placed.add(card)
                    cards.append(card)
        return cards


T = TypeVar("T")
U = TypeVar("U")
NumberT = TypeVar("NumberT", bound=int)
StructT = TypeVar("StructT", bound=Struct)


class Kind(Struct, Generic[T], frozen=True):
    """Kind of values. It has the functions that read and write them."""

    read: Callable[[PositionReader, Node], T | None]
    """Function that reads a value. It returns None after a fault."""
    write: Callable[[GameRules, T], Value]
    """Function that returns a value in its written form."""


A_POWER, A_CITY = words("a-power"), words("a-city")

AnyKind: TypeAlias = "Kind[Any]"
"""Kind of values whose type is not checked. Tests read positions back to show that each kind fits its field."""


def is_empty(value: Value) -> bool:
    return value in ("", [], {})


def as_is(rules: GameRules, value: str | int) -> Value:
    """Return a value unchanged. This function is for kinds whose values are written in the same form as the state has
    them."""
    return value


def name_kind(label: Words | str, find: Callable[[Lexicon, str], T], write: Callable[[GameRules, T], Value]) -> Kind[T]:
    """Return a kind of values that are written as names. `find` is the function that returns the value for a name, and
    `write` returns the name of a value."""

    def read(reading: PositionReader, node: Node) -> T | None:
        return reading.reader.name(node, label, partial(find, reading.lexicon))

    return Kind(read, write)


def city_name(rules: GameRules, city: City) -> str:
    return rules.common.board.cities[city].name


def piece_name(rules: GameRules, piece: Piece) -> str:
    return rules.common.pieces[piece].name


def power(label: Words | str = A_POWER) -> Kind[Power]:
    return name_kind(label, Lexicon.power, as_is)


def city(label: Words | str = A_CITY) -> Kind[City]:
    return name_kind(label, Lexicon.city, city_name)


def piece(label: Words | str) -> Kind[Piece]:
    return name_kind(label, Lexicon.piece, piece_name)


def number(label: Words | str, least: int, most: int) -> Kind[int]:
    def read(reading: PositionReader, node: Node) -> int | None:
        return reading.reader.number(node, label, least, most)

    return Kind(read, as_is)


def truth(label: Words | str) -> Kind[bool]:
    """Return the kind of truth values that are written `yes` and `no`."""

    def read(reading: PositionReader, node: Node) -> bool | None:
        return reading.reader.truth(node, label)

    def write(rules: GameRules, value: bool) -> Value:
        return "yes" if value else "no"

    return Kind(read, write)


def flag(label: Words | str) -> Kind[bool]:
    """Return the kind of truth values that are written `yes`, or left out if they are false."""

    def write(rules: GameRules, value: bool) -> Value:
        return "yes" if value else ""

    return Kind(truth(label).read, write)


def text(label: Words | str) -> Kind[str]:
    def read(reading: PositionReader, node: Node) -> str | None:
        return reading.reader.text(node, label)

    return Kind(read, as_is)


def word(label: Words | str, words: Mapping[str, T]) -> Kind[T]:
    """Return a kind of values that are written as words. `words` is a mapping from each word to its value."""

    def read(reading: PositionReader, node: Node) -> T | None:
        return reading.reader.word(node, label, dict(words))

    def write(rules: GameRules, value: T) -> Value:
        return next(name for name, each in words.items() if each == value)

    return Kind(read, write)


def optional(kind: Kind[T]) -> Kind[T | None]:
    """Return a kind whose values are those of `kind`, or None. None is left out of files."""

    def write(rules: GameRules, value: T | None) -> Value:
        return "" if value is None else kind.write(rules, value)

    return Kind(kind.read, write)


def nonzero(kind: Kind[int]) -> Kind[int]:
    """Return a kind of the same numbers as `kind`, but 0 is left out of files."""

    def write(rules: GameRules, value: int) -> Value:
        return kind.write(rules, value) if value else ""

    return Kind(kind.read, write)


def list_kind(label: Words | str, kind: Kind[T]) -> Kind[list[T]]:
    def read(reading: PositionReader, node: Node) -> list[T]:
        found = [kind.read(reading, item) for item in reading.reader.items(node, label)]
        return [each for each in found if each is not None]

    def write(rules: GameRules, values: Iterable[T]) -> Value:
        return [kind.write(rules, value) for value in values]

    return Kind(read, write)


def converted_kind(kind: Kind[T], after: Callable[[T], U], before: Callable[[U], T]) -> Kind[U]:
    """Return a kind whose values are made of those of `kind`. The function `after` converts a value after it is read,
    and `before` converts it back before it is written."""

    def read(reading: PositionReader, node: Node) -> U | None:
        found = kind.read(reading, node)
        return None if found is None else after(found)

    def write(rules: GameRules, value: U) -> Value:
        return kind.write(rules, before(value))

    return Kind(read, write)


def tuple_kind(label: Words | str, kind: Kind[T]) -> Kind[tuple[T, ...]]:
    """Return the kind of tuples whose items are values of `kind`. They are written as lists."""
    return converted_kind(list_kind(label, kind), lambda found: (*found,), lambda value: [*value])


def unordered_kind(label: Words | str, kind: Kind[NumberT]) -> Kind[list[NumberT]]:
    """Return the kind of lists whose items are sorted after they are read."""
    return converted_kind(list_kind(label, kind), sorted, list)


def from_top(cards: Kind[list[T]]) -> Kind[list[T]]:
    """Return the kind of decks. The top card of a deck comes first in files, but last in the state. `cards` is the kind
    of lists of cards."""
    return converted_kind(cards, lambda found: found[::-1], lambda deck: deck[::-1])


def by_power(label: Words | str, kind: Kind[T]) -> Kind[dict[str, T]]:
    """Return the kind of mappings whose keys are powers and whose values are of `kind`."""

    def read(reading: PositionReader, node: Node) -> dict[str, T]:
        found = {power: kind.read(reading, value) for _, power, value in reading.powers(node, label)}
        return {power: value for power, value in found.items() if value is not None}

    return Kind(read, by_word(label, kind).write)


def by_word(label: Words | str, kind: Kind[T]) -> Kind[dict[str, T]]:
    """Return the kind of mappings whose keys are words and whose values are of `kind`."""

    def read(reading: PositionReader, node: Node) -> dict[str, T]:
        mapping = reading.reader.mapping(node, label)
        found = {key: kind.read(reading, value) for key, value in (mapping.items if mapping else {}).items()}
        return {key: value for key, value in found.items() if value is not None}

    def write(rules: GameRules, values: Mapping[str, T]) -> Value:
        return {key: kind.write(rules, value) for key, value in values.items()}

    return Kind(read, write)


def record(
    make: type[StructT], label: Words | str, kinds: Mapping[str, AnyKind], lacks: str = "E-FORM-MISSING"
) -> Kind[StructT]:
    """Return the kind of structs of the type `make`. In files they are mappings with a key for each field. Optional
    fields that are empty are left out. `lacks` is the wording for a missing field."""
    needed = [field.name for field in fields(make) if field.required]

    def read(reading: PositionReader, node: Node) -> StructT | None:
        reader = reading.reader
        before = len(reader.faults)
        mapping = reader.mapping(node, label)
        entries = reader.known_entries(mapping, kinds, label) if mapping else {}
        if missing := [name for name in kinds if name.replace(" ", "_") in needed and name not in entries]:
            reader.note(node, wrong(lacks, what=label, keys=tuple(missing)))
        values = {name.replace(" ", "_"): kinds[name].read(reading, value) for name, value in entries.items()}
        return make(**values) if len(reader.faults) == before else None

    def write(rules: GameRules, value: StructT) -> Value:
        written = {name: kind.write(rules, getattr(value, name.replace(" ", "_"))) for name, kind in kinds.items()}
        return {name: each for name, each in written.items() if name.replace(" ", "_") in needed or not is_empty(each)}

    return Kind(read, write)


def arrow(node: Node) -> Node:
    """Return the two sides of a text `A > B` as a list. Any other node is returned unchanged."""
    if isinstance(node, Text) and ">" in node.value:
        return SequenceNode(tuple(split(node, ">")), node.line, node.column)
    return node


def pairing(label: Words | str) -> Kind[Pairing]:
    """Return the kind of attacks, which are written `city > city`."""

    def read(reading: PositionReader, node: Node) -> Pairing | None:
        pair = reading.reader.items(arrow(node), label)
        match [CITY.read(reading, each) for each in pair]:
            case [attacker, defender] if attacker is not None and defender is not None:
                return Pairing(attacker, defender)
            case cities if len(cities) != 2:
                reading.reader.note(node, wrong("E-FORM-BATTLE.city", what=label))
        return None

    def write(rules: GameRules, pair: Pairing) -> Value:
        return pair_name(rules.common, pair)

    return Kind(read, write)


def read_card(reading: PositionReader, node: Node) -> Card | None:
    """Return a tactical card, without storing that it has a place. Return None after a fault."""
    written = reading.reader.name(node, words("a-card"), reading.lexicon.card)
    return None if written is None else reading.lexicon.copies(written)[0]


def write_card(rules: GameRules, card: Card) -> Value:
    """Return a tactical card as text, with its deck."""
    return card_text(card, deck=True)


def write_cards(rules: GameRules, cards: Iterable[Card]) -> Value:
    return [write_card(rules, card) for card in cards]


def read_numbers(reading: PositionReader, node: Node) -> dict[str, int]:
    """Return a mapping from powers to numbers. Faulty numbers are left out."""
    found = {
        power: reading.reader.number(value, power, -99, 99)
        for _, power, value in reading.powers(node, words("numbers"))
    }
    return {power: number for power, number in found.items() if number is not None}


def write_numbers(rules: GameRules, numbers: Mapping[str, int]) -> Value:
    return dict(numbers)


def read_player(reading: PositionReader, node: Node) -> str | None:
    return reading.reader.word(node, words("a-player"), {player: player for player in reading.rules.seats})


def read_winner(reading: PositionReader, node: Node) -> str | None:
    """Return the winner. Return None for the word `nobody`, and after a fault."""
    players = {player: player for player in reading.rules.seats}
    return reading.reader.word(node, "winner", {**players, "nobody": ""}) or None


def write_winner(rules: GameRules, winner: str | None) -> Value:
    return winner or "nobody"


POWER = power()
CITY = city()
CARD = Kind(read_card, write_card)
CARDS = Kind(PositionReader.place_cards, write_cards)
"""Kind of lists of tactical cards. When cards are read, it is stored that they have a place, so that no card can be in
two lists."""
SOME_CARDS = Kind(PositionReader.place_some, write_cards)
"""Kind of lists of tactical cards. If the cards are not known, only their number is written."""
SUIT = word(words("a-suit"), SUIT_NAMES)
NUMBERS = Kind(read_numbers, write_numbers)
PLAYER = Kind(read_player, as_is)
WINNER = Kind(read_winner, write_winner)
ENDING = word("how", {ending: ending for ending in get_args(Ending)})
HELD = by_word("held", number(words("the-figure"), -999, 999))
"""Kind of the numbers by which the game was decided, keyed by power: fortresses, scores, or markers left. They may be
negative."""
