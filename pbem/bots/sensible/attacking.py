"""Worth of an attack to the side that has marched to it."""

from __future__ import annotations

from pbem.bots.sensible.sight import Sight
from pbem.bots.sensible.valuing import Goals, MarchValues, PlaceValues
from pbem.engine.decisions import Pairing
from pbem.engine.field import stack_at


def attack_worth(sight: Sight, battle: Pairing, gained: int) -> float:
    """Return the worth of a fight to the attacker, as the sensible bot reckons before it marches. `gained` is the
    number of points by which cards have raised the attacker's score since the fight began."""
    movers = stack_at(sight.common, sight.field, battle.attacker)
    return MarchValues(PlaceValues(sight, Goals({}, {}, {})), movers).fight(battle.attacker, gained)
