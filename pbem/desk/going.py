"""Marches in the orders: where a march can go on, and how it is changed or removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pbem.desk.draft import Draft, mapping, without
from pbem.engine.conquest import opponents_of
from pbem.engine.decisions import Done, March, Move
from pbem.engine.march import Column, destinations, is_forced
from pbem.engine.nouns import City, Power
from pbem.engine.roads import Road
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.engine.ways import best_way, effects, in_order, shortest
from pbem.kit import game_of
from pbem.paper.orders.files import Orders
from pbem.paper.orders.moves import MOVE
from pbem.paper.orders.trial import run_known
from pbem.report import blocks
from pbem.report.language.options import end_data
from pbem.report.maps import ends_of_march
from pbem.seal.canonical import Tree


class WayThere(Struct, frozen=True):
    """Way to the end of a march, with its effects: the way that it goes, an equally long way with other effects, or a
    longer way that takes a fortress."""

    path: tuple[str, ...]
    by: tuple[str, ...]
    """Cities of this way that the march does not pass; empty for the way that it goes."""
    does: tuple[tuple[str, ...], ...]
    """Cities for each kind of effect: those that the march would conquer, those on which it would lay a question mark,
    and those where it would take a train or remove a hussar."""


class Going(Struct, frozen=True):
    """March of a power, with the cities where it can end if it goes on."""

    power: Power
    at: int
    """Number of moves before the march in the power's orders."""
    pieces: tuple[str, ...]
    start: str
    stops: tuple[str, ...]
    """Cities of the march that the letter names."""
    to: tuple[dict[str, object], ...]
    """Cities where the march can end if it goes on, each as data (`end_data`)."""
    path: tuple[str, ...]
    """All cities on the way of the march."""
    does: tuple[tuple[str, ...], ...]
    """Cities for each kind of effect of this way, as in `WayThere`."""
    others: tuple[WayThere, ...]
    """Other ways whose effects differ from those of the march: one way for each set of effects. Ways of the same length
    come first."""


def place_of_march(rules: Rules, orders: Orders, power: Power, who: Sequence[str] = ()) -> int | None:
    """Return the index, among a power's moves, of the last march of the pieces `who`. Without `who`, return the index
    of the last move. Return None if there is no such move, or if the last move is no march."""
    mine = orders.powers[power].sections.get(MOVE.name, []) if power in orders.powers else []
    mine = mine[:-1] if mine and isinstance(mine[-1].said, Done) else mine
    marches = {at: each.said for at, each in enumerate(mine) if isinstance(each.said, Move)}
    found = [at for at, march in marches.items() if not who or {*blocks.pieces(rules, march.pieces)} == {*who}]
    return found[-1] if found and (who or found[-1] == len(mine) - 1) else None


def going_in(table: Table, orders: Orders, power: Power, who: Sequence[str] = ()) -> Going | None:
    """Return the march of the pieces `who`, or without `who` the power's last march, with the cities to which it can go
    on. Return None if there is no such march, or if the march is illegal."""
    orders, rules = orders.copy(), table.rules.common
    for written in orders.powers.values():
        moves = written.sections.get(MOVE.name, [])
        if moves and isinstance(moves[-1].said, Done):
            moves.pop()
    at = place_of_march(rules, orders, power, who)
    if at is None:
        return None
    mine = orders.powers[power].sections[MOVE.name]
    last = mine[at].said
    assert isinstance(last, Move)
    del mine[at:]
    before = run_known(table, orders)
    asked = [each for each in game_of(before.table).decisions(before.table) if isinstance(each, March)]
    # A stack can have generals of two powers, each of which is asked about its own.
    unmoved = {piece for each in asked for piece in each.pieces}
    if before.is_refused or power not in [each.power for each in asked] or not unmoved.issuperset(last.pieces):
        return None
    ends = ends_of_march(before.table, last.pieces, last.path)
    way, *others = ways_of(before.table, last)
    return Going(
        power,
        at,
        tuple(blocks.pieces(rules, last.pieces)),
        blocks.city(rules, before.table.state.field.pieces[last.pieces[0]].city),
        tuple(blocks.cities(rules, last.path)),
        tuple(end_data(before.table, end) for end in ends),
        way.path,
        way.does,
        tuple(others),
    )


