"""A section of an order file as one row: what it answers, how it is read and written, and what may be filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from pbem.engine.cards import points
from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Card
from pbem.engine.table import Table
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Node
from pbem.paper.orders.given import Given, pick_cards
from pbem.paper.orders.inputs import Input, Option, Payment
from pbem.paper.orders.names import Places, PowerOrders, SectionReader, SectionWriter, Written, parts_of
from pbem.seal.canonical import Tree

T = TypeVar("T")
TableT = TypeVar("TableT", bound=Table)
DecisionT = TypeVar("DecisionT", bound=Decision)
SaidT = TypeVar("SaidT")
AnswerT = TypeVar("AnswerT", bound=Answer)

ReadOne: TypeAlias = Callable[[SectionReader, Node], Written[T] | None]
ReadAll: TypeAlias = Callable[[SectionReader, Node], Iterable[Written[T]]]

Joins = Literal["once", "lines", "again", "by name"]
"""How several answers stand in one section: not at all, as lines of a list, in a list if there are several, by name."""


class Asked(Struct, Generic[TableT, DecisionT, SaidT], frozen=True):
    """What was written, and the decision that it meets."""

    table: TableT
    decision: DecisionT
    written: Written[SaidT]
    places: Places
    warnings: list[Fault]
    """What is strange about it; noted here, as the places of what was not written are."""

    @property
    def said(self) -> SaidT:
        """What was written."""
        return self.written.said

    def cards(self, first: tuple[Card, ...] = ()) -> tuple[Card, ...]:
        """The cards of the hand that were meant; of several alike one of the first."""
        power, written = self.decision.power, self.written
        return pick_cards(self.table, power, written.cards, self.places, first)


def as_said(asked: Asked[TableT, DecisionT, SaidT]) -> SaidT:
    """The answer as it was written."""
    return asked.said


def always(decision: Decision) -> bool:
    """Every decision of its type."""
    return True


def nothing(table: Table, decision: Decision, answer: Answer) -> int:
    """No price."""
    return 0


class Section(Struct, Generic[TableT, DecisionT, SaidT, AnswerT], frozen=True):
    """One section: several rows of a name are read alike, and answer different decisions."""

    name: str
    rule: str
    """Where the rule book has what is asked."""
    asks: type[DecisionT] | tuple[type[DecisionT], ...]
    """The decisions that it answers; none if it settles something without being asked."""
    gives: type[AnswerT] | tuple[type[AnswerT], ...]
    read: ReadAll[SaidT]
    answer: Callable[[Asked[TableT, DecisionT, SaidT]], AnswerT]
    write: Callable[[SectionWriter, AnswerT], Tree]
    form: Callable[[SectionWriter, TableT, DecisionT], Input] | None = None
    """What may be filled in, if it is ever asked for."""
    when: Callable[[DecisionT], bool] = always
    """Which of the decisions it answers, if not all."""
    about: Callable[[SectionWriter, DecisionT], str] | None = None
    """The piece or city that a decision is about, where each has a line of its own: they are asked for by it."""
    price: Callable[[TableT, DecisionT, AnswerT], int] = nothing
    """What an answer's cards have to pay for."""
    beyond: tuple[str, ...] = ()
    """The codes of refusals that the form cannot prevent."""
    is_free: bool = False
    """Whether it is carried out at once, before anything is asked."""
    joins: Joins = "once"

    def is_for(self, decision: Decision) -> bool:
        """Whether it answers a decision."""
        return isinstance(decision, self.asks) and self.when(decision)

    def entry(self, table: Table, decision: DecisionT) -> str:
        """What of the orders answers a decision."""
        if self.about is None:
            return self.name
        return part_of(self.name, self.about(SectionWriter(table.rules.common, decision.power), decision))

    def read_into(self, reader: SectionReader, orders: PowerOrders, node: Node) -> None:
        """Read the section into the orders of a power; by name each line is a section of its own."""
        found = list(self.read(reader, node))
        if self.about is None:
            orders.sections[self.name] = list(found)
            return
        for written in found:
            orders.sections.setdefault(part_of(self.name, written.about), []).append(written)

    def given(self, table: TableT, decision: DecisionT, written: Written[SaidT]) -> Given:
        """What was written as an answer to a decision; raises `Unusable` if it names a card that is not in hand."""
        places = dict(written.places)
        warnings: list[Fault] = []
        answer = self.answer(Asked(table, decision, written, places, warnings))
        return Given(answer, written.node, places, self.price(table, decision, answer), tuple(warnings))


AnySection: TypeAlias = "Section[Any, Any, Any, Any]"
"""A section to whoever treats all alike: that its functions fit each other was checked where it was made."""


def part_of(section: str, about: str) -> str:
    """The section of what is about one piece or city."""
    return f"{section} {about}"


def whole(read: ReadOne[T]) -> ReadAll[T]:
    """A section that is one answer."""
    return lambda self, node: found(read(self, node))


def each(read: ReadOne[T]) -> ReadAll[T]:
    """A section that is one answer, or a list of such."""
    return lambda self, node: [one for part in parts_of(node) for one in found(read(self, part))]


def listed(what: str, read: ReadOne[T]) -> ReadAll[T]:
    """A section that is a list of answers."""
    return lambda self, node: [one for part in self.reader.items(node, what) for one in found(read(self, part))]


def found(written: Written[T] | None) -> list[Written[T]]:
    """What could be read."""
    return [] if written is None else [written]


def truth(section: str) -> ReadAll[bool]:
    """A section that is yes or no."""

    def read(self: SectionReader, node: Node) -> list[Written[bool]]:
        answer = self.reader.truth(node, section)
        return [] if answer is None else [Written(answer, node)]

    return read


def payment(pen: SectionWriter, hand: Iterable[Card]) -> Payment:
    """The cards of a hand with what each pays."""
    return Payment(tuple(Option(pen.card(card), worth=points(pen.rules.decks, [card])) for card in hand))
