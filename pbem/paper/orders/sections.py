"""The sections of order files that every game has, read into typed orders; each game adds its own."""

from __future__ import annotations

from collections import abc
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from pbem.paper.documents.reader import Reader, split
from pbem.paper.documents.strict import Mapping, Node, Sequence, Text
from pbem.paper.lexicon import Lexicon, WrittenCard


class Named(Struct, frozen=True):
    """A number that stands for a city or a piece, and where it was written."""

    number: int
    node: Node


class Troops(Struct, frozen=True):
    """How many troops each general is to get or to have, in the order as written."""

    counts: tuple[tuple[Named, int], ...]
    node: Node


class MoveOrder(Struct, frozen=True):
    """Pieces and their path, and who commands the stack they join."""

    pieces: tuple[Named, ...]
    path: tuple[Named, ...]
    commander: Named | None
    node: Node


class ReenterOrder(Struct, frozen=True):
    """A train comes back at a fortress, for cards."""

    train: Named
    city: Named
    pay: tuple[PlayOrder, ...]
    node: Node


class PlayOrder(Struct, frozen=True):
    """A card to play or pay with, or to stop."""

    card: WrittenCard | None
    node: Node


class BattleOrder(Struct, frozen=True):
    """An attack, named by cities or by generals."""

    attacker: Named
    defender: Named
    by: Literal["city", "piece"]
    node: Node


class RetreatOrder(Struct, frozen=True):
    """The path of a beaten enemy."""

    path: tuple[Named, ...]
    node: Node


class RecruitOrder(Struct, frozen=True):
    """Cards paid, troops given, generals brought back, commanders chosen."""

    pay: tuple[PlayOrder, ...]
    troops: Troops | None
    enter: tuple[tuple[Named, Named], ...]
    commanders: tuple[Named, ...]
    node: Node


class EndOfMoves(Struct, frozen=True):
    """What stands unwritten behind the last move: nothing more is moved."""

    node: Node


AnyEntry: TypeAlias = Any
"""What stands in a section of orders; of which type it is, the name of the section says."""


class Written(Struct, frozen=True):
    """A value, and where it was written."""

    value: AnyEntry
    node: Node


class PowerOrders(Struct):
    """What one power orders: the entries of every section that was written, used up from the front."""

    power: str
    node: Node
    sections: dict[str, list[AnyEntry]] = field(default_factory=dict)

    def take(self, section: str) -> AnyEntry:
        """The next entry of a section, which is used up by being taken; None if there is none."""
        entries = self.sections.get(section)
        return entries.pop(0) if entries else None

    def take_all(self, section: str) -> list[AnyEntry]:
        """All entries of a section, which are used up."""
        entries = self.sections.get(section, [])
        taken = list(entries)
        entries.clear()
        return taken


