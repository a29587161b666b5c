"""Aims of a power: the objectives it still lacks, and those that others still lack and it can keep from them."""

from __future__ import annotations

from pbem.bots.sensible.valuing import Goals
from pbem.engine.conquest import controller, is_held_by_enemy
from pbem.engine.field import are_enemies, are_partners
from pbem.engine.nouns import City
from pbem.games.friedrich.bots.sensible.sight import FriedrichSight


def aims_of(outlook: FriedrichSight) -> Goals:
    """Cities to conquer, and cities to keep."""
    return Goals(targets(outlook), guarded_cities(outlook), outlook.sight.common.objectives)


def targets(outlook: FriedrichSight) -> dict[City, float]:
    """Weights of the objectives that the power may conquer."""
    sight = outlook.sight
    rules, weights = sight.common, outlook.weights
    lacking = [c for c in outlook.wanted.get(sight.power, ()) if sight.field.markers.get(c) != sight.power]
    found: dict[City, float] = {}
    for city, owner in rules.objectives.items():
        if is_held_by_enemy(rules, sight.field, city, sight.power):
            needed = city in outlook.wanted.get(owner, ())
            found[city] = weights.reconquest if needed and owner != sight.power else weights.spared
    return found | dict.fromkeys(lacking, 1 + weights.urgency / max(1, len(lacking)))


def guarded_cities(outlook: FriedrichSight) -> dict[City, float]:
    """Weights of the objectives that the power protects against powers that need them."""
    sight = outlook.sight
    rules, field = sight.common, sight.field
    found: dict[City, float] = {}
    for enemy, cities in outlook.wanted.items():
        if are_enemies(field, enemy, sight.power):
            lacking = [city for city in cities if field.markers.get(city) != enemy]
            mine = [
                city for city in lacking if are_partners(field, controller(rules, field, city) or enemy, sight.power)
            ]
            found.update(dict.fromkeys(mine, outlook.weights.kept / max(1, len(lacking))))
    own = outlook.weights.own
    found.update({c: own for c in outlook.wanted.get(sight.power, ()) if field.markers.get(c) == sight.power})
    return found
