"""Where pieces can go and what they gain on the way: fortresses and enemy trains."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from pbem.engine.conquest import held_by_enemy
from pbem.engine.march import Column, Entry, Path, spread

from .sight import Sight


class Outing(Struct, frozen=True):
    """A march: its path, the enemy fortresses it leaves behind, and the cities where it takes trains."""

    path: Path
    left: frozenset[int] = frozenset()
    trains: frozenset[int] = frozenset()


Leg = tuple[int, bool, Outing]
"""A city reached, whether by main roads only, and how."""


def outings(sight: Sight, column: Column) -> list[Outing]:
    """One march for every end and every set of gains, forced marches included."""
    prizes = enemy_fortresses(sight) if any(not sight.field.pieces[m].down for m in column.movers) else frozenset()
    found: dict[tuple[int, bool, Collection[int], Collection[int]], Outing] = {}
    edge: list[Leg] = [(column.start, True, Outing(()))]
    while edge:
        beyond: list[Leg] = []
        for leg in edge:
            for city, all_main, longer in steps(column, leg, prizes):
                key = (city, all_main, longer.left, longer.trains)
                if key in found:
                    continue
                found[key] = longer
                if column.entry(city) is not Entry.JOIN:
                    beyond.append((city, all_main, longer))
        edge = beyond
    forced = spread(column, sight.common.board.main, column.ranges()[2], forced=True)
    reached = {city for city, *_ in found}
    return [*found.values(), *(Outing(path) for city, path in forced.items() if city not in reached)]


def steps(column: Column, leg: Leg, prizes: Collection[int]) -> list[Leg]:
    """The next cities of a march."""
    here, all_main, outing = leg
    any_road, main_road, _ = column.ranges()
    board = column.rules.board
    left = outing.left | {here} if here in prizes else outing.left
    found: list[Leg] = []
    for city in board.near[here]:
        on_main = all_main and city in board.on_main[here]
        if len(outing.path) >= (main_road if on_main else any_road) or column.crossing_closed(here, city):
            continue
        entry = column.entry(city)
        if entry is not Entry.BLOCKED:
            trains = outing.trains | {city} if entry is Entry.TRAIN else outing.trains
            found.append((city, on_main, Outing((*outing.path, city), left, trains)))
    return found


def enemy_fortresses(sight: Sight) -> frozenset[int]:
    """The fortresses that the power may conquer."""
    rules = sight.common
    return frozenset(c for c in rules.board.fortresses if held_by_enemy(rules, sight.field, c, sight.power))
