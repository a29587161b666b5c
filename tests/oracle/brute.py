"""A brute-force oracle for MARIA: marches, conquests, supply, retreats, hussars and re-entry.

Everything here is found by listing all walks (or all simple paths) of a board and then throwing away those that break
a rule. It is slow and plain on purpose, it shares no code with the program, and it was written from the rule book
alone, so that a slip in the one is not repeated in the other. The numbers in brackets (§) are sections of the book.

A path is the list of cities entered one after the other, without the city of departure. Its length is the number of
cities entered, which is also what "distance" means everywhere; a distance ignores pieces (§ names no other measure).

`python -m tests.oracle.brute` prints the counts for `situations.yaml`; with `--write` it rewrites `counts.yaml`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
BOARD = HERE.parents[1] / "rules" / "maria" / "boards" / "theatrum-belli.yaml"
SITUATIONS = HERE / "situations.yaml"
COUNTS = HERE / "counts.yaml"

WalkPath = tuple[str, ...]

# §2
SIDES = (frozenset({"france", "bavaria", "prussia", "saxony"}), frozenset({"austria", "pragmatic"}))
CO_OPERATING = (
    frozenset({"france", "bavaria"}),
    frozenset({"prussia", "saxony"}),
    frozenset({"austria", "pragmatic"}),
)
MAJOR_POWERS = frozenset({"austria", "prussia", "france", "pragmatic"})
# §10.1, §11.2: whose pieces may cross between the maps
CROSSING_POWERS = frozenset({"france", "austria"})
# §4: who controls the fortresses outside every home country at the start. The four electors of the west are held by
# one side jointly (§10.3); "austria" stands for Austria and the Pragmatic Army.
START_CONTROL = {
    "Liegnitz": "prussia",
    "Glogau": "prussia",
    "Schweidnitz": "austria",
    "Breslau": "austria",
    "Brieg": "austria",
    "Neisse": "austria",
    "Cosel": "austria",
    "Köln": "france",
    "Mannheim": "france",
    "Mainz": "austria",
    "Trier": "austria",
}


def allies(power: str) -> frozenset[str]:
    return next(side for side in SIDES if power in side)


# -------- the board


@dataclass(frozen=True)
class City:
    name: str
    map: str
    land: str
    fortress: str = ""  # "", "minor" or "major"


def near_table(cities: Iterable[str], roads: Iterable[frozenset[str]]) -> dict[str, list[str]]:
    near: dict[str, list[str]] = {city: [] for city in cities}
    for road in roads:
        one, other = sorted(road)
        near[one].append(other)
        near[other].append(one)
    return {city: sorted(others) for city, others in near.items()}


@dataclass(frozen=True)
class Board:
    cities: Mapping[str, City]
    roads: frozenset[frozenset[str]]  # every road, main roads included
    main_roads: frozenset[frozenset[str]]
    homes: Mapping[str, frozenset[str]]  # power -> lands of its home country (§3.2)

    @cached_property
    def _near(self) -> dict[str, list[str]]:
        return near_table(self.cities, self.roads)

    @cached_property
    def _near_on_main_roads(self) -> dict[str, list[str]]:
        return near_table(self.cities, self.main_roads)

    @cached_property
    def _away(self) -> dict[str, dict[str, int]]:
        return {}  # filled by distances(): the same board is asked many times

    def neighbours(self, city: str) -> list[str]:
        return self._near[city]

    def main_neighbours(self, city: str) -> list[str]:
        return self._near_on_main_roads[city]

    def home_power(self, city: str) -> str:
        """The power whose home country the city is in, or ""."""
        for power, lands in self.homes.items():
            if self.cities[city].land in lands:
                return power
        return ""

    def fortresses(self) -> list[str]:
        return [city.name for city in self.cities.values() if city.fortress]


def chain_roads(chains: Iterable[Sequence[str]]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for chain in chains for pair in pairwise(chain))


def read_board(data: Mapping[str, Any]) -> Board:
    cities = {
        str(row["name"]): City(str(row["name"]), str(row["map"]), str(row["land"]), str(row.get("fortress", "")))
        for row in data["cities"]
    }
    main = chain_roads(data["main_roads"])
    minor = chain_roads(data["roads"])
    homes = {str(power): frozenset(map(str, lands)) for power, lands in data["powers"].items()}
    board = Board(cities, main | minor, main, homes)
    unknown = {city for road in board.roads for city in road} - set(cities)
    if unknown:
        raise ValueError(f"roads to unknown cities: {sorted(unknown)}")
    return board


def one_map(board: Board, name: str) -> Board:
    """§14: only this map exists; the cities of the other one and the roads to them do not."""
    cities = {city.name: city for city in board.cities.values() if city.map == name}
    inside = frozenset(road for road in board.roads if all(city in cities for city in road))
    return Board(cities, inside, frozenset(road for road in board.main_roads if road in inside), board.homes)


def distances(board: Board, start: str) -> dict[str, int]:
    """Distance in cities of every city that roads lead to, pieces ignored."""
    if start in board._away:
        return board._away[start]
    found = {start: 0}
    wave = [start]
    while wave:
        following: list[str] = []
        for city in wave:
            for other in board.neighbours(city):
                if other not in found:
                    found[other] = found[city] + 1
                    following.append(other)
        wave = following
    board._away[start] = found
    return found


def distance(board: Board, one: str, other: str) -> int | None:
    return distances(board, one).get(other)


# -------- the situation


@dataclass(frozen=True)
class Piece:
    name: str
    power: str
    kind: str  # "general" or "train"
    rank: int = 0
    city: str | None = None  # None: off the board
    face_down: bool = False
    in_play: bool = True  # False: takes no part in the game (§4 notes, §14)


@dataclass(frozen=True)
class Situation:
    board: Board
    pieces: Mapping[str, Piece]
    control: Mapping[str, str] = field(default_factory=dict)  # markers; they go before START_CONTROL and the land
    hussars: tuple[str, ...] = ()
    introductory: bool = False
    sides: tuple[frozenset[str], ...] = SIDES
    co_operating: tuple[frozenset[str], ...] = CO_OPERATING

    def enemies(self, one: str, other: str) -> bool:
        """§2: powers that are not allied to each other are enemies."""
        return one != other and not any(one in side and other in side for side in self.sides)

    def co_operate(self, one: str, other: str) -> bool:
        """True if generals of the two powers may stack and protect each other's fortresses (§6, §10.3)."""
        return one == other or any(one in pair and other in pair for pair in self.co_operating)

    def controller(self, fortress: str) -> str:
        """§3.2: the marker's power; without a marker the power of the home country."""
        if not self.board.cities[fortress].fortress:
            raise ValueError(f"{fortress} is no fortress")
        home = self.board.home_power(fortress)
        return self.control.get(fortress) or START_CONTROL.get(fortress) or home

    def enemy_fortress(self, city: str, power: str) -> bool:
        return bool(self.board.cities[city].fortress) and self.enemies(self.controller(city), power)

    def on_board(self) -> list[Piece]:
        return [piece for piece in self.pieces.values() if piece.city is not None]

    def standing_in(self, city: str, ignoring: Iterable[str] = ()) -> list[Piece]:
        gone = set(ignoring)
        return [piece for piece in self.on_board() if piece.city == city and piece.name not in gone]


