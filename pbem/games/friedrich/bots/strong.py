"""Strong bot of FRIEDRICH: the sensible bot with weights fitted from games of bots."""

from __future__ import annotations

from random import Random

from pbem.bots.fitted import fitted_weights
from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Power
from pbem.games.friedrich.bots import sensible
from pbem.games.friedrich.bots.sensible.sight import FriedrichSight, see
from pbem.games.friedrich.bots.sensible.weights import FriedrichWeights
from pbem.games.friedrich.rules.table import Table


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """Answer of the sensible bot with fitted weights."""
    return sensible.choose(table, decision, chance, fitted_weights(table, decision.power, FriedrichWeights))


def sight_of(table: Table, power: Power) -> FriedrichSight:
    """View of the player of this power, with fitted weights."""
    return see(table, power, fitted_weights(table, power, FriedrichWeights))
