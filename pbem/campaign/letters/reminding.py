"""Warnings about orders that are accepted all the same. They concern orders given in advance that could not be carried
out now, and orders that touch an agreement. The trial of orders given in advance uses only what their writer knows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from textwrap import shorten
from types import UnionType
from typing import Union, get_args, get_origin

from msgspec import Struct, field
from msgspec.structs import fields, replace

from pbem.campaign.letters.card_warnings import (
    missing_card_warnings,
    unpaid_warnings,
    unplayable_card_warnings,
    vain_card_warnings,
)
from pbem.campaign.play.ahead import AheadSource, LetterAhead, ahead_in
from pbem.campaign.play.sources import OrdersAndPlans, PlayerSource
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Decision, Done, Move
from pbem.engine.field import home_of, pieces_by_city
from pbem.engine.nouns import Card, City, Power
from pbem.engine.rules import Rules
from pbem.engine.table import StageName, Table, player_of
from pbem.faults.wrong import Words, Wrong, printable, words, wrong
from pbem.kit import copy_of, game_of
from pbem.paper.agreements import Deal, holds_in, in_force
from pbem.paper.boards.files import city_names_in
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Node
from pbem.paper.lexicon import Lexicon, card_text
from pbem.paper.orders.files import Orders, OrderSource
from pbem.paper.orders.names import PowerOrders, WrittenOrder
from pbem.paper.orders.section import GivenAnswer, in_readers_words
from pbem.paper.orders.trial import Trial, run_known, step, trial_of
from pbem.paper.plans.ahead import AHEAD, section_orders, stage_in
from pbem.paper.plans.data import Plan, StageOrders
from pbem.plans.choices import game_plans
from pbem.plans.sight import Tally, see
from pbem.plans.source import PlanSource, meets_conditions, take_plans

Blocks = list[tuple[Power, Plan]]


class TriedSource(PlayerSource):
    """Source of answers from orders, for a trial that runs through several stages. The orders may include orders for
    later stages."""

    def __init__(self, table: Table, orders: Orders, tally: Tally | None = None) -> None:
        """Make a source. Answers are removed from `orders` as they are taken. Plans among the orders answer only if
        `tally` is given."""
        blocks, plans = ahead_in(orders), take_plans(orders) if tally else {}
        tally = tally or Tally()
        written = OrdersAndPlans(OrderSource(table, orders), PlanSource(table, plans, tally))
        super().__init__(written, None, AheadSource(table, [LetterAhead(0, blocks)], tally, {}) if blocks else None)
        self.last: Decision | None = None

    def in_turn(self, table: Table, asked: Sequence[Decision]) -> list[Decision]:
        """Return the decisions to answer next. Call this only after the last answer was carried out."""
        if self.last:
            self.note_act(self.last.power)
        return super().in_turn(table, asked)

    def answer(self, decision: Decision) -> GivenAnswer | None:
        """Return the answer, or None if the orders have none. The caller must carry out the answer next."""
        self.last = decision
        return super().answer(decision)


def run_through(table: Table, orders: Orders, is_whole: bool) -> Trial:
    """Try orders together with the orders for later stages among them, and return the trial. Its warnings name the
    blocks of orders for later stages that were not carried out, with the reasons. Unless `is_whole` is true, the trial
    ends before an event that shows something hidden."""
    sources: list[TriedSource] = []

    def source(alone: Table, said: Orders) -> TriedSource:
        sources.append(TriedSource(alone, said))
        return sources[-1]

    trial = trial_of(table, orders, is_whole, source)
    for decision in trial.waiting:
        trial.faults += sources[0].why_not(decision)
    return trial


def faults_foreseen(table: Table, player: str, orders: Orders) -> list[Fault]:
    """Return the faults of the orders that a player gives in advance. If marches are impossible, return one fault for
    each of them. Otherwise return warnings about blocks that could not be carried out now, and about cards that cannot
    be played in the present battle. The warnings tell nothing that the player does not know."""
    blocks = [(power, block) for power, written in orders.powers.items() for block in written.sections.get(AHEAD, ())]
    own: Blocks = [(power, block) for power, block in blocks if player_of(table, power) == player]
    if never := [fault for power, block in own for fault in impossible_marches(table.rules.common, power, block)]:
        return never
    now = run_known(copy_of(table, SeededDealer("nothing is dealt in a trial")), orders.copy()).table
    faults = [fault for power, block in own for fault in missing_card_warnings(now, power, block)]
    faults += [fault for power, block in own for fault in unpaid_warnings(now, power, block)]
    faults += [*unplayable_card_warnings(table, player, orders), *vain_card_warnings(table, player, orders)]
    for stage in game_of(table).stages(table.rules, table.state.turn):
        name = str(StageName(table.state.turn, stage))
        due = [(power, block) for power, block in own if stage_in(block) == name]
        if due and "movement" in game_of(table).phases_of(table.rules, stage):
            game_of(now).set_out(now, stage)
            trial = run_marches(now, due)
            now, faults = trial.table, [*faults, *trial.faults]
    return faults


def impossible_marches(rules: Rules, power: Power, block: Plan) -> Iterator[Fault]:
    """Yield a fault for every march of a block that is impossible in every position of the pieces."""
    stage, before, board = stage_in(block), set[int](), rules.board
    for written in section_orders(block, "move"):
        if not isinstance(written.said, Move):
            continue
        movers, path = written.said.pieces, written.said.path
        facts, twice = [rules.pieces[mover] for mover in movers], sorted(before.intersection(movers))
        found: Wrong | None = None
        if all(each.power != power for each in facts):
            found = wrong("E-AHEAD-NEVER.power", stage=stage, piece=facts[0].name, owner=facts[0].power)
        elif twice:
            found = wrong("E-AHEAD-NEVER.twice", stage=stage, piece=rules.pieces[twice[0]].name)
        elif path and (entered := 1 + board.least_steps(path[0], path[1:])) > (most := longest_march(rules, movers)):
            cities = board.names(path)
            found = wrong("E-AHEAD-NEVER.far", stage=stage, cities=cities, entered=entered, most=most)
        before.update(movers)
        if found:
            yield Fault.at(written.node.line, written.node.column, in_readers_words(found, board))


def longest_march(rules: Rules, movers: Sequence[int]) -> int:
    """Return the most cities that these pieces can enter on any march."""
    limits = rules.limits
    if not rules.all_generals.issuperset(movers):
        return max(limits.train_march, limits.train_march_main)
    # FRIEDRICH's Cards of Fate let a general go one city farther.
    return max(limits.general_march, limits.general_march_main + 1, limits.forced_march)


def run_marches(table: Table, due: Blocks) -> Trial:
    """Try the marches of all powers together, and return the trial. For each power the first block whose conditions
    hold is taken. If the rules refuse a march, its block is left out, with a warning."""
    asked = {decision.power: decision for decision in game_of(table).decisions(table)}
    fitting: dict[Power, Plan] = {}
    for power, block in due:
        if power in asked and power not in fitting and holds_now(table, asked[power], block):
            fitting[power] = block
    faults: list[Fault] = []
    while True:
        then = copy_of(table)
        source = OrderSource(then, marches(fitting))
        while (taken := step(then, [source])) and not taken.is_refused:
            pass
        if taken is None:
            return Trial(then, [], faults, ())
        why = next(fault for fault in taken.faults if not fault.is_warning)
        faults.append(Fault.at(why.line, why.column, not_now_warning(fitting.pop(taken.power), why)))


def holds_now(table: Table, decision: Decision, block: Plan) -> bool:
    return meets_conditions(block, see(table, decision, Tally(), game_plans(table).playable_cards), decision)


def marches(blocks: dict[Power, Plan]) -> Orders:
    """Return the marches of some blocks as orders. Orders to end the movement are left out."""
    moves = {
        power: [each for each in section_orders(block, "move") if each.said != Done()]
        for power, block in blocks.items()
    }
    powers = {power: PowerOrders(power, blocks[power].node, {"move": [*lines]}) for power, lines in moves.items()}
    return Orders("letter", None, powers)


def not_now_warning(block: Plan, why: Fault) -> Wrong:
    """Return a warning that the rules would refuse a block now. `why` is the fault with which they refuse it."""
    return wrong("W-AHEAD-NOW", rule=why.section, stage=stage_in(block), why=why.message)


class CarriedOrder(Struct, frozen=True):
    """An answer that was carried out on trial, with its power and its place in the file."""

    power: Power
    answer: Answer
    node: Node
    beside: frozenset[Power]
    """Powers whose generals stand beside the goal of a march. They are noted before the march is carried out, because a
    march could show something hidden."""
    cards: frozenset[str] = frozenset()
    """Cards that the written order names, besides the cards in its answer."""


class TouchedThings(Struct, frozen=True):
    """Powers, cities and cards that an order touches."""

    powers: frozenset[Power]
    cities: frozenset[City]
    cards: frozenset[str]
    """Cards as texts."""


def carried_order(table: Table, power: Power, answer: Answer, node: Node) -> CarriedOrder:
    """Describe an answer before it is carried out. `node` is the place of the written order."""
    beside = frozenset(neighbours(table, answer.path[-1])) if isinstance(answer, Move) and answer.path else frozenset()
    return CarriedOrder(power, answer, node, beside)


class RemindedPlayer(Struct, frozen=True):
    """Player who may be reminded of agreements: seat, stage, language, and the agreements."""

    player: str
    stage: str
    deals: tuple[Deal, ...]
    language: str = "en"
    """Language of the names of cities."""
    told: set[int] = field(default_factory=set)
    """Entries of agreements. A receipt has already reminded the player of these agreements."""


MOST_QUOTED = 200
"""Most characters of an agreement that a reminder quotes. The report has the whole text."""


def reminders(table: Table, who: RemindedPlayer, orders: Sequence[CarriedOrder]) -> Iterator[Fault]:
    """Yield a warning for each of the player's agreements that orders touch. The warning stands at the first such
    order. Agreements in `who.told` are left out. This function adds the agreements of which it warns to `who.told`."""
    player, now = who.player, who.stage
    for deal in who.deals:
        if player not in deal.players or deal.entry in who.told or not holds_in(deal, now):
            continue
        met = [(order.node, names) for order in orders if (names := touched_names(table, deal, order, now))]
        if met:
            who.told.add(deal.entry)
            written = dict.fromkeys(name for _, names in met for name in names)
            bound = tuple(name_in_language(table, name, deal, who.language) for name in written)
            others = tuple(other for other in deal.players if other != player)
            told = wrong("W-AGREEMENT", entry=deal.entry, parties=others, names=bound, words=quoted_line(deal.words))
            yield Fault.at(met[0][0].line, met[0][0].column, told)


def name_in_language(table: Table, name: str, deal: Deal, language: str) -> str | Words:
    """Return the name of something that an agreement binds, in a reader's language. Cards keep the name that was
    written."""
    if name in deal.binds.get("powers", ()):
        return words("bound-power", power=name)
    if name in deal.binds.get("cards", ()):
        return name
    if name not in deal.binds.get("cities", ()):
        return words("bound-stage", stage=name)
    board = table.rules.common.board
    own = tuple(city.name for city in board.cities)
    return city_names_in(board.name, own, language)[Lexicon(table.rules).city(name)]


def quoted_line(words: str) -> str:
    """Return the words of an agreement in quotation marks on one line, shortened if they are long."""
    return f"“{printable(shorten(words, MOST_QUOTED, placeholder=' …'))}”"


def reminders_ahead(
    table: Table, who: RemindedPlayer, found: Orders, quiet: Collection[tuple[int, int]] = ()
) -> Iterator[Fault]:
    """Yield a warning for every agreement that is touched by orders given in advance, even if these orders could not be
    carried out. Orders at the places `quiet` are left out."""
    blocks = [(power, each) for power, written in found.powers.items() for each in written.sections.get(AHEAD, ())]
    for stage in dict.fromkeys(stage_in(block) for _, block in blocks):
        orders = [
            order for power, each in blocks if stage_in(each) == stage for order in orders_in_block(table, power, each)
        ]
        told = [order for order in orders if (order.node.line, order.node.column) not in quiet]
        yield from reminders(table, replace(who, stage=stage, deals=in_force(table.rules, [*who.deals], stage)), told)


def orders_in_block(table: Table, power: Power, block: Plan) -> Iterator[CarriedOrder]:
    """Yield the written orders of a block, each with the cards that it names."""
    assert isinstance(block.wish, StageOrders)
    lexicon = Lexicon(table.rules)
    for entry in chain.from_iterable(block.wish.sections.values()):
        if isinstance(entry, WrittenOrder) and isinstance(entry.said, Answer):
            cards = (card_text(copy, deck=True) for named in entry.cards for copy in lexicon.copies(named.card))
            yield replace(carried_order(table, power, entry.said, entry.node), cards=frozenset(cards))


def touched_names(table: Table, deal: Deal, order: CarriedOrder, now: str) -> list[str]:
    """Return those names in an agreement that an order touches. Return an empty list if the order cannot break the
    agreement. If the agreement binds nothing but stages, return the stage `now`."""
    bound = {kind: names for kind, names in deal.binds.items() if kind != "stages"}
    if isinstance(order.answer, Done):
        return []
    if not bound:
        return [now] if "stages" in deal.binds else []
    lexicon, found = Lexicon(table.rules), things_touched(table, order)
    powers = {name: lexicon.power(name) for name in bound.get("powers", ())}
    things = [
        *(name for name in bound.get("cities", ()) if lexicon.city(name) in found.cities),
        *(name for name in bound.get("cards", ()) if not found.cards.isdisjoint(texts_of(lexicon, name))),
    ]
    met = [name for name, power in powers.items() if power in found.powers]
    if "cities" in bound or "cards" in bound:
        return [*things, *met] if things and (met or not powers) else []
    # If an agreement binds only powers, an order touches it in two cases: it is given by another power and reaches one
    # of the bound powers, or it is given by a bound power and reaches a power of another player.
    own = player_of(table, order.power)
    reaches_others = any(player_of(table, power) != own for power in found.powers)
    return [name for name in met if powers[name] != order.power or reaches_others]


def texts_of(lexicon: Lexicon, name: str) -> set[str]:
    """Return the texts of all cards with this name. Each text names the card's deck, too."""
    return {card_text(card, deck=True) for card in lexicon.copies(lexicon.card(name))}


def things_touched(table: Table, order: CarriedOrder) -> TouchedThings:
    """Return the powers, cities and cards that an order names. A march touches more: the powers whose land it enters,
    and those whose generals stand beside its goal."""
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
    return TouchedThings(frozenset(powers), cities, texts)


def nouns_in(value: object, kind: object) -> Iterator[tuple[object, int | str]]:
    """Yield a pair for each city, card and power in a value. The pair has the type of this noun, and the noun itself.
    `kind` is the declared type of the value."""
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
    """Yield the powers whose generals stand beside a city."""
    rules, at = table.rules.common, pieces_by_city(table.rules.common, table.state.field).at
    for other in rules.board.near[city]:
        yield from (rules.pieces[piece].power for piece in at.get(other, ()) if rules.is_general(piece))
