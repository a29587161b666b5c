"""Alerts beside the orders: dangers to generals and trains, strong enemies, enemies about to win, goals reached, and
marches still to come."""

from __future__ import annotations

from collections.abc import Collection

from pbem.desk.hunger import hungers, recovering, supplies
from pbem.desk.trains import generals_lost, train_dangers, trains_lost
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.player.tables import FoundTable
from pbem.report import blocks
from pbem.report.consequences import Prospects
from pbem.report.letters.reader import marches_follow
from pbem.report.victory import goals_reached, near_victory


def alerts(table: Table, powers: Collection[Power], found: FoundTable, language: str) -> dict[str, object]:
    """Return the alerts for a player of these powers. `found` is the table before the orders. Supply alerts are only
    for powers whose stage it is."""
    stages, declared = table.state.field.alliances.stage, found.memory.strengths if found.memory else ()
    of_stage = [power for power in powers if stages.get(power) == found.table.state.stage]
    prospects = Prospects(table, powers, powers, declared)
    foes = {foe: prospects.stack(foe) for foe in prospects.foes}
    return {
        "hungry": [*hungers(table, of_stage, language)],
        "recovering": recovering(table, of_stage),
        "supply": supplies(table, of_stage, language),
        "dangers": [*train_dangers(table, powers, language)],
        "generals_lost": [*generals_lost(table, powers, language)],
        "trains_lost": [*trains_lost(table, powers, language)],
        "foes": {blocks.city(table.rules.common, foe): (each.least, each.most) for foe, each in foes.items()},
        "reached": [*goals_reached(table, powers, language)],
        "alarms": [each.sentence(table.rules, language) for each in near_victory(prospects) if not each.is_own],
        "marches_follow": [power for power in of_stage if marches_follow(table, [power])],
    }