def faults(situation: Situation) -> list[str]:
    """Reasons why a situation is impossible (so that a test situation is not nonsense)."""
    found = []
    for city in sorted({piece.city for piece in situation.on_board() if piece.city is not None}):
        if city not in situation.board.cities:
            found.append(f"{city} is not on the board")
            continue
        here = situation.standing_in(city)
        stack = len(here) == 2 and all(piece.kind == "general" for piece in here)
        if len(here) > 1 and not (stack and situation.co_operate(here[0].power, here[1].power)):
            found.append(f"{city}: only a stack of two generals may share a city (§6)")
    for city in situation.hussars:
        if city not in situation.board.cities or situation.board.cities[city].map != "bohemia":
            found.append(f"hussar in {city}: not on the Bohemia map (§7)")
        elif situation.standing_in(city):
            found.append(f"hussar in {city}: a piece stands there (§7)")
    for fortress in situation.control:
        if fortress not in situation.board.cities or not situation.board.cities[fortress].fortress:
            found.append(f"{fortress} is no fortress")
    return found


def common_city(situation: Situation, movers: Sequence[str]) -> str:
    """The city of pieces that move or retreat together."""
    pieces = [situation.pieces[name] for name in movers]
    cities = {piece.city for piece in pieces}
    if len(cities) != 1 or None in cities:
        raise ValueError(f"{', '.join(movers)}: not together on the board")
    if len(pieces) > 1 and (len(pieces) > 2 or any(piece.kind != "general" for piece in pieces)):
        raise ValueError(f"{', '.join(movers)}: only two generals move together")
    return str(pieces[0].city)


