"""Marches with their gains on the way: fortresses, objectives and enemy trains."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from pbem.bots.sensible.sight import Sight
from pbem.engine.conquest import is_held_by_enemy
from pbem.engine.march import CityEntry, Column, spread
from pbem.engine.nouns import City
from pbem.engine.roads import Road, Ways


class MarchOption(Struct, frozen=True):
    """A march: its path, the enemy fortresses it leaves behind, and the cities where it takes trains."""

    path: Road
    left: frozenset[City] = frozenset()
    trains: frozenset[City] = frozenset()


Reached = tuple[City, bool, MarchOption]
"""A city reached, true if by main roads only, and the march there."""


def march_options(sight: Sight, column: Column, open_to_conquest: frozenset[City]) -> list[MarchOption]:
    """One march for every end and every set of gains, forced marches included."""
    prizes = open_to_conquest - set(column.circumstances.closed) if conquers(sight, column) else frozenset()
    found: dict[tuple[City, bool, Collection[City], Collection[City]], MarchOption] = {}
    edge: list[Reached] = [(column.start, True, MarchOption(()))]
    while edge:
        beyond: list[Reached] = []
        for leg in edge:
            for city, all_main, longer in steps(column, leg, prizes):
                key = (city, all_main, longer.left, longer.trains)
                if key in found:
                    continue
                found[key] = longer
                if not column.halts(column.entry(city)):
                    beyond.append((city, all_main, longer))
        edge = beyond
    forced = Ways(column.start, [spread(column, column.ranges[2], main=True, forced=True)])
    reached = {city for city, *_ in found}
    every = [*found.values(), *(MarchOption(path) for city, path in forced.items() if city not in reached)]
    return [outing for outing in every if column.may_end(outing.path[-1])]


def conquers(sight: Sight, column: Column) -> bool:
    """True if fortresses and objectives can fall to this march (§10.3; FRIEDRICH §5, §9)."""
    able = sight.common.down_conquer or any(not sight.field.pieces[mover].down for mover in column.movers)
    return able and not column.is_train


def steps(column: Column, leg: Reached, prizes: Collection[City]) -> list[Reached]:
    """Next cities of a march."""
    here, all_main, outing = leg
    any_road, main_road, _ = column.ranges
    board = column.rules.board
    left = outing.left | {here} if here in prizes else outing.left
    found: list[Reached] = []
    for city in board.near[here]:
        on_main = all_main and city in board.on_main[here]
        if len(outing.path) >= (main_road if on_main else any_road) or column.step_closed(here, city):
            continue
        entry = column.entry(city)
        if entry is not CityEntry.BLOCKED:
            trains = outing.trains | {city} if entry is CityEntry.TRAIN else outing.trains
            found.append((city, on_main, MarchOption((*outing.path, city), left, trains)))
    return found


def enemy_fortresses(sight: Sight) -> frozenset[City]:
    """Fortresses, or objectives, that the power may conquer."""
    rules = sight.common
    cities = rules.objectives or rules.board.fortresses
    return frozenset(city for city in cities if is_held_by_enemy(rules, sight.field, city, sight.power))
