"""Things on the map that are not decided yet: battles of the present stage, cities that have not fallen yet, and
protection that may end."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from pbem.campaign.briefing import Briefing
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.cards import RESERVE, suit_of
from pbem.engine.combat import own_city, own_score, player, remaining_battles
from pbem.engine.conquest import control_of, protectors
from pbem.engine.decisions import ChooseRetreat
from pbem.engine.events import BattleJoined, GeneralRemoved, Retreated
from pbem.engine.field import Field, alter, are_enemies, stack_at
from pbem.engine.march import Column, destinations
from pbem.engine.nouns import City, Piece, Power, each_piece
from pbem.engine.rules import Rules
from pbem.engine.supply import assess
from pbem.engine.table import Table
from pbem.engine.ways import can_march_over
from pbem.kit import copy_of, game_of
from pbem.paper.orders.files import row_of
from pbem.report import blocks
from pbem.report.consequences import Comer, Prospects, protection_of
from pbem.report.letters.routes import is_prize
from pbem.report.stacks import Stack

TOLD_SECTIONS = frozenset({"corps", "recruit", "relocate"})
"""Sections of orders that can be awaited in the middle of another phase. Everybody may know that they are awaited."""


def fights_data(briefing: Briefing, language: str) -> dict[str, object]:
    """Return the battles of the present stage. Return none if no game is running.

    `now` is the battle that is being fought. `next` are the battles after it, without those of a stack that must
    retreat (§11). `lapsed` are battles that will not be fought any more. `is_retreat` is True if nothing but a retreat
    is awaited.
    """
    table = briefing.table
    if table is None or briefing.phase != "running":
        return {"now": None, "next": [], "is_retreat": False, "lapsed": []}
    named, field = blocks.common_in_words(table.rules.common, language), table.state.field
    prospects = Prospects(table, briefing.powers, (), briefing.memory.strengths if briefing.memory else ())

    own = () if briefing.reader in (OBSERVER, MODERATOR) else briefing.powers

    def side(city: City) -> tuple[list[str], dict[str, int]]:
        stack = stack_at(named, field, city)
        least, most = prospects.strength(stack)
        return blocks.pieces(named, stack), {"least": least, "most": most}

    def fight(attacker: City, defender: City) -> dict[str, object]:
        (attackers, attacking), (defenders, defending) = side(attacker), side(defender)
        return {
            "attackers": attackers,
            "defenders": defenders,
            "city": blocks.city(named, defender),
            "strengths": {"attackers": attacking, "defenders": defending},
            "is_own": any(
                named.pieces[each].power in own
                for city in (attacker, defender)
                for each in stack_at(named, field, city)
            ),
        }

    duel, decisions = table.state.duel, game_of(table).decisions(table)
    now = fight(duel.attacking_city, duel.defending_city) if duel else None
    if duel and now:
        losers, has = side(own_city(duel))
        stop = {"power": player(duel), "losers": losers, "score": -own_score(duel), "has": has}
        now["stop"] = stop if own_score(duel) < 0 else None
    to_come = table.state.battles
    for each in decisions:
        if isinstance(each, ChooseRetreat):
            to_come = remaining_battles(to_come, each.start)
    return {
        "now": now,
        "next": [fight(battle.attacker, battle.defender) for battle in to_come],
        "is_retreat": bool(decisions) and all(isinstance(each, ChooseRetreat) for each in decisions),
        "lapsed": list(lapsed_battles(briefing, named)),
    }


def section_told(briefing: Briefing) -> str:
    """Return the section of orders that is awaited now, if all readers may know of it (`TOLD_SECTIONS`). Return an
    empty text otherwise."""
    table = briefing.table
    if table is None or briefing.phase != "running":
        return ""
    names = {row_of(table, each).name for each in game_of(table).decisions(table)}
    return names.pop() if len(names) == 1 and names <= TOLD_SECTIONS else ""


def lapsed_battles(briefing: Briefing, named: Rules) -> Iterator[dict[str, object]]:
    """Yield the battles that were still to be fought when the last report to the reader was written, and that will not
    be fought any more. `retreated` and `lost` name the generals who have retreated or were removed."""
    state, news = briefing.table_in_play.state, briefing.news
    joined = [{*each.attackers, *each.defenders} for each in news.events if isinstance(each, BattleJoined)]
    due = [
        {general for city in (each.attacker, each.defender) for general in stack_at(named, state.field, city)}
        for each in state.battles
    ]
    gone = [each.piece for each in news.events if isinstance(each, GeneralRemoved)]
    back = [general for each in news.events if isinstance(each, Retreated) for general in each.pieces]
    places = news.before.places if news.before else []
    for battle in news.due if places else ():
        attackers, defenders = (
            [general for general, place in each_piece(places) if place == city and named.is_general(general)]
            for city in (battle.attacker, battle.defender)
        )
        if any(some.intersection(attackers) and some.intersection(defenders) for some in (*joined, *due)):
            continue
        both = [*attackers, *defenders]
        yield {
            "attackers": blocks.pieces(named, attackers),
            "defenders": blocks.pieces(named, defenders),
            "city": blocks.city(named, battle.defender),
            "retreated": blocks.pieces(named, [each for each in both if each in back and each not in gone]),
            "lost": blocks.pieces(named, [each for each in both if each in gone]),
        }


class EnteredCity(Struct, frozen=True):
    """City of an enemy, given by name. A stack of the reader is in it, and conquers it when it marches on."""

    city: str
    pieces: list[str]
    is_down: bool
    """True if the stack cannot conquer because all its generals are face-down."""
    is_hungry: bool
    """True if all generals of the stack are out of supply as things are now. They will then be face-down. Always False
    in games in which face-down generals conquer."""
    protectors: list[str]
    """Pieces that protect the city now."""
    within: int
    """Largest distance at which a general protects a city, in cities."""
    is_questioned: bool
    """True if the city already has a question mark. It then falls after the battles of the stage, unless it is
    protected at that time."""
    is_new: bool
    """True if a general of the stack has come to the city since the last report."""


def entered_cities(briefing: Briefing, language: str) -> list[EnteredCity]:
    """Return the cities of enemies in which generals of the reader are, and which these generals can conquer. It may be
    necessary that they are face-up first."""
    table = briefing.table
    if table is None or briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return []
    rules, field, before = table.rules.common, table.state.field, briefing.news.before
    named = blocks.common_in_words(rules, language)
    found: list[EnteredCity] = []
    for city in dict.fromkeys(cities_held_by_enemies(table, briefing)):
        stack = stack_at(rules, field, city)
        column = game_of(table).column_of(table, stack)
        near = protectors(rules, field, city, column.circumstances.reach)
        found.append(
            EnteredCity(
                blocks.city(named, city),
                blocks.pieces(named, stack),
                not any(conquers(rules, field, general) for general in stack),
                not rules.down_conquer and set(stack) <= {*assess(rules, field, column.power).cut_off},
                blocks.pieces(named, list(near)),
                rules.limits.protection,
                city in field.questions,
                before is None or any(before.places[piece] != city for piece in stack),
            )
        )
    return found


def cities_held_by_enemies(table: Table, briefing: Briefing) -> Iterator[City]:
    """Yield the cities of enemies in which generals of the reader are who may conquer them."""
    rules, field = table.rules.common, table.state.field
    for power in briefing.powers:
        for general in rules.generals(power):
            city = field.pieces[general].city
            if city >= 0 and is_prize(game_of(table).column_of(table, [general]), city):
                yield city


def conquers(rules: Rules, field: Field, general: Piece) -> bool:
    """True if a general conquers cities when he leaves them. In most games, he does not conquer while he is
    face-down."""
    return rules.down_conquer or not field.pieces[general].down


def pieces_in_reach(table: Table, power: Power) -> dict[Piece, frozenset[Piece]]:
    """Return the enemy pieces that each general on the side of `power` can attack or take in the present stage."""
    rules, state = table.rules.common, table.state
    field, near = state.field, rules.board.near
    found: dict[Piece, frozenset[Piece]] = {}
    for other in table.rules.powers:
        if field.alliances.stage.get(other) != state.stage or are_enemies(field, other, power):
            continue
        for general in rules.generals(other):
            if (start := field.pieces[general].city) < 0:
                continue
            column = game_of(table).column_of(table, [general])
            ends = {start} if general in state.moved else {start, *destinations(column)}
            beside = {city for end in ends for city in near[end]}
            rivals = [rival for rival in column.dealings.rivals if field.pieces[rival].city in beside]
            trains = [train for train in column.dealings.prey if field.pieces[train].city in ends]
            found[general] = frozenset([*rivals, *trains])
    return found


def may_lose_protection(column: Column, city: City, end: City, reached: Mapping[Piece, Collection[Piece]]) -> bool:
    """True if a march that ends in `end` could end the protection of the fortress `city`. For this, each piece that
    protects the fortress must be beside `end`, or must be in reach of generals outside the column. `reached` has the
    pieces that each general can attack or take."""
    beside = column.rules.board.near[end]
    others = {piece for general, some in reached.items() if general not in column.movers for piece in some}
    near = protectors(column.rules, column.field, city, column.circumstances.reach)
    return all(piece in others or column.field.pieces[piece].city in beside for piece in near)


class ForcedAttack(Struct, frozen=True):
    """Attack that generals must make from their city. It has their names and the suit of their city. It also has the
    enemies, their city, its suit, and the number of their troops as far as the reader knows."""

    own: list[str]
    own_suit: str
    has_card: bool
    """True if the attacker has a card of `own_suit` or a Reserve in hand."""
    enemies: list[str]
    city: str
    suit: str
    least: int
    """Smallest number of troops that the enemies may have. `most` is the largest."""
    most: int


def attack_in_words(prospects: Prospects, own: Stack, enemy: Stack) -> ForcedAttack:
    """Return the attack of one stack on another, with names in place of numbers."""
    rules = prospects.rules
    return ForcedAttack(
        own=blocks.pieces(rules, own.generals),
        own_suit=blocks.city_suit(rules, own.city),
        has_card=has_card_for(prospects, own.power, own.city),
        enemies=blocks.pieces(rules, enemy.generals),
        city=blocks.city(rules, enemy.city),
        suit=blocks.city_suit(rules, enemy.city),
        least=enemy.least,
        most=enemy.most,
    )


def cities_uncovered(prospects: Prospects, column: Column, goal: City) -> list[City]:
    """Return the cities that only this column protects, and that enemies could conquer on their next march if the
    column were at `goal`."""
    rules, field = column.rules, column.field
    movers, reach = set(column.movers), column.circumstances.reach
    held = [city for city, holder in sorted(control_of(rules, field).holder.items()) if holder == column.power]
    near = ((city, set(protectors(rules, field, city, reach))) for city in held)
    alone = [city for city, some in near if some and movers.issuperset(some)]
    if not alone:
        return []
    then = prospects_after(prospects, column, goal)
    return [city for city in alone if any(True for _ in then.conquerors(city, column.power))]


def prospects_after(prospects: Prospects, column: Column, goal: City) -> Prospects:
    """Return the threats to the column's powers if the column were at `goal`."""
    after = copy_of(prospects.table)
    for mover in column.movers:
        alter(after.state.field, mover, city=goal)
    return Prospects(after, prospects.powers, prospects.powers)


