"""What follows from events of the advanced game: the elector box, markers that come back (§16, §19)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.events import Conquered, Event

from .peace import release, release_annexer
from .points import settle_electors
from .table import Table


def consequences(table: Table, events: Sequence[Event]) -> list[Event]:
    """The events that follow from these."""
    if table.state.affairs is None:
        return []
    return [*settle_electors(table), *release_annexer(table), *release_reduced(table, events)]


def release_reduced(table: Table, events: Sequence[Event]) -> list[Event]:
    """Markers set aside by a reduction come back once the power or its minor partner conquers again (§19.2)."""
    rules = table.rules
    reduction = rules.game.advanced.reduction
    principal = table.state.field.alliances.principal
    for event in events:
        if (
            isinstance(event, Conquered)
            and principal[event.by] == reduction.power
            and rules.common.board.map[event.city] == reduction.map
        ):
            return release(table, reduction.power)
    return []
