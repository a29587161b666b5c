"""What a power wants: the objectives it still lacks, and those that others still lack and it can keep from them."""

from __future__ import annotations

from pbem.bots.sensible.valuing import Goals
from pbem.engine.conquest import controller, held_by_enemy
from pbem.engine.field import enemies, partners
from pbem.engine.nouns import City
from pbem.games.friedrich.bots.sensible.sight import FriedrichSight

KEPT = 2.0
"""How much all the objectives together matter that one enemy still lacks: the fewer they are, the more each."""

URGENCY = 3.0
"""How much more all the objectives together matter that are still lacking: the last ones have to be taken, too."""

RECONQUEST = 0.5
"""How much an objective matters that an enemy has conquered and can be taken back."""

SPARED = 0.1
"""How much an objective matters that is not needed any more."""

OWN = 0.3
"""How much a conquered objective matters that can be lost again."""


def aims_of(outlook: FriedrichSight) -> Goals:
    """What is to be conquered, and what to be kept."""
    return Goals(targets(outlook), guarded(outlook), outlook.sight.common.objectives)


def targets(outlook: FriedrichSight) -> dict[City, float]:
    """The objectives that the power may conquer."""
    sight = outlook.sight
    rules = sight.common
    lacking = [c for c in outlook.wanted.get(sight.power, ()) if sight.field.markers.get(c) != sight.power]
    found: dict[City, float] = {}
    for city, owner in rules.objectives.items():
        if held_by_enemy(rules, sight.field, city, sight.power):
            needed = city in outlook.wanted.get(owner, ())
            found[city] = (RECONQUEST if needed else SPARED) if owner != sight.power else SPARED
    return found | dict.fromkeys(lacking, 1 + URGENCY / max(1, len(lacking)))


def guarded(outlook: FriedrichSight) -> dict[City, float]:
    """The objectives that the power protects against those who need them."""
    sight = outlook.sight
    rules, field = sight.common, sight.field
    found: dict[City, float] = {}
    for enemy, cities in outlook.wanted.items():
        if enemies(field, enemy, sight.power):
            lacking = [city for city in cities if field.markers.get(city) != enemy]
            mine = [city for city in lacking if partners(field, controller(rules, field, city) or enemy, sight.power)]
            found.update(dict.fromkeys(mine, KEPT / max(1, len(lacking))))
    found.update({c: OWN for c in outlook.wanted.get(sight.power, ()) if field.markers.get(c) == sight.power})
    return found
