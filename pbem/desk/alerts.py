"""Alerts beside the orders: what a player's generals and trains lack or could lose, and which enemy is about to win."""

from __future__ import annotations

from collections.abc import Collection

from pbem.desk.hunger import hungers, supplies
from pbem.desk.outlook import alarms
from pbem.desk.trains import generals_lost, train_dangers, trains_lost
from pbem.engine.nouns import Power
from pbem.engine.table import Table


def alerts(table: Table, powers: Collection[Power], stage: str, language: str) -> dict[str, object]:
    """Return the alerts for a player of these powers, as the page shows them. The supply is told only of powers whose
    stage it is."""
    of_stage = [power for power in powers if table.state.field.alliances.stage.get(power) == stage]
    return {
        "hungry": [*hungers(table, of_stage, language)],
        "supply": supplies(table, of_stage, language),
        "dangers": [*train_dangers(table, powers, language)],
        "generals_lost": [*generals_lost(table, powers, language)],
        "trains_lost": [*trains_lost(table, powers, language)],
        "alarms": [*alarms(table, powers, language)],
    }
