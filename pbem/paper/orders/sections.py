"""Sections of order files that all games have (docs/orders.md).

Names are looked up when a file is read. Cards are looked up, and the rules are checked, only when an answer is made for
a position."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine import decisions as d
from pbem.engine.cards import SeededDealer, is_reserve, points
from pbem.engine.combat import attack_name
from pbem.engine.field import Field
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.roads import Road
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import Table
from pbem.engine.troops import Retreat, RetreatGround, path_to, paths_to
from pbem.faults.wrong import words, wrong
from pbem.kit import copy_of, game_of
from pbem.paper.documents.reader import split
from pbem.paper.documents.strict import Node, Text
from pbem.paper.orders.forms import Either, Input, Lines, Number, Numbers, Option, Part, Path, Record, choice
from pbem.paper.orders.names import (
    NamedThing,
    Places,
    SectionReader,
    SectionWriter,
    WrittenOrder,
    is_word,
    numbers,
    places_of,
)
from pbem.paper.orders.section import (
    AnswerDraft,
    AnySection,
    DecisionT,
    GivenAnswer,
    SaidT,
    Section,
    TableT,
    Unusable,
    as_said,
    list_of_answers,
    one_or_more,
    payment,
    single,
)
from pbem.seal.canonical import Tree


def read_allotment(self: SectionReader, node: Node) -> WrittenOrder[d.Allotment] | None:
    """Return the order that gives troops to each general at the start of the game. Return None if the node is not a
    mapping."""
    found = self.troops(node, "allot")
    return WrittenOrder(d.Allotment(found[0]), node, found[1]) if found else None


def allotment_form(pen: SectionWriter, table: Table, decision: d.Allot) -> Input:
    """Return the form for giving out troops at the start: a number for each general. The sum is the number of the
    power's troops."""
    of = {pen.piece(general): Number(least, decision.most) for general, least in decision.least.items()}
    return Numbers(of, decision.troops, decision.troops, all=True)


ALLOT: AnySection = Section(
    "allot", "§4", d.Allot, d.Allotment, single(read_allotment), as_said, lambda pen, answer: pen.troops(answer.troops),
    allotment_form,
)  # fmt: skip


def read_transfer(self: SectionReader, node: Node) -> WrittenOrder[d.Transfer] | None:
    """Return the order that distributes the troops of a stack anew. Return None if the node is not a mapping."""
    found = self.troops(node, "transfer")
    return WrittenOrder(d.Transfer(found[0]), node, found[1]) if found else None


def transfer_form(pen: SectionWriter, table: Table, decision: d.Arrange) -> Input:
    """Return the form for distributing the troops of one of the stacks anew."""
    pieces, most = table.state.field.pieces, table.rules.common.limits.troops
    ways = []
    for stack in decision.stacks:
        troops = sum(pieces[general].troops for general in stack)
        ways.append(Numbers({pen.piece(general): Number(1, most) for general in stack}, troops, troops, all=True))
    return Lines(Either(tuple(ways)))


TRANSFER: AnySection = Section(
    "transfer", "§6", d.Arrange, d.Transfer, one_or_more(read_transfer), as_said,
    lambda pen, answer: [pen.troops(answer.troops)], transfer_form, is_free=True, joins="lines",
)  # fmt: skip


class BattleOrder(Struct, frozen=True):
    """Attack of an order file. It names two cities, or two generals."""

    attacker: NamedThing[int]
    defender: NamedThing[int]
    by: Literal["city", "piece"]
    node: Node

    def pairing(self, field: Field) -> d.Pairing:
        def place(one: NamedThing[int]) -> City:
            return City(one.number) if self.by == "city" else field.pieces[one.number].city

        return d.Pairing(place(self.attacker), place(self.defender))


def read_order(self: SectionReader, node: Node) -> BattleOrder | None:
    """Return an attack that is written `general > general` or `city > city`. Return None after a fault."""
    parts = split(node, ">") if isinstance(node, Text) else []
    names = [part.value for part in parts if isinstance(part, Text)]
    cities, pieces = [*map(self.lexicon.is_city, names)], [*map(self.lexicon.is_piece, names)]
    by_city = all(cities) or (any(cities) and not any(pieces))
    is_mixed = not by_city and not all(pieces) and all(map(max, cities, pieces))
    if len(parts) != 2 or is_mixed:
        self.reader.note(node, wrong("E-FORM-BATTLE"))
        return None
    find = self.city if by_city else self.piece
    attacker, defender = find(parts[0]), find(parts[1])
    if attacker is None or defender is None:
        return None
    return BattleOrder(attacker, defender, "city" if by_city else "piece", node)


def read_attack(self: SectionReader, node: Node) -> WrittenOrder[BattleOrder] | None:
    """Return an attack in the form of an order. Return None after a fault."""
    order = read_order(self, node)
    return None if order is None else WrittenOrder(order, node)


