"""Versions of Cards of Fate that are carried out at once (§11), and the garrison of the expert game (§13)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pbem.engine import march
from pbem.engine.board import SUITS, CityFacts
from pbem.engine.events import Event
from pbem.engine.field import alter, at_home, occupants, release_command, stack_at, troops_of, unmark
from pbem.engine.nouns import City, Piece, Power, Suit
from pbem.engine.rules import IllegalOrder
from pbem.engine.supply import trace
from pbem.engine.troops import stack_up
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules import exchanges
from pbem.games.friedrich.rules import fate_data as f
from pbem.games.friedrich.rules.decisions import ChooseCities, ChooseGeneral, GiveCard, NamedCities, Shift, ShiftPieces
from pbem.games.friedrich.rules.effects import general_on_map
from pbem.games.friedrich.rules.events import GarrisonMissing, NothingCame, Shifted, StackCutOff, TroopGained, TroopLost
from pbem.games.friedrich.rules.state import GarrisonTask, Table, VersionTask, active, plays_on


def effect_of(table: Table, task: VersionTask) -> f.Instant:
    effect = table.rules.fate.version(task.card, SUITS[task.suit]).effect
    assert isinstance(effect, f.Instant)
    return effect


def begin(table: Table, card: int, suit: Suit, effect: f.Instant) -> list[Event]:
    """Carry out the effect of a version, or add the task to choose if a power has to choose. If the effect changes
    nothing, or its power is out of the game, the only event is `NothingCame`."""
    power = effect.powers[0] if isinstance(effect, f.Swap) else effect.power
    events = carry_out_alone(table, effect) if plays_on(table, power) else []
    if events is None:
        table.state.tasks.append(VersionTask(power, card, suit))
        return []
    return events or [NothingCame(card, suit)]


def carry_out_alone(table: Table, effect: f.Instant) -> list[Event] | None:
    """Carry out an effect that needs no choice and return its events. Return None if a power has to choose."""
    match effect:
        case f.Gain():
            return gain(table, effect)
        case f.Loss():
            return lose(table, effect)
        case f.Shortage():
            return starve(table, effect)
        case f.Blockade():
            stacks = blockadable_cities(table, effect)
            return None if len(stacks) > 1 else turn_stacks_down(table, stacks)
        case f.Advance():
            general = general_on_map(table, effect.general)
            return None if general is not None and step_cities(table, general) else []
        case f.Rout():
            general = general_on_map(table, effect.general)
            if general is None or general not in table.state.fate.beaten:
                return []
            return None if rout_cities(table, effect, general) else []
        case f.Swap() | f.Plunder() | f.Redraw():
            return None if exchanges.is_possible(table, effect) else []


def decision(table: Table, task: VersionTask) -> ChooseGeneral | ChooseCities | ShiftPieces | GiveCard:
    effect = effect_of(table, task)
    match effect:
        case f.Gain():
            return ChooseGeneral(task.power, "gain", generals_with_room(table, effect.power))
        case f.Loss():
            return ChooseGeneral(task.power, "loss", generals_with_spare(table, effect.power))
        case f.Blockade():
            return ChooseCities(task.power, "blockade", blockadable_cities(table, effect), 1)
        case f.Advance(_, name):
            return shift_decision(table, task, name)
        case f.Rout(_, name):
            return shift_decision(table, task, name)
        case f.Swap() | f.Plunder() | f.Redraw():
            return exchanges.decision(table, task, effect)
        case f.Shortage():
            raise AssertionError("nobody chooses who is short of supply")


def generals_on_map(table: Table, power: Power) -> list[Piece]:
    return [g for g in table.rules.common.generals(power) if table.state.field.pieces[g].city >= 0]


def generals_with_room(table: Table, power: Power) -> tuple[Piece, ...]:
    """Return the generals of a power on the map who have room for another troop. If the power has all its troops, no
    general has room (§6)."""
    rules, field = table.rules, table.state.field
    if troops_of(rules.common, field, power) >= rules.troops(power):
        return ()
    return tuple(g for g in generals_on_map(table, power) if field.pieces[g].troops < rules.common.limits.troops)


def generals_with_spare(table: Table, power: Power) -> tuple[Piece, ...]:
    """Return the generals of a power on the map who can lose a troop and keep at least one."""
    return tuple(g for g in generals_on_map(table, power) if table.state.field.pieces[g].troops > 1)


def gain(table: Table, effect: f.Gain) -> list[Event] | None:
    """Give a troop to a named general or, if he is full, to a general of his stack. If nobody there has room, nothing
    happens. Return None if the power must choose, because no general is named and several are on the map."""
    able = generals_with_room(table, effect.power)
    if effect.generals:
        able = tuple(g for name in effect.generals for g in stack_of_general(table, name) if g in able)
    elif able and len(generals_on_map(table, effect.power)) > 1:
        return None  # Even if only one general has room: else others would learn about the power's troops (§6).
    return give_troop(table, effect.power, able[0]) if able else []


def stack_of_general(table: Table, name: str) -> list[Piece]:
    """Return the named general, then the others of his stack in order of command (§6). The list is empty if he is
    off the map."""
    rules, field = table.rules.common, table.state.field
    general = general_on_map(table, name)
    if general is None:
        return []
    return [general, *(mate for mate in stack_at(rules, field, field.pieces[general].city) if mate != general)]


def give_troop(table: Table, power: Power, general: Piece) -> list[Event]:
    alter(table.state.field, general, troops=table.state.field.pieces[general].troops + 1)
    return [TroopGained(power, general)]


def lose(table: Table, effect: f.Loss) -> list[Event] | None:
    """Take a troop from a named general, or from a general of his stack, the lowest in command first. The last troop is
    never taken. Return None if the power must choose: no general is named, and several are on the map."""
    able = generals_with_spare(table, effect.power)
    if effect.generals:
        stacks = [stack_of_general(table, name) for name in effect.generals]
        able = tuple(g for stack in stacks for g in (*stack[:1], *stack[:0:-1]) if g in able)
    elif able and len(generals_on_map(table, effect.power)) > 1:
        return None  # Even if only one general can lose one: else others would learn about the power's troops (§6).
    return take_troop(table, effect.power, able[0]) if able else []


def take_troop(table: Table, power: Power, general: Piece) -> list[Event]:
    alter(table.state.field, general, troops=table.state.field.pieces[general].troops - 1)
    return [TroopLost(power, general)]


def starve(table: Table, effect: f.Shortage) -> list[Event]:
    """Turn face-down each general of the power whose supply path has a length that the effect names (§9). If the effect
    names generals, only they can be turned. The ruling `short_supply` may spare generals at home."""
    rules, field = table.rules.common, table.state.field
    spares = table.rules.points.short_supply == "away from home"
    events: list[Event] = []
    for general in generals_on_map(table, effect.power):
        named = not effect.generals or rules.pieces[general].name in effect.generals
        if not named or field.pieces[general].down or (spares and at_home(rules, field, general)):
            continue
        path = trace(rules, field, general)
        if path is not None and len(path) in effect.distances:
            alter(field, general, down=True)
            events.append(StackCutOff((general,), field.pieces[general].city))
    return events


def blockadable_cities(table: Table, effect: f.Blockade) -> tuple[City, ...]:
    """Return the cities, in the lands of the effect, where the effect's victim has a face-up stack."""
    field, land = table.state.field, table.rules.common.board.land
    up = [g for g in generals_on_map(table, effect.victim) if not field.pieces[g].down]
    return tuple(sorted({field.pieces[g].city for g in up if land[field.pieces[g].city] in effect.lands}))


