"""Marches in a sheet: the cities that pieces approach or pass, whether they are in supply at the end, and the text of
the order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from pbem.engine.board import UNREACHABLE
from pbem.engine.field import at_home, stack_at
from pbem.engine.march import CityEntry, Column, is_forced
from pbem.engine.nouns import City, Piece
from pbem.engine.roads import Road
from pbem.engine.rules import TrainName
from pbem.engine.supply import cut_off_in
from pbem.engine.ways import is_open
from pbem.paper.documents.writing import on_one_line
from pbem.report import blocks
from pbem.report.language.templates import WIDTH


def is_prize(column: Column, city: City) -> bool:
    """True if an enemy holds the city, and the pieces of the column may conquer it."""
    hostile = column.control.opponents_of(column.rules, column.field, column.power)
    return city in hostile.fortresses and city not in column.circumstances.closed


def nearest_aim(column: Column) -> City | None:
    """Return the city that a column should approach, or None if there is none. For generals it is the nearest city that
    can be conquered, or else the city of the nearest enemy. For a train it is the city of the farthest general who
    needs it."""
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


def cities_left(column: Column, goal: City, aim: City | None) -> int:
    """Return the number of cities that are left from `goal` to `aim`. Return 0 if there is no aim, or if a march to
    `goal` does not lead nearer to it."""
    if aim is None:
        return 0
    away, left = (distances_by_open_roads(column, start).get(aim, 0) for start in (column.start, goal))
    return left if left < away else 0


def distances_by_open_roads(column: Column, start: City) -> Mapping[City, int]:
    """Return the distance of each city from `start`, in steps. Only roads and lands that are open to the column are
    used."""
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
    """Return in words the city `aim` that a column approaches, and the piece in it if there is one. `met` has the names
    of cities that the note already tells. If the city is one of them, return an empty text."""
    named, there = blocks.city(column.rules, aim), stack_at(column.rules, column.field, aim)
    if named in met:
        return ""
    return f"{blocks.piece(column.rules, there[0])} ({named})" if there else named


def cities_in_need(column: Column) -> list[City]:
    """Return the cities with generals who need this column's train: generals outside their home country whom the train
    can reach. No other train of the power may be nearer to them."""
    rules, field = column.rules, column.field
    trains = [field.pieces[train].city for train in rules.trains(column.power) if field.pieces[train].city >= 0]
    generals = [general for general in rules.generals(column.power) if field.pieces[general].city >= 0]
    cities = [field.pieces[general].city for general in generals if not at_home(rules, field, general)]
    far = {city: rules.board.distance(city) for city in cities}
    reached = [city for city in cities if far[city][column.start] < UNREACHABLE]
    return [city for city in reached if all(far[city][column.start] <= far[city][train] for train in trains)]


LONGEST = WIDTH - 12
"""Largest length of a march in a sheet, in characters. The sheet indents each march and puts `# - ` before it."""


class Route(Struct, frozen=True):
    """March as it can be ordered: the cities that the order names, and all cities on the path."""

    named: tuple[City, ...]
    path: Road


def sort_by_distance(column: Column, ends: Sequence[City], aim: City | None) -> Sequence[City]:
    """Sort ends of a march by their distance to the city `aim`, the nearest first. If `aim` is None, their order
    stays."""
    if aim is None:
        return ends
    far = distances_by_open_roads(column, aim)
    return sorted(ends, key=lambda city: (far.get(city, UNREACHABLE), city))


def is_short_line(column: Column, route: Route) -> bool:
    """True if the text of a march fits on a short line, and the march does not end at another stack."""
    return len(written_march(column, route)) <= LONGEST and column.entry(route.named[-1]) is not CityEntry.JOIN


def routes_through(column: Column, ways: Mapping[City, Road]) -> dict[City, Route]:
    """Return a march through each city that a column conquers when it leaves the city. The city where it starts can be
    one of them. Trains have no such marches."""
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
    """Return a march through a city that ends in any city beside it, if possible where all pieces are in
    supply. Return None if no such march is possible."""
    found: list[Route] = []
    for goal in column.rules.board.near[city]:
        route = Route((city, goal), (*way, goal))
        is_new = goal != column.start and goal not in way and not is_forced(column, route.path)
        if is_new and is_short_line(column, route) and is_open(column, route.path):
            found.append(route)
    fed = (route for route in found if not hungry_at(column, route.named[-1], route.path))
    return next(fed, found[0] if found else None)


def hungry_at(column: Column, city: City, way: Road) -> list[Piece]:
    """Return the pieces that would be out of supply in `city` after a march along `way`."""
    return [mover for mover in column.movers if city in cut_off_in(column.rules, column.field, mover, {city: way})]


def is_idle_at(column: Column, city: City, way: Road) -> bool:
    """True if a column would conquer nothing when it leaves this city, because all its pieces are face-down or will be
    after a march along `way`. Always False in games in which face-down pieces conquer."""
    hungry = hungry_at(column, city, way)
    down = [column.field.pieces[mover].down or mover in hungry for mover in column.movers]
    return not column.rules.down_conquer and all(down)


def names_of_some(column: Column, some: Sequence[Piece]) -> list[str]:
    """Return the names of some pieces of a column. Return no names if these are all its pieces."""
    return blocks.pieces(column.rules, some) if len(some) < len(column.movers) else []


# The same column is often asked for several times, one directly after the other.
@lru_cache(maxsize=1)
def written_pieces(column: Column) -> str:
    """Return the names of the moving pieces in the form that their power's orders use. They are joined by ` + `."""
    trains = map(TrainName.read, names := blocks.pieces(column.rules, column.movers))
    return " + ".join(train.own if train else name for name, train in zip(names, trains, strict=True))


def written_march(column: Column, route: Route) -> str:
    """Return a march as an order. Some names of cities need quotes in it."""
    return f"{written_pieces(column)}: {on_one_line(written_way(column, route))}"


def written_way(column: Column, route: Route) -> str:
    """Return the cities that an order of a march names. If the program finds paths itself, these are only the necessary
    cities, else all."""
    return ", ".join(blocks.cities(column.rules, route.named if column.rules.ways == "found" else route.path))


def own_hussars_on(column: Column, path: Road) -> list[City]:
    """Return the city of each hussar of the column's power that is on `path`."""
    return [city for city in column.field.hussars if column.power == column.rules.raiders and city in path]
