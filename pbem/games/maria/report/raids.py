"""Cities where hussars would lie on an enemy's supply path, for the order sheet (§7, §9)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.copying import deep_copy
from pbem.engine.field import OFF, Field, are_enemies, at_home
from pbem.engine.nouns import City, Piece
from pbem.engine.rules import Rules
from pbem.engine.supply import trace
from pbem.games.maria.rules.decisions import HussarPlacement, PlaceHussars
from pbem.games.maria.rules.table import Table
from pbem.report import naming
from pbem.report.game_report import Worth

MOST = 6
"""Most cities named; those on which most generals depend come first."""


def raids_worth(table: Table, decision: PlaceHussars) -> Worth:
    """Cities on which most enemy generals depend, and the hussars placed in the first of them."""
    rules, field = table.rules.common, deep_copy(table.state.field)
    field.hussars = [OFF] * len(field.hussars)
    open_to = {*decision.cities, *decision.standing}
    fed = {city: who for city, who in dependents(rules, field).items() if city in open_to}
    best = sorted(fed, key=lambda city: (-len(fed[city]), city))[:MOST]
    raids = {naming.city(rules, city): naming.pieces(rules, fed[city]) for city in best}
    count = len(decision.standing)
    return Worth((HussarPlacement(tuple(best[:count])),) if len(best) >= count else (), {"raids": raids})


def dependents(rules: Rules, field: Field) -> Mapping[City, list[Piece]]:
    """Enemy generals whose supply runs through each city when no hussars are placed."""
    found: dict[City, list[Piece]] = {}
    for general in sorted(rules.all_generals):
        piece = field.pieces[general]
        if piece.city < 0 or not are_enemies(field, rules.pieces[general].power, rules.raiders):
            continue
        if not at_home(rules, field, general):
            for city in trace(rules, field, general) or ():
                found.setdefault(city, []).append(general)
    return found
