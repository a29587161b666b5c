"""Protection of fortresses that the present stage may end: every piece that protects them can be attacked or taken."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.engine.conquest import protectors
from pbem.engine.field import are_enemies
from pbem.engine.march import Column, destinations
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.table import Table
from pbem.kit import game_of


def pieces_in_reach(table: Table, power: Power) -> dict[Piece, frozenset[Piece]]:
    """Return for each general who acts in the stage of a power, on its side, the enemy pieces that the general can
    attack or take in this stage. Generals who have moved reach only what is beside them."""
    rules, state = table.rules.common, table.state
    field, near = state.field, rules.board.near
    found: dict[Piece, frozenset[Piece]] = {}
    for other in table.rules.powers:
        if field.alliances.stage.get(other) != state.stage or are_enemies(field, other, power):
            continue
        for general in rules.generals(other):
            if (start := field.pieces[general].city) < 0:
                continue
            column = game_of(table).column_of(table, [general])
            ends = {start} if general in state.moved else {start, *destinations(column)}
            beside = {city for end in ends for city in near[end]}
            rivals = [rival for rival in column.dealings.rivals if field.pieces[rival].city in beside]
            trains = [train for train in column.dealings.prey if field.pieces[train].city in ends]
            found[general] = frozenset([*rivals, *trains])
    return found


def may_lose_protection(column: Column, city: City, end: City, reached: Mapping[Piece, Collection[Piece]]) -> bool:
    """True if a fortress that the pieces of a column leave may fall after the battles of the stage. Each piece that
    protects it is next to the end of the march, or other generals can attack or take it (`reached`)."""
    beside = column.rules.board.near[end]
    others = {piece for general, some in reached.items() if general not in column.movers for piece in some}
    near = protectors(column.rules, column.field, city, column.circumstances.reach)
    return all(piece in others or column.field.pieces[piece].city in beside for piece in near)
