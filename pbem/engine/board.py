"""Map as a graph: cities, roads, sectors, and distances by road."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from pbem.engine.nouns import City, Power, Suit, each_city
from pbem.engine.roads import Free, Road, search

SUITS = ("clubs", "diamonds", "hearts", "spades")
"""The four suits. The engine computes with the index of a suit in this tuple."""

# The greatest value of a byte, because distances are stored as bytes.
UNREACHABLE = 255
"""The distance between two cities that no road joins."""

Fortress = Literal["minor", "major"]


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """A rectangle on the canvas, in pixels; y grows southwards."""

    x: int
    y: int
    w: int
    h: int


class Canvas(Struct, frozen=True, forbid_unknown_fields=True):
    """The size of the whole drawing, in pixels."""

    w: int
    h: int


class CityData(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """City as a board file describes it."""

    name: str
    map: str
    x: int
    y: int
    land: str
    suit: Literal["clubs", "diamonds", "hearts", "spades"]
    fortress: Fortress | None = None
    elector: bool = False
    traits: tuple[str, ...] = ()


class Sector(Struct, frozen=True, forbid_unknown_fields=True):
    """Rectangle of a map's grid, and the suit of the cards that are played for stacks in it (MARIA §3.2)."""

    map: str
    x: int
    y: int
    w: int
    h: int
    suit: Literal["clubs", "diamonds", "hearts", "spades"]


class GeneralStart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Starting place of a general: a city, or a box beside the map."""

    name: str
    rank: int
    city: str | None = None
    box: str | None = None


class TrainStart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Starting place of a supply train: a city, or a box beside the map."""

    city: str | None = None
    box: str | None = None


