"""Rows for the sections of an order file: the decisions that a section answers, and how it is read, written and offered
as a form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.board import Board
from pbem.engine.cards import as_held, cheapest, is_needless, points
from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Card, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import Hint, Wrong, words, wrong
from pbem.kit import game_of
from pbem.paper.boards.files import city_names
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.names import did_you_mean, fold
from pbem.paper.documents.strict import Node, Text
from pbem.paper.lexicon import card_text, from_hand
from pbem.paper.orders.forms import Input, Option, Payment
from pbem.paper.orders.names import Places, PowerOrders, SectionReader, SectionWriter, WrittenOrder, parts_of
from pbem.seal.canonical import Tree


class GivenAnswer(Struct, frozen=True):
    """Answer with its place in a file, and the places of its parts."""

    answer: Answer
    node: Node
    places: Places = {}
    price: int = 0
    """Points that the answer's cards must be worth, if the answer pays for something."""
    warnings: tuple[Fault, ...] = ()
    """Warnings about the way in which the answer was written."""
    is_ahead: bool = False
    """True if the answer comes from orders ahead. Its places may then be in an earlier letter."""
    is_of_stage: bool = False
    """True if the answer stands among the orders of the present stage, and not in a plan or in orders ahead."""

    def node_of(self, where: tuple[str | int, ...]) -> Node:
        """Return the place of the answer's part with the path `where`, or of the nearest part around it."""
        while where:
            if where in self.places:
                return self.places[where]
            where = where[:-1]
        return self.node


class Unusable(IllegalOrder):
    """Exception for an order that gives no answer."""

    def __init__(self, node: Node, wrong: Wrong) -> None:
        super().__init__(wrong)
        self.node = node


class NotInHand(Unusable):
    """Exception for a card that is not in the power's hand."""

    def __init__(self, table: Table, power: Power, node: Node, offered: Sequence[Card]) -> None:
        """Refuse the card at the place `node`, and name the cards `offered`. Only the power's own player reads this."""
        rule, card = game_of(table).cited.cards, node.value if isinstance(node, Text) else words("this-card")
        cards = tuple(dict.fromkeys(card_text(each) for each in sorted(offered, key=as_held)))
        hint: Hint | None = None if cards else ""
        super().__init__(node, wrong("E-CARD-HAND.often", rule, hint, power=power, card=card, cards=cards))


TOO_FAR = ("E-MARCH-LENGTH", "E-HUSSAR-FAR")
"""Codes of refusals because a city is out of reach."""


def fault_of(refusal: IllegalOrder, node: Node, rules: GameRules) -> Fault:
    """Return a refusal by the rules as a fault at `node`, with names of cities in all languages. If a city is out of
    reach, the hint offers other cities of this name, if there are any."""
    told, board = refusal.wrong, rules.common.board
    if told.code in TOO_FAR and isinstance(node, Text) and (others := namesakes(board, node.value)):
        told = replace(told, hint=did_you_mean(others))
    return Fault.at(node.line, node.column, in_readers_words(told, board))


def namesakes(board: Board, written: str) -> list[str]:
    """Return the names of cities that add something in brackets to `written`: Neumarkt (Oberpfalz) for Neumarkt."""
    return [
        city.name for city in board.cities if fold(city.name.partition(" (")[0]) == fold(written) != fold(city.name)
    ]


def in_readers_words(fault: Wrong, board: Board) -> Wrong:
    """Return the fault with names of cities in all languages."""
    return fault.with_names(city_names(board.name, tuple(board.index)))


