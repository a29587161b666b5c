"""Consequences of events in the advanced game: the elector box, markers that come back (§16, §19)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.events import Conquered, Event
from pbem.games.maria.rules.peace import release, release_annexer
from pbem.games.maria.rules.points import settle_electors
from pbem.games.maria.rules.table import Table


def consequences(table: Table, events: Sequence[Event]) -> list[Event]:
    """Events that follow from these."""
    affairs = table.state.affairs
    if affairs is None or not events:
        return []
    conquests = [event for event in events if isinstance(event, Conquered)]
    if not (conquests or affairs.set_aside):
        return []
    electors = settle_electors(table) if conquests else []
    return [*electors, *release_annexer(table, events), *release_reduced(table, conquests)]


def release_reduced(table: Table, conquests: Sequence[Conquered]) -> list[Event]:
    """Return markers set aside by a reduction once the power or its minor partner conquers again (§19.2)."""
    rules = table.rules
    reduction = rules.game.advanced.reduction
    principal = table.state.field.alliances.principal
    board = rules.common.board
    again = any(principal[c.by] == reduction.power and board.map[c.city] == reduction.map for c in conquests)
    return release(table, reduction.power) if again else []
