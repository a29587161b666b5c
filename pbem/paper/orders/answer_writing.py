"""Writes answers as the orders that lead to them, so that whoever only decides can send letters.

Reading what is written here gives the same answer again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.paper.game_paper import game_paper
from pbem.paper.orders.names import SectionWriter
from pbem.paper.orders.section import AnySection, Joins
from pbem.seal.canonical import Tree


def orders_tree(table: Table, power: Power, decision: Decision | None, answer: Answer) -> dict[str, Tree]:
    """The orders of a power that lead to an answer: `{power: {section: …}}`, to stand below `orders`.

    What is settled without being asked for has no decision.
    """
    return {power: dict(sections_of(table, power, decision, answer))}


def sections_of(table: Table, power: Power, decision: Decision | None, answer: Answer) -> dict[str, Tree]:
    """The sections of a power's orders that lead to an answer."""
    row, pen = row_for(table, decision, answer), SectionWriter(table.rules.common, power)
    written = row.write(pen, answer)
    return {row.name: {row.about(pen, decision): written} if row.about and decision else written}


def row_for(table: Table, decision: Decision | None, answer: Answer) -> AnySection:
    """The section that has an answer: one that is settled by itself, or that of the decision."""
    for row in game_paper(table).sections:
        if isinstance(answer, row.gives) and (row.is_free or (decision is not None and row.is_for(decision))):
            return row
    asked = f" to {type(decision).__name__}" if decision else ""
    raise TypeError(f"{type(answer).__name__} is no answer{asked}")


def merged_orders(table: Table, parts: Iterable[Mapping[str, Tree]]) -> dict[str, Tree]:
    """The orders of several answers, in the order in which they were given, as those of one file.

    Troops that pass between generals after a move stand behind it. Raises `ValueError` if a section would have to
    answer two questions, which no file can.
    """
    joins: dict[str, Joins] = {row.name: row.joins for row in game_paper(table).sections}
    whole: dict[str, dict[str, Tree]] = {}
    for part in parts:
        for power, sections in part.items():
            assert isinstance(sections, dict)
            for section, content in sections.items():
                add(whole.setdefault(power, {}), section, content, joins[section])
    return dict(whole)


def add(sections: dict[str, Tree], section: str, content: Tree, joins: Joins) -> None:
    """Put one more answer into the orders of a power."""
    moves = sections.get("move")
    if section == "transfer" and isinstance(moves, list) and isinstance(content, list):
        sections["move"] = [*moves, *({"transfer": troops} for troops in content)]
        return
    match sections.get(section), content, joins:
        case None, first, _:
            sections[section] = first
        case list() as before, list() as more, "lines":
            sections[section] = [*before, *more]
        case dict() as before, dict() as more, "again":
            sections[section] = [before, more]
        case list() as before, dict() as more, "again":
            sections[section] = [*before, more]
        case dict() as before, dict() as more, "by name" if not before.keys() & more.keys():
            sections[section] = {**before, **more}
        case _:
            raise ValueError(f"`{section}` would have to answer twice")
