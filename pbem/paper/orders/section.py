"""Sections of an order file, a row for each: the decisions that it answers, its reading, writing and form. Also answers
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
from pbem.paper.orders.names import NamedCard, Places, PowerOrders, SectionReader, SectionWriter, WrittenOrder, parts_of
from pbem.seal.canonical import Tree


class GivenAnswer(Struct, frozen=True):
    """An answer, its place in the file, and the places of its parts."""

    answer: Answer
    node: Node
    places: Places = {}
    price: int = 0
    """Price that the answer's cards must pay, if they are a payment."""
    warnings: tuple[Fault, ...] = ()
    """Warnings about the way in which the answer was written."""
    is_ahead: bool = False
    """True if the answer was ordered ahead, so that its places may be those of an earlier letter."""
    is_of_stage: bool = False
    """True if the answer stands among the orders of the present stage, and neither in a plan nor in orders ahead."""

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
    """Cards of the power's hand that are written. Of equal cards those in `first` are preferred. The places of the
    cards are added to `places`. Raises `NotInHand`, and `Unusable` for a Reserve with a value that no Reserve can have.
    """
    most, rule = table.rules.common.decks.reserve_most, game_of(table).cited.cards
    left = [*first, *(card for card in table.state.cards.hands[power] if card not in first)]
    cards: list[Card] = []
    for place, order in enumerate(written):
        card = from_hand(left, order.card)
        if card is None:
            raise NotInHand(table, power, order.node, first or table.state.cards.hands[power])
        if order.card.is_reserve and order.card.has_value and not 1 <= order.card.value <= most:
            raise Unusable(order.node, wrong("E-RESERVE-VALUE", rule, value=order.card.value, most=most))
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
        """Name the card, its power, and the cards that could be given. Only the power's own player sees this."""
        rule, card = game_of(table).cited.cards, node.value if isinstance(node, Text) else words("this-card")
        cards = tuple(dict.fromkeys(card_text(each) for each in sorted(offered, key=as_held)))
        hint: Hint | None = None if cards else ""
        super().__init__(node, wrong("E-CARD-HAND.often", rule, hint, power=power, card=card, cards=cards))


def is_overpaid(table: Table, given: GivenAnswer) -> bool:
    """True if a payment contains a card that was not needed."""
    cards = getattr(given.answer, "cards", ())
    return bool(given.price) and is_needless(table.rules.common.decks, cards, given.price)


T = TypeVar("T")
TableT = TypeVar("TableT", bound=Table)
DecisionT = TypeVar("DecisionT", bound=Decision)
SaidT = TypeVar("SaidT")
AnswerT = TypeVar("AnswerT", bound=Answer)

ReadOne: TypeAlias = Callable[[SectionReader, Node], WrittenOrder[T] | None]
ReadAll: TypeAlias = Callable[[SectionReader, Node], Iterable[WrittenOrder[T]]]

Joins = Literal["once", "lines", "again", "by name"]
"""Form of several answers in one section: not possible (`once`), further lines of a list (`lines`), a list of them
(`again`), or one under each name (`by name`)."""


class AnswerDraft(Struct, Generic[TableT, DecisionT, SaidT], frozen=True):
    """A written answer, and the decision that it answers."""

    table: TableT
    decision: DecisionT
    written: WrittenOrder[SaidT]
    places: Places
    warnings: list[Fault]
    """Warnings about the answer. They are added while the answer is made, as are the places of parts that were filled
    in."""

    @property
    def said(self) -> SaidT:
        return self.written.said

    def cards(self, first: tuple[Card, ...] = ()) -> tuple[Card, ...]:
        """Cards of the hand that are written. Of equal cards those in `first` are preferred."""
        power, written = self.decision.power, self.written
        return pick_cards(self.table, power, written.cards, self.places, first)


def as_said(asked: AnswerDraft[TableT, DecisionT, SaidT]) -> SaidT:
    """Return the answer as it was written."""
    return asked.said


def is_always_for(decision: Decision) -> bool:
    """Return True for every decision."""
    return True


