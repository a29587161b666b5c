"""Example of orders given in advance, as an order sheet shows it: a march that can be copied."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.campaign.briefing import Briefing
from pbem.campaign.play.resolving import legal_stages
from pbem.engine.field import stack_at
from pbem.engine.march import CityEntry, destinations
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.paper.documents.writing import on_one_line
from pbem.report import blocks
from pbem.report.language.templates import WIDTH
from pbem.report.letters.agreed_cities import is_agreed_march
from pbem.report.letters.in_reach import MOST_TRIED, is_reckless, prospects_of
from pbem.report.letters.routes import (
    Route,
    hungry_at,
    nearest_aim,
    sort_by_distance,
    written_pieces,
    written_way,
)
from pbem.seal.canonical import Tree

INDENT = 6
"""Indentation of the sections of a power, in characters."""


class AheadExample(Struct, frozen=True):
    """Example of orders given in advance: its power, its stage, and its orders in two forms. `written` fits into the
    section of the power; `alone` is complete and names the power. All fields are empty if there is no example."""

    power: str = ""
    stage: str = ""
    written: str = ""
    alone: str = ""


def ahead_example(briefing: Briefing, language: str) -> AheadExample:
    """Return an example of orders given in advance: a march that one of the reader's powers could make in a later
    stage. The march names no city that an agreement is about. The example is empty if the reader has already given
    orders in advance, or if no march fits on a line."""
    table = blocks.table_in_words(briefing.table_in_play, language)
    for power in briefing.powers if not briefing.orders.ahead else ():
        own = table.state.field.alliances.stage.get(power)
        for stage in legal_stages(table, power, briefing.stage):
            for march in likely_marches(table, power) if stage.partition("/")[2] == own else ():
                section: Tree = {"ahead": [{"stage": stage, "move": [march]}]}
                alone = on_one_line({power: section})[1:-1]
                is_agreed = is_agreed_march(briefing, stage, language, march)
                if len(alone) <= WIDTH - INDENT and not is_agreed:
                    return AheadExample(power, stage, on_one_line(section)[1:-1], alone)
    return AheadExample()


def likely_marches(table: Table, power: Power) -> Iterator[dict[str, Tree]]:
    """Yield marches of each stack to cities that have no piece in them, written as orders. The city nearest to the aim
    of the stack (`nearest_aim`) comes first. Marches that are reckless (`is_reckless`), and marches of generals who are
    out of supply now, come behind those of all stacks."""
    rules, field = table.rules.common, table.state.field
    prospects = prospects_of(table, power, ())
    risky: list[dict[str, Tree]] = []
    cities = dict.fromkeys(field.pieces[general].city for general in rules.generals(power))
    for city in cities:
        if city < 0:
            continue
        column = game_of(table).column_of(table, stack_at(rules, field, city))
        ways = {end: way for end, way in destinations(column).items() if end != city}
        free = [end for end in sorted(ways) if column.entry(end) is CityEntry.FREE]
        is_hungry = bool(hungry_at(column, city, ()))
        for end in sort_by_distance(column, free, nearest_aim(column))[:MOST_TRIED]:
            march: dict[str, Tree] = {written_pieces(column): written_way(column, Route((end,), ways[end]))}
            if is_hungry or is_reckless(column, end, ways[end], prospects):
                risky.append(march)
            else:
                yield march
    yield from risky
