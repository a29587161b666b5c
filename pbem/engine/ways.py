"""The way of a march of which cities are left out: the shortest that is open, and of these the one that does least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from msgspec import Struct

from pbem.engine.board import UNREACHABLE, Board
from pbem.engine.copying import copied
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Conquered, HussarRemoved, Questioned, TrainTaken
from pbem.engine.march import Column, march
from pbem.engine.march_check import check
from pbem.engine.nouns import City
from pbem.engine.roads import Road

MOST_WAYS = 10_000
"""How many ways of one length are tried, in the order of the board: ours have fewer, one made to have more could."""

EFFECTS = (Conquered, Questioned, TrainTaken, HussarRemoved)
"""What a march may do on its way, what it should rather not do unasked first."""

Effects = tuple[frozenset[City], ...]
"""The cities where it does each of these."""


class Way(Struct, frozen=True):
    """One of the shortest ways, and what it does in cities that were not named."""

    path: Road
    effects: Effects


def has_gaps(board: Board, start: City, stops: Sequence[City]) -> bool:
    """Whether some of the cities to enter are left out."""
    return any(city not in board.adjacent[here] for here, city in pairwise((start, *stops)))


def ways_to(column: Column, stops: Sequence[City]) -> list[Way]:
    """The shortest ways that are open over these cities, in this order; the one to take first.

    It conquers in the fewest cities that are not named; then it questions, takes trains, removes hussars in the fewest;
    then it is the first by the names of its cities.
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
    """A shortest way by any roads, whatever stands there and however far it is: what is wrong with it can be told."""
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
    """How many cities such a way enters at least."""
    return sum(board.distance(here)[city] for here, city in pairwise((start, *stops)))


def walks(
    board: Board, roads: Sequence[Sequence[City]], way: Road, stops: Sequence[City], length: int
) -> Iterator[Road]:
    """Every way on of so many cities over these stops, after one gone so far; it comes through no city twice."""
    if not stops:
        if length == 0:
            yield way[1:]
        return
    for city in roads[way[-1]]:
        rest = stops[1:] if city == stops[0] else stops
        if city not in way and 1 + least(board, city, rest) <= length:
            yield from walks(board, roads, (*way, city), rest, length - 1)


def is_open(column: Column, path: Road) -> bool:
    """Whether the rules let these pieces go this way."""
    try:
        check(column, path)
    except IllegalOrder:
        return False
    return True


def effects(column: Column, path: Road, named: Sequence[City]) -> Effects:
    """What the march does on this way in cities that are not named, tried on a copy of the field."""
    trial = Column(column.rules, copied(column.field), column.movers, column.circumstances)
    events = march(trial.rules, trial.field, trial, path, None)
    return tuple(
        frozenset(event.city for event in events if isinstance(event, kind) and event.city not in named)
        for kind in EFFECTS
    )
