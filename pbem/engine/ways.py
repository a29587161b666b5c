"""Checks of the path of a march, and the search for the path of an order that leaves cities out (MARIA §10.1; FRIEDRICH
§4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, pairwise

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.board import Board
from pbem.engine.conquest import is_held_by_enemy
from pbem.engine.events import Conquered, HussarRemoved, Questioned, TrainTaken
from pbem.engine.field import are_partners, may_stack, occupants
from pbem.engine.march import CityEntry, Column, is_forced, march, spread
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.roads import Road, Ways, search
from pbem.engine.rules import IllegalOrder, Rules
from pbem.engine.table import deep_copy
from pbem.faults.wrong import Words, words, wrong


def check(column: Column, path: Road, moved: Collection[Piece] = ()) -> None:
    """Raise `IllegalOrder` for an illegal march along `path` (§10.1). `moved` are the pieces that have marched in this
    stage. A fault that is there without friends on the way is raised first, because another sequence would not help."""
    if not path:
        raise IllegalOrder(wrong("E-MARCH-EMPTY"))
    if column.ways is not None and path[-1] in column.ways and column.ways[path[-1]] == path:
        return  # the column has found this path in this position
    check_roads(column, path)
    try:
        check_entries(column, path, moved)
    except IllegalOrder:
        on_way, hostile = [piece for city in path[:-1] for piece in column.taken.get(city, ())], column.dealings.hostile
        if friends := [piece for piece in on_way if piece not in hostile]:
            check_entries(column.without(friends), path, moved)
        raise


def check_roads(column: Column, path: Road) -> None:
    """Raise `IllegalOrder` with the first fault of the roads along `path`, of its length, or of a forced march."""
    steps = [(place, here, city) for place, (here, city) in enumerate(zip((column.start, *path), path, strict=False))]
    # An order may leave cities out, so the reason for its refusal is another step, if there is one with a fault.
    for place, here, city in sorted(
        steps, key=lambda step: column.rules.ways != "written" and is_gap(column, path, *step)
    ):
        check_step(column, here, city, ("path", place), path[place + 1 :])
    check_length(column, path)
    for place in range(len(path) if is_forced(column, path) else 0):
        check_forced_step(column, path, place)


def check_entries(column: Column, path: Road, moved: Collection[Piece]) -> None:
    """Raise `IllegalOrder` for the first city of `path` that is closed or ends the march, or if its end is closed."""
    for place, city in enumerate(path):
        entry = column.entry(city)
        if entry is CityEntry.BLOCKED:
            raise entry_refusal(column, city, ("path", place), moved, path[place + 1 :])
        if column.halts(entry) and place < len(path) - 1:
            others = set(occupants(column.field).get(city, ())).difference(column.movers)
            there = column.rules.names(sorted(others))
            joined = "E-MARCH-JOINED" if others.isdisjoint(moved) else "E-MARCH-JOINED.moved"
            wording = joined if entry is CityEntry.JOIN else "E-MARCH-TRAIN"
            name = column.rules.board.cities[city].name
            again = words("march-done-joined", city=name)
            hint = behind_other_power(column, others, again) if wording == "E-MARCH-JOINED.moved" else None
            raise IllegalOrder(wrong(wording, hint=hint, city=name, pieces=there), where=("path", place + 1))
    check_end(column, path[-1], ("path", len(path) - 1))


def behind_other_power(column: Column, others: Iterable[Piece], advice: Words) -> Words | None:
    """Return a hint for a march that is blocked by the pieces `others`, which have marched already. The hint says that
    their powers march first, and adds `advice`. Return None if one of the pieces belongs to a power of the column: its
    march can then be ordered later."""
    powers = {column.rules.pieces[piece].power for piece in others}
    is_own = not powers.isdisjoint(column.powers)
    return None if is_own else words("march-behind-power", powers=tuple(sorted(powers)), advice=advice)


def check_end(column: Column, city: City, where: tuple[str | int, ...]) -> None:
    """Raise `IllegalOrder` if a Card of Fate, neutrality or a half-active map forbids the march to end in a city."""
    name = column.rules.board.cities[city].name
    may_stop = column.circumstances.may_stop
    if may_stop is not None and not may_stop(city):
        raise IllegalOrder(wrong("E-FATE-STOP", city=name), where=where)
    if not column.may_end(city):
        raise IllegalOrder(wrong("E-MARCH-OUT" if column.may_stay(city) else "E-MARCH-HALF", city=name), where=where)


def is_gap(column: Column, path: Road, place: int, here: City, city: City) -> bool:
    """True if an order that leaves cities out may go from `here` to `city`, which it names at the index `place` of
    `path`. Roads must lead there that pass no city which `path` names later."""
    board = column.rules.board
    if not board.in_play(city) or city in board.near[here]:
        return False
    way = Ways(here, [search(here, len(board.cities), board.near)]).get(city)
    return way is not None and set(path[place + 1 :]).isdisjoint(way[:-1])


def check_step(
    column: Column, start: City, city: City, where: tuple[str | int, ...], later: Collection[City] = ()
) -> None:
    """Raise `IllegalOrder` for a step to a city that is on an unused map or not adjacent, and for a closed road.
    `where` is the place in the order, and `later` has the cities that the order names after `city`."""
    board = column.rules.board
    name, other = board.cities[start].name, board.cities[city].name
    if not board.in_play(city):
        raise IllegalOrder(wrong("E-MARCH-MAP", city=other), where=where)
    if city == start:
        raise IllegalOrder(wrong("E-MARCH-ROAD.already", city=name), where=where)
    if city not in board.adjacent[start]:
        way = Ways(start, [search(start, len(board.cities), board.near)]).get(city)
        if way is None:
            raise IllegalOrder(wrong("E-MARCH-ROAD.apart", here=name, city=other), where=where)
        if passed := [each for each in way[:-1] if each in later]:
            first, names = board.cities[passed[0]].name, board.names(way)
            raise IllegalOrder(wrong("E-MARCH-ROAD.passed", here=name, city=other, first=first, way=names), where=where)
        raise IllegalOrder(wrong("E-MARCH-ROAD", here=name, city=other, way=board.names(way)), where=where)
    if column.way_out and column.leads_inward(start, city):
        raise IllegalOrder(wrong("E-NEUTRAL.through", here=name, city=other), where=where)
    if column.crossing_closed(start, city):
        powers = tuple(sorted(column.rules.crossing))
        raise IllegalOrder(wrong("E-MARCH-CROSSING", here=name, city=other, powers=powers), where=where)


def check_length(column: Column, path: Road) -> None:
    """Raise `IllegalOrder` for a path that is too long. A march by main roads only may be longer than another march."""
    any_road, main_road, forced = column.ranges
    names, longest = column.rules.board.names, max(main_road, forced)
    if len(path) <= any_road or (by_main := column.steps_by_main(path)) == len(path) <= longest:
        return
    key = "march-lengths-forced" if forced > main_road else "march-lengths"
    lengths = words(key, any=any_road, roads=main_road, forced=forced)
    if reach := farthest(column, path[: max(any_road, min(by_main, longest))]):
        lengths = words("march-lengths-reach", lengths=lengths, reach=reach)
    where = ("path", longest if len(path) > longest else any_road)
    if len(path) > longest:
        raise IllegalOrder(wrong("E-MARCH-LENGTH", count=len(path), goal=names(path)[-1], lengths=lengths), where=where)
    here, city = names((column.start, *path)[by_main : by_main + 2])
    raise IllegalOrder(
        wrong("E-MARCH-LENGTH.road", count=len(path), here=here, city=city, lengths=lengths), where=where
    )


def farthest(column: Column, path: Road) -> str:
    """Return the name of the last city of `path` where a march along it may end; an empty text if there is none."""
    names = column.rules.board.names(path)
    return next((names[end - 1] for end in range(len(path), 0, -1) if is_open(column, path[:end])), "")


def check_forced_step(column: Column, path: Road, place: int) -> None:
    """Raise `IllegalOrder` if a forced march along `path` may not enter its city at `place`: an enemy fortress, or a
    city with an enemy piece in it or next to it."""
    rules, field, most, city = column.rules, column.field, column.ranges.main_roads, path[place]
    foe, is_fortress = column.enemy_near(city), is_held_by_enemy(rules, field, city, column.power)
    if foe is None and not is_fortress:
        return
    name, goal, where = rules.board.cities[city].name, rules.board.cities[path[-1]].name, ("path", place)
    length, reach = words("march-too-far", count=len(path), goal=goal), farthest(column, path[:most])
    told = partial(wrong, hint=None if reach else "", length=length, most=most, reach=reach, city=name)
    if is_fortress or foe is None:
        raise IllegalOrder(told("E-FORCED-FORTRESS"), where=where)
    enemy, there = rules.pieces[foe].name, rules.board.cities[field.pieces[foe].city].name
    raise IllegalOrder(told("E-FORCED-ENEMY", enemy=enemy, place=there), where=where)


def entry_refusal(
    column: Column, city: City, where: tuple[str | int, ...], moved: Collection[Piece], later: Road
) -> IllegalOrder:
    """Return the refusal of a march into a blocked city, with its cause: neutrality, a protected train, generals who
    may not be joined, or other pieces. `where` is the place of the city in the order. `moved` are the pieces that have
    marched in this stage. `later` are the cities of the march after this one; none if it would end here."""
    rules, is_goal = column.rules, not later
    name = rules.board.cities[city].name
    if column.neutral_ground(city):
        return IllegalOrder(wrong("E-NEUTRAL", city=name, powers=column.powers), where=where)
    there = column.taken[city]
    may_take = column.circumstances.may_take
    closed = may_take is not None and not column.is_train and not may_take(city)
    if closed and not any(rules.is_general(piece) for piece in there):
        return IllegalOrder(wrong("E-FATE-TRAIN", city=name), where=where)
    pieces = rules.names(there)
    if set(there).issubset(moved) and (column.is_train or not all(map(rules.is_general, there))):
        wording = "E-MARCH-BLOCKED.same-end" if is_goal else "E-MARCH-BLOCKED.moved"
        behind = None if is_goal else behind_other_power(column, there, words("march-done-blocked"))
        return IllegalOrder(wrong(wording, hint=behind, pieces=pieces, city=name), where=where)
    blocking = [column.taken.get(each, ()) for each in (city, *later) if column.entry(each) is CityEntry.BLOCKED]
    own = [some for some in blocking if set(some).isdisjoint(moved) and is_of(rules, some, column.power)]
    is_own = there in own
    away = words("march-away-first" if is_goal else "march-away-or-round", pieces=rules.names(list(chain(*own))))
    around = away if is_own else words("march-other-goal") if is_goal else None
    if not column.is_train and all(
        rules.is_general(p) and are_partners(column.field, rules.pieces[p].power, column.power) for p in there
    ):
        if not all(may_stack(column.field, rules.pieces[p].power, column.power) for p in there):
            return IllegalOrder(wrong("E-STACK-CONSENT", pieces=pieces, city=name), where=where)
        return IllegalOrder(wrong("E-STACK-FULL", pieces=pieces, city=name, most=rules.limits.stack), where=where)
    blocked = wrong("E-MARCH-BLOCKED.train" if column.is_train else "E-MARCH-BLOCKED", pieces=pieces, city=name)
    return IllegalOrder(replace(blocked, hint=around) if around else blocked, where=where)


def is_of(rules: Rules, pieces: Iterable[Piece], power: Power) -> bool:
    return all(rules.pieces[piece].power == power for piece in pieces)


MOST_WAYS = 10_000
"""Greatest number of paths of one length that are tried: a guard against boards that were made to have many."""

EFFECTS = (Conquered, Questioned, TrainTaken, HussarRemoved)
"""Side effects of a march, the least wanted first."""

Effects = tuple[frozenset[City], ...]
"""Cities where side effects happen: one group for each kind of side effect, in the order of `EFFECTS`."""


class Way(Struct, frozen=True):
    """One of the shortest paths of a march, with its side effects in cities that the order does not name."""

    path: Road
    effects: Effects


def has_gaps(board: Board, start: City, stops: Sequence[City]) -> bool:
    """True if the order `stops` leaves cities out: two successive cities of the march are not adjacent."""
    return any(city not in board.adjacent[here] for here, city in pairwise((start, *stops)))


def ways_to(column: Column, stops: Sequence[City]) -> list[Way]:
    """Return the shortest open paths over the cities `stops`, in the given sequence, the best first. The best path has
    the fewest side effects in other cities (`EFFECTS`)."""
    return in_order(column, stops, shortest(column, stops))


def best_way(column: Column, stops: Sequence[City]) -> Road | None:
    """Return the best of the shortest open paths over the cities `stops`; None if there is none."""
    paths = shortest(column, stops)
    # Side effects need a copy of the field. Most cities have only one path, and then nothing is left to decide.
    return in_order(column, stops, paths)[0].path if len(paths) > 1 else next(iter(paths), None)


def in_order(column: Column, stops: Sequence[City], paths: Sequence[Road]) -> list[Way]:
    """Return the given paths as ways, the best first."""
    ways = [Way(path, effects(column, path, stops)) for path in paths]
    return sorted(ways, key=lambda way: ([len(where) for where in way.effects], column.rules.board.names(way.path)))


def shortest(column: Column, stops: Sequence[City]) -> list[Road]:
    """Return the shortest open paths over the cities `stops`; an empty list if no path is open."""
    tried = ([path for path in paths if is_open(column, path)] for paths in by_length(column, stops))
    return next(filter(None, tried), [])


def by_length(column: Column, stops: Sequence[City]) -> Iterator[Iterator[Road]]:
    """Yield one group of paths over the cities `stops` for each length in range, the shortest first. A group has at
    most `MOST_WAYS` paths. Pieces do not count as obstacles."""
    board = column.rules.board
    for length in range(max(1, board.least_steps(column.start, stops)), max(column.ranges) + 1):
        roads = board.main if length > column.ranges.any_road else board.near
        yield islice(walks(board, roads, (column.start,), stops, length), MOST_WAYS)


def can_march_over(column: Column, city: City, ends: Collection[City]) -> bool:
    """True if a column can march through `city`, or out of it, to one of `ends`, without a forced march. The march may
    come back over the same road."""
    any_road, main_roads, _ = column.ranges
    return any(
        is_open(column, path)
        for most, main_only in ((any_road, False), (main_roads, True))
        for path in paths_over(column, city, ends, most, main_only)
    )


def paths_over(column: Column, city: City, ends: Collection[City], most: int, main_only: bool) -> Iterator[Road]:
    """Yield a shortest path over `city` to each of `ends` that is at most `most` steps away by that path. With
    `main_only` the paths use main roads only."""
    if city != column.start and city in column.obstacles.last:
        return
    first = () if city == column.start else Ways(column.start, [spread(column, most, main_only)]).get(city)
    if first is None:
        return
    yield from paths_on(column, first, ends, most, main_only)


def paths_on(column: Column, path: Road, ends: Collection[City], most: int, main_only: bool) -> Iterator[Road]:
    """Yield a shortest path that goes on from the end of `path` to each of `ends` and has at most `most` steps in all.
    It may come back to a city of `path`. With `main_only` it uses main roads only."""
    last = path[-1] if path else column.start
    onward = Ways(last, [spread(column, most - len(path), main_only, start=last)])
    yield from ((*path, *onward[end]) for end in ends if end in onward)


def ways_on(column: Column, path: Road, ends: Collection[City]) -> dict[City, Road]:
    """Return a path that goes on from the end of `path` to each of `ends` to which one is open without a forced march.
    It may lead through a city of `path` again."""
    any_road, main_roads, _ = column.ranges
    found: dict[City, Road] = {}
    if path[-1] in column.obstacles.last:
        return found
    for most, main_only in ((any_road, False), (main_roads, True)):
        for way in paths_on(column, path, ends, most, main_only) if most > len(path) else ():
            if way[-1] not in found and is_open(column, way):
                found[way[-1]] = way
    return found


def ways_back(column: Column, path: Road) -> dict[City, Road]:
    """Return paths that go on from the end of `path`, and lead back to a city of `path` or to the start. Only paths
    that take a fortress, or lay a question mark on one, are returned. The key of each is its last city."""
    ways = {} if column.is_train else ways_on(column, path, {column.start, *path[:-1]} - {path[-1]})
    return {city: way for city, way in ways.items() if any(effects(column, way, ())[:2])}


def walks(
    board: Board, roads: Sequence[Sequence[City]], way: Road, stops: Sequence[City], length: int
) -> Iterator[Road]:
    """Yield the paths that continue `way` over the cities `stops` by exactly `length` cities, and enter no city twice.
    `roads` has the neighbours of every city."""
    if not stops:
        if length == 0:
            yield way[1:]
        return
    for city in roads[way[-1]]:
        rest = stops[1:] if city == stops[0] else stops
        if city not in way and 1 + board.least_steps(city, rest) <= length:
            yield from walks(board, roads, (*way, city), rest, length - 1)


def is_open(column: Column, path: Road) -> bool:
    """True if the rules let the column march along this path."""
    try:
        check(column, path)
    except IllegalOrder:
        return False
    return True


def effects(column: Column, path: Road, named: Sequence[City]) -> Effects:
    """Return the side effects that a march has in cities that are not in `named`. The march is tried on a copy of the
    field."""
    trial = Column(column.rules, deep_copy(column.field), column.movers, column.circumstances)
    events = march(trial.rules, trial.field, trial, path, None)
    return tuple(
        frozenset(event.city for event in events if isinstance(event, kind) and event.city not in named)
        for kind in EFFECTS
    )
