"""The sections of an order file that only FRIEDRICH has: cards set aside, and the Clock of Fate (docs/orders.md)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.decisions import Decision
from pbem.engine.table import GameRules
from pbem.games.friedrich.rules.decisions import Levy, ReturnCards
from pbem.games.friedrich.rules.fate_decisions import ChooseCities, ChooseGeneral, GiveCard, ShiftPieces
from pbem.paper.documents.strict import Node, Text
from pbem.paper.orders.sections import Named, PowerOrders, SectionReader, Written

RETURN = "set aside"
SIDESTEP = "sidestep"
STAY = "stay"
NONE = "none"


def says(node: Node, word: str) -> bool:
    """Whether nothing but this word stands here."""
    return isinstance(node, Text) and node.value.casefold() == word


def read_return(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """The cards of this turn's draw that are set aside."""
    orders.sections[RETURN] = [Written(self.cards(node), node)]


def general(section: str) -> Callable[[SectionReader, PowerOrders, Node], None]:
    """A section that names a general."""

    def read(self: SectionReader, orders: PowerOrders, node: Node) -> None:
        named = self.piece(node)
        if named is not None:
            orders.sections[section] = [named]

    return read


def card(section: str) -> Callable[[SectionReader, PowerOrders, Node], None]:
    """A section that names a tactical card, or none."""

    def read(self: SectionReader, orders: PowerOrders, node: Node) -> None:
        if says(node, NONE):
            orders.sections[section] = [Written(None, node)]
            return
        given = self.card(node)
        if given is not None:
            orders.sections[section] = [Written(given, node)]

    return read


def goal(self: SectionReader, node: Node) -> Written | None:
    """A city to go to, or `stay`."""
    if says(node, STAY):
        return Written(None, node)
    city = self.city(node)
    return None if city is None else Written(city.number, node)


def shift(section: str) -> Callable[[SectionReader, PowerOrders, Node], None]:
    """A section that names a city to go to, or says `stay`."""

    def read(self: SectionReader, orders: PowerOrders, node: Node) -> None:
        going = goal(self, node)
        if going is not None:
            orders.sections[section] = [going]

    return read


def read_sidesteps(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """`city: city` lines, or `city: stay`: where the stack of each city goes.

    They are asked for by city, not in their order, and so each is a section of its own.
    """
    for name, value in self.reader.pairs(node, SIDESTEP):
        start, going = self.city(name), goal(self, value)
        if start and going:
            orders.sections.setdefault(sidestep(self.lexicon.rules, start.number), []).append(going)


def sidestep(rules: GameRules, city: int) -> str:
    """The section of the stack in one city."""
    return f"{SIDESTEP} {rules.common.board.cities[city].name}"


def cities(section: str) -> Callable[[SectionReader, PowerOrders, Node], None]:
    """A section that names cities."""

    def read(self: SectionReader, orders: PowerOrders, node: Node) -> None:
        named: tuple[Named, ...] = self.each(node, section, self.city)
        orders.sections[section] = [Written(named, node)]

    return read


def section_of(rules: GameRules, decision: Decision) -> str:
    """The section that answers a decision; every stack that may step aside has one of its own."""
    match decision:
        case ReturnCards():
            return RETURN
        case Levy():
            return "recruit"
        case ShiftPieces(_, "sidestep"):
            return sidestep(rules, decision.start)
        case ChooseGeneral() | GiveCard() | ShiftPieces() | ChooseCities():
            return decision.reason
    raise TypeError(f"{type(decision).__name__} is no decision of FRIEDRICH")


SECTIONS: dict[str, Callable[[SectionReader, PowerOrders, Node], None]] = {
    RETURN: read_return,
    "gain": general("gain"),
    "loss": general("loss"),
    "removal": general("removal"),
    "swap": card("swap"),
    "plunder": card("plunder"),
    "redraw": card("redraw"),
    "offensive": card("offensive"),
    "advance": shift("advance"),
    "rout": shift("rout"),
    SIDESTEP: read_sidesteps,
    "blockade": cities("blockade"),
    "garrison": cities("garrison"),
}
"""How each section is read; those of the Clock of Fate bear the name of what they are asked for."""
