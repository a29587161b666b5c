"""Searches along roads, and the ways that they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from pbem.engine.nouns import City

NO_CITIES: frozenset[City] = frozenset()

Road = tuple[City, ...]
"""Way by road: the cities that it enters, in order."""

Search = Mapping[City, City]
"""Cities that roads reach, nearest first, each with the city before it on the way."""


class Obstacles(NamedTuple):
    """Obstacles of a search."""

    barred: Set[City] = NO_CITIES
    """Cities that may not be entered."""
    last: Set[City] = NO_CITIES
    """Cities that may be entered and not left."""
    closed: Callable[[City, City], bool] | None = None
    """Test of a step from one city to the next: True if it is closed."""


NO_OBSTACLES = Obstacles()


def search(start: City, steps: int, roads: Sequence[Road], obstacles: Obstacles = NO_OBSTACLES) -> Search:
    """Return the cities that roads reach in at most `steps` steps. The start is one of them if its neighbours lead
    back.
    """
    barred, last, closed = obstacles
    found: dict[City, City] = {}
    edge = [start]
    for _ in range(steps):
        beyond: list[City] = []
        for here in edge:
            for city in roads[here]:
                if city in found or city in barred or (closed is not None and closed(here, city)):
                    continue
                found[city] = here
                if city not in last:
                    beyond.append(city)
        edge = beyond
    return found


class Ways(Mapping[City, Road]):
    """Ways found by several searches from one city. To a city that several searches have found, the way of the first
    search is taken.

    A way is built only when it is asked for, because most callers need all ends and one way.
    """

    def __init__(self, start: City, searches: Sequence[Search], ends: Search | None = None) -> None:
        """Store the searches; `ends` restricts the cities that the ways lead to."""
        self.start, self.searches = start, searches
        self.ends = union_of(searches) if ends is None else ends
        self.told: dict[City, Road] = {}
        """Ways built so far."""

    def __getitem__(self, end: City) -> Road:
        road = self.told.get(end)
        if road is None:
            road = self.told[end] = self.put_together(end)
        return road

    def put_together(self, end: City) -> Road:
        """Build the way to a city, from its end backwards; raises KeyError if no way leads there."""
        if end not in self.ends:
            raise KeyError(end)
        for came_from in self.searches:
            if end in came_from:
                break
        way, here = [end], came_from[end]
        while here != self.start:
            way.append(here)
            here = came_from[here]
        return tuple(way[::-1])

    def __contains__(self, city: object) -> bool:
        return city in self.ends

    def __iter__(self) -> Iterator[City]:
        """Yield the ends of the ways, those of the first search first."""
        return iter(self.ends)

    def __len__(self) -> int:
        return len(self.ends)

    def ending(self, may_end: Callable[[City], bool]) -> Ways:
        """Return the ways whose end passes a test."""
        return Ways(self.start, self.searches, {city: here for city, here in self.ends.items() if may_end(city)})

    def but_for(self, cities: Set[City]) -> Ways:
        """Return the ways to all ends but these cities."""
        if not cities:
            return self
        return Ways(self.start, self.searches, {city: here for city, here in self.ends.items() if city not in cities})


def union_of(searches: Sequence[Search]) -> Search:
    """Return all cities that several searches have found. For a city in several searches, the last search says from
    which city the city is reached."""
    ends = searches[0]
    for more in searches[1:]:
        ends = {**ends, **more}
    return ends


class Free:
    """Cities that roads reach from a city if nothing stands in the way, with the paths to them."""

    def __init__(self, start: City, *searches: Search) -> None:
        """Store the cities of one or several searches."""
        self.ways = Ways(start, searches)
        """Shortest path to each city."""
        self.cities = frozenset(self.ways)

    @cached_property
    def inner(self) -> frozenset[City]:
        """Cities through which the path to another city leads."""
        return frozenset().union(*[found.values() for found in self.ways.searches]) - {self.ways.start}

    def passes(self, barred: Set[City], last: Set[City]) -> bool:
        """True if no path leads on through a city of `barred` or of `last`."""
        return self.inner.isdisjoint(barred) and self.inner.isdisjoint(last)
