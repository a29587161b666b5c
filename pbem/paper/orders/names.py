"""Reader and writer of the values in orders: pieces, cities, cards, troops, yes and no. All values are written as
texts: names in full, and cards with their decks."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from collections.abc import Sequence as ManyOf
from difflib import get_close_matches
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct, field

from pbem.engine.cards import is_reserve
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.faults.wrong import Words, words, wrong
from pbem.paper.documents.names import as_quoted, did_you_mean
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode, Node, Text
from pbem.paper.lexicon import Lexicon, WrittenCard, card_text
from pbem.seal.canonical import Tree

SaidT = TypeVar("SaidT")
NounT = TypeVar("NounT", covariant=True)

MOVES = "move"
"""Name of the section with the moves."""

NONE = "none"
"""Word that is written instead of a card or of troops if there are none."""

Places = dict[tuple[str | int, ...], Node]


class NamedThing(Struct, Generic[NounT], frozen=True):
    """City or piece that orders name, with the place of its name."""

    number: NounT
    node: Node


class NamedCard(Struct, frozen=True):
    """Card as it is written in orders. It has not been looked for in the hand yet."""

    card: WrittenCard
    node: Node


class WrittenOrder(Struct, Generic[SaidT], frozen=True):
    """Order as it was written: its content, its node, the places of its parts, and the cards that it names."""

    said: SaidT
    """Content of the order: the answer, as far as it is known without the position."""
    node: Node
    places: Places = {}
    cards: tuple[NamedCard, ...] = ()
    about: str = ""
    """Piece or city that the order is about. It is empty in sections that do not have an entry for each piece or
    city."""


AnyEntry: TypeAlias = Any
"""Order in a section. Its type depends on the section."""


class PowerOrders(Struct):
    """Orders of one power, keyed by section. The first order of a section is the next to be used."""

    power: Power
    node: Node
    sections: dict[str, list[AnyEntry]] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    """Sections of which a part was left out because it could not be understood."""

    def take(self, section: str) -> AnyEntry:
        """Remove the first order of a section, and return it. Return None if there is none."""
        entries = self.sections.get(section)
        return entries.pop(0) if entries else None

    def take_all(self, section: str) -> list[AnyEntry]:
        entries = self.sections.get(section, [])
        taken = list(entries)
        entries.clear()
        return taken


def numbers(named: ManyOf[NamedThing[NounT]]) -> tuple[NounT, ...]:
    return tuple(one.number for one in named)


def places_of(key: str, named: ManyOf[NamedThing[int]]) -> Places:
    """Return where in the file each name in `named` stands. The key of each place is a pair of `key` and the index of
    the name in `named`."""
    return {(key, place): one.node for place, one in enumerate(named)}


def card_in_orders(card: Card, declared: int = 0) -> str:
    """Return a card as orders write it. If a value is declared, a Reserve is written `R5/2`, and any other card `♠11/2
    as 22`."""
    written = card_text(card, deck=True)
    if not declared:
        return written
    return written.replace("R", f"R{declared}", 1) if is_reserve(card) else f"{written} as {declared}"


def is_word(node: Node, word: str) -> bool:
    """True if the node is the text `word`; capitals make no difference."""
    return isinstance(node, Text) and node.value.casefold() == word


class SectionReader:
    """Reader of the sections of one power's orders. It adds faults to `reader`."""

    def __init__(self, reader: Reader, lexicon: Lexicon, power: Power, table: Table | None = None) -> None:
        """Begin to read. If a name may mean several cities, the fault offers only cities that can be reached on
        `table`, as far as this is known. Without `table` it offers all of them."""
        self.reader = reader
        self.lexicon = lexicon
        self.power = power
        self.table = table

    def read(self, node: Node, readers: Mapping[str, OneSection]) -> PowerOrders:
        """Return the orders of the power. Each section is read by its function in `readers`. A section with a fault is
        left out. The section of moves is an exception: its lines without faults are returned."""
        orders = PowerOrders(self.power, node)
        what = words("orders-of", power=self.power)
        mapping = self.reader.mapping(node, what)
        for section, value in (self.reader.known_entries(mapping, readers, what) if mapping else {}).items():
            gaps, sections = self.reader.gaps, {**orders.sections}
            readers[section](self, orders, value)
            if self.reader.gaps > gaps:
                orders.unread.add(section)
                orders.sections = orders.sections if section == MOVES else sections
        return orders

    def for_later(self) -> SectionReader:
        """Return a reader of orders for later, when nobody knows yet which cities can be reached."""
        return SectionReader(self.reader, self.lexicon, self.power)

    def piece(self, node: Node) -> NamedThing[Piece] | None:
        found = self.reader.name(node, words("a-piece"), lambda written: self.lexicon.piece(written, self.power))
        if found is not None and (facts := self.lexicon.rules.common.pieces[found]).rank:
            self.note_name(node, facts.name)
        return None if found is None else NamedThing(found, node)

    def note_name(self, node: Node, name: str) -> None:
        """Note in the reader as which city or general a name was understood."""
        if isinstance(node, Text):
            self.reader.named[node.line, node.column + node.quoted] = (node.value, name)

    def pieces(self, node: Node, label: Words | str) -> tuple[NamedThing[Piece], ...]:
        return self.each(node, label, self.piece)

    def city(self, node: Node, likely: Container[str] = ()) -> NamedThing[City] | None:
        found = self.reader.name(node, words("a-city"), lambda written: self.lexicon.city(written, likely))
        if found is not None:
            self.note_name(node, self.lexicon.rules.common.board.cities[found].name)
        return None if found is None else NamedThing(found, node)

    def cities(self, node: Node, label: Words | str, likely: Container[str] = ()) -> tuple[NamedThing[City], ...]:
        return self.each(node, label, lambda item: self.city(item, likely))

    def each(
        self, node: Node, label: Words | str, find: Callable[[Node], NamedThing[NounT] | None]
    ) -> tuple[NamedThing[NounT], ...]:
        """Return what the function `find` returns for each name in a list. If it returns None, the name is left out."""
        return tuple(named for item in self.reader.items(node, label) if (named := find(item)) is not None)

    def power_named(self, node: Node) -> Power | None:
        return self.reader.name(node, words("a-power"), self.lexicon.power)

    def card(self, node: Node, other: str = "") -> NamedCard | None:
        """Return a card, or None after a fault. `other` is a word that the caller accepts instead of a card. If the
        text is almost this word, the fault has a hint."""
        if isinstance(node, Text) and get_close_matches(node.value.casefold(), (other,), cutoff=0.75):
            written = as_quoted(node.value)
            self.reader.note(node, wrong("E-CARD-UNKNOWN", hint=did_you_mean((other,)), card=written))
            return None
        found = self.reader.name(node, words("a-card"), self.lexicon.card)
        return None if found is None else NamedCard(found, node)

    def card_or_none(self, node: Node) -> WrittenOrder[None] | None:
        """Return an order with a card, or an order without one for the word `none`. Return None after a fault."""
        if is_word(node, NONE):
            return WrittenOrder(None, node)
        card = self.card(node, NONE)
        return None if card is None else WrittenOrder(None, node, cards=(card,))

    def cards(self, node: Node) -> tuple[NamedCard, ...]:
        return tuple(card for item in self.reader.items(node, words("cards")) if (card := self.card(item)) is not None)

    def troops(self, node: Node, label: Words | str) -> tuple[dict[Piece, int], Places] | None:
        """Read lines `general: number`. Return the troops of each general, and the places of the names. Faulty lines
        are left out. Return None if the node is not a mapping."""
        mapping = self.reader.mapping(node, label)
        if mapping is None:
            return None
        counts: dict[Piece, int] = {}
        places: Places = {}
        for name, value in self.reader.pairs(mapping, label):
            general = self.piece(name)
            count = self.reader.number(value, words("troops-of", name=name.value), 0, 99)
            # If one general has two numbers, one of the names was guessed wrongly.
            self.reader.gaps += general is not None and general.number in counts
            if general is not None and count is not None:
                counts[general.number], places[general.number,] = count, name
        return counts, places

    def flag(self, entries: Mapping[str, Node], key: str) -> bool:
        """Return True if the value under a key is `yes`. Return False for `no`, and if there is no such key."""
        return key in entries and self.reader.truth(entries[key], key) is True

    def keys(self, node: Node, keys: tuple[str, ...], label: Words | str) -> dict[str, Node]:
        """Return a dict from each key of a mapping to its value. If a key is not in `keys`, add a fault and leave it
        out."""
        mapping = self.reader.mapping(node, label)
        return self.reader.known_entries(mapping, keys, label) if mapping else {}


