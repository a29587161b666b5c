"""Which of a player's standing plans answers what is asked, and which would from now on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.campaign.play.secret_state import SecretState
from pbem.engine.decisions import Decision
from pbem.engine.table import Table
from pbem.paper.plans.presets import USUAL, preset_plans
from pbem.plans.fitting import topic_of
from pbem.plans.source import PlanSource
from pbem.seal.canonical import Tree


class PlannedAnswer(Struct, frozen=True):
    """What plans have to do with one question."""

    line: int = 0
    """Which of one's plans answers it, from 1; 0 is none."""
    plan: Tree = ""
    """Where none does, one that would; nothing if none is known."""


def planned_answers(state: SecretState, reader: str, asked: Sequence[Decision]) -> tuple[PlannedAnswer, ...]:
    """For each question that a player is asked what plans have to do with it."""
    table = state.table
    if table is None:
        return ()
    standing = state.standing(reader, table, state.tally)
    return tuple(planned(table, standing, decision) for decision in asked)


def planned(table: Table, standing: PlanSource | None, decision: Decision) -> PlannedAnswer:
    """What plans have to do with one question."""
    verdict = standing.judge(decision) if standing else None
    if verdict is not None and verdict.given is not None:
        return PlannedAnswer(verdict.plan.number)
    topic, _, _ = topic_of(table, decision).partition(" ")
    known = preset_plans(table.rules, USUAL, decision.power)
    fit = (plan for plan in known if isinstance(plan, dict) and plan["for"] in (topic, topic_of(table, decision)))
    return PlannedAnswer(plan=next(fit, ""))
