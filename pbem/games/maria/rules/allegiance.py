"""Rightful alliances: those that follow from Saxony's marker, a peace, and a cession (§2, §19)."""

from __future__ import annotations

from pbem.engine.field import Alliances
from pbem.games.maria.rules.defection import defector_alliances
from pbem.games.maria.rules.gambit import alliances_without
from pbem.games.maria.rules.opening import new_field
from pbem.games.maria.rules.peace import keep_peace
from pbem.games.maria.rules.table import Table


def alliances_due(table: Table) -> Alliances:
    """Alliances that follow from the rest of the position. Leave to stack is a choice and not included."""
    rules, state = table.rules, table.state
    alliances = new_field(rules).alliances
    if state.affairs is not None:
        alliances = keep_peace(table, defector_alliances(table, alliances))
    if state.gambit is not None and state.gambit.ceded and rules.scenario.gambit is not None:
        alliances = alliances_without(alliances, rules.scenario.gambit.leaving)
    return alliances
