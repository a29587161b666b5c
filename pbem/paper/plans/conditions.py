"""Reads what a plan depends on: numbers, where pieces stand, what was conquered (docs/plans.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine.field import OFF
from pbem.engine.nouns import City
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.paper.documents.strict import Node, Text
from pbem.paper.orders.names import SectionReader, says
from pbem.paper.plans.data import Conquest, Span, Whereabouts
from pbem.paper.plans.wishes import span

CONDITIONS = ("when", "where", "conquered")

GENERAL = ("turn", "hand")
"""The numbers that any plan may depend on."""

IN_BATTLE = ("score", "start", "mine", "theirs", "shown", "held", "suited", "reserves", "lead")
"""The numbers that a plan for a battle may depend on besides."""

NOT = "not "


def numbers(kind: str) -> tuple[str, ...]:
    """The numbers that a plan for this may depend on."""
    return (*GENERAL, *(IN_BATTLE if kind == "battle" else ()))


def read_when(self: SectionReader, kind: str, entries: Mapping[str, Node]) -> tuple[tuple[str, Span], ...]:
    """The numbers that a plan depends on."""
    mapping = self.reader.mapping(entries["when"], "when") if "when" in entries else None
    if mapping is None:
        return ()
    known = self.reader.known(mapping, numbers(kind), words("plan-when", kind=kind))
    found = [(name, span(self, value, name)) for name, value in known.items()]
    return tuple((name, within) for name, within in found if within is not None)


def read_where(self: SectionReader, entries: Mapping[str, Node]) -> tuple[Whereabouts, ...]:
    """Where pieces have to stand, or must not: `piece: cities`, `piece: not city`, `piece: off`."""
    pairs = self.reader.pairs(entries["where"], "where") if "where" in entries else ()
    return tuple(found for name, value in pairs if (found := whereabouts(self, name, value)) is not None)


def whereabouts(self: SectionReader, name: Text, node: Node) -> Whereabouts | None:
    """Where one piece has to stand: in one of these cities, or in none of them."""
    piece = self.piece(name)
    items = [without_not(item) for item in self.reader.items(node, "where")]
    cities = [place(self, item) for item, _ in items]
    kinds = {is_there for _, is_there in items}
    if len(kinds) != 1:
        self.reader.note(node, wrong("E-PLAN-WHERE"))
        return None
    known = tuple(city for city in cities if city is not None)
    return Whereabouts(piece.number, known, kinds.pop()) if piece and len(known) == len(cities) else None


def place(self: SectionReader, node: Node) -> City | None:
    """A city, or `off` the map."""
    if says(node, "off"):
        return OFF
    city = self.city(node)
    return city.number if city else None


def read_conquered(self: SectionReader, entries: Mapping[str, Node]) -> tuple[Conquest, ...]:
    """What has to be conquered, or must not be: `city` or `not city`."""
    items = self.reader.items(entries["conquered"], "conquered") if "conquered" in entries else ()
    return conquests(self, [without_not(item) for item in items])


def conquests(self: SectionReader, items: Sequence[tuple[Node, bool]]) -> tuple[Conquest, ...]:
    """Each fortress, and whether it has to be conquered."""
    rules, found = self.lexicon.rules.common, []
    for node, is_conquered in items:
        city = self.city(node)
        if city is None:
            continue
        if city.number not in rules.conquerable:
            self.reader.note(node, wrong("E-PLAN-CONQUERED", city=rules.board.cities[city.number].name))
        found.append(Conquest(city.number, is_conquered))
    return tuple(found)


def without_not(node: Node) -> tuple[Node, bool]:
    """What stands behind a `not`, and whether there was none."""
    if not isinstance(node, Text) or not node.value.casefold().startswith(NOT):
        return node, True
    return Text(node.value[len(NOT) :].strip(), node.line, node.column + len(NOT)), False
