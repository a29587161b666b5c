"""Completion of a march whose cities are not all named: the shortest open way with the fewest side effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from msgspec import Struct

from pbem.engine.board import UNREACHABLE, Board
from pbem.engine.copying import deep_copy
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Conquered, HussarRemoved, Questioned, TrainTaken
from pbem.engine.march import Column, march
from pbem.engine.march_check import check
from pbem.engine.nouns import City
from pbem.engine.roads import Road

MOST_WAYS = 10_000
"""Most ways of one length that are tried, in the order of the board.

Our boards have fewer; the limit guards against boards made to have more.
"""

EFFECTS = (Conquered, Questioned, TrainTaken, HussarRemoved)
"""Side effects of a march, the least wanted first."""

Effects = tuple[frozenset[City], ...]
"""Cities of each side effect."""


class Way(Struct, frozen=True):
    """One of the shortest ways, and its side effects in cities that were not named."""

    path: Road
    effects: Effects


def has_gaps(board: Board, start: City, stops: Sequence[City]) -> bool:
    """True if some of the cities to enter are not named."""
    return any(city not in board.adjacent[here] for here, city in pairwise((start, *stops)))


def ways_to(column: Column, stops: Sequence[City]) -> list[Way]:
    """Shortest open ways over these cities, in this order; the best one first.

    The best way conquers in the fewest cities that are not named. Among equals it questions, takes trains and removes
    hussars in the fewest, then the names of its cities decide.
    """
    board = column.rules.board
    for length in range(max(1, least(board, column.start, stops)), max(column.ranges) + 1):
        roads = board.main if length > column.ranges[0] else board.near
        tried = islice(walks(board, roads, (column.start,), stops, length), MOST_WAYS)
        paths = [path for path in tried if is_open(column, path)]
        if paths:
            ways = [Way(path, effects(column, path, stops)) for path in paths]
            return sorted(ways, key=lambda way: ([len(where) for where in way.effects], board.names(way.path)))
    return []


def nearest(column: Column, stops: Sequence[City]) -> Road | None:
    """Shortest way by any road, whatever stands there and however far it is, so that a refusal can name the fault.

    None if there is none.
    """
    if len({column.start, *stops}) <= len(stops):
        return None
    board = column.rules.board
    way = [column.start]
    for goal in stops:
        far = board.distance(goal)
        if far[way[-1]] == UNREACHABLE:
            return None
        while far[here := way[-1]]:
            nearer = (city for city in board.near[here] if far[city] < far[here])
            way.append(min(nearer, key=lambda city: board.cities[city].name))
    return tuple(way[1:]) if len(set(way)) == len(way) else None


def least(board: Board, start: City, stops: Sequence[City]) -> int:
    """Smallest number of cities that a way over these stops enters."""
    return sum(board.distance(here)[city] for here, city in pairwise((start, *stops)))


def walks(
    board: Board, roads: Sequence[Sequence[City]], way: Road, stops: Sequence[City], length: int
) -> Iterator[Road]:
    """Every continuation of `way` over these stops by exactly so many cities; no city is entered twice."""
    if not stops:
        if length == 0:
            yield way[1:]
        return
    for city in roads[way[-1]]:
        rest = stops[1:] if city == stops[0] else stops
        if city not in way and 1 + least(board, city, rest) <= length:
            yield from walks(board, roads, (*way, city), rest, length - 1)


def is_open(column: Column, path: Road) -> bool:
    """True if the rules let these pieces go this way."""
    try:
        check(column, path)
    except IllegalOrder:
        return False
    return True


def effects(column: Column, path: Road, named: Sequence[City]) -> Effects:
    """Side effects of the march in cities that are not named, tried on a copy of the field."""
    trial = Column(column.rules, deep_copy(column.field), column.movers, column.circumstances)
    events = march(trial.rules, trial.field, trial, path, None)
    return tuple(
        frozenset(event.city for event in events if isinstance(event, kind) and event.city not in named)
        for kind in EFFECTS
    )
