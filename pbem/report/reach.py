"""Where pieces can get to, and what each end means for them: what somebody sees who looks at the board."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.engine.battle import way_of
from pbem.engine.conquest import against, dealings
from pbem.engine.decisions import ChooseRetreat
from pbem.engine.march import destinations, is_forced
from pbem.engine.nouns import City, Piece
from pbem.engine.pieces_by_city import pieces_by_city
from pbem.engine.retreat import best_ends
from pbem.engine.roads import Road
from pbem.engine.table import Table
from pbem.engine.ways import ways_to
from pbem.kit import game_of
from pbem.paper.documents.names import fold


class End(Struct, frozen=True):
    """A city where a march or a retreat can end, with the way that is gone there."""

    city: City
    path: Road
    forced: bool = False
    meets: bool = False
    """Whether an enemy general stands beside it, so that there is a battle."""
    aim: bool = False
    """Whether it is a fortress or an objective that these pieces could conquer."""


def ends_of_march(table: Table, movers: Sequence[Piece]) -> list[End]:
    """Where a march of these pieces can end, the nearest first; not where it begins."""
    rules, column = table.rules.common, game_of(table).column_of(table, movers)
    ways = {city: way for city, way in destinations(column).items() if city != column.start}
    if rules.ways == "found":  # the way that is gone where only the goal is written
        ways = {city: ways_to(column, (city,))[0].path for city in ways}
    aims = frozenset() if column.is_train else against(rules, table.state.field, column.power).fortresses
    ends = [
        End(
            city,
            way,
            is_forced(column, way),
            not column.is_train and is_beside_foe(table, movers[0], city),
            city in aims,
        )
        for city, way in ways.items()
    ]
    return in_order(table, ends)


def is_beside_foe(table: Table, piece: Piece, city: City) -> bool:
    """Whether an enemy general stands beside a city."""
    rules, field = table.rules.common, table.state.field
    at, power = pieces_by_city(rules, field).at, rules.pieces[piece].power
    rivals = dealings(rules, field, power).rivals
    return not all(rivals.isdisjoint(at.get(other, ())) for other in rules.board.near[city])


def retreat_asked(table: Table, pieces: Sequence[Piece]) -> ChooseRetreat | None:
    """The retreat that is being chosen for these pieces, if there is one."""
    asked = game_of(table).decisions(table)
    return next((each for each in asked if isinstance(each, ChooseRetreat) and {*pieces} & {*each.pieces}), None)


def ends_of_retreat(table: Table) -> list[End]:
    """Where the beaten stack may be sent."""
    retreat = table.state.retreat
    assert retreat is not None
    ways = best_ends(way_of(table.rules.common, table.state.field, retreat))
    return in_order(table, [End(city, way) for city, way in ways.items()])


def in_order(table: Table, ends: list[End]) -> list[End]:
    """The nearest first, then by name."""
    cities = table.rules.common.board.cities
    return sorted(ends, key=lambda end: (len(end.path), fold(cities[end.city].name)))
