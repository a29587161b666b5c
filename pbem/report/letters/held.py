"""Orders that an order sheet contains: the default orders, if the game knows none that are better."""

from __future__ import annotations

from random import Random

from pbem.bots.plain import hold
from pbem.engine.decisions import Allot, Decision, March
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.paper.orders.files import sections_of
from pbem.report import blocks
from pbem.report.language.templates import NO_BREAK
from pbem.report.telling import game_report
from pbem.seal.canonical import Tree


def held_section(table: Table, decision: Decision, language: str) -> tuple[str, Tree]:
    """Return the name of the section that answers a decision, and the orders in it that the sheet contains. These are
    the default orders, or better ones that the game knows (`GameReport.beginning`). Pieces that must march out of
    neutral land do so in these orders."""
    better = game_report(table.rules.terms.game).beginning(table, decision)
    answer = better or hold(table, decision, Random(0))  # noqa: S311 - nothing is left to chance
    named = blocks.table_in_words(table, language)
    ((section, tree),) = sections_of(named, decision.power, decision, answer).items()
    if not isinstance(decision, March) or not decision.leaving:
        return section, tree
    game, after = game_of(table), copy_of(table)
    game.apply(after, decision.power, answer)
    _, more = held_section(after, game.decision_of(after, decision.power), language)
    assert isinstance(tree, list)
    assert isinstance(more, list)
    return section, [*tree, *more]


def other_by_default(named: Table, decision: Decision, section: str, held: Tree) -> str:
    """Return the number of troops that the default orders give to each general, in words, without generals who get as
    many in `held`, the orders of the sheet. The text is empty for other decisions than an allotment, and if no general
    is left."""
    if not isinstance(decision, Allot):
        return ""
    answer = hold(named, decision, Random(0))  # noqa: S311 - nothing is left to chance
    by_default = sections_of(named, decision.power, decision, answer)[section]
    assert isinstance(by_default, dict)
    assert isinstance(held, dict)
    return ", ".join(f"{name}{NO_BREAK}{troops}" for name, troops in by_default.items() if troops != held[name])
