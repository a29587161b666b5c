"""Standing plans of a reader: the letter that has them, the plans and orders ahead that answer present decisions, and
preset plans that the reader could send to answer them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.play.ahead import AheadSource
from pbem.campaign.play.resolving import is_past
from pbem.campaign.play.secret_state import SecretState
from pbem.engine.decisions import Decision
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.paper.documents.strict import bare
from pbem.paper.letters import Letter, letter_id
from pbem.paper.orders.files import PLANS, section_of
from pbem.paper.plans.ahead import AHEAD
from pbem.paper.plans.presets import USUAL, preset_plans
from pbem.plans.source import PlanSource, topic_of
from pbem.seal.canonical import AnyTree, Tree


class PlansOfReader(Struct, frozen=True):
    """A reader's standing plans in force, and the letter that has them. Only the letter's writer may know the
    content."""

    entry: int
    letter: str
    """Fingerprint of the letter."""
    seq: int
    stage: str
    is_hidden: bool
    """True if a part of the letter must still be revealed."""
    open: dict[str, Tree]
    """Unsealed plans of every power, as they were written."""
    ahead: dict[str, Tree] = {}
    """Unsealed orders ahead of every power for stages that are still to come, as they were written."""


class PlannedAnswer(Struct, frozen=True):
    """Plan or block of orders ahead that answers one decision. For a decision without an answer: a preset plan that
    would answer it."""

    line: int = 0
    """Number, from 1, of the plan or block that answers the decision; 0 if nothing answers it."""
    written: Tree = ""
    """The plan or block that answers the decision, as it was written; empty if it came sealed."""
    plan: Tree = ""
    """Preset plan that would answer the decision; empty if no preset plan fits, or if the decision is answered."""
    ahead: int = 0
    """Entry of the letter whose orders ahead answer the decision; 0 without such a letter."""
    sections: tuple[str, ...] = ()
    """Sections of orders in the block that answers the decision."""


def plans_of(state: SecretState, reader: str) -> PlansOfReader | None:
    """Return the unsealed content of the reader's standing plans: the plans, and the orders ahead for later stages of
    the present turn. Return None if no letter with standing plans is in force."""
    force = state.plans.get(reader)
    if force is None:
        return None
    letter = state.letters(force.entry).letter
    hidden = reader in state.public.unshown
    plans, ahead = open_sections(letter, PLANS), open_sections(letter, AHEAD)
    found = {power: blocks_to_come(state, blocks) for power, blocks in ahead.items()}
    coming: dict[str, Tree] = {power: blocks for power, blocks in found.items() if blocks}
    return PlansOfReader(force.entry, letter_id(letter), letter.seq, letter.stage, hidden, plans, coming)


def open_sections(letter: Letter, section: str) -> dict[str, Tree]:
    """Return the unsealed content of the section of this name in a letter, by power."""
    orders = entry_of(letter.body, "orders")
    written: AnyTree = bare(orders) if orders else {}
    return {power: sections[section] for power, sections in written.items() if sections and sections.get(section)}


def blocks_to_come(state: SecretState, blocks: Tree) -> list[Tree]:
    """Return those blocks of orders ahead that are for later stages of the present turn. Only these could be sent
    again."""
    every = blocks if isinstance(blocks, list) else [blocks]
    stages = [str(block["stage"]) if isinstance(block, dict) else "" for block in every]
    later = [stage not in ("", state.stage) and not is_past(state.rules, stage, state.stage) for stage in stages]
    return [block for block, is_later in zip(every, later, strict=True) if is_later]


def planned_answers(state: SecretState, reader: str, asked: Sequence[Decision]) -> tuple[PlannedAnswer, ...]:
    table = state.table
    if table is None:
        return ()
    standing = state.standing_plans(reader, table, state.tally)
    ahead = state.orders_ahead(reader, table, state.tally)
    return tuple(with_words(state, reader, planned_answer(table, standing, ahead, each), each) for each in asked)


def with_words(state: SecretState, reader: str, found: PlannedAnswer, decision: Decision) -> PlannedAnswer:
    """Return a planned answer with the plan or block as it was written. A plan that came sealed is left as it is."""
    force = state.plans.get(reader)
    entry = found.ahead or (force.entry if force and found.line else 0)
    open_ones = open_sections(state.letters(entry).letter, AHEAD if found.ahead else PLANS) if entry else {}
    written = open_ones.get(decision.power, [])
    every = written if isinstance(written, list) else [written]
    return replace(found, written=every[found.line - 1]) if 0 < found.line <= len(every) else found


def planned_answer(
    table: Table, standing: PlanSource | None, ahead: AheadSource | None, decision: Decision
) -> PlannedAnswer:
    """Return the plan or orders ahead that answer one decision, or else a preset plan that would answer it."""
    if ahead and (found := ahead.answering_block(decision)):
        sections = (section_of(table, decision), *found.orders.sections)
        return PlannedAnswer(found.plan.number, ahead=found.entry, sections=sections)
    verdict = standing.judge(decision) if standing else None
    if verdict is not None and verdict.given is not None:
        return PlannedAnswer(verdict.plan.number)
    topic, _, _ = topic_of(table, decision).partition(" ")
    own = powers_of_player(table, player_of(table, decision.power))
    known = preset_plans(table.rules, USUAL, decision.power, own)
    fit = (plan for plan in known if isinstance(plan, dict) and plan["for"] in (topic, topic_of(table, decision)))
    return PlannedAnswer(plan=next(fit, ""))
