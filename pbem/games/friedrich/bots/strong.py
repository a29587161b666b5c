"""The bot that weighs everything as games between bots have shown it to count."""

from __future__ import annotations

from random import Random

from pbem.bots.fitted import fitted
from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Power
from pbem.games.friedrich.bots import sensible
from pbem.games.friedrich.bots.sensible.sight import FriedrichSight, see
from pbem.games.friedrich.bots.sensible.weights import FriedrichWeights
from pbem.games.friedrich.rules.table import Table


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """What the sensible bot would answer by these weights."""
    return sensible.choose(table, decision, chance, fitted(table, decision.power, FriedrichWeights))


def sight_of(table: Table, power: Power) -> FriedrichSight:
    """The position as the player of this power knows it, weighed so."""
    return see(table, power, fitted(table, power, FriedrichWeights))
