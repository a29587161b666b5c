"""Rows of a game's table of sections. A row tells which decisions a section of an order file answers, how it is read
and written, and its form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.board import Board
from pbem.engine.cards import as_held, cheapest, is_needless, points
from pbem.engine.decisions import Answer, Decision, Move
from pbem.engine.field import pieces_at
from pbem.engine.nouns import Card, Power
from pbem.engine.rules import IllegalOrder, refuse
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import Hint, Words, Wrong, words, wrong
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
    """Answer, with its place in a file and the places of its parts."""

    answer: Answer
    node: Node
    places: Places = {}
    price: int = 0
    """Points that the cards in the answer must be worth. It is 0 if the answer pays for nothing."""
    warnings: tuple[Fault, ...] = ()
    """Warnings about the way in which the answer is written."""
    is_ahead: bool = False
    """True if the answer comes from orders ahead. Its places may be in an earlier letter then."""
    is_of_stage: bool = False
    """True if the answer comes from the orders for the present stage, and not from a plan or from orders ahead."""

    def node_of(self, where: tuple[str | int, ...]) -> Node:
        """Return the place of the part of the answer with the path `where`. If this part has no place, return that of
        the nearest part around it."""
        while where:
            if where in self.places:
                return self.places[where]
            where = where[:-1]
        return self.node


class Unusable(IllegalOrder):
    """Raised for an order that cannot be made into an answer."""

    def __init__(self, node: Node, wrong: Wrong) -> None:
        super().__init__(wrong)
        self.node = node


class NotInHand(Unusable):
    """Raised for a card that is not in the power's hand."""

    def __init__(self, table: Table, power: Power, node: Node, offered: Sequence[Card]) -> None:
        """Refuse the card at the place `node`, and name the cards that are `offered` instead. Only the player of the
        power reads this."""
        rule, card = game_of(table).cited.cards, node.value if isinstance(node, Text) else words("this-card")
        cards = tuple(dict.fromkeys(card_text(each) for each in sorted(offered, key=as_held)))
        hint: Hint | None = None if cards else ""
        super().__init__(node, wrong("E-CARD-HAND.often", rule, hint, power=power, card=card, cards=cards))


TOO_FAR = ("E-MARCH-LENGTH", "E-HUSSAR-FAR")
"""Codes of refusals whose reason is that a city is out of reach."""


def faults_of(refusal: IllegalOrder, rules: GameRules, given: GivenAnswer | None = None) -> list[Fault]:
    """Return all reasons of a refusal by the rules as faults at their places. `given` is the refused answer, or None
    for an order that cannot be made into an answer."""

    def node_of(one: IllegalOrder) -> Node:
        if isinstance(one, Unusable):
            return one.node
        assert given is not None, "the rules refuse answers only"
        return given.node_of(one.where)

    return [fault_of(each, node_of(each), rules) for each in (refusal, *refusal.others)]


def fault_of(refusal: IllegalOrder, node: Node, rules: GameRules) -> Fault:
    """Return a refusal by the rules as a fault at the place `node`. The fault has the names of cities in all languages.
    If a city is out of reach, and other cities have the same name, the hint names them."""
    told, board = refusal.wrong, rules.common.board
    if told.code in TOO_FAR and isinstance(node, Text) and (others := namesakes(board, node.value)):
        told = replace(told, hint=did_you_mean(others))
    return Fault.at(node.line, node.column, in_readers_words(told, board))


DONE = {"E-MARCH-JOINED.moved": "march-done-joined", "E-MARCH-BLOCKED.moved": "march-done-blocked"}
"""Hints for marches that can no longer be ordered above the march in their way, by the wording of the refusal."""


def behind_marches(fault: Fault) -> Fault:
    """Return the fault of a march with a hint that still helps when the march in its way has been carried out."""
    hint = DONE.get(fault.message.key)
    return replace(fault, hint=Words(hint, fault.message.gaps)) if hint else fault


def unless_exchanged(fault: Fault, begun: Table, answer: Answer) -> Fault:
    """Return the fault of a march, with another hint in one case: if a piece that an earlier march has put in the way
    began in a city which this march enters. The march would then be in its way as well if it was ordered first. `begun`
    is the table before both marches."""
    first = isinstance(fault.hint, Words) and fault.hint.key == "E-MARCH-BLOCKED.moved"
    if not first or not isinstance(answer, Move):
        return fault
    pieces, rules = dict(fault.message.gaps)["pieces"], begun.rules.common
    entered = [piece for city in answer.path for piece in pieces_at(begun.state.field, city)]
    is_exchange = isinstance(pieces, tuple) and not set(pieces).isdisjoint(rules.names(entered))
    return replace(fault, hint=words("march-exchanged", pieces=pieces)) if is_exchange else fault