class SectionReader:
    """Reads what one power orders."""

    def __init__(self, reader: Reader, lexicon: Lexicon, power: str, recruits_between: bool = False) -> None:
        """Take the faults' reader, the names, the power, and whether the game lets recruits stand among the moves."""
        self.reader = reader
        self.lexicon = lexicon
        self.power = power
        self.recruits_between = recruits_between

    def read(self, node: Node, readers: abc.Mapping[str, OneSection]) -> PowerOrders:
        """All sections of the power."""
        orders = PowerOrders(self.power, node)
        what = f"the orders of {self.power}"
        mapping = self.reader.mapping(node, what)
        for section, value in (self.reader.known(mapping, readers, what) if mapping else {}).items():
            readers[section](self, orders, value)
        return orders

    def piece(self, node: Node) -> Named | None:
        found = self.reader.name(node, "a piece", lambda written: self.lexicon.piece(written, self.power))
        return None if found is None else Named(found, node)

    def city(self, node: Node) -> Named | None:
        found = self.reader.name(node, "a city", self.lexicon.city)
        return None if found is None else Named(found, node)

    def each(self, node: Node, what: str, find: Callable[[Node], Named | None]) -> tuple[Named, ...]:
        """A list of names."""
        return tuple(named for item in self.reader.items(node, what) if (named := find(item)) is not None)

    def card(self, node: Node) -> PlayOrder | None:
        found = self.reader.name(node, "a card", self.lexicon.card)
        return None if found is None else PlayOrder(found, node)

    def cards(self, node: Node) -> tuple[PlayOrder, ...]:
        """A list of cards."""
        return tuple(card for item in self.reader.items(node, "cards") if (card := self.card(item)) is not None)

    def troops(self, node: Node, what: str) -> Troops | None:
        """`general: number` lines."""
        mapping = self.reader.mapping(node, what)
        if mapping is None:
            return None
        counts = []
        for name, value in self.reader.pairs(mapping, what):
            general = self.piece(name)
            count = self.reader.number(value, f"the troops of {name.value}", 0, 99)
            if general is not None and count is not None:
                counts.append((general, count))
        return Troops(tuple(counts), node)

    def read_allot(self, orders: PowerOrders, node: Node) -> None:
        """The first allotment of troops."""
        troops = self.troops(node, "allot")
        orders.sections["allot"] = [troops] if troops else []

    def read_transfer(self, orders: PowerOrders, node: Node) -> None:
        """New allotments within stacks: one, or a list of them."""
        nodes = node.items if isinstance(node, Sequence) else (node,)
        found = [self.troops(item, "transfer") for item in nodes]
        orders.sections["transfer"] = [troops for troops in found if troops is not None]

    def read_move(self, orders: PowerOrders, node: Node) -> None:
        """Marches, returns of trains, recruits and transfers, in order."""
        if isinstance(node, Text) and node.is_nothing:
            orders.sections["move"] = [EndOfMoves(node)]
            return
        if not isinstance(node, Sequence):
            self.reader.note(node, "E-FORM-LIST", "move must be a list", "one `- piece: city, city` a line")
            return
        found = [self.move_item(item) for item in node.items]
        orders.sections["move"] = [*(item for item in found if item is not None), EndOfMoves(node)]

    def move_item(self, node: Node) -> MoveOrder | ReenterOrder | RecruitOrder | Troops | None:
        """One line of the moves."""
        if not isinstance(node, Mapping):
            self.reader.note(node, "E-FORM-MOVE", "a move is `piece: city, city`")
            return None
        if "re-enter" in node.items:
            return self.reentry(node)
        if "recruit" in node.items and self.recruits_between:
            entries = self.reader.known(node, ("recruit",), "recruits among the moves")
            return self.recruits(entries["recruit"])
        if "transfer" in node.items:
            return self.troops(node.items["transfer"], "transfer")
        if "march" in node.items:
            return self.full_march(node)
        if len(node.items) != 1:
            self.reader.note(node, "E-FORM-MOVE", "one move a line", "begin each with `- `")
            return None
        ((pieces, path),) = self.reader.pairs(node, "a move")
        return self.march(pieces, path, None, node)

    def march(self, pieces: Node, path: Node, commander: Named | None, node: Node) -> MoveOrder | None:
        """One march; nothing if none of its pieces is known, which has been noted."""
        written = split(pieces, "+") if isinstance(pieces, Text) else self.reader.items(pieces, "march")
        movers = tuple(named for part in written if (named := self.piece(part)) is not None)
        cities = self.each(path, "a path", self.city)
        return MoveOrder(movers, cities, commander, node) if movers else None

    def full_march(self, node: Mapping) -> MoveOrder | None:
        """`march`, `to` and `commander` as keys."""
        entries = self.reader.known(node, ("march", "to", "commander"), "a march")
        if "to" not in entries:
            self.reader.note(node, "E-FORM-MISSING", "a march lacks `to`")
            return None
        commander = self.piece(entries["commander"]) if "commander" in entries else None
        return self.march(entries["march"], entries["to"], commander, node)

    def reentry(self, node: Mapping) -> ReenterOrder | None:
        """`re-enter`, `at` and `pay` as keys."""
        entries = self.reader.known(node, ("re-enter", "at", "pay"), "a return")
        missing = [key for key in ("at", "pay") if key not in entries]
        if missing:
            self.reader.note(node, "E-FORM-MISSING", f"a return lacks {' and '.join(missing)}")
            return None
        train, city = self.piece(entries["re-enter"]), self.city(entries["at"])
        pay = self.cards(entries["pay"])
        return ReenterOrder(train, city, pay, node) if train and city else None

    def read_battles(self, orders: PowerOrders, node: Node) -> None:
        """The order of the attacks."""
        found = [self.battle(item) for item in self.reader.items(node, "battles")]
        orders.sections["battles"] = [battle for battle in found if battle is not None]

    def battle(self, node: Node) -> BattleOrder | None:
        """`general > general`, or `city > city`."""
        parts = split(node, ">") if isinstance(node, Text) else []
        if len(parts) != 2:
            self.reader.note(node, "E-FORM-BATTLE", "an attack is `attacker > defender`", "generals or cities")
            return None
        known = [self.lexicon.is_city(part.value) for part in parts if isinstance(part, Text)]
        find = self.city if all(known) else self.piece
        attacker, defender = find(parts[0]), find(parts[1])
        if attacker is None or defender is None:
            return None
        return BattleOrder(attacker, defender, "city" if all(known) else "piece", node)

    def read_play(self, orders: PowerOrders, node: Node) -> None:
        """Cards to play in combat, and `stop`."""
        played = orders.sections["play"] = []
        for item in self.reader.items(node, "play"):
            if isinstance(item, Text) and item.value.casefold() == "stop":
                played.append(PlayOrder(None, item))
            elif (card := self.card(item)) is not None:
                played.append(card)

    def read_retreat(self, orders: PowerOrders, node: Node) -> None:
        """Paths for beaten enemies, in the order in which they are beaten."""
        nodes = node.items if isinstance(node, Sequence) else (node,)
        orders.sections["retreat"] = [RetreatOrder(self.each(item, "a path", self.city), item) for item in nodes]

    def read_recruit(self, orders: PowerOrders, node: Node) -> None:
        """New troops, or nothing; a list where a power is asked more than once."""
        nodes = node.items if isinstance(node, Sequence) else (node,)
        found = [self.recruits(item) for item in nodes]
        orders.sections["recruit"] = [recruits for recruits in found if recruits is not None]

    def recruits(self, node: Node) -> RecruitOrder | None:
        """New troops once: what is paid, who gets them, who comes back."""
        if isinstance(node, Text) and node.value.casefold() == "none":
            return RecruitOrder((), None, (), (), node)
        mapping = self.reader.mapping(node, "recruit")
        if mapping is None:
            return None
        entries = self.reader.known(mapping, ("pay", "troops", "enter", "commander"), "recruit")
        return RecruitOrder(
            pay=self.cards(entries["pay"]) if "pay" in entries else (),
            troops=self.troops(entries["troops"], "troops") if "troops" in entries else None,
            enter=self.entries(entries["enter"]) if "enter" in entries else (),
            commanders=self.each(entries["commander"], "commander", self.piece) if "commander" in entries else (),
            node=node,
        )

    def entries(self, node: Node) -> tuple[tuple[Named, Named], ...]:
        """`general: city` lines."""
        found = []
        for name, value in self.reader.pairs(node, "enter"):
            general, city = self.piece(name), self.city(value)
            if general and city:
                found.append((general, city))
        return tuple(found)


OneSection = Callable[[SectionReader, PowerOrders, Node], None]
"""Reads one section into the orders of a power."""

READERS: dict[str, OneSection] = {
    "allot": SectionReader.read_allot,
    "transfer": SectionReader.read_transfer,
    "move": SectionReader.read_move,
    "battles": SectionReader.read_battles,
    "play": SectionReader.read_play,
    "retreat": SectionReader.read_retreat,
    "recruit": SectionReader.read_recruit,
}
"""How each section of every game is read."""
