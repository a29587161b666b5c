"""Marches in a sheet: the cities that the pieces approach or pass, supply at their end, and the text of the order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from pbem.engine.board import UNREACHABLE
from pbem.engine.field import at_home, stack_at
from pbem.engine.march import CityEntry, Column, destinations, is_forced
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.roads import Road
from pbem.engine.rules import TrainName
from pbem.engine.supply import cut_off_in
from pbem.engine.table import Table
from pbem.engine.ways import is_open
from pbem.kit import game_of
from pbem.paper.documents.writing import on_one_line
from pbem.report import blocks
from pbem.report.language.templates import WIDTH
from pbem.seal.canonical import Tree


def is_prize(column: Column, city: City) -> bool:
    """True if an enemy holds a city, and the pieces of a column may conquer it."""
    hostile = column.control.opponents_of(column.rules, column.field, column.power)
    return city in hostile.fortresses and city not in column.circumstances.closed


def nearest_aim(column: Column) -> City | None:
    """Return the city that a column should approach; None if there is none. For generals it is the nearest city to
    conquer, or else that of the nearest enemy. For a train it is that of the farthest general to supply."""
    rules, field = column.rules, column.field
    if column.is_train:
        away = rules.board.distance(column.start)
        return max(cities_in_need(column), key=lambda city: (away[city], city), default=None)
    foes = {field.pieces[foe].city for foe in column.dealings.rivals}
    hostile = column.control.opponents_of(rules, field, column.power)
    prizes = sorted(hostile.fortresses.difference(column.circumstances.closed, (column.start,)))
    free = [city for city in prizes if city in foes or column.entry(city) is not CityEntry.BLOCKED]
    far = distances_by_open_roads(column, column.start)
    return min((city for city in free or foes if city in far), key=lambda city: (far[city], city), default=None)


def distances_by_open_roads(column: Column, start: City) -> Mapping[City, int]:
    """Return each city's distance from `start` in steps on the roads and in the lands open to a column."""
    key = ("open roads", column.powers, column.half_active, bool(column.way_out), start)
    return column.control.stance.once(key, find_distances, column, start)


def find_distances(column: Column, start: City) -> dict[City, int]:
    roads, barred = column.rules.board.roads(False, column.goes_over), column.closed.difference(column.way_out)
    closed = column.step_closed if column.asks_each_step else None
    found, edge, steps = {start: 0}, [start], 0
    while edge:
        steps += 1
        beyond: list[City] = []
        for here in edge:
            for city in roads[here]:
                if city not in found and city not in barred and (closed is None or not closed(here, city)):
                    found[city] = steps
                    beyond.append(city)
        edge = beyond
    return found


def aim_in_words(column: Column, aim: City, met: Collection[str]) -> str:
    """Return in words the city that a column approaches, with a piece that stands there, if any. Return an empty text
    if `met`, the names of cities of which the note tells anyway, has the city's name."""
    named, there = blocks.city(column.rules, aim), stack_at(column.rules, column.field, aim)
    if named in met:
        return ""
    return f"{blocks.piece(column.rules, there[0])} ({named})" if there else named


def cities_in_need(column: Column) -> list[City]:
    """Return the cities that need a column's train: cities of the power's generals outside their home country that the
    train can reach, and to which no other train of the power is nearer."""
    rules, field = column.rules, column.field
    trains = [field.pieces[train].city for train in rules.trains(column.power) if field.pieces[train].city >= 0]
    generals = [general for general in rules.generals(column.power) if field.pieces[general].city >= 0]
    cities = [field.pieces[general].city for general in generals if not at_home(rules, field, general)]
    far = {city: rules.board.distance(city) for city in cities}
    reached = [city for city in cities if far[city][column.start] < UNREACHABLE]
    return [city for city in reached if all(far[city][column.start] <= far[city][train] for train in trains)]


LONGEST = WIDTH - 12
"""Greatest length of a march in a sheet, in characters. The sheet indents the march and puts `# - ` before it."""


class Route(Struct, frozen=True):
    """A march as it can be ordered: the cities that the order names, and all cities on its path."""

    named: tuple[City, ...]
    path: Road


def sort_by_distance(column: Column, ends: Sequence[City], aim: City | None) -> Sequence[City]:
    """Sort ends of a march by distance to the city `aim`, the nearest first. Without an aim their sequence stays."""
    if aim is None:
        return ends
    far = distances_by_open_roads(column, aim)
    return sorted(ends, key=lambda city: (far.get(city, UNREACHABLE), city))