def nothing(table: Table, decision: Decision, answer: Answer) -> int:
    """Return the price 0."""
    return 0


class Section(Struct, Generic[TableT, DecisionT, SaidT, AnswerT], frozen=True):
    """Row of one section. Several rows can have one name: they are read alike, and answer different decisions."""

    name: str
    rule: str
    """The § of the decision."""
    asks: type[DecisionT] | tuple[type[DecisionT], ...]
    """Types of decisions that the row answers; an empty tuple for answers that are given unasked."""
    gives: type[AnswerT] | tuple[type[AnswerT], ...]
    read: ReadAll[SaidT]
    answer: Callable[[AnswerDraft[TableT, DecisionT, SaidT]], AnswerT]
    write: Callable[[SectionWriter, AnswerT], Tree]
    form: Callable[[SectionWriter, TableT, DecisionT], Input] | None = None
    """Function that returns the form to fill in; None if the section is never asked for."""
    when: Callable[[DecisionT], bool] = is_always_for
    """Function that tells for a decision of these types if the row answers it."""
    about: Callable[[SectionWriter, DecisionT], str] | None = None
    """Function that returns the piece or city of a decision, for a section with a line for each; None for other
    sections."""
    price: Callable[[TableT, DecisionT, AnswerT], int] = nothing
    """Function that returns the price that an answer's cards must pay."""
    beyond: tuple[str, ...] = ()
    """Codes of refusals that the form cannot prevent."""
    is_free: bool = False
    """True if the order is carried out at once, before any decision."""
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
        """Read the section into the orders of a power. In a section with a line for each piece or city, each line
        becomes a section of its own."""
        found = list(self.read(reader, node))
        if self.about is None:
            orders.sections[self.name] = list(found)
            return
        for written in found:
            orders.sections.setdefault(part_of(self.name, written.about), []).append(written)

    def given_answer(self, table: TableT, decision: DecisionT, written: WrittenOrder[SaidT]) -> GivenAnswer:
        """Make the answer to a decision from written orders. Raises `Unusable` if the orders name a card that is not in
        hand."""
        places = dict(written.places)
        warnings: list[Fault] = []
        answer = self.answer(AnswerDraft(table, decision, written, places, warnings))
        return GivenAnswer(answer, written.node, places, self.price(table, decision, answer), tuple(warnings))


AnySection: TypeAlias = "Section[Any, Any, Any, Any]"
"""A section of any types. The types of its functions were checked against each other where the row was made."""


def part_of(section: str, about: str) -> str:
    """Name of a section for one piece or city."""
    return f"{section} {about}"


def single(read: ReadOne[T]) -> ReadAll[T]:
    """Return a reader of a section that is one answer."""
    return lambda self, node: as_list(read(self, node))


def one_or_more(read: ReadOne[T]) -> ReadAll[T]:
    """Return a reader of a section that is one answer, or a list of answers."""
    return lambda self, node: [one for part in parts_of(node) for one in as_list(read(self, part))]


def list_of_answers(what: str, read: ReadOne[T]) -> ReadAll[T]:
    """Return a reader of a section that is a list of answers."""
    return lambda self, node: [one for part in self.reader.items(node, what) for one in as_list(read(self, part))]


def as_list(written: WrittenOrder[T] | None) -> list[WrittenOrder[T]]:
    """Return the value in a list; an empty list if the value could not be read."""
    return [] if written is None else [written]


def truth(section: str) -> ReadAll[bool]:
    """Return a reader of a section that is yes or no."""

    def read(self: SectionReader, node: Node) -> list[WrittenOrder[bool]]:
        answer = self.reader.truth(node, section)
        return [] if answer is None else [WrittenOrder(answer, node)]

    return read


def payment(pen: SectionWriter, hand: Iterable[Card]) -> Payment:
    """Cards of a hand as options, each with the points that it pays."""
    return Payment(tuple(Option(pen.card(card), worth=points(pen.rules.decks, [card])) for card in hand))


