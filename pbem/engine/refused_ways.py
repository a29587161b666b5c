"""Paths that the refusal of a march names: for orders that leave cities out, and to which no path is open (MARIA §10.1;
FRIEDRICH §4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from itertools import islice

from pbem.engine.board import UNREACHABLE
from pbem.engine.field import OFF, alter
from pbem.engine.march import Column
from pbem.engine.nouns import City, Piece
from pbem.engine.roads import Road, Ways, search
from pbem.engine.table import deep_copy
from pbem.engine.ways import best_way, by_length, is_open, ways_on

MOST_REFUSED = 100
"""Number of paths of one length that are compared to find the path that a refusal names."""


def refused_way(column: Column, stops: Sequence[City]) -> Road | None:
    """Return the path over the cities `stops` that a refusal names: the path that is nearest to a legal march. Return
    None if there is no path."""
    in_range = (path for paths in by_length(column, stops) for path in islice(paths, MOST_REFUSED))
    ways = [*in_range, *filter(None, (nearest_by_main(column, stops), nearest(column, stops)))]
    way = min(ways, key=partial(faults_of_way, column), default=None)
    # A march that enters a city twice is never found for an order. If it is legal, its cities have to be written.
    return None if way and len({column.start, *way}) <= len(way) and is_open(column, way) else way


def returning_way(column: Column, stops: Sequence[City]) -> Road | None:
    """Return a legal path over the cities `stops` that enters a city twice or comes back to the start. Return None if
    none is found. Call this only if no other path is open."""
    way = best_way(column, stops[:1])
    for goal in stops[1:]:
        way = ways_on(column, way, {goal}).get(goal) if way else None
    return way if way and is_in_turn(way, stops) else None


def is_in_turn(way: Sequence[City], stops: Sequence[City]) -> bool:
    """True if a path enters all cities in `stops`, and none of them before its turn."""
    left = [*stops]
    for city in way:
        if left and city == left[0]:
            left.pop(0)
        elif city in left:
            return False
    return not left


def faults_of_way(column: Column, path: Road) -> tuple[bool, int]:
    """Return True if a road of the path is closed, else False, and the number of cities by which the path is too long.
    If enemies close the path to a forced march, the path may be as long as an ordinary march."""
    most, main_road, forced = column.ranges
    if column.steps_by_main(path) == len(path):
        most = max(main_road, forced) if column.obstacles.shunned.isdisjoint(path) else main_road
    return any(map(column.step_closed, (column.start, *path), path)), max(0, len(path) - most)


def way_but_for(column: Column, stops: Sequence[City], pieces: Collection[Piece]) -> Road | None:
    """Return the best of the shortest paths over the cities `stops` that would be open without some pieces. Return None
    if there is none."""
    field = deep_copy(column.field)
    for piece in pieces:
        alter(field, piece, city=OFF)
    return best_way(Column(column.rules, field, column.movers, column.circumstances), stops) if pieces else None


def nearest_by_main(column: Column, stops: Sequence[City]) -> Road | None:
    """Return a shortest path over the cities `stops` by main roads, even if pieces block the path or the path is too
    long. Return None if there is no path, or if it would enter a city twice."""
    board = column.rules.board
    way = [column.start]
    for goal in stops:
        part = Ways(way[-1], [search(way[-1], len(board.cities), board.main)]).get(goal)
        if not part:
            return None
        way += part
    return tuple(way[1:]) if len(set(way)) == len(way) else None


def nearest(column: Column, stops: Sequence[City]) -> Road | None:
    """Return a shortest path over the cities `stops` by any road, even if blocked or too long. Other cities may be
    entered twice. Return None if there is no path, or if it would enter one of `stops` before its turn."""
    board = column.rules.board
    way = [column.start]
    for goal in stops:
        far = board.distance(goal)
        if far[way[-1]] == UNREACHABLE:
            return None
        while far[here := way[-1]]:
            nearer = (city for city in board.near[here] if far[city] < far[here])
            way.append(min(nearer, key=lambda city: board.cities[city].name))
    return tuple(way[1:]) if is_in_turn(way[1:], stops) else None
