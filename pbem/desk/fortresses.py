"""Fortresses and objectives on the board: who holds each, who protects it, and who could take it."""

from __future__ import annotations

from msgspec import Struct

from pbem.engine.conquest import NOBODY, control_of, opponents_of, protectors
from pbem.engine.nouns import Power, each_piece
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.report import blocks


class Fortress(Struct, frozen=True):
    """State of a fortress, as everybody can see it on the board."""

    holder: Power
    guards: tuple[str, ...]
    """Pieces that protect the fortress."""
    far: int
    """Greatest distance in cities from which one of these pieces can protect the fortress."""
    by: int
    """Least margin of a victory that drives any of these pieces too far away to protect the fortress."""
    takers: tuple[Power, ...]
    """Powers that could take the fortress from its holder."""


def fortresses(table: Table) -> dict[str, Fortress]:
    """Return every fortress that somebody holds."""
    rules, field = table.rules.common, table.state.field
    general = next((n for n, piece in each_piece(field.pieces) if piece.city >= 0 and rules.is_general(n)), None)
    reach = NOBODY if general is None else game_of(table).column_of(table, [general]).circumstances.reach
    prey = {
        power: opponents_of(rules, field, power).fortresses
        for power in table.rules.powers
        if power in field.alliances.side
    }
    found = {}
    for city, holder in sorted(control_of(rules, field).holder.items()):
        if holder is None or not rules.board.in_play(city):
            continue
        guards = [*protectors(rules, field, city, reach)]
        usual, away = rules.limits.protection, rules.board.distance(city)
        reaches = [(reach.get(guard, usual), away[field.pieces[guard].city]) for guard in guards]
        far = max((most for most, _ in reaches), default=usual)
        by = max((most + 1 - now for most, now in reaches), default=0)
        takers = tuple(power for power, cities in prey.items() if city in cities)
        found[blocks.city(rules, city)] = Fortress(holder, tuple(blocks.pieces(rules, guards)), far, by, takers)
    return found
