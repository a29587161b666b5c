"""Rows that describe a section of an order file: the decisions it answers, its reading, writing and form; and answers
with their places."""

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
    """An answer, its place, and the place of each of its parts."""

    answer: Answer
    node: Node
    places: Places = {}
    price: int = 0
    """Price that the answer's cards must pay, if they are a payment."""
    warnings: tuple[Fault, ...] = ()
    """Warnings about how it was written."""
    is_ahead: bool = False
    """True if it was ordered ahead, so that its places may be those of an earlier letter."""
    is_of_stage: bool = False
    """True if it stands among the orders of the present stage, and neither in plans nor in orders ahead."""

    def node_of(self, where: tuple[str | int, ...]) -> Node:
        """Place of the part that a refusal names, or of the nearest part that contains it."""
        while where:
            if where in self.places:
                return self.places[where]
            where = where[:-1]
        return self.node


def pick_cards(
    table: Table, power: Power, written: Sequence[NamedCard], places: Places, first: Sequence[Card] = ()
) -> tuple[Card, ...]:
    """Cards of the power's hand for written cards. Of several equals those that the answer names first are taken."""
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
    """A written order from which no answer can be made."""

    def __init__(self, node: Node, wrong: Wrong) -> None:
        super().__init__(wrong)
        self.node = node


class NotInHand(Unusable):
    """A written card that is not in the hand of its power."""

    def __init__(self, table: Table, power: Power, node: Node, offered: Sequence[Card]) -> None:
        """Name the card, the hand, and the cards that could be given. Only the power's own player sees this."""
        rule, card = game_of(table).cited.cards, node.value if isinstance(node, Text) else words("this-card")
        cards = tuple(dict.fromkeys(card_text(each) for each in sorted(offered, key=as_held)))
        hint: Hint | None = None if cards else ""
        super().__init__(node, wrong("E-CARD-HAND.often", rule, hint, power=power, card=card, cards=cards))


def is_overpaid(table: Table, given: Given) -> bool:
    """True if a payment contains a card that was not needed."""
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
"""Form of several answers in one section: not possible, lines of a list, a list if there are several, or by name."""


class Asked(Struct, Generic[TableT, DecisionT, SaidT], frozen=True):
    """A written answer and the decision that it meets."""

    table: TableT
    decision: DecisionT
    written: Written[SaidT]
    places: Places
    warnings: list[Fault]
    """Warnings about it; filled in while the answer is made, like the places of parts that were not written."""

    @property
    def said(self) -> SaidT:
        return self.written.said

    def cards(self, first: tuple[Card, ...] = ()) -> tuple[Card, ...]:
        """The cards of the hand that are meant; of several equals the first."""
        power, written = self.decision.power, self.written
        return pick_cards(self.table, power, written.cards, self.places, first)


def as_said(asked: Asked[TableT, DecisionT, SaidT]) -> SaidT:
    """The answer as it was written."""
    return asked.said


def always(decision: Decision) -> bool:
    """True for every decision of the section's type."""
    return True


def nothing(table: Table, decision: Decision, answer: Answer) -> int:
    """Price 0."""
    return 0


class Section(Struct, Generic[TableT, DecisionT, SaidT, AnswerT], frozen=True):
    """One section. Several rows of one name are read alike, and answer different decisions."""

    name: str
    rule: str
    """The § of the decision."""
    asks: type[DecisionT] | tuple[type[DecisionT], ...]
    """Decisions that it answers; none if it is carried out without being asked for."""
    gives: type[AnswerT] | tuple[type[AnswerT], ...]
    read: ReadAll[SaidT]
    answer: Callable[[Asked[TableT, DecisionT, SaidT]], AnswerT]
    write: Callable[[SectionWriter, AnswerT], Tree]
    form: Callable[[SectionWriter, TableT, DecisionT], Input] | None = None
    """Form to fill in; None if it is never asked for."""
    when: Callable[[DecisionT], bool] = always
    """Says of each decision of these types whether the row answers it."""
    about: Callable[[SectionWriter, DecisionT], str] | None = None
    """Piece or city of a decision, if each has a line of its own, which is found by it."""
    price: Callable[[TableT, DecisionT, AnswerT], int] = nothing
    """Price that an answer's cards must pay."""
    beyond: tuple[str, ...] = ()
    """Codes of refusals that the form cannot prevent."""
    is_free: bool = False
    """True if it is carried out at once, before any decision is asked."""
    joins: Joins = "once"

    def is_for(self, decision: Decision) -> bool:
        """True if the row answers this decision."""
        return isinstance(decision, self.asks) and self.when(decision)

    def entry(self, table: Table, decision: DecisionT) -> str:
        """Name under which the orders have the answer to a decision."""
        if self.about is None:
            return self.name
        return part_of(self.name, self.about(SectionWriter(table.rules.common, decision.power), decision))

    def read_into(self, reader: SectionReader, orders: PowerOrders, node: Node) -> None:
        """Read the section into the orders of a power. Each line of a section by name becomes a section of its own."""
        found = list(self.read(reader, node))
        if self.about is None:
            orders.sections[self.name] = list(found)
            return
        for written in found:
            orders.sections.setdefault(part_of(self.name, written.about), []).append(written)

    def given_answer(self, table: TableT, decision: DecisionT, written: Written[SaidT]) -> Given:
        """Answer to a decision, made of written orders. Raises `Unusable` if it names a card that is not in hand."""
        places = dict(written.places)
        warnings: list[Fault] = []
        answer = self.answer(Asked(table, decision, written, places, warnings))
        return Given(answer, written.node, places, self.price(table, decision, answer), tuple(warnings))