OneSection = Callable[[SectionReader, PowerOrders, Node], None]
"""Function that reads one section of a file, and adds its orders to those of the power."""


class SectionWriter(Struct, frozen=True):
    """Writer of the values in the orders of one power."""

    rules: Rules
    power: Power

    def piece(self, piece: Piece) -> str:
        return self.rules.pieces[piece].name

    def pieces(self, pieces: Iterable[Piece]) -> list[Tree]:
        return [self.piece(piece) for piece in pieces]

    def city(self, city: City) -> str:
        return self.rules.board.cities[city].name

    def cities(self, cities: Iterable[City]) -> list[Tree]:
        return [self.city(city) for city in cities]

    def card(self, card: Card, declared: int = 0) -> str:
        return card_in_orders(card, declared)

    def card_or_none(self, card: Card | None) -> str:
        return NONE if card is None else self.card(card)

    def cards(self, cards: Iterable[Card]) -> list[Tree]:
        return [self.card(card) for card in cards]

    def troops(self, troops: Mapping[Piece, int]) -> dict[str, Tree]:
        return {self.piece(general): str(count) for general, count in troops.items()}

    def flag(self, yes: bool) -> str:
        return "yes" if yes else "no"


def parts_of(node: Node) -> list[Node]:
    """Return the items of a list. Return any other node as the only item."""
    return [node] if isinstance(node, Text | MappingNode) else list(node.items)
