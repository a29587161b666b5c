"""Where hussars go: on the supply paths of enemy generals, where they cost most."""

from __future__ import annotations

from random import Random

from pbem.bots.sensible.sight import Sight
from pbem.engine.board import Road
from pbem.engine.decisions import Answer
from pbem.engine.field import OFF, at_home
from pbem.engine.nouns import City, Piece
from pbem.engine.supply import toll, trace
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules.decisions import HussarPlacement, PlaceHussars

DETOUR = 0.2
"""What a longer way round is worth, for every city, against a point of toll."""


def place_hussars(outlook: MariaSight, decision: PlaceHussars, chance: Random) -> Answer:
    """One hussar after the other goes where the enemy's tolls are highest."""
    sight = outlook.sight
    hussars = sight.field.hussars = [OFF] * len(decision.standing)
    for hussar, standing in enumerate(decision.standing):
        hussars[hussar] = dearest(sight, hussar, {standing, *decision.cities} - {OFF, *hussars[:hussar]})
    return HussarPlacement(tuple(hussars))


def dearest(sight: Sight, hussar: int, cities: set[City]) -> City:
    """The city where this hussar costs the enemy most, OFF where no supply path runs through any."""
    paths = supply_paths(sight)
    best, most = OFF, 0.0
    for city in sorted(cities & {city for path in paths.values() for city in path}):
        sight.field.hussars[hussar] = city
        added = sum(burden(sight, general, path) for general, path in paths.items() if city in path)
        if added > most:
            best, most = city, added
    sight.field.hussars[hussar] = OFF
    return best


def burden(sight: Sight, general: Piece, before: Road) -> float:
    """What the hussars as they lie add to a general's toll; a detour counts a little, for the next hussar bars it."""
    path = trace(sight.common, sight.field, general) or before
    return price(sight, general, path) - price(sight, general, before) + DETOUR * (1 + len(path) - len(before))


def supply_paths(sight: Sight) -> dict[Piece, Road]:
    """The supply paths of all enemy generals outside home."""
    found: dict[Piece, Road] = {}
    for general in sight.on_map("general"):
        if sight.hostile(general) and not at_home(sight.common, sight.field, general):
            path = trace(sight.common, sight.field, general)
            if path:
                found[general] = path
    return found


def price(sight: Sight, general: Piece, path: Road) -> int:
    """What an enemy general pays for its supply path."""
    return toll(sight.common, sight.field, sight.power_of(general), path)