def turn_stacks_down(table: Table, cities: Sequence[City]) -> list[Event]:
    rules, field = table.rules.common, table.state.field
    events: list[Event] = []
    for city in cities:
        stack = stack_at(rules, field, city)
        for general in stack:
            alter(field, general, down=True)
        events.append(StackCutOff(tuple(stack), city))
    return events


def step_cities(table: Table, general: Piece) -> tuple[City, ...]:
    """Return the adjacent cities into which a general could march."""
    column = march.Column(table.rules.common, table.state.field, [general])
    near = table.rules.common.board.near[column.start]
    return tuple(city for city in near if column.entry(city) is not march.CityEntry.BLOCKED)


def rout_cities(table: Table, effect: f.Rout, general: Piece) -> tuple[City, ...]:
    """Return the cities to which a general can be pushed west over free cities. The ruling `push` says which paths lead
    west."""
    board, field = table.rules.common.board, table.state.field
    taken = occupants(field)
    start = field.pieces[general].city
    paths: list[tuple[City, ...]] = [(start,)]
    for _ in range(effect.cities):
        paths = [(*path, c) for path in paths for c in board.near[path[-1]] if c not in taken and c not in path]
    reading = table.rules.points.push
    return tuple(sorted({path[-1] for path in paths if leads_west([board.cities[city] for city in path], reading)}))