class Option(Struct, frozen=True, omit_defaults=True):
    """One of several values that may be written."""

    write: Tree
    price: int = 0
    """Price of the value, in points of cards."""
    worth: int = 0
    """Points that the value pays, if it is a card."""


class Choice(Struct, frozen=True, tag_field="kind", tag="choice"):
    """One of several options."""

    options: tuple[Option, ...]


class Several(Struct, frozen=True, tag_field="kind", tag="several"):
    """A list of some of these options, each at most once."""

    options: tuple[Option, ...]
    least: int
    most: int


class Number(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="number"):
    """A whole number from `least` to `most`."""

    least: int
    most: int
    price: int = 0
    """Price of each unit, in points of cards."""


class Numbers(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="numbers"):
    """A number under each of these names; the sum of the numbers is limited."""

    of: dict[str, Number]
    least: int
    most: int
    all: bool = False
    """True if every name must be given."""


class Path(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="path"):
    """A list of neighbouring cities. `ways` has one way to every possible end; other ways may be legal too."""

    start: str
    ways: tuple[Option, ...]


class Payment(Struct, frozen=True, tag_field="kind", tag="payment"):
    """Cards worth at least the price of everything else in the record; left out if that price is 0."""

    options: tuple[Option, ...]


class Part(Struct, frozen=True, omit_defaults=True):
    """Value under one key of a record."""

    input: Input
    optional: bool = False
    price: int = 0
    """Price of the part if it is filled in, in points of cards."""


class Record(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="record"):
    """Several parts, each under its key."""

    parts: dict[str, Part]
    together: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """Pairs of parts of which both must be filled in, or neither; each part is named by its keys."""
    none: bool = False
    """True if the word `none` is an answer too."""


class Each(Struct, frozen=True, tag_field="kind", tag="each"):
    """A list with one item for each of these inputs."""

    inputs: tuple[Input, ...]


class Either(Struct, frozen=True, tag_field="kind", tag="either"):
    """One of several inputs."""

    ways: tuple[Input, ...]


class Lines(Struct, frozen=True, tag_field="kind", tag="lines"):
    """A list of such inputs. Each line is one answer, and the next line is written for the position after that
    answer."""

    of: Input
    least: int = 1
    """Least number of lines: 0 if an empty list is an answer too, which ends the orders."""


Input: TypeAlias = (
    Choice | Several | Number | Numbers | Path | Payment | Record | Each | Either | Lines
)  # fmt: skip


class Form(Struct, frozen=True):
    """Form of the answer to one decision."""

    section: str
    rule: str
    """The § of the decision."""
    input: Input
    beyond: tuple[str, ...]
    """Codes of refusals that the form cannot prevent, because they depend on several inputs together."""


def choice(*written: Tree) -> Choice:
    """Return a choice among these values, without prices."""
    return Choice(tuple(Option(one) for one in written))


YES_OR_NO = choice("yes", "no")


def only_value(form: Input) -> Tree | None:
    """The one value that a form can have; None if there are several, or if it is not plain that there is one."""
    match form:
        case Choice((only,)):
            return only.write
        case Numbers(of, most=most, all=True) if len(of) == 1 and form.least == most:
            return {name: str(most) for name in of}
        case Numbers(of, most=most, all=True) if sum(number.least for number in of.values()) == most:
            return {name: str(number.least) for name, number in of.items()}
        case Lines(Either(()), least=0):
            return []
        case Lines(Choice((only,)), least=1):
            return [only.write]
        case Record(parts, none=True) if all(is_bare(part.input) for part in parts.values()):
            return "none"
    return None


def is_bare(form: Input) -> bool:
    """True if nothing can be chosen. Cards are chosen only to pay for something else."""
    match form:
        case Numbers(of, most=most):
            return not of or not most
        case Record(parts):
            return not parts
    return isinstance(form, Payment)


def ending_value(form: Input) -> Tree | None:
    """The value that orders nothing, or nothing more; None if there is no such value."""
    match form:
        case Lines(least=0):
            return []
        case Record(none=True):
            return "none"
    return None