AnySection: TypeAlias = "Section[Any, Any, Any, Any]"
"""A section of any types. Its functions were checked against each other where it was made."""


def part_of(section: str, about: str) -> str:
    """Name of the section for one piece or city."""
    return f"{section} {about}"


def single(read: ReadOne[T]) -> ReadAll[T]:
    """Reader of a section that is one answer."""
    return lambda self, node: as_list(read(self, node))


def one_or_more(read: ReadOne[T]) -> ReadAll[T]:
    """Reader of a section that is one answer, or a list of answers."""
    return lambda self, node: [one for part in parts_of(node) for one in as_list(read(self, part))]


def list_of_answers(what: str, read: ReadOne[T]) -> ReadAll[T]:
    """Reader of a section that is a list of answers."""
    return lambda self, node: [one for part in self.reader.items(node, what) for one in as_list(read(self, part))]


def as_list(written: Written[T] | None) -> list[Written[T]]:
    """The value in a list; an empty one if it could not be read."""
    return [] if written is None else [written]


def truth(section: str) -> ReadAll[bool]:
    """Reader of a section that is yes or no."""

    def read(self: SectionReader, node: Node) -> list[Written[bool]]:
        answer = self.reader.truth(node, section)
        return [] if answer is None else [Written(answer, node)]

    return read


def payment(pen: SectionWriter, hand: Iterable[Card]) -> Payment:
    """The cards of a hand, each with the points it pays."""
    return Payment(tuple(Option(pen.card(card), worth=points(pen.rules.decks, [card])) for card in hand))


class Option(Struct, frozen=True, omit_defaults=True):
    """One of several values that may be written."""

    write: Tree
    price: int = 0
    """Its price, in points of cards."""
    worth: int = 0
    """The points it pays, if it is a card."""


class Choice(Struct, frozen=True, tag_field="kind", tag="choice"):
    """One of several options."""

    options: tuple[Option, ...]


class Several(Struct, frozen=True, tag_field="kind", tag="several"):
    """A list of some of these options, each at most once."""

    options: tuple[Option, ...]
    least: int
    most: int


class Number(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="number"):
    """A whole number."""

    least: int
    most: int
    price: int = 0
    """Price of each unit."""


class Numbers(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="numbers"):
    """A number under each of these names, with a limit for their sum."""

    of: dict[str, Number]
    least: int
    most: int
    all: bool = False
    """True if every name must be given."""


class Path(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="path"):
    """A list of neighbouring cities: one way to every open end; there may be others."""

    start: str
    ways: tuple[Option, ...]


class Payment(Struct, frozen=True, tag_field="kind", tag="payment"):
    """Cards worth at least the price of everything else in the record; left out if that is 0."""

    options: tuple[Option, ...]


class Part(Struct, frozen=True, omit_defaults=True):
    """The value under one key."""

    input: Input
    optional: bool = False
    price: int = 0
    """Its price, if it is filled in."""


class Record(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="record"):
    """Several parts, each under its key."""

    parts: dict[str, Part]
    together: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """Pairs of keys of which both are filled in, or neither."""


class Each(Struct, frozen=True, tag_field="kind", tag="each"):
    """A list with one entry for each of these."""

    inputs: tuple[Input, ...]


class Either(Struct, frozen=True, tag_field="kind", tag="either"):
    """One of several inputs."""

    ways: tuple[Input, ...]


class Lines(Struct, frozen=True, tag_field="kind", tag="lines"):
    """A list of such inputs. Each line is one answer, and the next is written for the position after it."""

    of: Input
    least: int = 1
    """0 if an empty list is an answer as well: nothing more."""


Input: TypeAlias = (
    Choice | Several | Number | Numbers | Path | Payment | Record | Each | Either | Lines
)  # fmt: skip
"""Every kind of input."""


class Form(Struct, frozen=True):
    """The form of the answer to one decision."""

    section: str
    rule: str
    """The § of the decision."""
    input: Input
    beyond: tuple[str, ...]
    """Codes of refusals that are still possible, because they depend on several inputs together."""


def choice(*written: Tree) -> Choice:
    """A choice among these, without prices."""
    return Choice(tuple(Option(one) for one in written))


YES_OR_NO = choice("yes", "no")
