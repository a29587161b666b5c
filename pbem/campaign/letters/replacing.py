"""A player's orders ahead that are in force, and what a new letter does away with of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from pbem.campaign.letters.letterbox import ahead_told, entry_of
from pbem.campaign.play.ahead import any_order
from pbem.campaign.play.in_force import is_past
from pbem.campaign.play.secret_state import SecretState
from pbem.engine.nouns import Power
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import MappingNode
from pbem.paper.orders.files import Orders
from pbem.paper.orders.names import PowerOrders
from pbem.paper.plans.ahead import AHEAD, stage_in
from pbem.paper.plans.data import Plan, StageOrders

Replacing = Literal["orders", "plan", ""]


class AheadOfReader(Struct, frozen=True):
    """Orders of the reader's for a stage that had not come when they were sent."""

    stage: str
    power: Power
    entry: int
    sections: tuple[str, ...] = ()
    kind: Replacing = ""
    """The kind of letter that takes the place of theirs, and of them; nothing if theirs was carried out."""


def blocks_in_force(state: SecretState, reader: str) -> Iterator[AheadOfReader]:
    """What a reader has ordered for this stage or later ones, as far as it can be read and is in force."""
    source = state.ordered_ahead(reader, state.table, state.tally) if state.table else None
    for stage, power in source.ordered() if source else ():
        if source and not is_past(state.rules, stage, state.stage):
            found = source.blocks(power, stage)
            entry = found[0][0]
            yield AheadOfReader(stage, power, entry, sections_in(found), kind_replacing(state, reader, entry))


def sections_in(blocks: Iterable[tuple[int, Plan]]) -> tuple[str, ...]:
    """The sections that some blocks have, each once."""
    wishes = (block.wish for _, block in blocks if isinstance(block.wish, StageOrders))
    return tuple(dict.fromkeys(section for wish in wishes for section in wish.sections))


def kind_replacing(state: SecretState, reader: str, entry: int) -> Replacing:
    """The kind of letter that takes the place of the one of an entry."""
    forces: dict[Replacing, int] = {
        "orders": force.entry if (force := state.orders_in_force.get(reader)) else 0,
        "plan": force.entry if (force := state.plans.get(reader)) else 0,
    }
    return next((kind for kind, at in forces.items() if at == entry), "")


def in_the_open(state: SecretState, blocks: Iterable[AheadOfReader]) -> Iterator[AheadOfReader]:
    """Those of some blocks that were not sealed on their way."""
    for each in blocks:
        open_blocks = ahead_told(entry_of(state.letters(each.entry).letter.body, "orders"))
        if (each.stage, each.power) in {(one.stage, one.power) for one in open_blocks}:
            yield each


def replaced(kind: str, now: str, found: Orders, standing: Iterable[AheadOfReader]) -> Iterator[Fault]:
    """A warning for every block in force that a letter of some kind, for the present stage, does away with."""
    for each in standing:
        written = found.powers.get(each.power)
        blocks = (
            [block for block in written.sections.get(AHEAD, ()) if stage_in(block) == each.stage] if written else []
        )
        if any_order((0, block) for block in blocks):
            yield Fault.at(blocks[0].node.line, blocks[0].node.column, told("W-AHEAD-REPLACED", each))
        elif not blocks and each.kind == kind:
            yield Fault.at(1, 1, told("W-AHEAD-REPLACED.dropped", each))
        elif written and each.stage == now and (both := [name for name in each.sections if name in written.sections]):
            yield Fault.at(*place_of(written, both[0]), told("W-AHEAD-REPLACED.now", each))


def place_of(written: PowerOrders, section: str) -> tuple[int, int]:
    """Where a section stands."""
    node = written.node
    return node.places[section] if isinstance(node, MappingNode) else (node.line, node.column)


def told(wording: str, block: AheadOfReader) -> Wrong:
    """That orders ahead do not count any more."""
    return wrong(wording, stage=block.stage, power=block.power, entry=block.entry)