def comers_after(prospects: Prospects, column: Column, goal: City) -> Iterator[Stack]:
    """Yield the enemy stacks that could attack the column on their next march if the column were at `goal`."""
    then = prospects_after(prospects, column, goal)
    yield from (comer.stack for comer in then.comers(goal, column.movers[0]))


class FallingCity(Struct, frozen=True):
    """Protected city of the reader. It has one or two stacks as protectors, which can be beaten in one stage, and
    enemies who could march through it in that stage."""

    city: City
    protectors: tuple[tuple[Piece, ...], ...]
    comers: tuple[Comer, ...]


def falling_cities(prospects: Prospects) -> Iterator[FallingCity]:
    """Yield the cities of the reader that fall if the one or two stacks that protect them are beaten and driven away.
    These stacks may belong to partners. The same enemies must be able to attack both of them. Meanwhile, another stack
    or another general of the attacking stack marches through the city."""
    rules, field, reach = prospects.rules, prospects.field, protection_of(prospects.table)
    attacks: dict[City, set[Stack]] = {}
    for city, holder in sorted(control_of(rules, field).holder.items()):
        stacks: dict[City, list[Piece]] = {}
        for piece in protectors(rules, field, city, reach):
            stacks.setdefault(field.pieces[piece].city, []).append(piece)
        if holder not in prospects.powers or len(stacks) not in (1, 2) or prospects.leaving in stacks:
            continue
        for place, (first, *_) in stacks.items():
            if place not in attacks:
                attacks[place] = {comer.stack for comer in prospects.comers(place, first)}
        attackers = set.intersection(*(attacks[place] for place in stacks))
        stages = [(each.city, field.alliances.stage[each.power]) for each in attackers]
        comers = tuple(
            comer
            for comer in (prospects.conquerors(city, holder, is_held=True) if attackers else ())
            if any(
                stage == field.alliances.stage[comer.stack.power]
                and (start != comer.stack.city or len(comer.stack.generals) > 1)
                for start, stage in stages
            )
            or may_attack_behind(prospects, comer, city, stacks)
        )
        if comers:
            yield FallingCity(city, tuple(map(tuple, stacks.values())), comers)


def may_attack_behind(prospects: Prospects, comer: Comer, city: City, places: Collection[City]) -> bool:
    """True if an enemy stack can march through `city` to an end that is next to all `places`, so that it attacks there
    at once."""
    near = prospects.rules.board.near
    ends = [end for end in near[min(places)] if all(end in near[place] for place in places)]
    return can_march_over(prospects.column_behind(comer.stack.city), city, ends)


def has_card_for(prospects: Prospects, power: Power, city: City) -> bool:
    """True if the reader's power has a card that it could play if its generals had a combat in the city."""
    suits = (RESERVE, prospects.rules.board.suit[city])
    return any(suit_of(card) in suits for card in prospects.view.hands.get(power, ()))