AWAY_FIRST = ("march-away-first", "march-away-or-round")
"""Hints that name the player's own pieces that must leave first."""


def with_way_cleared(hint: Hint, retried: Words) -> Hint:
    """Return the hint of a refused march, extended by `retried`, the hint that says when the march is tried again. If
    `hint` names no own pieces that stand in the way, return `retried` alone."""
    is_own = isinstance(hint, Words) and hint.key in AWAY_FIRST
    return words("tried-again.away", first=hint, again=retried) if is_own else retried


def namesakes(board: Board, written: str) -> list[str]:
    """Return the names of the cities that add something in brackets to `written`, such as Neumarkt (Oberpfalz) for
    Neumarkt."""
    return [
        city.name for city in board.cities if fold(city.name.partition(" (")[0]) == fold(written) != fold(city.name)
    ]


def in_readers_words(fault: Wrong, board: Board) -> Wrong:
    """Return a fault that has the names of cities in all languages."""
    return fault.with_names(city_names(board.name, tuple(board.index)))


def overpayment(table: Table, power: Power, answer: GivenAnswer) -> list[Fault]:
    """Return a warning in a list if the cards of a payment are worth more than the price and the hand could pay with
    less. Otherwise return an empty list. It makes no difference if the answer was carried out already."""
    decks, cards = table.rules.common.decks, getattr(answer.answer, "cards", ())
    least = cheapest(decks, sorted({*cards, *table.state.cards.hands[power]}), answer.price) or ()
    if not answer.price or points(decks, cards) <= points(decks, least):
        return []
    place, rule = answer.places.get(("cards", 0), answer.node), game_of(table).cited.payments
    if is_needless(decks, cards, answer.price):
        return [Fault.at(place.line, place.column, wrong("W-CARD-NEEDLESS", rule=rule, power=power))]
    worth, names = points(decks, cards), tuple(card_text(each) for each in least)
    more = wrong("W-CARD-NEEDLESS.more", rule=rule, power=power, worth=worth, price=answer.price, cards=names)
    return [Fault.at(place.line, place.column, more)]


T = TypeVar("T")
TableT = TypeVar("TableT", bound=Table)
DecisionT = TypeVar("DecisionT", bound=Decision)
SaidT = TypeVar("SaidT")
AnswerT = TypeVar("AnswerT", bound=Answer)

ReadOne: TypeAlias = Callable[[SectionReader, Node], WrittenOrder[T] | None]
ReadAll: TypeAlias = Callable[[SectionReader, Node], Iterable[WrittenOrder[T]]]

Joins = Literal["once", "lines", "again", "by name"]
"""Way in which several answers are written in one section: as lines of a list (`lines`), as a list of answers
(`again`), or each under a name of its own (`by name`). With `once`, a section can have only one answer."""


class AnswerDraft(Struct, Generic[TableT, DecisionT, SaidT], frozen=True):
    """Written order, and the decision for which an answer is made of it."""

    table: TableT
    decision: DecisionT
    written: WrittenOrder[SaidT]
    places: Places
    warnings: list[Fault]
    """Warnings about the answer. They are added while it is made."""

    @property
    def said(self) -> SaidT:
        return self.written.said

    def cards(self, first: tuple[Card, ...] = ()) -> tuple[Card, ...]:
        """Return the cards that the order names. They are taken from `first` if possible, else from the hand. Raises
        `NotInHand` if a card is in neither, and `Unusable` for a value that a Reserve cannot have; all such cards are
        told together."""
        table, power = self.table, self.decision.power
        most, rule = table.rules.common.decks.reserve_most, game_of(table).cited.cards
        left = [*first, *(card for card in table.state.cards.hands[power] if card not in first)]
        cards, strange = list[Card](), list[Unusable]()
        for place, order in enumerate(self.written.cards):
            card = from_hand(left, order.card)
            if card is None:
                strange.append(NotInHand(table, power, order.node, first or table.state.cards.hands[power]))
                continue
            if order.card.is_reserve and order.card.has_value and not 1 <= order.card.value <= most:
                strange.append(Unusable(order.node, wrong("E-RESERVE-VALUE", rule, value=order.card.value, most=most)))
            left.remove(card)
            cards.append(card)
            self.places["cards", place] = order.node
        refuse(strange)
        return tuple(cards)


def as_said(asked: AnswerDraft[TableT, DecisionT, SaidT]) -> SaidT:
    """Return the content of the order. This function is for sections in which the content is the answer already."""
    return asked.said


def is_always_for(decision: Decision) -> bool:
    return True


def nothing(table: Table, decision: Decision, answer: Answer) -> int:
    return 0


