"""Supply phase at the end of a power's stage: generals cut off for the first or the second time (§9)."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.events import Event, GeneralRemoved, SupplyLost, SupplyTraced
from pbem.engine.field import Field, alter, remove, stack_at
from pbem.engine.nouns import City, Piece
from pbem.engine.supply import assess, restore
from pbem.games.friedrich.rules import garrison, offensive
from pbem.games.friedrich.rules.events import Starved
from pbem.games.friedrich.rules.table import Table, active


def begin(table: Table) -> list[Event]:
    """Turn every general of the active power up or down, or remove him, by his supply."""
    rules, field, power = table.rules.common, table.state.field, active(table)
    free, _, cut_off = assess(rules, field, power)
    down = [g for g in rules.generals(power) if field.pieces[g].down and field.pieces[g].city >= 0]
    fed = [general for general in down if general not in cut_off]
    starving = sorted({field.pieces[general].city for general in cut_off if field.pieces[general].down})
    events: list[Event] = [SupplyTraced(claim.piece, claim.path, 0) for claim in free]
    events += restore(field, fed)
    events += turn_down(field, [general for general in cut_off if not field.pieces[general].down])
    for city in starving:
        events += starve(table, city)
    events += offensive.after_supply(table, starving)
    garrison.end_of_stage(table)
    return events


def turn_down(field: Field, generals: Collection[Piece]) -> list[Event]:
    """Turn generals face-down who are out of supply for the first time; they keep their troops."""
    for general in generals:
        alter(field, general, down=True)
    return [SupplyLost(general, 0) for general in generals]


def starve(table: Table, city: City) -> list[Event]:
    """Remove a stack that is out of supply for the second time, with all its troops."""
    rules, field = table.rules.common, table.state.field
    stack = stack_at(rules, field, city)
    events: list[Event] = [Starved(tuple(stack), city, sum(field.pieces[general].troops for general in stack))]
    for general in stack:
        remove(field, general)
        events.append(GeneralRemoved(general, city))
    return events
