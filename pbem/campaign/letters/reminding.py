"""Reminders of agreements that a player's orders touch; nothing is enforced."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from textwrap import shorten
from types import UnionType
from typing import Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields, replace

from pbem.engine.decisions import Answer, Done, Move
from pbem.engine.field import home_of, pieces_by_city
from pbem.engine.nouns import Card, City, Power
from pbem.engine.table import Table
from pbem.faults.wrong import printable, wrong
from pbem.paper.agreements import Deal, holds_in, in_force
from pbem.paper.boards.place_names import city_names_in
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Node
from pbem.paper.lexicon import Lexicon, card_text
from pbem.paper.orders.files import Orders
from pbem.paper.orders.names import Written
from pbem.paper.plans.ahead import AHEAD, stage_in
from pbem.paper.plans.data import Plan, StageOrders


class CarriedOrder(Struct, frozen=True):
    """An answer that was carried out on trial, with its power and its place."""

    power: Power
    answer: Answer
    node: Node
    beside: frozenset[Power]
    """Powers whose generals stand beside its goal, before anything hidden can show."""
    cards: frozenset[str] = frozenset()
    """Further cards that it names."""


class Touched(Struct, frozen=True):
    """Powers, cities and cards that an order touches."""

    powers: frozenset[Power]
    cities: frozenset[City]
    cards: frozenset[str]


def carried_order(table: Table, power: Power, answer: Answer, node: Node) -> CarriedOrder:
    """An answer that is about to be carried out."""
    beside = frozenset(neighbours(table, answer.path[-1])) if isinstance(answer, Move) and answer.path else frozenset()
    return CarriedOrder(power, answer, node, beside)


class Reminded(Struct, frozen=True):
    """Player to be reminded, the stage, and the agreements in force."""

    player: str
    stage: str
    deals: tuple[Deal, ...]
    language: str = "en"
    """Language of the names of cities."""


MOST_WORDS = 200
"""Most characters of an agreement that a reminder quotes; the report has all of it."""


def reminders(table: Table, who: Reminded, orders: Sequence[CarriedOrder]) -> Iterator[Fault]:
    """A warning for every agreement of a player that some orders touch, at the first of them."""
    player, now = who.player, who.stage
    for deal in who.deals:
        if player not in deal.players or not holds_in(deal, now):
            continue
        met = [(order.node, names) for order in orders if (names := touched_names(table, deal, order, now))]
        if met:
            written = dict.fromkeys(name for _, names in met for name in names)
            bound = tuple(in_language(table, name, deal, who.language) for name in written)
            others = tuple(other for other in deal.players if other != player)
            told = wrong("W-AGREEMENT", entry=deal.entry, players=others, names=bound, words=in_a_line(deal.words))
            yield Fault.at(met[0][0].line, met[0][0].column, told)


def in_language(table: Table, name: str, deal: Deal, language: str) -> str:
    """Name of something that is bound, translated if it is a city."""
    if name not in deal.binds.get("cities", ()):
        return name
    board = table.rules.common.board
    own = tuple(city.name for city in board.cities)
    return city_names_in(board.name, own, language)[Lexicon(table.rules).city(name)]


def in_a_line(words: str) -> str:
    """Words of an agreement on one line, cut between two words if they are long."""
    return f"“{printable(shorten(words, MOST_WORDS, placeholder=' …'))}”"


def reminders_ahead(
    table: Table, who: Reminded, found: Orders, quiet: Collection[tuple[int, int]] = ()
) -> Iterator[Fault]:
    """The same for orders ahead, whether or not they can be carried out, except those at certain places."""
    blocks = [(power, each) for power, written in found.powers.items() for each in written.sections.get(AHEAD, ())]
    for stage in dict.fromkeys(stage_in(block) for _, block in blocks):
        orders = [
            order for power, each in blocks if stage_in(each) == stage for order in written_in(table, power, each)
        ]
        told = [order for order in orders if (order.node.line, order.node.column) not in quiet]
        yield from reminders(table, replace(who, stage=stage, deals=in_force(table.rules, [*who.deals], stage)), told)


def written_in(table: Table, power: Power, block: Plan) -> Iterator[CarriedOrder]:
    """Orders of a block as they are written, with the names in each."""
    assert isinstance(block.wish, StageOrders)
    lexicon = Lexicon(table.rules)
    for entry in chain.from_iterable(block.wish.sections.values()):
        if isinstance(entry, Written) and isinstance(entry.said, Answer):
            cards = (card_text(copy, deck=True) for named in entry.cards for copy in lexicon.copies(named.card))
            yield replace(carried_order(table, power, entry.said, entry.node), cards=frozenset(cards))


def touched_names(table: Table, deal: Deal, order: CarriedOrder, now: str) -> list[str]:
    """Names bound by an agreement that an order touches. An agreement that binds only stages is touched by every order
    in them."""
    bound = {kind: names for kind, names in deal.binds.items() if kind != "stages"}
    if isinstance(order.answer, Done):
        return []
    if not bound:
        return [now] if "stages" in deal.binds else []
    lexicon, found = Lexicon(table.rules), things_touched(table, order)
    return [
        *(name for name in bound.get("cities", ()) if lexicon.city(name) in found.cities),
        *(name for name in bound.get("powers", ()) if lexicon.power(name) in found.powers),
        *(name for name in bound.get("cards", ()) if not found.cards.isdisjoint(texts_of(lexicon, name))),
    ]


def texts_of(lexicon: Lexicon, name: str) -> set[str]:
    """Return the text of every copy of the card with this name, each text with its deck."""
    return {card_text(card, deck=True) for card in lexicon.copies(lexicon.card(name))}


def things_touched(table: Table, order: CarriedOrder) -> Touched:
    """Everything that an order names, the powers whose land its march enters, and those whose generals stand at its
    end."""
    rules, field = table.rules.common, table.state.field
    nouns = list(nouns_in(order.answer, type(order.answer)))
    powers = {order.power, *(Power(noun) for kind, noun in nouns if kind is Power and isinstance(noun, str))}
    cities = frozenset(City(noun) for kind, noun in nouns if kind is City and isinstance(noun, int))
    cards = (Card(noun) for kind, noun in nouns if kind is Card and isinstance(noun, int))
    if isinstance(order.answer, Move):
        homes = (home_of(rules, field, city) for city in order.answer.path)
        powers.update(home for home in homes if home is not None)
        powers |= order.beside
    texts = order.cards.union(card_text(card, deck=True) for card in cards)
    return Touched(frozenset(powers), cities, texts)


def nouns_in(value: object, kind: object) -> Iterator[tuple[object, int | str]]:
    """Cities, cards and powers in a value of some type, each with its own type."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in (City, Card, Power) and isinstance(value, int | str):
        yield kind, value
    elif origin in (Union, UnionType) and value is not None:
        yield from (noun for one in inner for noun in nouns_in(value, one))
    elif isinstance(value, tuple):
        yield from (noun for each in value for noun in nouns_in(each, inner[0]))
    elif isinstance(value, dict):
        pairs = (pair for each in value.items() for pair in zip(each, inner, strict=True))
        yield from (noun for one, of in pairs for noun in nouns_in(one, of))
    elif isinstance(value, Struct):
        yield from (noun for part in fields(value) for noun in nouns_in(getattr(value, part.name), part.type))


def neighbours(table: Table, city: City) -> Iterator[Power]:
    """Powers whose generals stand beside a city."""
    rules, at = table.rules.common, pieces_by_city(table.rules.common, table.state.field).at
    for other in rules.board.near[city]:
        yield from (rules.pieces[piece].power for piece in at.get(other, ()) if rules.is_general(piece))