def leads_west(path: Sequence[CityFacts], reading: str) -> bool:
    """True if a path leads west as the ruling `reading` wants it. `step by step` wants every step to lead west. `west`
    wants the end to be west of the start. `rather west` wants this too, and the end at least as far west as north or
    south."""
    if reading == "step by step":
        return all(after.x < before.x for before, after in pairwise(path))
    west, aside = path[0].x - path[-1].x, abs(path[0].y - path[-1].y)
    return west > 0 and (reading == "west" or west >= aside)


def shift_decision(table: Table, task: VersionTask, name: str) -> ShiftPieces:
    """Return the decision on the city to which the named general moves outside his turn."""
    effect = effect_of(table, task)
    general = general_on_map(table, name)
    assert general is not None
    start = table.state.field.pieces[general].city
    if isinstance(effect, f.Rout):
        return ShiftPieces(task.power, "rout", (general,), start, rout_cities(table, effect, general))
    return ShiftPieces(task.power, "advance", (general,), start, step_cities(table, general))


def shift(table: Table, decision: ShiftPieces, answer: Shift) -> list[Event]:
    """Move pieces to the chosen city, where they take an enemy train or join a stack, but conquer nothing (§5). If the
    answer names no city, the pieces stay. Raises `IllegalOrder` for a city that is not offered."""
    rules, field = table.rules.common, table.state.field
    if answer.city is None:
        return []
    if answer.city not in decision.cities:
        cities = rules.board.names(decision.cities)
        raise IllegalOrder(wrong("E-FATE-CITY.shift", cities=cities), where=("city",))
    column = march.Column(rules, field, decision.pieces)
    joins = column.entry(answer.city) is march.CityEntry.JOIN
    events: list[Event] = [Shifted(decision.pieces, decision.start, answer.city)]
    events += march.enter(rules, field, answer.city, column.movers[0], column.taken.get(answer.city, ()))
    for piece in decision.pieces:
        alter(field, piece, city=answer.city)
    if joins:
        events += stack_up(rules, field, answer.city, None)
    release_command(rules, field, decision.start)
    return events


def check_cities(table: Table, decision: ChooseCities, answer: NamedCities) -> None:
    """Raise `IllegalOrder` for a wrong number of cities, a city named twice, or a city that the decision does not
    offer."""
    cities = table.rules.common.board.names(decision.cities)
    if len(answer.cities) != decision.count or len(set(answer.cities)) != decision.count:
        raise IllegalOrder(wrong("E-FATE-CITIES", count=decision.count, cities=cities), where=("cities",))
    for place, city in enumerate(answer.cities):
        if city not in decision.cities:
            raise IllegalOrder(wrong("E-FATE-CITY", cities=cities), where=("cities", place))


def check_garrison(table: Table) -> None:
    """Add the task to take objectives back if the active power has conquered the region that needs a garrison, and has
    no general there. Nothing is added in a game without this rule, or if the power that would choose the objectives has
    left the game."""
    facts = table.rules.fate.garrison
    if not table.rules.has_garrison_rule or active(table) != facts.power or not plays_on(table, facts.to):
        return
    field, inside = table.state.field, region(table)
    is_garrisoned = any(field.pieces[general].city in inside for general in table.rules.common.generals(facts.power))
    if not is_garrisoned and all(field.markers.get(city) == facts.power for city in region_objectives(table)):
        table.state.tasks.append(GarrisonTask(facts.to))


def region(table: Table) -> set[City]:
    """Return the cities of the region that needs a garrison."""
    board = table.rules.common.board
    return {board.index[name] for name in board.data.regions[table.rules.fate.garrison.region]}


def region_objectives(table: Table) -> tuple[City, ...]:
    """Return the objectives in the region that belong to the power which must keep a garrison there."""
    inside = region(table)
    return tuple(city for city in table.rules.objectives[table.rules.fate.garrison.power] if city in inside)


def garrison_decision(table: Table, power: Power) -> ChooseCities:
    cities = region_objectives(table)
    return ChooseCities(power, "garrison", cities, min(table.rules.fate.garrison.count, len(cities)))


def fall_back(table: Table, asked: ChooseCities, answer: NamedCities) -> list[Event]:
    """Let the named objectives fall back: remove the conqueror's markers from them. Raises `IllegalOrder` for wrong
    cities."""
    check_cities(table, asked, answer)
    unmark(table.state.field, answer.cities)
    return [GarrisonMissing(table.rules.fate.garrison.power, asked.power, answer.cities)]