def overpayment(table: Table, power: Power, answer: GivenAnswer) -> list[Fault]:
    """Return a warning if the cards of a payment are worth more than the price, and the hand could pay with less. The
    answer may be carried out already."""
    decks, cards = table.rules.common.decks, getattr(answer.answer, "cards", ())
    least = cheapest(decks, sorted({*cards, *table.state.cards.hands[power]}), answer.price) or ()
    if not answer.price or points(decks, cards) <= points(decks, least):
        return []
    place, rule = answer.places.get(("cards", 0), answer.node), game_of(table).cited.payments
    if is_needless(decks, cards, answer.price):
        return [Fault.at(place.line, place.column, wrong("W-CARD-NEEDLESS", rule=rule))]
    worth, names = points(decks, cards), tuple(card_text(each) for each in least)
    more = wrong("W-CARD-NEEDLESS.more", rule=rule, worth=worth, price=answer.price, cards=names)
    return [Fault.at(place.line, place.column, more)]


T = TypeVar("T")
TableT = TypeVar("TableT", bound=Table)
DecisionT = TypeVar("DecisionT", bound=Decision)
SaidT = TypeVar("SaidT")
AnswerT = TypeVar("AnswerT", bound=Answer)

ReadOne: TypeAlias = Callable[[SectionReader, Node], WrittenOrder[T] | None]
ReadAll: TypeAlias = Callable[[SectionReader, Node], Iterable[WrittenOrder[T]]]

Joins = Literal["once", "lines", "again", "by name"]
"""Way to write several answers in one section: not possible (`once`), as further lines of a list (`lines`), as a list
of answers (`again`), or each under its own name (`by name`)."""


class AnswerDraft(Struct, Generic[TableT, DecisionT, SaidT], frozen=True):
    """Written order, and the decision that it is to answer."""

    table: TableT
    decision: DecisionT
    written: WrittenOrder[SaidT]
    places: Places
    warnings: list[Fault]
    """Warnings about the answer. They are added while the answer is made."""

    @property
    def said(self) -> SaidT:
        return self.written.said

    def cards(self, first: tuple[Card, ...] = ()) -> tuple[Card, ...]:
        """Return the cards that the order names, from `first` or else from the hand. Raises `NotInHand`, and `Unusable`
        for a value that no Reserve has."""
        table, power = self.table, self.decision.power
        most, rule = table.rules.common.decks.reserve_most, game_of(table).cited.cards
        left = [*first, *(card for card in table.state.cards.hands[power] if card not in first)]
        cards: list[Card] = []
        for place, order in enumerate(self.written.cards):
            card = from_hand(left, order.card)
            if card is None:
                raise NotInHand(table, power, order.node, first or table.state.cards.hands[power])
            if order.card.is_reserve and order.card.has_value and not 1 <= order.card.value <= most:
                raise Unusable(order.node, wrong("E-RESERVE-VALUE", rule, value=order.card.value, most=most))
            left.remove(card)
            cards.append(card)
            self.places["cards", place] = order.node
        return tuple(cards)


def as_said(asked: AnswerDraft[TableT, DecisionT, SaidT]) -> SaidT:
    """Return the content of the order unchanged, for sections in which this content is already the answer."""
    return asked.said


def is_always_for(decision: Decision) -> bool:
    return True


def nothing(table: Table, decision: Decision, answer: Answer) -> int:
    return 0


