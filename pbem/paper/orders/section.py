"""A section of an order file as one row: what it answers, how it is read and written, what may be filled in; and
answers with their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from pbem.engine.cards import as_held, is_needless, points
from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Card, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import Table
from pbem.faults.wrong import Hint, Wrong, words, wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Node, Text
from pbem.paper.lexicon import card_text, from_hand
from pbem.paper.orders.names import NamedCard, Places, PowerOrders, SectionReader, SectionWriter, Written, parts_of
from pbem.seal.canonical import Tree


class Given(Struct, frozen=True):
    """An answer, where it was written, and where each part of it stands."""

    answer: Answer
    node: Node
    places: Places = {}
    price: int = 0
    """What the answer's cards have to pay for, if they are a payment."""
    warnings: tuple[Fault, ...] = ()
    """What is strange, but not wrong, about how it was written."""
    is_ahead: bool = False
    """Whether it was ordered ahead, so that its places may be those of an earlier letter."""
    is_of_stage: bool = False
    """Whether it stands among the orders of the present stage, and neither in plans nor in orders ahead."""

    def node_of(self, where: tuple[str | int, ...]) -> Node:
        """The place of the part that a refusal speaks of, or of the nearest whole."""
        while where:
            if where in self.places:
                return self.places[where]
            where = where[:-1]
        return self.node


def pick_cards(
    table: Table, power: Power, written: Sequence[NamedCard], places: Places, first: Sequence[Card] = ()
) -> tuple[Card, ...]:
    """Written cards as cards of the power's hand; of several alike one of those is meant that are named first."""
    left = [*first, *(card for card in table.state.cards.hands[power] if card not in first)]
    cards: list[Card] = []
    for place, order in enumerate(written):
        card = from_hand(left, order.card)
        if card is None:
            raise NotInHand(table, power, order.node, first or table.state.cards.hands[power])
        left.remove(card)
        cards.append(card)
        places["cards", place] = order.node
    return tuple(cards)


class Unusable(IllegalOrder):
    """Something was written from which no answer can be made."""

    def __init__(self, node: Node, wrong: Wrong) -> None:
        """Remember where it was written."""
        super().__init__(wrong)
        self.node = node


class NotInHand(Unusable):
    """A card that was written is not in the hand of its power."""

    def __init__(self, table: Table, power: Power, node: Node, offered: Sequence[Card]) -> None:
        """Say which card, whose hand, and what could be given: only who plays this power orders for it."""
        rule, card = game_of(table).cited.cards, node.value if isinstance(node, Text) else words("this-card")
        cards = tuple(dict.fromkeys(card_text(each) for each in sorted(offered, key=as_held)))
        hint: Hint | None = None if cards else ""
        super().__init__(node, wrong("E-CARD-HAND.often", rule, hint, power=power, card=card, cards=cards))


def is_overpaid(table: Table, given: Given) -> bool:
    """Whether a payment contains a card that was not needed."""
    cards = getattr(given.answer, "cards", ())
    return bool(given.price) and is_needless(table.rules.common.decks, cards, given.price)


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


class Option(Struct, frozen=True, omit_defaults=True):
    """One of several things to write."""

    write: Tree
    price: int = 0
    """What it costs, in points of cards."""
    worth: int = 0
    """What it pays, if it is a card."""


class Choice(Struct, frozen=True, tag_field="kind", tag="choice"):
    """One of these."""

    options: tuple[Option, ...]


class Several(Struct, frozen=True, tag_field="kind", tag="several"):
    """A list of some of these, each once."""

    options: tuple[Option, ...]
    least: int
    most: int


class Number(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="number"):
    """A whole number."""

    least: int
    most: int
    price: int = 0
    """What each one of it costs."""


class Numbers(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="numbers"):
    """A number under each of these names, within a total."""

    of: dict[str, Number]
    least: int
    most: int
    all: bool = False
    """Whether no name may be left out."""


class Path(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="path"):
    """A list of cities, each beside the one before it: to every end that is open one way; there may be others."""

    start: str
    ways: tuple[Option, ...]


class Payment(Struct, frozen=True, tag_field="kind", tag="payment"):
    """Cards worth at least the price of everything else in the record; left out where that is nothing."""

    options: tuple[Option, ...]


class Part(Struct, frozen=True, omit_defaults=True):
    """What stands under one key."""

    input: Input
    optional: bool = False
    price: int = 0
    """What it costs if it is there."""


class Record(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="record"):
    """Several parts, each under its key."""

    parts: dict[str, Part]
    together: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """Places, by their keys, of which both are filled in or neither."""


class Each(Struct, frozen=True, tag_field="kind", tag="each"):
    """A list with one entry for each of these."""

    inputs: tuple[Input, ...]


class Either(Struct, frozen=True, tag_field="kind", tag="either"):
    """In one of several ways."""

    ways: tuple[Input, ...]


class Lines(Struct, frozen=True, tag_field="kind", tag="lines"):
    """A list of such: each line answers once, and the next is written for the position that it leads to."""

    of: Input
    least: int = 1
    """0 where an empty list is an answer as well: nothing more."""


Input: TypeAlias = (
    Choice | Several | Number | Numbers | Path | Payment | Record | Each | Either | Lines
)  # fmt: skip
"""Every kind of input."""


class Form(Struct, frozen=True):
    """What may be written in answer to one decision."""

    section: str
    rule: str
    """Where the rule book has it."""
    input: Input
    beyond: tuple[str, ...]
    """The codes of what may still be refused: what these inputs cannot say of each other."""


def choice(*written: Tree) -> Choice:
    """One of several that cost nothing."""
    return Choice(tuple(Option(one) for one in written))


YES_OR_NO = choice("yes", "no")
