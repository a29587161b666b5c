"""Protection of fortresses that may end: that of enemies by the battles of the present stage, the own by a march."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.engine.conquest import control_of, protectors
from pbem.engine.field import alter, are_enemies
from pbem.engine.march import Column, destinations
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.report.consequences import Prospects


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


def cities_uncovered(prospects: Prospects, column: Column, goal: City) -> list[City]:
    """Return the cities of the column's power that its pieces alone protect now, and that enemies could conquer on
    their next march if the pieces stood at `goal`."""
    rules, field = column.rules, column.field
    movers, reach = set(column.movers), column.circumstances.reach
    held = [city for city, holder in sorted(control_of(rules, field).holder.items()) if holder == column.power]
    near = ((city, set(protectors(rules, field, city, reach))) for city in held)
    alone = [city for city, some in near if some and movers.issuperset(some)]
    if not alone:
        return []
    after = copy_of(prospects.table)
    for mover in column.movers:
        alter(after.state.field, mover, city=goal)
    then = Prospects(after, prospects.powers, prospects.powers)
    return [city for city in alone if any(True for _ in then.conquerors(city))]