class Section(Struct, Generic[TableT, DecisionT, SaidT, AnswerT], frozen=True):
    """Row of a game's table of sections: how the orders of a section become answers to decisions. Rows with the same
    name are read in the same way, but answer different decisions."""

    name: str
    rule: str
    """The § of the rule that demands the decision."""
    asks: type[DecisionT] | tuple[type[DecisionT], ...]
    """Types of decisions that the row answers; an empty tuple for answers that no decision asks for."""
    gives: type[AnswerT] | tuple[type[AnswerT], ...]
    """Types of the answers that the row makes."""
    read: ReadAll[SaidT]
    """Function that reads the section's orders from its node."""
    answer: Callable[[AnswerDraft[TableT, DecisionT, SaidT]], AnswerT]
    """Function that makes an answer from an order that was read and the decision that it answers."""
    write: Callable[[SectionWriter, AnswerT], Tree]
    """Function that returns an answer as it is written in the section."""
    form: Callable[[SectionWriter, TableT, DecisionT], Input] | None = None
    """Function that returns the form for a decision; None for a section that no decision asks for."""
    when: Callable[[DecisionT], bool] = is_always_for
    """Function that returns True for those decisions of the types in `asks` that the row answers."""
    about: Callable[[SectionWriter, DecisionT], str] | None = None
    """Function that returns the piece or city that a decision is about, for a section with an entry for each piece or
    city; None for other sections."""
    price: Callable[[TableT, DecisionT, AnswerT], int] = nothing
    """Function that returns the points that the cards of an answer must be worth."""
    beyond: tuple[str, ...] = ()
    """Codes of refusals that are possible even for an answer that was made with the form."""
    is_free: bool = False
    """True if an order of the section is carried out at once, without waiting for a decision."""
    joins: Joins = "once"
    """Way to write several answers in one section."""

    def is_for(self, decision: Decision) -> bool:
        return isinstance(decision, self.asks) and self.when(decision)

    def entry(self, table: Table, decision: DecisionT) -> str:
        """Return the section's name for a decision. If the section has an entry for each piece or city, the name
        includes the decision's piece or city."""
        if self.about is None:
            return self.name
        return part_of(self.name, self.about(SectionWriter(table.rules.common, decision.power), decision))

    def read_into(self, reader: SectionReader, orders: PowerOrders, node: Node) -> None:
        """Read the section, and add its orders to `orders`. If there is an entry for each piece or city, each becomes
        its own section."""
        found = list(self.read(reader, node))
        if self.about is None:
            orders.sections[self.name] = list(found)
            return
        for written in found:
            orders.sections.setdefault(part_of(self.name, written.about), []).append(written)

    def given_answer(self, table: TableT, decision: DecisionT, written: WrittenOrder[SaidT]) -> GivenAnswer:
        """Return a written order's answer to a decision. Raises `Unusable` if there is none, such as for a card that is
        not in hand."""
        places = dict(written.places)
        warnings: list[Fault] = []
        answer = self.answer(AnswerDraft(table, decision, written, places, warnings))
        return GivenAnswer(answer, written.node, places, self.price(table, decision, answer), tuple(warnings))


AnySection: TypeAlias = "Section[Any, Any, Any, Any]"
"""Row of any game. Type checks where the row is made ensure that its functions fit each other."""


def part_of(section: str, about: str) -> str:
    return f"{section} {about}"


def single(read: ReadOne[T]) -> ReadAll[T]:
    """Return a reader of a section with one answer, which `read` reads."""
    return lambda self, node: as_list(read(self, node))


def one_or_more(read: ReadOne[T]) -> ReadAll[T]:
    """Return a reader of a section with one answer or a list of answers, each of which `read` reads."""
    return lambda self, node: [one for part in parts_of(node) for one in as_list(read(self, part))]


def list_of_answers(label: str, read: ReadOne[T]) -> ReadAll[T]:
    """Return a reader of a section with a list of answers, each of which `read` reads."""
    return lambda self, node: [one for part in self.reader.items(node, label) for one in as_list(read(self, part))]


def as_list(written: WrittenOrder[T] | None) -> list[WrittenOrder[T]]:
    return [] if written is None else [written]


def truth(section: str) -> ReadAll[bool]:
    """Return a reader of a section with yes or no."""

    def read(self: SectionReader, node: Node) -> list[WrittenOrder[bool]]:
        answer = self.reader.truth(node, section)
        return [] if answer is None else [WrittenOrder(answer, node)]

    return read


def payment(pen: SectionWriter, hand: Iterable[Card]) -> Payment:
    """Return the form of a payment from this hand, with each card's points."""
    return Payment(tuple(Option(pen.card(card), worth=points(pen.rules.decks, [card])) for card in hand))