# -------- walks and paths


def walks(board: Board, start: str, longest: int, main_only: bool = False) -> Iterator[WalkPath]:
    """Every walk of 1 to `longest` cities, back and forth allowed, pieces ignored."""
    near = {
        city: (board.main_neighbours(city) if main_only else board.neighbours(city))
        for city in within(board, start, longest)
    }

    def extend(path: WalkPath) -> Iterator[WalkPath]:
        if path:
            yield path
        if len(path) < longest:
            for city in near[path[-1] if path else start]:
                yield from extend((*path, city))

    yield from extend(())


def within(board: Board, start: str, reach: int) -> set[str]:
    return {city for city, steps in distances(board, start).items() if steps <= reach}


def simple_paths(board: Board, start: str, longest: int, closed: Iterable[str] = ()) -> Iterator[WalkPath]:
    """Every path of 1 to `longest` cities which enters no city twice, nor the start, nor a closed city."""
    shut = set(closed)
    near = {city: board.neighbours(city) for city in within(board, start, longest)}

    def extend(path: WalkPath) -> Iterator[WalkPath]:
        if path:
            yield path
        if len(path) < longest:
            for city in near[path[-1] if path else start]:
                if city not in shut and city not in path and city != start:
                    yield from extend((*path, city))

    yield from extend(())


def steps_of(start: str, path: WalkPath) -> list[tuple[str, str]]:
    return list(zip((start, *path), path, strict=False))


# -------- §10.1 movement


def crossing_fault(situation: Situation, powers: Iterable[str], start: str, path: WalkPath) -> str:
    """§10.1, §11.2: every piece that goes from one map to the other must be French or Austrian."""
    cities = situation.board.cities
    if all(cities[one].map == cities[other].map for one, other in steps_of(start, path)):
        return ""
    return "" if set(powers) <= CROSSING_POWERS else "only French and Austrian pieces cross between the maps"


def occupation_fault(situation: Situation, movers: Sequence[str], path: WalkPath, forced: bool) -> str:
    """§6, §10.1: whom the movers meet on the way."""
    pieces = [situation.pieces[name] for name in movers]
    gone = set(movers)  # the movers have left; so have enemy trains they have run over
    for number, city in enumerate(path, start=1):
        met = situation.standing_in(city, ignoring=gone)
        if not met:
            continue
        if pieces[0].kind == "train":
            return f"a train may not enter {city}"
        if all(other.kind == "train" and situation.enemies(other.power, pieces[0].power) for other in met):
            if forced:
                return f"an enemy train in {city} blocks the forced march"
            gone |= {other.name for other in met}
            continue
        if len(pieces) != 1 or len(met) != 1 or met[0].kind != "general":
            return f"{city} is occupied"
        if not situation.co_operate(met[0].power, pieces[0].power):
            return f"{city} is held by {met[0].name}"
        if number != len(path):
            return f"the march ends with the stack in {city}"
    return ""


def march_fault(situation: Situation, movers: Sequence[str], path: WalkPath) -> str:
    """Reason why this is no legal normal march; "" if it is one."""
    start = common_city(situation, movers)
    train = situation.pieces[movers[0]].kind == "train"
    roads = [frozenset(step) for step in steps_of(start, path)]
    if not path:
        return "no city entered"
    if not all(road in situation.board.roads for road in roads):
        return "no road"
    main = all(road in situation.board.main_roads for road in roads)
    if len(path) > (2 if train else 3) + (1 if main else 0):
        return "too far"
    powers = [situation.pieces[name].power for name in movers]
    return crossing_fault(situation, powers, start, path) or occupation_fault(situation, movers, path, forced=False)


def marches(situation: Situation, movers: Sequence[str]) -> list[WalkPath]:
    """All legal normal marches of one general, of two stacked generals moving together, or of one train.

    Counted: every walk with at least one city entered, walks that return to the start included.
    """
    start = common_city(situation, movers)
    return [path for path in walks(situation.board, start, 4) if not march_fault(situation, movers, path)]


