"""Every march one by one, back and forth included, as the engine lets it be: for counting, and for trying them all."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.march import CityEntry, Column
from pbem.engine.roads import Road


def walks(column: Column) -> Iterator[Road]:
    """Every path of an ordinary march."""
    any_road, main_road, _ = column.ranges
    board = column.rules.board

    def onward(path: Road, here: int, all_main: bool) -> Iterator[Road]:
        for city in board.near[here]:
            on_main = all_main and city in board.on_main[here]
            if len(path) >= (main_road if on_main else any_road) or column.step_closed(here, city):
                continue
            entry = column.entry(city)
            if entry is CityEntry.BLOCKED:
                continue
            longer = (*path, city)
            if column.may_end(city):
                yield longer
            if not column.halts(entry):
                yield from onward(longer, city, on_main)

    yield from onward((), column.start, True)
