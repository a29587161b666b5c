"""A player's standing plans: the letter in force, which of them answers what is asked, and which would from now on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.play.secret_state import SecretState
from pbem.engine.decisions import Decision
from pbem.engine.table import Table
from pbem.paper.documents.strict import bare
from pbem.paper.letters import Letter, letter_id
from pbem.paper.plans.presets import USUAL, preset_plans
from pbem.plans.fitting import topic_of
from pbem.plans.source import PlanSource
from pbem.seal.canonical import AnyTree, Tree


class PlansOfReader(Struct, frozen=True):
    """The letter of the reader's standing plans that is in force; its writer knows what it says."""

    entry: int
    letter: str
    """Its fingerprint."""
    seq: int
    stage: str
    is_hidden: bool
    """Whether something in it is still to be revealed."""
    open: dict[str, Tree]
    """What every power plans that was not sealed on its way, as it was written."""


class PlannedAnswer(Struct, frozen=True):
    """What plans have to do with one question."""

    line: int = 0
    """Which of one's plans answers it, from 1; 0 is none."""
    plan: Tree = ""
    """Where none does, one that would; nothing if none is known."""


def plans_of(state: SecretState, reader: str) -> PlansOfReader | None:
    """The reader's standing plans; of sealed ones nothing is told but the letter that they came in."""
    force = state.plans.get(reader)
    if force is None:
        return None
    letter = state.letters(force.entry).letter
    hidden = reader in state.public.unshown
    return PlansOfReader(force.entry, letter_id(letter), letter.seq, letter.stage, hidden, open_plans(letter))


def open_plans(letter: Letter) -> dict[str, Tree]:
    """The plans that stand in the open in a letter, by power."""
    orders = entry_of(letter.body, "orders")
    written: AnyTree = bare(orders) if orders else {}
    return {power: sections["plans"] for power, sections in written.items() if sections.get("plans")}


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