class ArmyStart(Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up places of one power."""

    generals: tuple[GeneralStart, ...] = ()
    trains: tuple[TrainStart, ...] = ()


class OffMap(Struct, frozen=True, forbid_unknown_fields=True):
    """Box of a power beside the map, and the city to which the printed arrow of the box points."""

    box: str
    city: str


class Objectives(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Cities that a power must conquer. A card of fate may release the power from the cities in `second` (FRIEDRICH
    §11)."""

    first: tuple[str, ...]
    second: tuple[str, ...] = ()


class Area(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Description of a set of cities. A city belongs to the set if it fits every field that is given: it lies in the
    sector of the city `around`, in the land `land`, and north of the city `north_of`."""

    around: str | None = None
    land: str | None = None
    north_of: str | None = None


class BoardData(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A whole board file: everything printed on one game board."""

    name: str
    title: str
    canvas: Canvas
    maps: dict[str, Frame]
    powers: dict[Power, tuple[str, ...]]
    """Home lands of each power."""
    cities: tuple[CityData, ...]
    main_roads: tuple[tuple[str, ...], ...]
    roads: tuple[tuple[str, ...], ...]
    note: str = ""
    other_lands: tuple[str, ...] = ()
    """Lands that are no power's home."""
    sectors: tuple[Sector, ...] = ()
    setup: dict[Power, ArmyStart] = {}
    off_map: dict[Power, OffMap] = {}
    occupied: dict[Power, tuple[str, ...]] = {}
    """Foreign lands whose fortresses a power protects as its own."""
    objectives: dict[Power, Objectives] = {}
    depots: dict[Power, tuple[str, ...]] = {}
    re_entry: dict[Power, Area] = {}
    """Area where a power's lost pieces may return, keyed by power."""
    re_entry_narrow: dict[Power, Area] = {}
    """Smaller areas than in `re_entry`. A game that reads the rule on the return of lost pieces narrowly uses the
    smaller areas."""
    regions: dict[str, tuple[str, ...]] = {}
    """Groups of cities to which rules refer by name."""
    lines: dict[str, int] = {}
    """Position of each line across the map that has a name: its y in pixels, keyed by name."""


class CityFacts(Struct, frozen=True):
    """One city of the board, with its index."""

    index: City
    name: str
    map: str
    land: str
    suit: Suit
    fortress: Fortress | None
    elector: bool
    traits: frozenset[str]
    x: int
    y: int


class Board:
    """Graph of cities by index, with their roads and distances. Distances are computed once and stored."""

    def __init__(self, board_data: BoardData, maps: Iterable[str] | None = None) -> None:
        """Build the board. `maps` names the maps in play; None stands for all maps. Roads to a map that is not in play
        are left out (MARIA §14)."""
        self.data = board_data
        self.name = board_data.name
        self.title = board_data.title
        self.maps = frozenset(board_data.maps) if maps is None else frozenset(maps)
        self.cities = tuple(
            CityFacts(
                i,
                c.name,
                c.map,
                c.land,
                Suit(SUITS.index(c.suit)),
                c.fortress,
                c.elector,
                frozenset(c.traits),
                c.x,
                c.y,
            )
            for i, c in each_city(board_data.cities)
        )
        self.index = {city.name: city.index for city in self.cities}
        self.suit = tuple(city.suit for city in self.cities)
        self.land = tuple(city.land for city in self.cities)
        self.map = tuple(city.map for city in self.cities)
        self.fortresses = tuple(c.index for c in self.cities if c.fortress and c.map in self.maps)
        self.major_fortresses = tuple(city for city in self.fortresses if self.cities[city].fortress == "major")
        self.main = self._neighbours(board_data.main_roads)
        self.near = self._neighbours((*board_data.main_roads, *board_data.roads))
        self.near_inside = self._on_one_map(self.near)
        self.main_inside = self._on_one_map(self.main)
        self._free: dict[tuple[int, int, bool, bool], Free] = {}
        self._ground: dict[tuple[City, int, int, int, bool], Free] = {}
        self._south: dict[str, frozenset[City]] = {}
        self._distance: dict[int, bytes] = {}
        self._within: dict[tuple[City, int], frozenset[City]] = {}

    def _neighbours(self, chains: Iterable[tuple[str, ...]]) -> tuple[Road, ...]:
        near: list[set[City]] = [set() for _ in self.cities]
        for a, b in links(chains):
            one, other = self.index[a], self.index[b]
            if self.map[one] in self.maps and self.map[other] in self.maps:
                near[one].add(other)
                near[other].add(one)
        return tuple(tuple(sorted(cities)) for cities in near)

    def _on_one_map(self, roads: Sequence[tuple[City, ...]]) -> tuple[tuple[City, ...], ...]:
        """Return `roads` without roads to another map. `roads` has the neighbours of every city."""
        maps = self.map
        return tuple(tuple(b for b in near if maps[a] == maps[b]) for a, near in enumerate(roads))

    def roads(self, main_only: bool, cross_maps: bool) -> Sequence[tuple[City, ...]]:
        """Return the neighbours of every city, indexed by city. With `main_only` only neighbours by main roads are
        returned. Without `cross_maps` neighbours on another map are left out."""
        if main_only:
            return self.main if cross_maps else self.main_inside
        return self.near if cross_maps else self.near_inside

    def free(self, start: City, steps: int, main_only: bool, cross_maps: bool) -> Free:
        """Return the cities that lie at most `steps` steps from the start on an empty map, with the shortest paths to
        them. `main_only` and `cross_maps` are as in `roads`."""
        key = (start, steps, main_only, cross_maps)
        found = self._free.get(key)
        if found is None:
            found = self._free[key] = Free(start, search(start, steps, self.roads(main_only, cross_maps)))
        return found

    def ground(self, start: City, any_road: int, main_road: int, forced: int, cross_maps: bool) -> Free:
        """Return the cities that a march reaches on an empty map, with the paths to them. `any_road` is the largest
        number of steps by any road. `main_road` and `forced` are the largest numbers of steps by main roads, for an
        ordinary and for a forced march. With `cross_maps` the march may go from one map to another."""
        key = (start, any_road, main_road, forced, cross_maps)
        found = self._ground.get(key)
        if found is None:
            parts = ((any_road, False), (main_road, True), (forced, True))
            free = [self.free(start, steps, main, cross_maps).ways.ends for steps, main in parts]
            found = self._ground[key] = Free(start, *free)
        return found

    def names(self, cities: Iterable[City]) -> tuple[str, ...]:
        return tuple(self.cities[city].name for city in cities)

    def in_play(self, city: City) -> bool:
        """True if the city lies on one of the maps in play."""
        return self.map[city] in self.maps

    def distance(self, city: City) -> bytes:
        """Return the distance from this city to every city, in steps by road. The result is indexed by city. Pieces do
        not count as obstacles."""
        row = self._distance.get(city)
        if row is None:
            row = self._distance[city] = self._distances_from(city)
        return row

    def _distances_from(self, start: City) -> bytes:
        far = bytearray([UNREACHABLE]) * len(self.cities)
        far[start], edge, steps = 0, [start], 0
        while edge:
            steps += 1
            beyond: list[City] = []
            for here in edge:
                for city in self.near[here]:
                    if far[city] == UNREACHABLE:
                        far[city] = steps
                        beyond.append(city)
            edge = beyond
        return bytes(far)

    def least_steps(self, start: City, stops: Sequence[City]) -> int:
        """Return the smallest number of cities that a path over the cities `stops` enters."""
        return sum(self.distance(here)[city] for here, city in pairwise((start, *stops)))

    def cities_within(self, city: City, steps: int) -> frozenset[City]:
        """Return the city, and all cities that lie at most `steps` steps by road from it."""
        ring = self._within.get((city, steps))
        if ring is None:
            ring = self._within[city, steps] = frozenset((city, *search(city, steps, self.near)))
        return ring

    @cached_property
    def sector(self) -> tuple[int, ...]:
        """Index of every city's sector among the sectors of the board; -1 for a city without a sector."""
        return tuple(sector_of(self.data.sectors, city) for city in self.data.cities)

    def area(self, wanted: Area) -> frozenset[City]:
        """Return the cities in play that match the description `wanted`."""
        middle = None if wanted.around is None else self.sector[self.index[wanted.around]]
        limit = None if wanted.north_of is None else self.cities[self.index[wanted.north_of]].y
        return frozenset(
            city.index
            for city in self.cities
            if self.in_play(city.index)
            # -1 means no sector: two cities without a sector are not in the same sector.
            and (middle is None or self.sector[city.index] == middle >= 0)
            and (wanted.land is None or city.land == wanted.land)
            and (limit is None or city.y < limit)
        )

    def south_of(self, line: str) -> frozenset[City]:
        """Return the cities south of a line on the map. The board file defines the line under the name `line`."""
        if line not in self._south:
            self._south[line] = frozenset(city.index for city in self.cities if city.y > self.data.lines[line])
        return self._south[line]

    @cached_property
    def of_land(self) -> dict[str, tuple[City, ...]]:
        return {
            land: tuple(c for c, other in each_city(self.land) if other == land) for land in dict.fromkeys(self.land)
        }

    @cached_property
    def of_map(self) -> dict[str, frozenset[City]]:
        return {name: frozenset(c for c, other in each_city(self.map) if other == name) for name in self.data.maps}

    @cached_property
    def adjacent(self) -> tuple[frozenset[City], ...]:
        """The neighbours of each city, as sets indexed by city."""
        return tuple(frozenset(near) for near in self.near)

    @cached_property
    def neighbourhoods(self) -> tuple[frozenset[City], ...]:
        """Each city and its neighbours, as sets indexed by city."""
        return tuple(near | {city} for city, near in each_city(self.adjacent))

    @cached_property
    def on_main(self) -> tuple[frozenset[City], ...]:
        """The neighbours of each city by main road, as sets indexed by city."""
        return tuple(frozenset(near) for near in self.main)


def sector_of(sectors: Sequence[Sector], city: CityData) -> int:
    """Return the index of the sector in which a city lies; -1 for a city outside of all sectors."""
    for number, sector in enumerate(sectors):
        inside = sector.x <= city.x <= sector.x + sector.w and sector.y <= city.y <= sector.y + sector.h
        if inside and sector.map == city.map:
            return number
    return -1


def links(chains: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of neighbouring cities along the roads. Each chain names the cities of one road in their
    order."""
    for chain in chains:
        yield from pairwise(chain)
