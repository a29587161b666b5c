"""The bot that plays like a decent beginner."""

from __future__ import annotations

from random import Random

from pbem.bots import uniform
from pbem.engine.decisions import Answer, Decision
from pbem.maria.table import Table


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """An answer a decent beginner might give."""
    return uniform.choose(table, decision, chance)
