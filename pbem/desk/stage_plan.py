"""Marches of one stage that the best bot would order. The bot knows only what the player knows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.table import advised_answer
from pbem.desk.hauling import is_haul, safer_haul
from pbem.desk.reach import is_exposed
from pbem.engine.cards import cheapest, points
from pbem.engine.conquest import dealings, opponents_of
from pbem.engine.decisions import Answer, ChooseRetreat, Decision, March, Move, Recruitment, Reenter
from pbem.engine.events import Conquered, Questioned
from pbem.engine.march import destinations
from pbem.engine.memory import Declaration
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.supply import assess, cut_off_in
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.paper.orders.files import row_for
from pbem.report.consequences import Prospects
from pbem.report.maps import foes_beside
from pbem.report.retreats import cutting_off

Planned: TypeAlias = Move | Reenter
"""Answer of a plan."""


class PlannedMarch(Struct, frozen=True):
    """March of a piece, or return of a train, in a plan."""

    power: Power
    answer: Planned
    takes: bool = False
    """True if the march conquers a city, lays a question mark on one, or ends in an enemy fortress."""


def marches_of(
    table: Table, powers: Collection[Power], declared: Sequence[Declaration] = ()
) -> tuple[list[tuple[Power, Planned]], Mapping[Piece, str]]:
    """Return the marches that the best bot would order for some powers, in order, each with its power. Also return the
    generals who stay, each with the key of the reason: they march out of supply, or into the reach of a clearly
    stronger enemy, only to a battle or to take something. `declared` has strengths that the powers know."""
    staying: dict[Piece, str] = {}
    before = Prospects(table, powers, powers, declared)
    while True:
        plan, ended = plan_with(table, powers, staying)
        after = Prospects(ended, powers, powers, declared)
        idle = [each.answer for each in plan if not each.takes]
        found = {piece: "why-stay-safe" for each in idle for piece in exposed_idle(before, after, each)}
        found |= {piece: "why-stay-fed" for each in idle for piece in starving_idle(table, ended, each)}
        if found.keys() <= staying.keys():
            return [(each.power, each.answer) for each in plan], staying
        staying |= found


def plan_with(table: Table, powers: Collection[Power], staying: Collection[Piece]) -> tuple[list[PlannedMarch], Table]:
    """Return the marches that the best bot would order if the pieces `staying` did not march, and the table after
    them."""
    tried, ended, plan = copy_of(table), set[Power](), list[PlannedMarch]()
    while left := [each for each in decisions_of(tried, powers) if isinstance(each, March) and each.power not in ended]:
        power, march = left[0].power, left[0]
        able = tuple(each for each in march.pieces if each not in staying or each in march.leaving)
        answer = answer_of(tried, replace(march, pieces=able) if len(able) < len(march.pieces) else march)
        if isinstance(answer, Move) and is_haul(tried, answer):
            answer = safer_haul(tried, power, answer)
        if isinstance(answer, Planned):
            forts = opponents_of(table.rules.common, tried.state.field, power).fortresses
            events = game_of(tried).apply(tried, power, answer)
            is_taken = any(isinstance(each, Conquered | Questioned) for each in events)
            plan.append(
                PlannedMarch(power, answer, is_taken or (isinstance(answer, Move) and answer.path[-1] in forts))
            )
        else:
            ended.add(power)
    return plan, tried


def starving_idle(table: Table, ended: Table, answer: Planned) -> list[Piece]:
    """Return the generals of a march who are in supply at `table`, but out of supply and beside no enemy at `ended`,
    when all have marched."""
    if not isinstance(answer, Move) or is_haul(table, answer):
        return []
    hungry = [each for each in answer.pieces if still_cut_off(ended, [each]) and not still_cut_off(table, [each])]
    return [] if foes_beside(ended, answer.pieces[0], answer.path[-1]) else hungry


def exposed_idle(before: Prospects, after: Prospects, answer: Planned) -> list[Piece]:
    """Return the generals of a march if it brings them within reach of a clearly stronger enemy for nothing. It is
    judged by the positions `before` and `after` all marches of the plan. Return an empty list if the march brings them
    beside an enemy, takes a train, or ends a lack of supply. To protect a city is no reason: once they are beaten, it
    is open."""
    table, ended = before.table, after.table
    if not isinstance(answer, Move) or is_haul(table, answer) or prey_on(table, answer.pieces[0], answer.path):
        return []
    start, end = table.state.field.pieces[answer.pieces[0]].city, answer.path[-1]
    if foes_beside(ended, answer.pieces[0], end) or not is_exposed(after, end) or is_exposed(before, start):
        return []
    is_saved = still_cut_off(table, answer.pieces) and not still_cut_off(ended, answer.pieces)
    return [] if is_saved else list(answer.pieces)


def prey_on(table: Table, general: Piece, way: Collection[City]) -> list[Piece]:
    """Return the enemy trains on a way that a general may take."""
    rules, field = table.rules.common, table.state.field
    prey = dealings(rules, field, rules.pieces[general].power).prey
    return sorted(train for train in prey if field.pieces[train].city in way)


def hungry_prey(table: Table, general: Piece) -> list[Piece]:
    """Return the enemy trains that a general can take by a march, but only one that leaves him out of supply."""
    rules, field = table.rules.common, table.state.field
    ways = destinations(game_of(table).column_of(table, [general]))
    taking = {end: way for end, way in ways.items() if prey_on(table, general, way)}
    fed = taking.keys() - {*cut_off_in(rules, field, general, taking)}
    found = {train for way in taking.values() for train in prey_on(table, general, way)}
    return sorted(found.difference(*(prey_on(table, general, taking[end]) for end in fed)))


def moved_by(answer: Planned) -> frozenset[Piece]:
    return frozenset(answer.pieces if isinstance(answer, Move) else (answer.train,))


def is_legal(table: Table, power: Power, answer: Answer) -> bool:
    try:
        game_of(table).apply(copy_of(table), power, answer)
    except IllegalOrder:
        return False
    return True


def decisions_of(table: Table, powers: Collection[Power]) -> list[Decision]:
    return [each for each in game_of(table).decisions(table) if each.power in powers]


def answer_of(table: Table, decision: Decision) -> Answer:
    """Return the best bot's answer, paid with the cheapest cards. A beaten stack retreats, if possible, to a place
    where it cuts off none of the player's generals from supply. For one table the answer is always the same."""
    if isinstance(decision, ChooseRetreat):
        cuts = cutting_off(table, decision)
        decision = replace(decision, ends=tuple(end for end in decision.ends if not cuts[end]) or decision.ends)
    answer = advised_answer(copy_of(table), decision, Random(0))  # noqa: S311 - bots need no secrets
    # The bot pays with the cards that it misses least, of which the page would warn if other cards are worth less.
    if not isinstance(answer, Recruitment) or not answer.cards:
        return answer
    decks, price = table.rules.common.decks, row_for(table, decision, answer).price(table, decision, answer)
    least = cheapest(decks, table.state.cards.hands[decision.power], price)
    return replace(answer, cards=least) if least and points(decks, least) < points(decks, answer.cards) else answer


def cut_off_by(table: Table, move: Move) -> list[Piece]:
    """Return the marching generals whom a march leaves out of supply."""
    rules, ways = table.rules.common, {move.path[-1]: move.path}
    generals = [piece for piece in move.pieces if rules.is_general(piece)]
    return [each for each in generals if [*cut_off_in(rules, table.state.field, each, ways)]]


def still_cut_off(table: Table, generals: Collection[Piece]) -> bool:
    """Return whether any of these generals is out of supply now."""
    rules, field = table.rules.common, table.state.field
    return any(not {*generals}.isdisjoint(assess(rules, field, power)[2]) for power in table.rules.powers)
