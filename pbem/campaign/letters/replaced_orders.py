"""Plans and orders of one reader that were given in advance and are still valid. Also warnings that a new letter
replaces them, or leaves them valid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from pbem.campaign.letters.letterbox import ahead_summaries, entry_of
from pbem.campaign.play.resolving import is_past
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import AheadInForce, LetterInForce
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.faults.wrong import Wrong, wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault, Place, Refused
from pbem.paper.documents.strict import MappingNode
from pbem.paper.letters import Letter
from pbem.paper.orders.files import PLANS, Orders, drop_used, have_battles_begun, section_of, sections_before_battles
from pbem.paper.orders.names import PowerOrders
from pbem.paper.plans.ahead import AHEAD, stage_in

Replacing = Literal["orders", "plan", ""]


class AheadOfReader(Struct, frozen=True):
    """Orders that a reader has given in advance for one stage and one power."""

    stage: str
    power: Power
    entry: int
    sections: tuple[str, ...] = ()
    kind: Replacing = ""
    """Kind of the letter that has these orders, `orders` or `plan`. A new letter of this kind replaces them. Empty if
    that letter was carried out already."""


def blocks_in_force(state: SecretState, reader: str) -> Iterator[AheadOfReader]:
    """Yield the readable orders that a reader has given in advance for the present stage and later stages."""
    source = state.orders_ahead(reader, state.table, state.tally) if state.table else None
    for stage, power in source.ordered_stages() if source else ():
        if source and not is_past(state.rules, stage, state.stage):
            found = source.blocks(stage, power)
            sections = tuple(dict.fromkeys(section for each in found for section in each.orders.sections))
            entry = found[0].entry
            yield AheadOfReader(stage, power, entry, sections, kind_replacing(state, reader, entry))


def blocks_to_come(state: SecretState, reader: str) -> Iterator[AheadOfReader]:
    """Yield the blocks of `blocks_in_force` without those of the present stage whose orders are all carried out."""
    uses = state.ahead.get(reader, AheadInForce()).in_use
    done = {(use.stage, power) for power, use in uses.items() if use.state == "taken" and not any(use.left.values())}
    yield from (each for each in blocks_in_force(state, reader) if (each.stage, each.power) not in done)


def has_plans_in_force(state: SecretState, reader: str) -> bool:
    """True if a letter of plans of the reader has plans that are valid now, or orders for later stages. Plans that the
    moderator cannot read yet do not count."""
    table = state.table
    plans = state.standing_plans(reader, table, state.tally) if table and table.state.phase != "over" else None
    if plans is None:
        return False
    return plans.is_in_force() or any(each.kind == "plan" for each in blocks_in_force(state, reader))


def kind_replacing(state: SecretState, reader: str, entry: int) -> Replacing:
    """Return the kind of letter, `orders` or `plan`, by which the reader can replace the letter `entry` with the orders
    that it gives in advance. Return an empty text if the letter is not valid any more. The text is also empty if a part
    of the letter was carried out: its orders for later stages then stay valid."""
    if any(letter.entry == entry for letter in state.ahead.get(reader, AheadInForce()).letters):
        return ""
    forces: dict[Replacing, int] = {
        "orders": force.entry if (force := state.orders_in_force.get(reader)) else 0,
        "plan": force.entry if (force := state.plans.get(reader)) else 0,
    }
    return next((kind for kind, at in forces.items() if at == entry), "")


def unsealed_blocks(state: SecretState, blocks: Iterable[AheadOfReader]) -> Iterator[AheadOfReader]:
    for each in blocks:
        open_blocks = ahead_summaries(entry_of(state.letters(each.entry).letter.body, "orders"))
        if (each.stage, each.power) in {(one.stage, one.power) for one in open_blocks}:
            yield each


def replaced_warnings(kind: str, now: str, found: Orders, standing: Iterable[AheadOfReader]) -> Iterator[Fault]:
    """Yield a warning for each block in `standing` that a new letter cancels or replaces. `standing` has blocks of
    orders that were given in advance. `found` has the orders of the new letter, and `kind` is its kind. `now` is the
    present stage."""
    for each in standing:
        written = found.powers.get(each.power)
        blocks = (
            [block for block in written.sections.get(AHEAD, ()) if stage_in(block) == each.stage] if written else []
        )
        if any(not block.withdraws for block in blocks):
            yield Fault.at(blocks[0].node.line, blocks[0].node.column, ahead_warning("W-AHEAD-REPLACED", each))
        elif not blocks and each.kind == kind:
            yield Fault.at(1, 1, ahead_warning("W-AHEAD-REPLACED.dropped", each))
        elif written and each.stage == now and (both := [name for name in each.sections if name in written.sections]):
            yield Fault.at(*place_of(written, both[0]), ahead_warning("W-AHEAD-REPLACED.now", each))


def counting_warnings(
    kind: str, now: str, found: Orders, standing: Iterable[AheadOfReader], table: Table
) -> Iterator[Fault]:
    """Yield a warning for each block in `standing` that still answers a decision of the present stage `now`, because
    the new letter of orders has no answer to this decision. `standing` has blocks of orders that were given in advance.
    `found` has the orders of the new letter, and `kind` is its kind."""
    asked = [(decision.power, section_of(table, decision)) for decision in game_of(table).decisions(table)]
    for each in standing if kind == "orders" else ():
        written = found.powers.get(each.power)
        own = written.sections if written else {}
        is_withdrawn = any(stage_in(block) == each.stage for block in own.get(AHEAD, ()))
        if each.stage != now or each.kind == kind or is_withdrawn or any(name in own for name in each.sections):
            continue
        if any((each.power, name) in asked for name in each.sections):
            yield Fault.at(1, 1, ahead_warning("W-AHEAD-COUNTS", each))


def dropped_plans(state: SecretState, letter: Letter, found: Orders) -> Iterator[Fault]:
    """Yield a warning if a new letter of orders leaves out plans of the letter that it replaces. `found` has the new
    letter's orders."""
    force = state.orders_in_force.get(letter.sender)
    if force is None or (entry_of(letter.body, "sealed") is not None and not has_sealed_reports(state, letter.sender)):
        return
    former = orders_told(state, letter.sender, force)
    planned = {power for power, written in found.powers.items() if written.sections.get(PLANS)}
    dropped = [power for power, written in former.powers.items() if written.sections.get(PLANS)]
    if left := tuple(power for power in dropped if power not in planned):
        has_beside = has_ahead_beside(state, letter.sender, force.entry)
        key = "W-PLAN-REPLACED.but-ahead" if has_beside else "W-PLAN-REPLACED"
        yield Fault.at(1, 1, wrong(key, powers=left, entry=force.entry))


