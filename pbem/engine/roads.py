"""Searches along roads, and the paths that they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from pbem.engine.nouns import City

NO_CITIES: frozenset[City] = frozenset()

Road = tuple[City, ...]
"""Path by road: the cities that it enters, from the first to the last."""

Search = Mapping[City, City]
"""Result of a search: the cities that it reaches, nearest first, each with the city before it on the path."""


class Obstacles(NamedTuple):
    """Obstacles of a search: cities and steps that are closed to it."""

    barred: Set[City] = NO_CITIES
    """Cities that may not be entered."""
    last: Set[City] = NO_CITIES
    """Cities that may be entered and not left."""
    closed: Callable[[City, City], bool] | None = None
    """Function that tests if the step from one city to the next is closed."""


NO_OBSTACLES = Obstacles()


def search(start: City, steps: int, roads: Sequence[Road], obstacles: Obstacles = NO_OBSTACLES) -> Search:
    """Search along roads, and return the cities that are reached in at most `steps` steps. The start is included if a
    road leads back to it."""
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
    """Mapping from a city to the path that ends there. If several searches found the city, the first of these searches
    gives the path. A path is built at the first use."""

    def __init__(self, start: City, searches: Sequence[Search], ends: Search | None = None) -> None:
        """Store the searches. If `ends` is given, there are paths only to the cities in it."""
        self.start, self.searches = start, searches
        self.ends = union_of(searches) if ends is None else ends
        self.told: dict[City, Road] = {}
        """Paths built so far."""

    def __getitem__(self, end: City) -> Road:
        road = self.told.get(end)
        if road is None:
            road = self.told[end] = self.put_together(end)
        return road

    def put_together(self, end: City) -> Road:
        """Build the path to a city, from its end backwards; raises KeyError if no path leads there."""
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
        """Yield the cities that the searches have reached, in the order of the searches."""
        return iter(self.ends)

    def __len__(self) -> int:
        return len(self.ends)

    def ending(self, may_end: Callable[[City], bool]) -> Ways:
        """Return the paths that end in cities for which `may_end` is true."""
        return Ways(self.start, self.searches, {city: here for city, here in self.ends.items() if may_end(city)})

    def but_for(self, cities: Set[City]) -> Ways:
        """Return the paths to all ends except those in `cities`."""
        if not cities:
            return self
        return Ways(self.start, self.searches, {city: here for city, here in self.ends.items() if city not in cities})


def union_of(searches: Sequence[Search]) -> Search:
    """Return the cities of all searches, each with the city before it on the path. If several searches found a city,
    the last of these searches gives the city before it."""
    ends = searches[0]
    for more in searches[1:]:
        ends = {**ends, **more}
    return ends


class Free:
    """Cities that roads reach from a city on a map without pieces, with the paths to them."""

    def __init__(self, start: City, *searches: Search) -> None:
        """Store the cities that one or several searches from `start` have found."""
        self.ways = Ways(start, searches)
        """Shortest path to each city."""
        self.cities = frozenset(self.ways)

    @cached_property
    def inner(self) -> frozenset[City]:
        """Cities through which a path to another city leads."""
        return frozenset().union(*[found.values() for found in self.ways.searches]) - {self.ways.start}

    def passes(self, barred: Set[City], last: Set[City]) -> bool:
        """True if no city of `barred` or `last` lies in the middle of a path. Such a city may be the end of a path."""
        return self.inner.isdisjoint(barred) and self.inner.isdisjoint(last)
