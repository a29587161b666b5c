"""Combats that come if the pieces of the reader stay where they stand."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from pbem.engine.combat import pairings
from pbem.engine.field import stack_at
from pbem.engine.nouns import City, Power
from pbem.engine.table import Table
from pbem.report import blocks


class StandOff(Struct, frozen=True):
    """Generals of the reader in one city, and the generals of an enemy next to them whom they have to fight."""

    pieces: tuple[str, ...]
    foes: tuple[str, ...]


def stand_offs(table: Table, powers: Collection[Power]) -> tuple[StandOff, ...]:
    """Return the combats that come if pieces of these powers, who are to march, stay where they stand."""
    rules, field = table.rules.common, table.state.field

    def generals(city: City) -> tuple[str, ...]:
        return tuple(blocks.pieces(rules, stack_at(rules, field, city)))

    found = pairings(rules, field, [*powers])
    return tuple(StandOff(generals(each.attacker), generals(each.defender)) for each in found)
