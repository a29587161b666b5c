"""Why a march is refused: the first thing wrong with a path, and what would be right (MARIA §10.1; FRIEDRICH §4)."""

from __future__ import annotations

from pbem.engine.board import Path
from pbem.engine.conquest import held_by_enemy
from pbem.engine.errors import IllegalOrder
from pbem.engine.field import may_stack, partners
from pbem.engine.march import Column, Entry, is_forced


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
        if column.halts(entry) and place < len(path) - 1:
            name, joins = column.rules.board.cities[city].name, entry is Entry.JOIN
            raise IllegalOrder(
                "§10.1", "E-MARCH-JOINED" if joins else "E-MARCH-TRAIN",
                f"the march ends in {name}, where {'generals stack' if joins else 'it takes a train'}",
                f"end the path at {name} or go round it", ("path", place + 1),
            )  # fmt: skip
    check_end(column, path[-1], ("path", len(path) - 1))


def check_end(column: Column, city: int, where: tuple[str | int, ...]) -> None:
    """Refuse to end a march on a half-active map outside friendly home countries, or farther in than necessary."""
    name = column.rules.board.cities[city].name
    may_stop = column.circumstances.may_stop
    if may_stop is not None and not may_stop(city):
        raise IllegalOrder(
            "§11", "E-FATE-STOP", f"a Card of Fate keeps this march from ending in {name}", "end elsewhere", where
        )
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
        near = board.names_of(board.near[here])
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
    may_take = column.circumstances.may_take
    closed = may_take is not None and not column.is_train and not may_take(city)
    if closed and not any(rules.is_general(piece) for piece in there):
        name = rules.board.cities[city].name
        return IllegalOrder("§11", "E-FATE-TRAIN", f"a Card of Fate keeps this march from the train in {name}",
                            "go round", where)  # fmt: skip
    names = rules.names_of(there)
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