def has_ahead_beside(state: SecretState, reader: str, entry: int) -> bool:
    """True if the reader's letter `entry` gives orders in advance that stay valid when new orders replace the rest."""
    return any(each.entry == entry and not each.kind for each in blocks_in_force(state, reader))


class UnusedOrders(Struct, frozen=True):
    """Parts of a reader's orders for the present stage that are still valid and that no decision has used yet. New
    orders of the reader replace them."""

    entry: int
    """Entry of the letter that has these orders."""
    sections: dict[Power, list[str]]
    has_ahead: bool
    """True if the letter also gives orders in advance. New orders do not replace these."""


def unused_orders(state: SecretState, reader: str) -> UnusedOrders | None:
    """Return the unused parts of the reader's orders for the present stage. Return None if there are none. Three kinds
    of parts are not counted: orders given in advance, attacks when no choice between attacks is left, and sections that
    belong before the battles if the battles have begun."""
    force, orders = state.orders_in_force.get(reader), orders_left(state, reader)
    if force is None or orders is None or state.table is None:
        return None
    past = {AHEAD} if len(state.table.state.battles) > 1 else {AHEAD, "battles"}
    past.update(sections_before_battles(state.table) if have_battles_begun(state.table) else ())
    left = {
        power: [section for section, entries in written.sections.items() if entries and section not in past]
        for power, written in orders.powers.items()
    }
    found = {power: sections for power, sections in left.items() if sections}
    return UnusedOrders(force.entry, found, has_ahead_beside(state, reader, force.entry)) if found else None


def orders_left(state: SecretState, reader: str) -> Orders | None:
    """Return the unused orders of the reader's valid letter, or None if no order in it was used yet."""
    force = state.orders_in_force.get(reader)
    if force is None or force.remains is None or state.table is None:
        return None
    orders = orders_told(state, reader, force)
    drop_used(orders, force.remains)
    return orders


def has_attacks_left(state: SecretState, reader: str) -> bool:
    """True if some orders of the reader's valid letter were used, and an attack that it names is still to be begun."""
    orders, table = orders_left(state, reader), state.table
    if orders is None or table is None:
        return False
    written = [order for each in orders.powers.values() for order in each.sections.get("battles", ())]
    return any(order.said.pairing(table.state.field) in table.state.battles for order in written)


def orders_told(state: SecretState, reader: str, force: LetterInForce) -> Orders:
    """Return a reader's orders in a valid letter. Sealed parts are left out, unless the reader's reports are sealed.
    Return no orders if they cannot be read."""
    letter = state.letters(force.entry)
    try:
        return state.said.orders(letter.letter, letter.opened if has_sealed_reports(state, reader) else {})
    except Refused:
        return Orders("", None, {})


def has_sealed_reports(state: SecretState, reader: str) -> bool:
    return state.public.settings.seats[reader].reports == "sealed"


def place_of(written: PowerOrders, section: str) -> Place:
    """Return the place of a section in a power's orders."""
    node = written.node
    return Place(*node.places[section]) if isinstance(node, MappingNode) else Place(node.line, node.column)


def ahead_warning(wording: str, block: AheadOfReader) -> Wrong:
    """Return a warning about a block of orders that an earlier letter gave in advance. `wording` is the key of the
    warning's text."""
    return wrong(wording, stage=block.stage, power=block.power, entry=block.entry)
