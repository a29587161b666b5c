"""Strong bot of MARIA: the sensible bot with weights fitted from games of bots."""

from __future__ import annotations

from random import Random

from pbem.bots.fitted import fitted_weights
from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Power
from pbem.games.maria.bots import sensible
from pbem.games.maria.bots.sensible.sight import MariaSight, see
from pbem.games.maria.bots.sensible.weights import MariaWeights
from pbem.games.maria.rules.table import Table


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """Answer of the sensible bot with fitted weights."""
    return sensible.choose(table, decision, chance, fitted_weights(table, decision.power, MariaWeights))


def sight_of(table: Table, power: Power) -> MariaSight:
    """View of the player of this power, with fitted weights."""
    return see(table, power, fitted_weights(table, power, MariaWeights))