class Section(Struct, Generic[TableT, DecisionT, SaidT, AnswerT], frozen=True):
    """Row of a game's table of sections: rules for making answers to decisions from the orders in a section. Rows with
    the same name are read in the same way, but answer different decisions."""

    name: str
    rule: str
    """The § of the rule that demands the decision."""
    asks: type[DecisionT] | tuple[type[DecisionT], ...]
    """Types of the decisions that the row answers. It is an empty tuple if no decision asks for the answers."""
    gives: type[AnswerT] | tuple[type[AnswerT], ...]
    """Types of the answers that are made by the row."""
    read: ReadAll[SaidT]
    """Function that reads the orders of the section from its node."""
    answer: Callable[[AnswerDraft[TableT, DecisionT, SaidT]], AnswerT]
    """Function that makes an answer of an order. It also gets the decision."""
    write: Callable[[SectionWriter, AnswerT], Tree]
    """Function that returns an answer in the form in which the section has it."""
    form: Callable[[SectionWriter, TableT, DecisionT], Input] | None = None
    """Function that returns the form for a decision. It is None for a section that no decision asks for."""
    when: Callable[[DecisionT], bool] = is_always_for
    """Function that says whether the row answers a decision of the types in `asks`."""
    about: Callable[[SectionWriter, DecisionT], str] | None = None
    """Function that returns the piece or city that a decision is about. It is None for sections that do not have an
    entry for each piece or city."""
    price: Callable[[TableT, DecisionT, AnswerT], int] = nothing
    """Function that returns the number of points that the cards in an answer must be worth."""
    beyond: tuple[str, ...] = ()
    """Codes of refusals that are possible even if the form was filled in correctly."""
    is_free: bool = False
    """True if an order of the section is carried out at once, without waiting for a decision."""
    joins: Joins = "once"
    """Way in which several answers are written in the section."""
    is_before_battles: bool = False
    """True if only powers that act in a stage are asked for the section, and only before the battles of the stage."""

    def is_for(self, decision: Decision) -> bool:
        return isinstance(decision, self.asks) and self.when(decision)

    def entry(self, table: Table, decision: DecisionT) -> str:
        """Return the name of the section for a decision. If the section has an entry for each piece or city, the name
        of the piece or city is added."""
        if self.about is None:
            return self.name
        return part_of(self.name, self.about(SectionWriter(table.rules.common, decision.power), decision))

    def read_into(self, reader: SectionReader, orders: PowerOrders, node: Node) -> None:
        """Read the section, and add its orders to `orders`. If the section has an entry for each piece or city, each
        entry is stored as a section of its own."""
        found = list(self.read(reader, node))
        if self.about is None:
            orders.sections[self.name] = list(found)
            return
        for written in found:
            orders.sections.setdefault(part_of(self.name, written.about), []).append(written)

    def given_answer(self, table: TableT, decision: DecisionT, written: WrittenOrder[SaidT]) -> GivenAnswer:
        """Return the answer to a decision that is made of a written order. Raises `Unusable` if no answer can be made,
        for example because a card is not in the hand."""
        places = dict(written.places)
        warnings: list[Fault] = []
        answer = self.answer(AnswerDraft(table, decision, written, places, warnings))
        return GivenAnswer(answer, written.node, places, self.price(table, decision, answer), tuple(warnings))


AnySection: TypeAlias = "Section[Any, Any, Any, Any]"
"""Row of any game, with unchecked types. Where the row is made, the type checker ensures that its functions fit each
other."""


def part_of(section: str, about: str) -> str:
    return f"{section} {about}"


def single(read: ReadOne[T]) -> ReadAll[T]:
    """Return a function that reads a section with one answer. The answer is read by `read`."""
    return lambda self, node: as_list(read(self, node))


def one_or_more(read: ReadOne[T]) -> ReadAll[T]:
    """Return a function that reads a section with one answer or a list of answers. Each answer is read by `read`."""
    return lambda self, node: [one for part in parts_of(node) for one in as_list(read(self, part))]


def list_of_answers(label: str, read: ReadOne[T]) -> ReadAll[T]:
    """Return a function that reads a section with a list of answers. Each answer is read by `read`."""
    return lambda self, node: [one for part in self.reader.items(node, label) for one in as_list(read(self, part))]


def as_list(written: WrittenOrder[T] | None) -> list[WrittenOrder[T]]:
    return [] if written is None else [written]


def truth(section: str) -> ReadAll[bool]:
    """Return a function that reads a section whose value is yes or no."""

    def read(self: SectionReader, node: Node) -> list[WrittenOrder[bool]]:
        answer = self.reader.truth(node, section)
        return [] if answer is None else [WrittenOrder(answer, node)]

    return read


def payment(pen: SectionWriter, hand: Iterable[Card]) -> Payment:
    """Return the form of a payment from this hand. It has the points of each card."""
    return Payment(tuple(Option(pen.card(card), worth=points(pen.rules.decks, [card])) for card in hand))