def ways_of(table: Table, march: Move) -> Iterator[WayThere]:
    """Yield the whole way of a march, then other ways to the same city that have other effects: those of the same
    length, then longer ones that lead through an enemy fortress."""
    rules, column = table.rules.common, game_of(table).column_of(table, march.pieces)
    path = best_way(column, march.path) or march.path
    others = in_order(column, (), [way for way in shortest(column, path[-1:]) if way != path and len(way) == len(path)])
    found = {effects(column, path, ()): path}
    for way in others:
        found.setdefault(way.effects, way.path)
    for longer in ways_through_fortresses(column, path):
        found.setdefault(effects(column, longer, ()), longer)
    for done, road in found.items():
        yield WayThere(
            tuple(blocks.cities(rules, road)),
            tuple(blocks.cities(rules, [city for city in road if city not in path])),
            tuple(tuple(blocks.cities(rules, sorted(cities))) for cities in done),
        )


def ways_through_fortresses(column: Column, path: Road) -> Iterator[Road]:
    """Yield longer ways to the end of a path: for each enemy fortress in reach that the path does not pass, the best
    way through it that is no forced march and takes more. Yield nothing for trains."""
    if column.is_train:
        return
    held = frozenset[City]().union(
        *(opponents_of(column.rules, column.field, power).fortresses for power in column.powers)
    )
    for city in sorted(held.intersection(destinations(column)).difference((column.start, *path))):
        way = best_way(column, (city, path[-1]))
        if way and not is_forced(column, way) and cities_taken(column, way) > cities_taken(column, path):
            yield way


def cities_taken(column: Column, path: Road) -> frozenset[City]:
    """Return the fortresses that a march would conquer, or on which it would lay a question mark."""
    conquered, questioned, *_ = effects(column, path, ())
    return conquered | questioned


def march_line(pieces: Sequence[str], way: Sequence[str]) -> Tree:
    """Return the line of orders for a march of these pieces. `way` has the cities that the line names; the last is the
    end of the march."""
    who, *via, to = " + ".join(pieces), *way
    if not via:
        return {who: to}
    return {"march": who, "via": via[0] if len(via) == 1 else [*via], "to": to}


def orders_with_way(draft: Draft, march: Going, way: Sequence[str]) -> dict[str, Tree]:
    """Return a draft's orders with a march that goes the way `way`. Raises `Refused` if the draft cannot be read."""
    orders = draft.orders()
    sections = mapping(orders.get(march.power))
    lines = sections.get(MOVE.name)
    assert isinstance(lines, list)
    changed = [*lines[: march.at], march_line(march.pieces, way), *lines[march.at + 1 :]]
    return {**orders, march.power: {**sections, MOVE.name: changed}}


def orders_without(draft: Draft, power: Power, at: int) -> dict[str, Tree]:
    """Return a draft's orders without the move that has the index `at` among a power's moves. Raises `Refused` if the
    draft cannot be read."""
    return without(draft.orders(), (power, MOVE.name, at))


def orders_with_last(draft: Draft, line: int) -> dict[str, Tree]:
    """Return a draft's orders in which the move that begins at or above a line stands last of its power's moves. The
    orders are unchanged if no move begins there. Raises `Refused` if the draft cannot be read."""
    orders, path = draft.orders(), draft.path_at(line)
    for power, sections in orders.items():
        lines = mapping(sections).get(MOVE.name)
        if path[:2] == (power, MOVE.name) and isinstance(lines, list):
            others = [each for at, each in enumerate(lines) if path[2:] != (at,)]
            last = [each for at, each in enumerate(lines) if path[2:] == (at,)]
            return {**orders, power: {**mapping(sections), MOVE.name: [*others, *last]}}
    return orders