def shut_to_forced_marches(situation: Situation, power: str) -> dict[str, str]:
    """Cities no forced march of this power may enter or pass, with the reason (§10.1)."""
    shut = {}
    enemy = {piece.city for piece in situation.on_board() if situation.enemies(piece.power, power)}
    for city in situation.board.cities:
        if situation.enemy_fortress(city, power):
            shut[city] = f"{city} is an enemy fortress"
        elif any(other in enemy for other in situation.board.neighbours(city)):
            shut[city] = f"{city} is beside an enemy piece"
    return shut


def forced_fault(
    situation: Situation, movers: Sequence[str], path: WalkPath, shut: Mapping[str, str] | None = None
) -> str:
    """Reason why this is no legal forced march of 1 to 8 cities; "" if it is one. (`shut` only saves time.)"""
    start = common_city(situation, movers)
    if any(situation.pieces[name].kind == "train" for name in movers):
        return "trains do not force march"
    if not 1 <= len(path) <= 8:
        return "a forced march is of 1 to 8 cities"
    if not all(frozenset(step) in situation.board.main_roads for step in steps_of(start, path)):
        return "not entirely on main roads"
    if shut is None:
        shut = shut_to_forced_marches(situation, situation.pieces[movers[0]].power)
    for city in path:  # the start does not count: it is not entered
        if city in shut:
            return shut[city]
    powers = [situation.pieces[name].power for name in movers]
    return crossing_fault(situation, powers, start, path) or occupation_fault(situation, movers, path, forced=True)


def forced_marches(situation: Situation, movers: Sequence[str], shortest: int = 1, longest: int = 8) -> list[WalkPath]:
    """All legal forced marches within the two lengths.

    Counted: every walk, back and forth and returns to the start included. A forced march of 1 to 4 cities is legal
    too, but it enters nothing a normal march could not; 5 to 8 cities is what only a forced march can do.
    """
    start = common_city(situation, movers)
    shut = shut_to_forced_marches(situation, situation.pieces[movers[0]].power)
    return [
        path
        for path in walks(situation.board, start, longest, main_only=True)
        if len(path) >= shortest and not forced_fault(situation, movers, path, shut)
    ]


def without_return(start: str, paths: Iterable[WalkPath]) -> list[WalkPath]:
    """Those of the paths that enter no city twice and do not return to the start."""
    return [path for path in paths if len(set(path)) == len(path) and start not in path]


def forced_simple(situation: Situation, movers: Sequence[str], shortest: int = 1, longest: int = 8) -> list[WalkPath]:
    """The forced marches that enter no city twice and do not return to the start."""
    return without_return(common_city(situation, movers), forced_marches(situation, movers, shortest, longest))


def forced_destinations(situation: Situation, movers: Sequence[str]) -> frozenset[str]:
    """Ends of forced marches of 1 to 8 cities, without the start."""
    start = common_city(situation, movers)
    return frozenset(path[-1] for path in forced_marches(situation, movers)) - {start}


def trains_eliminated(situation: Situation, movers: Sequence[str], path: WalkPath) -> list[str]:
    """The enemy trains a legal march runs over, in order."""
    power = situation.pieces[movers[0]].power
    met: list[str] = []
    for city in path:
        for piece in situation.standing_in(city, ignoring=movers):
            if piece.kind == "train" and situation.enemies(piece.power, power) and piece.name not in met:
                met.append(piece.name)
    return met


def hussars_removed(situation: Situation, path: WalkPath) -> int:
    """§7: hussars in cities that any piece, of either side, enters."""
    return sum(1 for city in situation.hussars if city in path)


# -------- §10.3 conquest


@dataclass(frozen=True)
class Conquests:
    at_once: tuple[str, ...] = ()
    question_marks: tuple[str, ...] = ()


def protected(situation: Situation, fortress: str) -> bool:
    """A general of the controlling power, or of one co-operating with it, is 1, 2 or 3 cities away.

    Pieces in between do not matter, nor does it matter that a general is face-down. Trains protect nothing.
    """
    power = situation.controller(fortress)
    away = distances(situation.board, fortress)
    return any(
        piece.kind == "general" and situation.co_operate(piece.power, power) and away.get(piece.city or "") in (1, 2, 3)
        for piece in situation.on_board()
    )


def conquered(situation: Situation, movers: Sequence[str], path: WalkPath, forced: bool = False) -> Conquests:
    """Fortresses that fall at once, and those that get a question mark, when the movers leave them on a legal march."""
    pieces = [situation.pieces[name] for name in movers]
    if forced or not any(piece.kind == "general" and not piece.face_down for piece in pieces):
        return Conquests()
    start = common_city(situation, movers)
    left: list[str] = []
    for city in (start, *path[:-1]):  # the city the march ends in has not been left
        if situation.enemy_fortress(city, pieces[0].power) and city not in left:
            left.append(city)
    return Conquests(
        tuple(city for city in left if not protected(situation, city)),
        tuple(city for city in left if protected(situation, city)),
    )


