"""Placement of hussars on the supply paths of enemy generals, where they cost most."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from pbem.engine.decisions import Answer
from pbem.engine.field import OFF, Field, are_enemies, at_home
from pbem.engine.nouns import City, Piece, Power, each_piece
from pbem.engine.roads import Road
from pbem.engine.rules import Rules
from pbem.engine.supply import toll, trace
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules.decisions import HussarPlacement, PlaceHussars

DETOUR = 0.2
"""Worth of a longer way, for every city, compared with a point of toll."""


def place_hussars(outlook: MariaSight, decision: PlaceHussars, chance: Random) -> Answer:
    """Place one hussar after the other where the enemy's tolls are highest."""
    return raid(outlook.sight.common, outlook.sight.field, decision)


def raid(rules: Rules, field: Field, decision: PlaceHussars) -> HussarPlacement:
    """Placement of each hussar, one after the other, where it costs the enemy most with those before it.

    Plans use this too (`raid: costliest`). Campaigns are verified by it, so its results must never change.
    """
    hussars = [OFF] * len(decision.standing)
    tried = replace(field, hussars=hussars)
    for hussar, standing in enumerate(decision.standing):
        open_to = {standing, *decision.cities} - {OFF, *hussars[:hussar]}
        hussars[hussar] = dearest(rules, tried, decision.power, hussar, open_to)
    return HussarPlacement(tuple(hussars))


def dearest(rules: Rules, field: Field, power: Power, hussar: int, cities: set[City]) -> City:
    """City where this hussar costs the enemy most; OFF if no supply path runs through any."""
    paths = supply_paths(rules, field, power)
    best, most = OFF, 0.0
    for city in sorted(cities & {city for path in paths.values() for city in path}):
        field.hussars[hussar] = city
        added = sum(burden(rules, field, general, path) for general, path in paths.items() if city in path)
        if added > most:
            best, most = city, added
    field.hussars[hussar] = OFF
    return best


def burden(rules: Rules, field: Field, general: Piece, before: Road) -> float:
    """Toll that the present hussars add for a general. A detour counts a little, because the next hussar may bar it."""
    path = trace(rules, field, general) or before
    added = price(rules, field, general, path) - price(rules, field, general, before)
    return added + DETOUR * (1 + len(path) - len(before))


def supply_paths(rules: Rules, field: Field, power: Power) -> dict[Piece, Road]:
    """Supply paths of all enemy generals outside home."""
    found: dict[Piece, Road] = {}
    for general, piece in each_piece(field.pieces):
        if (
            piece.city < 0
            or not rules.is_general(general)
            or not are_enemies(field, rules.pieces[general].power, power)
        ):
            continue
        path = None if at_home(rules, field, general) else trace(rules, field, general)
        if path:
            found[general] = path
    return found


def price(rules: Rules, field: Field, general: Piece, path: Road) -> int:
    """Toll of an enemy general for its supply path."""
    return toll(rules, field, rules.pieces[general].power, path)
