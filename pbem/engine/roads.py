"""Where roads lead, step by step, and the ways that were found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from pbem.engine.nouns import City

NO_CITIES: frozenset[City] = frozenset()

Road = tuple[City, ...]
"""A way by road: the cities that it enters, one after the other."""

Search = Mapping[City, City]
"""The cities that roads lead to, the nearest first, each with the one before it."""


class Obstacles(NamedTuple):
    """What stands in the way."""

    barred: Set[City] = NO_CITIES
    """Cities that nobody enters."""
    last: Set[City] = NO_CITIES
    """Cities from which nobody goes on."""
    closed: Callable[[City, City], bool] | None = None
    """Whether a single step is closed."""


NO_OBSTACLES = Obstacles()


def search(start: City, steps: int, roads: Sequence[Road], obstacles: Obstacles = NO_OBSTACLES) -> Search:
    """The cities that roads lead to in so many steps, by a shortest way; the start too, by a neighbour."""
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
    """The ways that several searches from one city have found: of two to one city that of the first.

    A way is put together when somebody asks for it: most ask where roads lead, and go one of them.
    """

    def __init__(self, start: City, searches: Sequence[Search], ends: Search | None = None) -> None:
        """Note where they lead: to all that was found, or not to all of it."""
        self.start, self.searches = start, searches
        self.ends = joined(searches) if ends is None else ends
        self.told: dict[City, Road] = {}
        """The ways that somebody has asked for."""

    def __getitem__(self, end: City) -> Road:
        """The way to a city."""
        road = self.told.get(end)
        if road is None:
            road = self.told[end] = self.put_together(end)
        return road

    def put_together(self, end: City) -> Road:
        """The way to a city, from its end."""
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
        """Whether one of them leads to a city."""
        return city in self.ends

    def __iter__(self) -> Iterator[City]:
        """The cities they lead to, those of the first search before those of the next."""
        return iter(self.ends)

    def __len__(self) -> int:
        """To how many cities they lead."""
        return len(self.ends)

    def ending(self, may_end: Callable[[City], bool]) -> Ways:
        """Those of the ways that may end where they lead."""
        ends = {city: before for city, before in self.ends.items() if may_end(city)}
        return Ways(self.start, self.searches, ends)


def joined(searches: Sequence[Search]) -> Search:
    """All that several searches have found."""
    ends = searches[0]
    for more in searches[1:]:
        ends = {**ends, **more}
    return ends


class Free:
    """Where roads lead from a city if nothing stands in the way: searched once, and kept."""

    def __init__(self, start: City, *searches: Search) -> None:
        """The cities, by one or several searches."""
        self.found = searches[0]
        self.start = start
        self.ways = Ways(start, searches)
        self.cities = frozenset(self.ways)

    @cached_property
    def inner(self) -> frozenset[City]:
        """The cities that a path to another one leads through."""
        return frozenset(self.found.values()) - {self.start}