def controller_after(situation: Situation, fortress: str, conqueror: str) -> str:
    """Power that controls a fortress which this power has conquered (§10.3, the marks after a conquest)."""
    land = situation.board.cities[fortress].land
    home = situation.board.home_power(fortress)
    major = conqueror
    if conqueror not in MAJOR_POWERS:
        major = next(other for pair in situation.co_operating if conqueror in pair for other in pair - {conqueror})
    if fortress in ("Köln", "Mainz", "Mannheim", "Trier"):
        return "austria" if major == "pragmatic" else major  # jointly with the Pragmatic Army
    if land == "silesia" or not home or situation.enemies(home, conqueror) or home not in MAJOR_POWERS:
        return major
    return home


# -------- §9 supply


@dataclass(frozen=True)
class Supply:
    """State of a general in the supply phase."""

    at_home: bool  # in his home country (or, §22, Arenberg in the Netherlands): needs no path
    paths: tuple[WalkPath, ...]  # all simple paths of 1 to 6 cities to a train, the train's city last
    free: tuple[WalkPath, ...]  # those through no hussar
    toll: int | None  # cheapest price in points of cards; 0 if nothing is due, None if he cannot be supplied
    in_supply: bool  # in supply if the toll, if any, is paid


def supply_paths(situation: Situation, general: str) -> Supply:
    """All supply paths of a general. A path may run through own and allied pieces, another own train included."""
    piece = situation.pieces[general]
    if piece.city is None or piece.kind != "general":
        raise ValueError(f"{general} is no general on the board")
    trains_of = {piece.power}
    at_home = situation.board.home_power(piece.city) == piece.power
    if general == "Arenberg" and not situation.introductory:  # §22
        trains_of.add("pragmatic")
        at_home = at_home or situation.board.cities[piece.city].land == "netherlands"
    goals = {train.city for train in situation.on_board() if train.kind == "train" and train.power in trains_of}
    enemy = {other.city for other in situation.on_board() if situation.enemies(other.power, piece.power)}
    closed = {city for city in enemy if city is not None}
    paths = tuple(path for path in simple_paths(situation.board, piece.city, 6, closed) if path[-1] in goals)
    hostile = situation.enemies(piece.power, "austria")
    free = tuple(path for path in paths if not (hostile and any(city in situation.hussars for city in path)))
    toll: int | None = None
    if at_home or free:
        toll = 0
    elif paths:
        toll = min(len(path) for path in paths)
    return Supply(at_home, paths, free, toll, toll is not None)


# -------- §11.2 retreat


@dataclass(frozen=True)
class Retreats:
    possible: tuple[WalkPath, ...]  # every path of the full length
    legal: tuple[WalkPath, ...]  # those that end as far away from the winner as any of them
    ends: frozenset[str]
    farthest: int | None  # that distance from the winner; None: no retreat, the losers are removed


def retreats(situation: Situation, losers: Sequence[str], winner_city: str, length: int) -> Retreats:
    """All retreats of exactly `length` cities. Losers are every general of the beaten stack: it never splits."""
    start = common_city(situation, losers)
    if sorted(losers) != sorted(piece.name for piece in situation.standing_in(start)):
        raise ValueError("a stack retreats as a whole")
    powers = [situation.pieces[name].power for name in losers]
    occupied = {piece.city for piece in situation.on_board() if piece.name not in losers}
    closed = {city for city in occupied if city is not None}
    possible = tuple(
        path
        for path in simple_paths(situation.board, start, length, closed)
        if len(path) == length and not crossing_fault(situation, powers, start, path)
    )
    if not possible:
        return Retreats((), (), frozenset(), None)
    away = distances(situation.board, winner_city)
    farthest = max(away[path[-1]] for path in possible)
    legal = tuple(path for path in possible if away[path[-1]] == farthest)
    return Retreats(possible, legal, frozenset(path[-1] for path in legal), farthest)


# -------- §7 hussars


