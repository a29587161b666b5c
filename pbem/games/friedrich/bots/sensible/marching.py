"""Movement phase."""

from __future__ import annotations

from random import Random

from pbem.bots.sensible.marching import next_move
from pbem.bots.sensible.valuing import PlaceValues
from pbem.engine.decisions import Answer, Done, March
from pbem.games.friedrich.bots.sensible.aims import aims_of
from pbem.games.friedrich.bots.sensible.sight import FriedrichSight


def make_march(outlook: FriedrichSight, decision: March, chance: Random) -> Answer:
    """Make the next march, as long as any piece gains by one."""
    return next_move(PlaceValues(outlook.sight, aims_of(outlook)), decision, chance) or Done()
