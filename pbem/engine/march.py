"""Marches: the paths that are open to a piece or a stack, and the effects of a march on the cities along its path
(MARIA §10.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from copy import copy
from enum import Enum
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple, Self

from msgspec import Struct

from pbem.engine.conquest import NOBODY, Dealings, Opponents, Stance, control_of, leave, sweep_hussars
from pbem.engine.events import Event, Marched, TrainTaken
from pbem.engine.field import (
    Field,
    PieceState,
    alter,
    are_enemies,
    by_command,
    home_of,
    pieces_by_city,
    release_command,
    remove,
)
from pbem.engine.nouns import City, Piece, Power, each_city
from pbem.engine.roads import NO_CITIES, Obstacles, Road, Search, Ways, search
from pbem.engine.rules import Rules
from pbem.engine.troops import stack_up


class CityEntry(Enum):
    """Situation of a city that pieces want to enter on a march."""

    FREE = "nobody is there"
    TRAIN = "an enemy supply train is taken there"
    JOIN = "generals stack there, and the march ends"
    BLOCKED = "a piece is in the way"


FREE, TRAIN, JOIN, BLOCKED = CityEntry
# These names save a look-up in the class, which is slow: they are needed for every occupied city.


class Ranges(NamedTuple):
    """Greatest lengths of a march in steps. `forced` is the length of a forced march; it is 0 for trains."""

    any_road: int
    main_roads: int
    forced: int


class Circumstances(Struct, frozen=True):
    """Exceptions to the usual rules, for one march."""

    ranges: tuple[int, int] | None = None
    """Greatest lengths of the march by any road, and by main roads only; None for the usual lengths."""
    may_stop: Callable[[City], bool] | None = None
    """Function that tests if the march may end in a city; None if it may end in every city."""
    may_take: Callable[[City], bool] | None = None
    """Function that tests if the march may take a train in a city; None if it may do so in every city."""
    closed: Collection[City] = ()
    """Cities that this march does not conquer when it leaves them."""
    reach: Mapping[Piece, int] = NOBODY
    """Distance, in cities, up to which a piece protects fortresses, for each piece whose distance is not the usual one.
    """


USUAL = Circumstances()
"""Circumstances of an ordinary march."""


class Marchers(Struct, frozen=True):
    """Facts about marching pieces that change only with the alliances."""

    power: Power
    """Power of the commander."""
    powers: tuple[Power, ...]
    """Powers of all marching pieces."""
    is_train: bool
    crosses: bool
    """True if all the marching pieces may change from one map to the other."""
    dealings: Dealings
    closed: frozenset[City]
    """Cities that neutrality closes to the marching pieces (§19.4)."""


def marchers(rules: Rules, field: Field, stance: Stance, movers: tuple[Piece, ...]) -> Marchers:
    powers = tuple(sorted({rules.pieces[mover].power for mover in movers}))
    is_train = movers[0] not in rules.all_generals
    power, crosses = rules.pieces[movers[0]].power, rules.crossing.issuperset(powers)
    dealings, closed = stance.dealings(rules, field, power), stance.closed_cities(rules, field, powers)
    return Marchers(power, powers, is_train, crosses, dealings, closed)


class Column:
    """One piece, or generals of one stack, before a march. Its methods return the cities to which these pieces may
    go."""

    def __init__(
        self, rules: Rules, field: Field, movers: Sequence[Piece], circumstances: Circumstances = USUAL
    ) -> None:
        """Store the marching pieces, and the places of all other pieces."""
        self.rules = rules
        self.field = field
        self.circumstances = circumstances
        self.asked = tuple(movers)
        self.standing, self.control = pieces_by_city(rules, field), control_of(rules, field)
        self.half_active = field.half_active
        self.movers = tuple(by_command(rules, field, movers)) if len(movers) > 1 else self.asked
        stance = self.control.stance
        facts = stance.once(("marchers", self.movers), marchers, rules, field, stance, self.movers)
        self.power, self.powers, self.is_train = facts.power, facts.powers, facts.is_train
        self.start = field.pieces[self.movers[0]].city
        self.taken = dict(self.standing.at)
        # Generals who stay behind count as other pieces: to come back is to stack again (docs/rulings.md, §10.1).
        staying = [piece for piece in self.taken.pop(self.start, ()) if piece not in self.movers]
        if staying:
            self.taken[self.start] = staying
        self.crosses = facts.crosses
        self.dealings, self.closed = facts.dealings, facts.closed
        self.way_out: Mapping[City, int] = ways_out(rules, self.closed) if self.start in self.closed else {}
        self.asks_each_step = bool(self.way_out or field.half_active)
        self.goes_over = self.crosses or self.asks_each_step
        """True if roads to another map are searched, because they may be open to the marching pieces."""
        self.ranges = self.find_ranges()
        self.ground = rules.board.ground(self.start, *self.ranges, self.goes_over)
        """Cities that the march would reach if nothing stood in the way."""
        self.ends_anywhere = not self.asks_each_step and circumstances.may_stop is None
        self.ways: Ways | None = None
        """Path to each city where the march may end; None until `destinations` has found these paths."""

    def is_of(self, field: Field, movers: Sequence[Piece], circumstances: Circumstances) -> bool:
        """True if this column was made for `movers` and `circumstances`, and the position has not changed since."""
        return (
            self.field is field
            and self.asked == tuple(movers)
            and self.standing is pieces_by_city(self.rules, field)
            and self.control is control_of(self.rules, field)
            and self.half_active == field.half_active
            and self.circumstances == circumstances
        )

    def without(self, pieces: Collection[Piece]) -> Self:
        """Return a copy of this column for which `pieces` are no obstacles."""
        found = copy(self)
        left = ((city, [each for each in there if each not in pieces]) for city, there in self.taken.items())
        found.taken, found.ways = {city: there for city, there in left if there}, None
        vars(found).pop("obstacles", None)
        vars(found).pop("exit_in_reach", None)
        return found

    def entry(self, city: City) -> CityEntry:
        """Return the situation of a city that the marching pieces want to enter (§6, §10.1, §19.4)."""
        if self.closed and self.neutral_ground(city):
            return BLOCKED
        there = self.taken.get(city)
        if there is None:
            return FREE
        if self.is_train:
            return BLOCKED
        if self.dealings.prey.issuperset(there):
            may_take = self.circumstances.may_take
            return TRAIN if may_take is None or may_take(city) else BLOCKED
        full = len(there) + len(self.movers) > self.rules.limits.stack
        return JOIN if not full and self.dealings.welcome.issuperset(there) else BLOCKED

    def halts(self, entry: CityEntry) -> bool:
        """True if the march must end in a city with this situation: at a stack, or in some games at a train that is
        taken."""
        return entry is JOIN or (entry is TRAIN and self.rules.trains_stop)

    def crossing_closed(self, city: City, target: City) -> bool:
        """True if the road from `city` to `target` leads to another map, and the marching pieces may not change maps
        there (§10.1)."""
        maps = self.rules.board.map
        return maps[city] != maps[target] and (not self.crosses or maps[city] == self.field.half_active)

    def leads_inward(self, city: City, target: City) -> bool:
        """True if `target` lies in land that neutrality closes, and is no nearer to open land than `city` (§19.3,
        edition 1.0)."""
        inside = self.way_out.get(target, 0)
        return bool(inside) and inside >= self.way_out.get(city, 0)

    def step_closed(self, city: City, target: City) -> bool:
        """True if the marching pieces may not take the road from `city` to `target`."""
        return self.crossing_closed(city, target) or (bool(self.way_out) and self.leads_inward(city, target))

    def may_end(self, city: City) -> bool:
        """True if the march may end in the city. A march inside land that neutrality closes must end as near to open
        land as possible."""
        return self.may_stay(city) and (not self.way_out or self.way_out.get(city, 0) <= self.exit_in_reach)

    @cached_property
    def obstacles(self) -> MarchObstacles:
        return march_obstacles(self)

    @cached_property
    def exit_in_reach(self) -> int:
        """Least distance from open land, in steps by road, at which this march can end."""
        return min((self.way_out.get(city, 0) for city in reach(self) if self.may_stay(city)), default=0)

    def may_stay(self, city: City) -> bool:
        """True if the march may stop in the city, apart from the rule about closed land in `may_end`. On a half-active
        map it may stop only in home countries of powers that are no enemies."""
        may_stop = self.circumstances.may_stop
        if may_stop is not None and not may_stop(city):
            return False
        if not self.field.half_active or self.rules.board.map[city] != self.field.half_active:
            return True
        home = home_of(self.rules, self.field, city)
        return home is not None and not are_enemies(self.field, home, self.power)

    def neutral_ground(self, city: City) -> bool:
        """True if neutrality keeps the marching pieces out of the city (§19.4)."""
        return city in self.closed and city not in self.way_out

    def enemy_near(self, city: City) -> Piece | None:
        """Return an enemy piece in the city or next to it, which forbids a forced march (§10.1); None if there is
        none."""
        # Cities are adjacent by main roads and by small roads (docs/rulings.md, §10.1).
        for place in (city, *self.rules.board.near[city]):
            for piece in self.taken.get(place, ()):
                if are_enemies(self.field, self.rules.pieces[piece].power, self.power):
                    return piece
        return None

    def steps_by_main(self, path: Road) -> int:
        """Return the number of steps with which a path begins by main roads only."""
        on_main, steps = self.rules.board.on_main, zip((self.start, *path), path, strict=False)
        return sum(1 for _ in takewhile(lambda step: step[1] in on_main[step[0]], steps))

    def find_ranges(self) -> Ranges:
        limits = self.rules.limits
        if self.is_train:
            return Ranges(limits.train_march, limits.train_march_main, 0)
        any_road, main_roads = self.circumstances.ranges or (limits.general_march, limits.general_march_main)
        return Ranges(any_road, main_roads, limits.forced_march)


def ways_out(rules: Rules, closed: Set[City]) -> dict[City, int]:
    """Return the distance of every closed city from the nearest open city, in steps by road."""
    board = rules.board
    edge = [city for city, _ in each_city(board.land) if city not in closed and board.in_play(city)]
    found: dict[City, int] = {}
    steps = 0
    while edge:
        steps += 1
        inner = {near for city in edge for near in board.near[city] if near in closed} - set(found)
        found.update(dict.fromkeys(inner, steps))
        edge = sorted(inner)
    return found


class MarchObstacles(Struct, frozen=True):
    """Obstacles of a march among the cities in range."""

    barred: set[City]
    """Cities that the marching pieces may not enter."""
    last: set[City]
    """Cities where the march ends if the pieces enter them."""
    shunned: Set[City]
    """Further cities that the marching pieces may not enter by forced march."""


def march_obstacles(column: Column) -> MarchObstacles:
    """Return the obstacles of a march: cities that may not be entered, cities where it must end, and cities that
    enemies close to a forced march."""
    forced = column.ranges[2]
    barred = set(column.closed.difference(column.way_out)) if column.closed else set[City]()
    last: set[City] = set()
    taken = column.ground.cities.intersection(column.taken)
    if column.is_train:
        return MarchObstacles(barred.union(taken), last, NO_CITIES)
    for city in taken - barred:
        entry = column.entry(city)
        if entry is BLOCKED:
            barred.add(city)
        elif column.halts(entry):
            last.add(city)
    if not forced:
        return MarchObstacles(barred, last, NO_CITIES)
    by_main = column.rules.board.free(column.start, forced, True, column.goes_over)
    return MarchObstacles(barred, last, by_main.cities & shunned_cities(column))


def column_of(rules: Rules, field: Field, movers: Sequence[Piece], circumstances: Circumstances = USUAL) -> Column:
    """Return the column of the pieces `movers`. The latest column is returned again if nothing has changed since."""
    latest = rules.cache.get("column")
    if not isinstance(latest, Column) or not latest.is_of(field, movers, circumstances):
        latest = rules.cache["column"] = Column(rules, field, movers, circumstances)
    return latest


def destinations(column: Column) -> Ways:
    """Return a shortest path to every city where a march can end, forced marches included."""
    if column.ways is None:
        found = reach(column)
        column.ways = found if column.ends_anywhere else found.ending(column.may_end)
    return column.ways


def reach(column: Column) -> Ways:
    """Return a shortest path to every city that a march can enter, even if it may not end there."""
    any_road, main_road, forced = column.ranges
    found = column.obstacles
    if not (found.shunned or column.asks_each_step) and column.ground.passes(found.barred, found.last):
        return column.ground.ways.but_for(found.barred)
    searches = [spread(column, any_road)]
    by_main = column.rules.board.free(column.start, main_road, True, column.goes_over)
    # The search for a forced march finds all cities that an ordinary march by main roads reaches, in the same order, if
    # a forced march may be as long and no enemy is in the way. Otherwise main roads are searched as well.
    if forced < main_road or not by_main.cities.isdisjoint(found.shunned):
        searches.append(spread(column, main_road, main_only=True))
    if forced:
        searches.append(spread(column, forced, main_only=True, forced=True))
    return Ways(column.start, searches)


def spread(
    column: Column, steps: int, main_only: bool = False, forced: bool = False, start: City | None = None
) -> Search:
    """Return the cities that the marching pieces reach by shortest paths of at most `steps` steps. The paths begin at
    `start`, or else where the pieces are. With `main_only` they use main roads only. With `forced` the limits of a
    forced march apply."""
    board, found, start = column.rules.board, column.obstacles, column.start if start is None else start
    free = board.free(start, steps, main_only, column.goes_over)
    barred = found.barred | found.shunned if forced else found.barred
    # Without an obstacle on its paths the cached search on an empty map is enough.
    if not column.asks_each_step and free.passes(barred, found.last):
        return free.ways.but_for(free.cities.intersection(barred)).ends
    closed = column.step_closed if column.asks_each_step else None
    return search(start, steps, board.roads(main_only, column.goes_over), Obstacles(barred, found.last, closed))


class ShunnedCities(Struct, frozen=True):
    """Cities that no forced march of a power enters, and the facts on which these cities depend."""

    hostile: Opponents
    enemies: list[PieceState]
    cities: frozenset[City]


def shunned_cities(column: Column) -> frozenset[City]:
    """Return the cities that a forced march may not enter: cities with or next to an enemy piece, and enemy fortresses
    (§10.1)."""
    rules, hostile = column.rules, column.control.opponents_of(column.rules, column.field, column.power)
    enemies = list(map(column.field.pieces.__getitem__, column.dealings.hostile))
    latest = rules.cache.get(("shunned", column.power))
    if not isinstance(latest, ShunnedCities) or latest.hostile is not hostile or latest.enemies != enemies:
        beside = [rules.board.neighbourhoods[enemy.city] for enemy in enemies if enemy.city >= 0]
        latest = ShunnedCities(hostile, enemies, hostile.fortresses.union(*beside))
        rules.cache["shunned", column.power] = latest
    return latest.cities


def is_forced(column: Column, path: Road) -> bool:
    """True if a path is so long that it must be a forced march."""
    # Only the length decides: a march that need not be forced is not a forced march (docs/rulings.md, §10.1).
    return len(path) > column.ranges[1]


def march(rules: Rules, field: Field, column: Column, path: Road, commander: Piece | None) -> list[Event]:
    """Move the column along a legal path, and carry out the effects on fortresses, trains, hussars and stacks
    (§10.3)."""
    forced = is_forced(column, path)
    movers = column.movers
    conquers = not forced and not column.is_train
    closed = column.circumstances.closed
    happenings: list[Event] = []
    here, taken = column.start, column.taken
    for city in path:
        if conquers and here in rules.conquerable and here not in closed:
            happenings += leave(rules, field, movers, here, column.circumstances.reach)
        if city in taken or city in field.hussars:
            happenings += enter(rules, field, city, movers[0], taken.get(city, ()))
        here = city
    for mover in movers:
        alter(field, mover, city=here)
    events: list[Event] = [Marched(movers, column.start, path, forced), *happenings]
    if column.entry(here) is JOIN:
        events += stack_up(rules, field, here, commander)
    if any(field.pieces[piece].on_top for piece in (*movers, *taken.get(column.start, ()), *taken.get(here, ()))):
        release_command(rules, field, column.start)
        release_command(rules, field, here)
    return events


def enter(rules: Rules, field: Field, city: City, piece: Piece, pieces_there: Sequence[Piece]) -> list[Event]:
    """Take an enemy train and remove hussars in a city that `piece` enters (§7, §10.1)."""
    events = sweep_hussars(field, city)
    for other in pieces_there:
        if not rules.is_general(other) and field.pieces[other].city == city:
            remove(field, other)
            events.append(TrainTaken(other, city, piece))
    return events