def attack(asked: AnswerDraft[Table, d.ChooseBattle, BattleOrder]) -> d.Fight:
    return d.Fight(asked.said.pairing(asked.table.state.field))


BATTLES: AnySection = Section(
    "battles", "§11.1", d.ChooseBattle, d.Fight, list_of_answers("battles", read_attack), attack,
    lambda pen, answer: [attack_name(pen.rules, answer.battle)],
    lambda pen, table, decision: Lines(
        choice(*(attack_name(pen.rules, battle) for battle in decision.battles))
    ),
    joins="lines",
)  # fmt: skip


def read_play(self: SectionReader, node: Node) -> WrittenOrder[int | None] | None:
    """Return the order to play a card, perhaps with a declared value, or to `stop`. Return None after a fault."""
    if is_word(node, "stop"):
        return WrittenOrder(None, node)
    card = self.card(node, "stop")
    return None if card is None else WrittenOrder(card.card.declared_value, node, cards=(card,))


def play(asked: AnswerDraft[Table, d.PlayCard, int | None]) -> d.Answer:
    """Return the answer to the decision: a stop, or the play of the card in hand that the order names."""
    return d.Stop() if asked.said is None else d.Play(asked.cards(asked.decision.cards)[0], asked.said)


def write_play(pen: SectionWriter, answer: d.Answer) -> Tree:
    """Return a list with one item: the card that is played, or the word `stop`."""
    return [pen.card(answer.card, answer.value) if isinstance(answer, d.Play) else "stop"]


def plays(table: Table, decision: d.PlayCard) -> list[d.Play]:
    """Return all plays that are allowed. There is one for each card, but for a Reserve there is one for each value."""
    values = range(1, table.rules.common.decks.reserve_most + 1)
    return [d.Play(card, value) for card in decision.cards for value in (values if is_reserve(card) else (0,))]


def plays_form(pen: SectionWriter, decision: d.PlayCard, offered: Iterable[d.Play]) -> Input:
    """Return the form for playing a card: one of the plays in `offered`, or `stop` if the power need not play a
    card."""
    cards = [pen.card(one.card, one.value) for one in offered]
    return Lines(choice(*cards, *(() if decision.must else ("stop",))))


PLAY: AnySection = Section(
    "play", "§11.1", d.PlayCard, (d.Play, d.Stop), list_of_answers("play", read_play), play, write_play,
    lambda pen, table, decision: plays_form(pen, decision, plays(table, decision)), joins="lines",
)  # fmt: skip


def read_retreat(self: SectionReader, node: Node) -> WrittenOrder[d.RetreatAlong] | None:
    """Return the order to retreat along the path that is written in `node`. A city with an unknown name is noted as a
    fault, and is left out of the path."""
    path = self.cities(node, words("a-path"), names_behind(self.table, self.power))
    return WrittenOrder(d.RetreatAlong(numbers(path)), node, places_of("path", path))


def names_behind(table: Table | None, power: Power) -> list[str]:
    """Return the names of the cities that are near enough for the retreat on which a power must decide. Return none
    without a table, and if there is no such decision."""
    if table is None:
        return []
    board, found = table.rules.common.board, list[str]()
    for asked in game_of(table).decisions(table):
        if isinstance(asked, d.ChooseRetreat) and asked.power == power:
            far = board.distance(asked.start)
            found += (city.name for city, steps in zip(board.cities, far, strict=True) if steps <= asked.length)
    return found


def retreat_form(pen: SectionWriter, table: Table, decision: d.ChooseRetreat) -> Input:
    """Return the form of a retreat. It has one path to each possible end."""
    common, start = table.rules.common, decision.start
    retreat = Retreat(start, decision.length, decision.power, start)
    way = RetreatGround(common, table.state.field, retreat, decision.pieces)
    paths: list[Road] = [path for end in decision.ends if (path := path_to(way, end))]
    is_only = len(paths) == 1 and len([*islice(paths_to(way, decision.ends[0]), 2)]) == 1
    return Lines(Path(pen.city(start), tuple(Option(pen.cities(path)) for path in paths), is_only))


RETREAT: AnySection = Section(
    "retreat", "§11.2", d.ChooseRetreat, d.RetreatAlong, one_or_more(read_retreat), as_said,
    lambda pen, answer: [pen.cities(answer.path)], retreat_form, joins="lines",
)  # fmt: skip


def read_recruits(self: SectionReader, node: Node) -> WrittenOrder[d.Recruitment] | None:
    """Return the order that recruits: its payment, its troops, the pieces that return, and the commanders. The word
    `none` means no recruits. Return None for anything else."""
    if is_word(node, "none"):
        return WrittenOrder(d.Recruitment(), node)
    mapping = self.reader.mapping(node, "recruit")
    if mapping is None:
        return None
    entries = self.reader.known_entries(mapping, ("pay", "troops", "enter", "commander"), "recruit")
    cards = self.cards(entries["pay"]) if "pay" in entries else ()
    troops, at = (self.troops(entries["troops"], "troops") if "troops" in entries else None) or ({}, {})
    enter = read_entries(self, entries["enter"]) if "enter" in entries else ()
    commanders = self.pieces(entries["commander"], "commander") if "commander" in entries else ()
    places: Places = {("entries", general.number): city.node for general, city in enter}
    places |= {("troops", *general): where for general, where in at.items()}
    returns = {general.number: city.number for general, city in enter}
    return WrittenOrder(d.Recruitment((), troops, returns, numbers(commanders)), node, places, cards)


