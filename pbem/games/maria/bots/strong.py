"""The bot that weighs everything as games between bots have shown it to count."""

from __future__ import annotations

from random import Random

from pbem.bots.fitted import fitted
from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Power
from pbem.games.maria.bots import sensible
from pbem.games.maria.bots.sensible.sight import MariaSight, see
from pbem.games.maria.bots.sensible.weights import MariaWeights
from pbem.games.maria.rules.table import Table


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """What the sensible bot would answer by these weights."""
    return sensible.choose(table, decision, chance, fitted(table, decision.power, MariaWeights))


def sight_of(table: Table, power: Power) -> MariaSight:
    """The position as the player of this power knows it, weighed so."""
    return see(table, power, fitted(table, power, MariaWeights))