def hussar_cities(situation: Situation) -> frozenset[str]:
    """Cities in which Austria may place a hussar now. A city may hold both: hussars are not pieces."""
    generals = [
        piece.city
        for piece in situation.on_board()
        if piece.power == "austria" and piece.kind == "general" and piece.city is not None
    ]
    near: set[str] = set()
    for city in generals:
        near |= within(situation.board, city, 4)
    return frozenset(
        city for city in near if situation.board.cities[city].map == "bohemia" and not situation.standing_in(city)
    )


# -------- re-entry §10.2, §13


def reentry_cities(situation: Situation, piece_name: str) -> frozenset[str]:
    """Major fortresses where a train (movement phase) or a general (winter) may re-enter now.

    A train on the board is taken off first, so its own city counts as empty. A general on the board, and a piece that
    takes no part in the game, re-enters nowhere.
    """
    piece = situation.pieces[piece_name]
    if not piece.in_play or (piece.kind == "general" and piece.city is not None):
        return frozenset()
    found = set()
    for fortress in situation.board.fortresses():
        city = situation.board.cities[fortress]
        if city.fortress != "major" or situation.enemy_fortress(fortress, piece.power):
            continue
        home = situation.board.home_power(fortress)
        allowed = home == piece.power
        met = situation.standing_in(fortress, ignoring=[piece_name])
        if piece.kind == "train":
            # §10.2: a major power may take the fortress of a co-operating minor power; the fortress must be empty
            minor = bool(home) and home not in MAJOR_POWERS
            if minor and piece.power in MAJOR_POWERS and situation.co_operate(home, piece.power):
                allowed = True
            room = not met
        else:
            if situation.introductory and piece.power == "france" and fortress == "München":  # §13
                allowed = True
            if not situation.introductory and piece.name == "Arenberg" and city.land == "netherlands":  # §22
                allowed = True
            # §13: an enemy train is eliminated; otherwise the result must be no illegal stack
            others = [
                other for other in met if not (other.kind == "train" and situation.enemies(other.power, piece.power))
            ]
            room = not others or (
                len(others) == 1 and others[0].kind == "general" and situation.co_operate(others[0].power, piece.power)
            )
        if allowed and room:
            found.add(fortress)
    return frozenset(found)


# -------- the situations of the tests


@dataclass(frozen=True)
class Case:
    """A situation with the questions put to it."""

    id: str
    about: str
    situation: Situation
    march: tuple[tuple[str, ...], ...]
    force: tuple[tuple[str, ...], ...]
    supply: tuple[str, ...]
    retreat: tuple[tuple[tuple[str, ...], str, int], ...]
    reenter: tuple[str, ...]


def setup_pieces(data: Mapping[str, Any], introductory: bool) -> dict[str, Piece]:
    """All pieces of the board's set-up. Trains are named "<power> train <number>"."""
    maps = {str(row["name"]): str(row["map"]) for row in data["cities"]}
    pieces: dict[str, Piece] = {}
    for power, rows in data["setup"].items():
        listed = [(str(row["name"]), "general", row) for row in rows["generals"]]
        listed += [(f"{power} train {number}", "train", row) for number, row in enumerate(rows["trains"], start=1)]
        for name, kind, row in listed:
            city = row.get("city")
            if city is None or (introductory and maps[city] != "bohemia"):
                pieces[name] = Piece(name, str(power), kind, int(row.get("rank", 0)), in_play=False)
            else:
                pieces[name] = Piece(name, str(power), kind, int(row.get("rank", 0)), str(city))
    return pieces


def movers_of(row: str | Sequence[str]) -> tuple[str, ...]:
    return (row,) if isinstance(row, str) else tuple(row)