def read_entries(self: SectionReader, node: Node) -> tuple[tuple[NamedThing[Piece], NamedThing[City]], ...]:
    """Return the pairs in lines `general: city`, which tell where pieces return. Faulty lines are left out."""
    found = []
    for name, value in self.reader.pairs(node, "enter"):
        general, city = self.piece(name), self.city(value)
        if general and city:
            found.append((general, city))
    return tuple(found)


def recruit(asked: AnswerDraft[Table, d.Decision, d.Recruitment]) -> d.Recruitment:
    return paid_recruits(asked, asked.said)


def paid_recruits(asked: AnswerDraft[TableT, DecisionT, SaidT], said: d.Recruitment) -> d.Recruitment:
    """Return recruits with the cards that pay for them. If a card is refused, all else that the rules refuse is told as
    well."""
    try:
        return replace(said, cards=asked.cards())
    except Unusable as refusal:
        given = GivenAnswer(said, asked.written.node, asked.places)
        # The copy has a dealer of its own. The campaign's dealer would reveal cards that nobody knows yet.
        trial = copy_of(asked.table, SeededDealer(""))
        try:
            game_of(trial).apply(trial, asked.decision.power, given.answer)
        except IllegalOrder as more:
            beside = [each for each in (more, *more.others) if each.where[:1] != ("cards",)]
            refusal.others += tuple(Unusable(given.node_of(each.where), each.wrong) for each in beside)
        raise


def write_recruits(pen: SectionWriter, answer: d.Recruitment) -> dict[str, Tree]:
    """Return recruits in the form in which a section has them. Empty parts are left out."""
    entries: dict[str, Tree] = {pen.piece(general): pen.city(city) for general, city in answer.entries.items()}
    parts: dict[str, Tree] = {
        "pay": pen.cards(answer.cards),
        "troops": pen.troops(answer.troops),
        "enter": entries,
        "commander": pen.pieces(answer.commanders),
    }
    return {key: part for key, part in parts.items() if part}


class Recruits(Struct, frozen=True):
    """Limits for recruits: the number of troops that each general may get, the cities where pieces may return, the
    largest number of new troops, the price, and the cards with which the power may pay."""

    room: dict[Piece, int]
    entries: dict[Piece, tuple[City, ...]]
    most: int
    price: int
    """Points of cards for one troop, or for the return of one train."""
    hand: tuple[Card, ...] = ()


def recruits_form(pen: SectionWriter, recruits: Recruits) -> Record:
    """Return the form for recruits. Each general gets at most as many troops as he has room for, and all together at
    most as many as the hand can pay. A general who returns must get troops. Pieces for which the hand cannot pay do not
    return."""
    price, is_general = recruits.price, pen.rules.is_general
    paid = points(pen.rules.decks, recruits.hand) // price if price else recruits.most
    most = min(recruits.most, paid)
    of = {pen.piece(general): Number(1, room, price) for general, room in recruits.room.items() if room}
    enter = {
        pen.piece(piece): Part(choice(*pen.cities(cities)), optional=True, price=0 if is_general(piece) else price)
        for piece, cities in recruits.entries.items()
        if (most if is_general(piece) else paid)
    }
    parts = {"troops": Part(Numbers(of, 0, most), optional=True), "enter": Part(Record(enter), optional=True)}
    if price:
        parts["pay"] = Part(payment(pen, recruits.hand), optional=True)
    generals = [pen.piece(piece) for piece in recruits.entries if most and is_general(piece)]
    return Record(parts, tuple((("troops", name), ("enter", name)) for name in generals), none=True)


def winter_form(pen: SectionWriter, table: Table, decision: d.Recruit) -> Input:
    """Return the form for recruits in winter, when cards pay for troops."""
    room, price = decision.room, table.rules.common.limits.troop_price
    return recruits_form(pen, Recruits(room, decision.entries, sum(room.values()), price, decision.hand))


def winter_price(table: Table, decision: d.Decision, answer: d.Recruitment) -> int:
    """Return the price of the new troops in points of cards."""
    return sum(answer.troops.values()) * table.rules.common.limits.troop_price


RECRUIT: AnySection = Section(
    "recruit", "§13", d.Recruit, d.Recruitment, one_or_more(read_recruits), recruit, write_recruits, winter_form,
    price=winter_price, beyond=("E-STACK-FULL", "E-COMMANDER"), joins="again",
)  # fmt: skip
