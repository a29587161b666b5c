"""Marches: which ways are open to a piece or a stack, and what happens along them (MARIA §10.1).

The same questions, `entry` and `crossing_closed`, decide what is offered and what is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property

from .conquest import held_by_enemy, leave, sweep_hussars
from .errors import IllegalOrder
from .events import Event, HussarRemoved, Marched, Stacked, TrainTaken
from .field import (
    Field,
    by_command,
    closed_lands,
    enemies,
    home_of,
    may_stack,
    occupants,
    partners,
    release_command,
    remove,
    stack_at,
)
from .rules import Rules

Path = tuple[int, ...]


class Entry(Enum):
    """What a city is to somebody who wants to march into it."""

    FREE = "nobody is there"
    TRAIN = "an enemy supply train is taken there"
    JOIN = "generals stack there, and the march ends"
    BLOCKED = "a piece is in the way"


class Column:
    """A piece, or the generals of a stack, about to march, and the field as they find it."""

    def __init__(self, rules: Rules, field: Field, movers: Sequence[int]) -> None:
        """Note who stands where; the movers themselves block nobody."""
        self.rules = rules
        self.field = field
        self.movers = tuple(by_command(rules, field, movers))
        self.power = rules.pieces[self.movers[0]].power
        self.is_train = not rules.is_general(self.movers[0])
        self.start = field.pieces[self.movers[0]].city
        self.taken = occupants(field)
        staying = [piece for piece in self.taken.get(self.start, []) if piece not in self.movers]
        if staying:
            self.taken[self.start] = staying
        else:
            self.taken.pop(self.start, None)
        powers = {rules.pieces[mover].power for mover in self.movers}
        self.crosses = powers <= rules.crossing
        self.powers = sorted(powers)
        self.closed = closed_lands(rules, field, powers)
        leaving = rules.board.land[self.start] in self.closed
        self.way_out: Mapping[int, int] = ways_out(rules, self.closed) if leaving else {}

    def entry(self, city: int) -> Entry:
        """What entering the city would mean (§6, §10.1, §19.4)."""
        if self.neutral_ground(city):
            return Entry.BLOCKED
        there = self.taken.get(city)
        if there is None:
            return Entry.FREE
        if self.is_train:
            return Entry.BLOCKED
        rules, field = self.rules, self.field
        if all(rules.is_general(p) and may_stack(field, rules.pieces[p].power, self.power) for p in there):
            return Entry.JOIN if len(there) + len(self.movers) <= rules.limits.stack else Entry.BLOCKED
        if all(not rules.is_general(p) and enemies(field, rules.pieces[p].power, self.power) for p in there):
            return Entry.TRAIN
        return Entry.BLOCKED

    def crossing_closed(self, city: int, other: int) -> bool:
        """Whether the road leads to the other map, where these pieces may not go (§10.1)."""
        maps = self.rules.board.map
        return maps[city] != maps[other] and (not self.crosses or maps[city] == self.field.half_active)

    def leads_inward(self, city: int, other: int) -> bool:
        """Whether the step goes on through closed ground instead of out of it (§19.3, edition 1.0)."""
        inside = self.way_out.get(other, 0)
        return bool(inside) and inside >= self.way_out.get(city, 0)

    def step_closed(self, city: int, other: int) -> bool:
        """Whether these pieces may not take the road at all."""
        return self.crossing_closed(city, other) or (bool(self.way_out) and self.leads_inward(city, other))

    def may_end(self, city: int) -> bool:
        """Whether the march may end in the city: who stands on closed ground has to leave it as far as possible."""
        return self.may_stay(city) and (not self.way_out or self.way_out.get(city, 0) <= self.exit_in_reach)

    @cached_property
    def exit_in_reach(self) -> int:
        """How near to open ground this march can come."""
        return min((self.way_out.get(city, 0) for city in reach(self) if self.may_stay(city)), default=0)

    def may_stay(self, city: int) -> bool:
        """Whether a march may end in the city: on a half-active map only in a friendly home country."""
        if not self.field.half_active or self.rules.board.map[city] != self.field.half_active:
            return True
        home = home_of(self.rules, self.field, city)
        return home is not None and not enemies(self.field, home, self.power)

    def neutral_ground(self, city: int) -> bool:
        """Whether neutrality keeps these pieces out of the city (§19.4)."""
        return self.rules.board.land[city] in self.closed and city not in self.way_out

    def enemy_near(self, city: int) -> int | None:
        """An enemy piece in the city or in an adjacent one, if there is any (§10.1, forced march)."""
        for place in (city, *self.rules.board.near[city]):
            for piece in self.taken.get(place, ()):
                if enemies(self.field, self.rules.pieces[piece].power, self.power):
                    return piece
        return None

    def forced_closed(self, city: int) -> bool:
        """Whether a forced march may not enter the city (§10.1)."""
        return self.enemy_near(city) is not None or held_by_enemy(self.rules, self.field, city, self.power)

    def ranges(self) -> tuple[int, int, int]:
        """How far these pieces go: by any road, by main roads only, by forced march."""
        limits = self.rules.limits
        if self.is_train:
            return limits.train_march, limits.train_march_main, 0
        return limits.general_march, limits.general_march_main, limits.forced_march


def ways_out(rules: Rules, closed: Collection[str]) -> dict[int, int]:
    """How far every city of closed lands is from open ground, by road."""
    board = rules.board
    edge = [city for city, land in enumerate(board.land) if land not in closed and board.in_play(city)]
    found: dict[int, int] = {}
    steps = 0
    while edge:
        steps += 1
        inner = {near for city in edge for near in board.near[city] if board.land[near] in closed} - set(found)
        found.update(dict.fromkeys(inner, steps))
        edge = sorted(inner)
    return found


def walks(column: Column) -> Iterator[Path]:
    """Every path of an ordinary march, back and forth included."""
    any_road, main_road, _ = column.ranges()
    board = column.rules.board

    def onward(path: Path, here: int, all_main: bool) -> Iterator[Path]:
        for city in board.near[here]:
            on_main = all_main and city in board.on_main[here]
            if len(path) >= (main_road if on_main else any_road) or column.step_closed(here, city):
                continue
            entry = column.entry(city)
            if entry is Entry.BLOCKED:
                continue
            longer = (*path, city)
            if column.may_end(city):
                yield longer
            if entry is not Entry.JOIN:
                yield from onward(longer, city, on_main)

    yield from onward((), column.start, True)


def destinations(column: Column) -> dict[int, Path]:
    """Every city a march can end in, forced marches included, each with a shortest path there."""
    return {city: way for city, way in reach(column).items() if column.may_end(city)}


def reach(column: Column) -> dict[int, Path]:
    """Every city that a march can come to, wherever it may end, each with a shortest path there."""
    any_road, main_road, forced = column.ranges()
    board = column.rules.board
    found = spread(column, board.near, any_road)
    for path in (spread(column, board.main, main_road), spread(column, board.main, forced, forced=True)):
        for city, way in path.items():
            found.setdefault(city, way)
    return found


def spread(column: Column, roads: Sequence[Sequence[int]], reach: int, forced: bool = False) -> dict[int, Path]:
    """The cities that these roads lead to within so many steps, each with a shortest path."""
    found: dict[int, Path] = {}
    edge: list[tuple[int, Path]] = [(column.start, ())] if reach else []
    for _ in range(reach):
        beyond: list[tuple[int, Path]] = []
        for here, path in edge:
            for city in roads[here]:
                if city in found or column.step_closed(here, city) or (forced and column.forced_closed(city)):
                    continue
                entry = column.entry(city)
                if entry is Entry.BLOCKED:
                    continue
                found[city] = longer = (*path, city)
                if entry is not Entry.JOIN:
                    beyond.append((city, longer))
        edge = beyond
    return found


def is_forced(column: Column, path: Path) -> bool:
    """Whether a path is so long that it must be a forced march."""
    return len(path) > column.ranges()[1]


def check(column: Column, path: Path) -> None:
    """Refuse a path that these pieces may not march (§10.1), naming the first thing wrong with it."""
    if not path:
        raise IllegalOrder("§10.1", "E-MARCH-EMPTY", "a march names at least one city", "leave out pieces that stay")
    for place, (here, city) in enumerate(zip((column.start, *path), path, strict=False)):
        check_step(column, here, city, ("path", place))
    check_length(column, path)
    forced = is_forced(column, path)
    for place, city in enumerate(path):
        if forced:
            check_forced_step(column, city, ("path", place))
        entry = column.entry(city)
        if entry is Entry.BLOCKED:
            raise blocked(column, city, ("path", place))
        if entry is Entry.JOIN and place < len(path) - 1:
            name = column.rules.board.cities[city].name
            raise IllegalOrder(
                "§10.1",
                "E-MARCH-JOINED",
                f"the march ends in {name}, where generals stack",
                f"end the path at {name} or go round it",
                ("path", place + 1),
            )
    check_end(column, path[-1], ("path", len(path) - 1))


def check_end(column: Column, city: int, where: tuple[str | int, ...]) -> None:
    """Refuse to end a march on a half-active map outside friendly home countries, or farther in than necessary."""
    name = column.rules.board.cities[city].name
    if column.may_stay(city) and not column.may_end(city):
        raise IllegalOrder(
            "§19.3", "E-MARCH-OUT", f"{name} is not as far out of neutral land as this march can come",
            "leave it in as few turns as possible", where,
        )  # fmt: skip
    if not column.may_stay(city):
        raise IllegalOrder(
            "Silesia Gambit §2.1", "E-MARCH-HALF", f"on this map a march may not end in {name} yet",
            "end in one's own or an ally's home country", where,
        )  # fmt: skip


def check_step(column: Column, here: int, city: int, where: tuple[str | int, ...]) -> None:
    """Refuse a step that no road of this game allows."""
    board = column.rules.board
    name, other = board.cities[here].name, board.cities[city].name
    if not board.in_play(city):
        raise IllegalOrder("§14", "E-MARCH-MAP", f"{other} lies on a map that this game does not use", where=where)
    if city == here:
        raise IllegalOrder(
            "§10.1", "E-MARCH-ROAD", f"the march is in {name} already", "name the cities it enters", where
        )
    if city not in board.adjacent[here]:
        near = ", ".join(board.cities[n].name for n in board.near[here])
        raise IllegalOrder("§10.1", "E-MARCH-ROAD", f"no road joins {name} and {other}", f"from {name}: {near}", where)
    if column.way_out and column.leads_inward(here, city):
        raise IllegalOrder(
            "§19.4", "E-NEUTRAL", f"from {name} to {other} the march leads on through neutral land",
            "pieces there only march out of it", where,
        )  # fmt: skip
    if column.crossing_closed(here, city):
        powers = " and ".join(sorted(column.rules.crossing))
        raise IllegalOrder(
            "§10.1", "E-MARCH-CROSSING", f"the road from {name} to {other} leads to the other map",
            f"only pieces of {powers} may take it", where,
        )  # fmt: skip


def check_length(column: Column, path: Path) -> None:
    """Refuse a path that is too long for its roads."""
    any_road, main_road, forced = column.ranges()
    board = column.rules.board
    if len(path) <= any_road:
        return
    by_road = next(
        ((a, b) for a, b in zip((column.start, *path), path, strict=False) if b not in board.on_main[a]), None
    )
    longest = max(main_road, forced)
    if by_road is not None:
        a, b = (board.cities[city].name for city in by_road)
        raise IllegalOrder(
            "§10.1", "E-MARCH-LENGTH", f"{len(path)} cities are too far: from {a} to {b} there is no main road",
            f"{any_road} cities, or up to {longest} by main roads only", ("path", any_road),
        )  # fmt: skip
    if len(path) > longest:
        raise IllegalOrder(
            "§10.1", "E-MARCH-LENGTH", f"{len(path)} cities are too far",
            f"{any_road} cities, or up to {longest} by main roads only", ("path", longest),
        )  # fmt: skip


def check_forced_step(column: Column, city: int, where: tuple[str | int, ...]) -> None:
    """Refuse a city that a forced march may not enter."""
    rules, field = column.rules, column.field
    name = rules.board.cities[city].name
    limit = f"up to {column.ranges()[1]} cities the march is not forced"
    if held_by_enemy(rules, field, city, column.power):
        raise IllegalOrder(
            "§10.1", "E-FORCED-FORTRESS", f"a forced march may not enter {name}, an enemy fortress", limit, where
        )
    foe = column.enemy_near(city)
    if foe is not None:
        enemy = f"{rules.pieces[foe].name} in {rules.board.cities[field.pieces[foe].city].name}"
        raise IllegalOrder(
            "§10.1", "E-FORCED-ENEMY", f"a forced march may not enter {name}, beside an enemy piece: {enemy}",
            limit, where,
        )  # fmt: skip


def blocked(column: Column, city: int, where: tuple[str | int, ...]) -> IllegalOrder:
    """Why a piece in the city, or its neutrality, stops the march."""
    rules = column.rules
    if column.neutral_ground(city):
        name = rules.board.cities[city].name
        return IllegalOrder("§19.4", "E-NEUTRAL", f"neutrality closes {name} to {' and '.join(column.powers)}",
                            "neutral pieces stay at home, foreign ones outside", where)  # fmt: skip
    there = column.taken[city]
    names = " and ".join(rules.pieces[piece].name for piece in there)
    place = rules.board.cities[city].name
    if column.is_train:
        return IllegalOrder("§10.1", "E-MARCH-BLOCKED", f"{names} in {place}: a train enters empty cities only",
                            "go round", where)  # fmt: skip
    if all(rules.is_general(p) and partners(column.field, rules.pieces[p].power, column.power) for p in there):
        if not all(may_stack(column.field, rules.pieces[p].power, column.power) for p in there):
            return IllegalOrder("§10.1", "E-STACK-CONSENT", f"{names} in {place}: both players must agree to stack",
                                "let the other player allow it first", where)  # fmt: skip
        return IllegalOrder(
            "§6", "E-STACK-FULL", f"{names} in {place}: a stack has at most {rules.limits.stack} generals",
            "march fewer generals there, or go round", where,
        )  # fmt: skip
    return IllegalOrder("§10.1", "E-MARCH-BLOCKED", f"{names} in {place}: no piece may enter or pass", "go round",
                        where)  # fmt: skip


def march(rules: Rules, field: Field, column: Column, path: Path, commander: int | None) -> list[Event]:
    """Go a path that has been checked: fortresses fall or are questioned, trains are taken, hussars swept away."""
    forced = is_forced(column, path)
    movers = column.movers
    happenings: list[Event] = []
    here = column.start
    for city in path:
        if not forced and not column.is_train:
            happenings += leave(rules, field, movers, here)
        happenings += enter(rules, field, city, movers[0], column.taken.get(city, ()))
        here = city
    for mover in movers:
        field.pieces[mover].city = here
    events: list[Event] = [Marched(movers, column.start, path, forced), *happenings]
    if column.entry(here) is Entry.JOIN:
        events += stack_up(rules, field, here, commander)
    for city in (column.start, here):
        release_command(rules, field, city)
    return events


def enter(rules: Rules, field: Field, city: int, piece: int, there: Sequence[int]) -> list[Event]:
    """What entering a city does to an enemy train and to hussars in it (§7, §10.1)."""
    events: list[Event] = [HussarRemoved(hussar, city) for hussar in sweep_hussars(field, city)]
    for other in there:
        if not rules.is_general(other) and field.pieces[other].city == city:
            remove(field, other)
            events.append(TrainTaken(other, city, piece))
    return events


def needs_commander(rules: Rules, generals: Sequence[int]) -> bool:
    """Whether equal ranks leave the choice of supreme commander to the owner (§6)."""
    return len(generals) > 1 and rules.pieces[generals[0]].rank == rules.pieces[generals[1]].rank


def check_commander(rules: Rules, field: Field, generals: Sequence[int], commander: int | None) -> None:
    """Refuse a stack of equal ranks without a supreme commander, and a commander where ranks decide (§6)."""
    order = by_command(rules, field, generals)
    names = " or ".join(rules.pieces[general].name for general in order)
    if needs_commander(rules, order):
        if commander not in order:
            raise IllegalOrder(
                "§6", "E-COMMANDER", "generals of equal rank stack: say who is supreme commander", names,
                ("commander",),
            )  # fmt: skip
    elif commander is not None and commander != order[0]:
        raise IllegalOrder(
            "§6", "E-COMMANDER", "the lower rank number is supreme commander", rules.pieces[order[0]].name,
            ("commander",),
        )  # fmt: skip


def stack_up(rules: Rules, field: Field, city: int, commander: int | None) -> list[Event]:
    """Form a stack, with the owner's choice of supreme commander where ranks are equal."""
    generals = stack_at(rules, field, city)
    for general in generals:
        field.pieces[general].on_top = needs_commander(rules, generals) and general == commander
    return [Stacked(city, stack_at(rules, field, city)[0])]
