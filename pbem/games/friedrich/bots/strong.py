"""The bot that weighs everything as games between bots have shown it to count."""

from __future__ import annotations

from random import Random

from pbem.bots.fitted import fitted
from pbem.engine.decisions import Answer, Decision
from pbem.games.friedrich.bots import sensible
from pbem.games.friedrich.bots.sensible.weights import FriedrichWeights
from pbem.games.friedrich.rules.table import Table


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """What the sensible bot would answer by these weights."""
    return sensible.choose(table, decision, chance, fitted(table, decision.power, FriedrichWeights))
