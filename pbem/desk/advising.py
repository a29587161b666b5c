"""Advice of the best bot, with reasons. The bot knows only what the player knows."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.plain import game_bots
from pbem.bots.table import best_policy
from pbem.engine.decisions import Allot, Answer, Decision, March, Move
from pbem.engine.nouns import Power
from pbem.engine.supply import cut_off_in
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.paper.orders.files import sections_of
from pbem.report import blocks
from pbem.report.blocks import table_in_words
from pbem.seal.canonical import Tree


class Counsel(Struct, frozen=True):
    """Answer of the best bot to one question."""

    power: Power
    sections: dict[str, Tree]
    """The answer as sections of orders."""
    why: tuple[str, ...]
    """Reasons in words, as the game's bot gives them (`GameBots.why`); empty if there was nothing to weigh."""
    starves: tuple[str, ...]
    """Generals who would be out of supply after the march, with trains and enemies as they stand now."""


def decisions_of(table: Table, powers: Collection[Power]) -> list[Decision]:
    return [each for each in game_of(table).decisions(table) if each.power in powers]


def answer_of(table: Table, decision: Decision) -> Answer:
    """Return the best bot's answer. The same table always gives the same answer."""
    return best_policy(table.rules.terms.game)(copy_of(table), decision, Random(0))  # noqa: S311 - bots need no secrets


def counsels(table: Table, powers: Collection[Power], language: str, pieces: Collection[str] = ()) -> list[Counsel]:
    """Return advice on every decision that these powers have to make now. If pieces are named, advice on marches is for
    these pieces only."""
    return [counsel(table, march_of(table, each, pieces), language) for each in decisions_of(table, powers)]


def march_of(table: Table, decision: Decision, names: Collection[str]) -> Decision:
    """Return a decision to march, limited to the named pieces: without the return of trains, and without duties to
    leave neutral land. Return any other decision unchanged, and a march for which none of these pieces may move."""
    if not isinstance(decision, March):
        return decision
    pieces = tuple(each for each in decision.pieces if table.rules.common.pieces[each].name in names)
    return replace(decision, pieces=pieces, trains={}, leaving=()) if pieces else decision


def counsel(table: Table, decision: Decision, language: str) -> Counsel:
    answer, named = answer_of(table, decision), table_in_words(table, language)
    reasons = game_bots(table.rules.terms.game).why(named, decision, answer)
    return Counsel(
        decision.power,
        sections_of(table, decision.power, decision, answer),
        tuple(reason.text(language) for reason in reasons),
        starving(table, answer),
    )


def starving(table: Table, answer: Answer) -> tuple[str, ...]:
    """Return the generals who would be out of supply after a march; empty for another answer."""
    rules, field = table.rules.common, table.state.field
    if not isinstance(answer, Move):
        return ()
    generals = [piece for piece in answer.pieces if rules.is_general(piece)]
    ways = {answer.path[-1]: answer.path}
    return tuple(blocks.pieces(rules, [each for each in generals if [*cut_off_in(rules, field, each, ways)]]))


def dealings(table: Table, powers: Collection[Power]) -> dict[str, Tree]:
    """Return the order sections by which the best bot deals out the troops, for each of these powers that has to deal
    them now."""
    return {
        decision.power: sections_of(table, decision.power, decision, answer_of(table, decision))
        for decision in decisions_of(table, powers)
        if isinstance(decision, Allot)
    }