def make_case(row: Mapping[str, Any], data: Mapping[str, Any]) -> Case:
    introductory = bool(row.get("introductory", False))
    board = read_board(data)
    if introductory:
        board = one_map(board, "bohemia")
    pieces = setup_pieces(data, introductory)
    if row.get("clear", False):
        pieces = {name: replace(piece, city=None) for name, piece in pieces.items()}
    for name, where in (row.get("pieces") or {}).items():
        spot: Mapping[str, Any] = where if isinstance(where, Mapping) else {"city": where}
        city = spot.get("city")
        pieces[name] = replace(
            pieces[name],
            city=city,
            face_down=bool(spot.get("face_down", False)),
            in_play=pieces[name].in_play or city is not None,
        )
    for losers, winner, _ in row.get("retreat") or ():
        beaten = pieces[movers_of(losers)[0]]
        if winner not in board.neighbours(str(beaten.city)) or not any(
            piece.city == winner and piece.kind == "general" and piece.power not in allies(beaten.power)
            for piece in pieces.values()
        ):
            raise ValueError(f"{row['id']}: nobody beats {beaten.name} from {winner}")
    control = {str(fortress): str(power) for fortress, power in (row.get("control") or {}).items()}
    situation = Situation(board, pieces, control, tuple(row.get("hussars") or ()), introductory)
    wrong = faults(situation)
    if wrong:
        raise ValueError(f"{row['id']}: {'; '.join(wrong)}")
    return Case(
        id=str(row["id"]),
        about=str(row["about"]),
        situation=situation,
        march=tuple(movers_of(item) for item in row.get("march") or ()),
        force=tuple(movers_of(item) for item in row.get("force") or ()),
        supply=tuple(row.get("supply") or ()),
        retreat=tuple((movers_of(item[0]), str(item[1]), int(item[2])) for item in row.get("retreat") or ()),
        reenter=tuple(row.get("reenter") or ()),
    )


def load(path: Path) -> Any:
    """Content of a file of our own; libyaml reads it ten times as fast as the reader in Python."""
    return yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@cache
def load_cases(board: Path = BOARD, situations: Path = SITUATIONS) -> list[Case]:
    data, rows = load(board), load(situations)
    return [make_case(row, data) for row in rows]


# -------- the counts


def by_length(paths: Iterable[WalkPath], longest: int) -> list[int]:
    lengths = [len(path) for path in paths]
    return [lengths.count(number) for number in range(1, longest + 1)]


def march_counts(situation: Situation, movers: tuple[str, ...]) -> dict[str, Any]:
    paths = marches(situation, movers)
    taken = [conquered(situation, movers, path) for path in paths]
    stacked = [path for path in paths if any(p.kind == "general" for p in situation.standing_in(path[-1], movers))]
    return {
        "lengths": by_length(paths, 4),  # walks of 1, 2, 3 and 4 cities
        "ends": len({path[-1] for path in paths}),
        "stacking": len(stacked),
        "eliminating": sum(1 for path in paths if trains_eliminated(situation, movers, path)),
        "conquering": sum(1 for item in taken if item.at_once),
        "fallen": sorted({city for item in taken for city in item.at_once}),
        "questioned": sorted({city for item in taken for city in item.question_marks}),
    }


def counts_of(case: Case) -> dict[str, dict[str, Any]]:
    situation = case.situation
    found: dict[str, dict[str, Any]] = {
        "hussars": {"cities": len(hussar_cities(situation))},
        "march": {},
        "force": {},
        "supply": {},
        "retreat": {},
        "reenter": {},
    }
    for movers in case.march:
        found["march"][" + ".join(movers)] = march_counts(situation, movers)
    for movers in case.force:
        forced = forced_marches(situation, movers)
        start = common_city(situation, movers)
        found["force"][" + ".join(movers)] = {
            "walks": by_length(forced, 8),
            "simple": by_length(without_return(start, forced), 8),
            "destinations": len({path[-1] for path in forced} - {start}),
        }
    for general in case.supply:
        supply = supply_paths(situation, general)
        found["supply"][general] = {
            "home": supply.at_home,
            "paths": len(supply.paths),
            "free": len(supply.free),
            "toll": supply.toll,
        }
    for losers, winner, length in case.retreat:
        result = retreats(situation, losers, winner, length)
        found["retreat"][f"{' + '.join(losers)}, {length} from {winner}"] = {
            "possible": len(result.possible),
            "legal": len(result.legal),
            "farthest": result.farthest,
            "ends": sorted(result.ends),
        }
    for name in case.reenter:
        found["reenter"][name] = {"cities": sorted(reentry_cities(situation, name))}
    return {section: answers for section, answers in found.items() if answers}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Recompute the counts of the brute-force oracle.")
    parser.add_argument("--board", type=Path, default=BOARD)
    parser.add_argument("--write", action="store_true", help="write counts.yaml instead of printing the counts")
    options = parser.parse_args(arguments)
    result = {case.id: counts_of(case) for case in load_cases(options.board)}
    text = yaml.safe_dump(result, allow_unicode=True, sort_keys=False, width=120, default_flow_style=None)
    if options.write:
        heading = "# Made by `python -m tests.oracle.brute --write`; brute.py says what each number counts.\n"
        COUNTS.write_text(heading + text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