def is_short_line(column: Column, route: Route) -> bool:
    """True if the text of a march fits on a short line, and the march joins no stack."""
    return len(written_march(column, route)) <= LONGEST and column.entry(route.named[-1]) is not CityEntry.JOIN


def routes_through(column: Column, ways: Mapping[City, Road]) -> dict[City, Route]:
    """Return a march through each city that a column can conquer by leaving it, its first city included. Trains have
    none."""
    pieces, able = column.field.pieces, column.rules.down_conquer
    if column.is_train or not any(able or not pieces[mover].down for mover in column.movers):
        return {}
    found: dict[City, Route] = {}
    for city in sorted(ways, key=lambda city: (len(ways[city]), city)):
        if is_prize(column, city) and (route := way_on(column, city, ways[city])):
            found[city] = route
    if is_prize(column, column.start):
        ends = [city for city in ways if city != column.start and not is_forced(column, ways[city])]
        straight = (Route((city,), ways[city]) for city in sort_by_distance(column, ends, nearest_aim(column)))
        if route := next((each for each in straight if is_short_line(column, each)), None):
            found = {column.start: route, **found}
    return found


def way_on(column: Column, city: City, way: Road) -> Route | None:
    """Return a march through a city to any city next to it; None if no such march is possible."""
    for goal in column.rules.board.near[city]:
        route = Route((city, goal), (*way, goal))
        is_new = goal != column.start and goal not in way and not is_forced(column, route.path)
        if is_new and is_short_line(column, route) and is_open(column, route.path):
            return route
    return None


def hungry_at(column: Column, city: City, way: Road) -> list[Piece]:
    """Return the pieces that would be out of supply in `city`, at the end of `way`."""
    return [mover for mover in column.movers if city in cut_off_in(column.rules, column.field, mover, {city: way})]


def is_idle_at(column: Column, city: City, way: Road) -> bool:
    """True if a column would conquer nothing by leaving this city, because all its pieces are face-down, or will be at
    the end of `way`. Always False in games in which face-down pieces conquer."""
    hungry = hungry_at(column, city, way)
    down = [column.field.pieces[mover].down or mover in hungry for mover in column.movers]
    return not column.rules.down_conquer and all(down)


def names_of_some(column: Column, some: Sequence[Piece]) -> list[str]:
    """Return the names of some pieces of a column; no names if they are all."""
    return blocks.pieces(column.rules, some) if len(some) < len(column.movers) else []


def likely_marches(table: Table, power: Power) -> Iterator[dict[str, Tree]]:
    """Yield, in the words of orders, each stack's march to the empty city nearest to its aim (`nearest_aim`). A stack
    that can reach no empty city is left out."""
    rules, field = table.rules.common, table.state.field
    cities = dict.fromkeys(field.pieces[general].city for general in rules.generals(power))
    for city in cities:
        if city < 0:
            continue
        column = game_of(table).column_of(table, stack_at(rules, field, city))
        ways = {end: way for end, way in destinations(column).items() if end != city}
        free = [end for end in sorted(ways) if column.entry(end) is CityEntry.FREE]
        for end in sort_by_distance(column, free, nearest_aim(column))[:1]:
            yield {written_pieces(column): written_way(column, Route((end,), ways[end]))}


# Callers write many marches of one column in a row.
@lru_cache(maxsize=1)
def written_pieces(column: Column) -> str:
    """Return the names of the moving pieces as their power's orders write them, joined by ` + `."""
    trains = map(TrainName.read, names := blocks.pieces(column.rules, column.movers))
    return " + ".join(train.own if train else name for name, train in zip(names, trains, strict=True))


def written_march(column: Column, route: Route) -> str:
    """Return a march as orders write it. Some names of cities need quotes there."""
    return f"{written_pieces(column)}: {on_one_line(written_way(column, route))}"


def written_way(column: Column, route: Route) -> str:
    """Return the cities that an order of a march names: the necessary ones if the program finds paths itself, else
    all."""
    return ", ".join(blocks.cities(column.rules, route.named if column.rules.ways == "found" else route.path))


def own_hussars_on(column: Column, path: Road) -> list[City]:
    """Return the cities on `path` where hussars of the column's power stand."""
    return [city for city in path if column.power == column.rules.raiders and city in column.field.hussars]
