"""Runs order files against a position: as far as they reach, every fault noted, nothing kept of what is refused."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from pbem.engine.decisions import Decision
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event
from pbem.maria.game import apply, decisions
from pbem.maria.sequence import advance
from pbem.maria.state import State
from pbem.maria.table import Table
from pbem.paper.answers import OrderSource
from pbem.paper.faults import Fault
from pbem.paper.given import Given, Unusable, is_overpaid
from pbem.paper.orders import Orders
from pbem.paper.strict import Node

ASKED = ("allot", "hussars", "subsidy", "toll", "move", "battles", "play", "retreat", "recruit")
POLITICAL = ("trump", "influence", "politics", "corps", "relocate", "shift", "peace", "reduce", "vote")
"""The sections that answer a decision; the others are carried out at once."""


class Trial(Struct):
    """What came of it."""

    table: Table
    events: list[Event]
    faults: list[Fault]
    waiting: tuple[Decision, ...]

    @property
    def refused(self) -> bool:
        """Whether anything was wrong, rather than only worth a warning."""
        return any(not fault.is_warning for fault in self.faults)


def copy_of(table: Table) -> Table:
    """A table of its own with the same position."""
    return Table(table.rules, msgspec.json.decode(msgspec.json.encode(table.state), type=State), table.dealer)


def begin(table: Table) -> list[Event]:
    """Let a position that was set up by hand go on to its first decision."""
    return advance(table)


def run(table: Table, orders: Orders) -> Trial:
    """Answer decisions from an order file until it says no more; the table given is left as it is."""
    trial = Trial(copy_of(table), [], [], ())
    source = OrderSource(trial.table, orders)
    check_stage(trial, orders)
    for power in source.powers():
        for given in source.transfers(power):
            attempt(trial, power, given)
    while step(trial, source):
        pass
    trial.waiting = decisions(trial.table)
    if not trial.refused:
        trial.faults += unused(trial, orders)
    return trial


def check_stage(trial: Trial, orders: Orders) -> None:
    """Refuse orders that name another stage than the one the position stands in."""
    state = trial.table.state
    here = f"{state.turn}/{state.stage}"
    if orders.stage is not None and orders.stage != here:
        message = f"the orders are for the stage {orders.stage}, the position stands in {here}"
        trial.faults.append(Fault("E-ORDER-STAGE", message, 1, 1, "§5"))


def step(trial: Trial, source: OrderSource) -> bool:
    """Answer one open decision, of the power that stands first in the file; whether there was anything to say."""
    order = source.powers()
    open_now = [decision for decision in decisions(trial.table) if decision.power in order]
    for decision in sorted(open_now, key=lambda decision: order.index(decision.power)):
        try:
            given = source.answer(decision)
        except Unusable as refusal:
            note(trial, refusal.node, refusal)
            return True
        if given is not None:
            attempt(trial, decision.power, given)
            return True
    return False


def attempt(trial: Trial, power: str, given: Given) -> None:
    """Apply one answer, or note why not."""
    try:
        trial.events += apply(trial.table, power, given.answer)
    except IllegalOrder as refusal:
        note(trial, given.node_of(refusal.where), refusal)
        return
    if is_overpaid(trial.table, given):
        place = given.places.get(("cards", 0), given.node)
        message = "one of these cards is not needed for the price, and no change is given"
        trial.faults.append(Fault("W-CARD-NEEDLESS", message, place.line, place.column, "§8"))


def note(trial: Trial, node: Node, refusal: IllegalOrder) -> None:
    """Note what the rules refuse."""
    trial.faults.append(Fault(refusal.code, refusal.message, node.line, node.column, refusal.rule, refusal.legal))


def unused(trial: Trial, orders: Orders) -> list[Fault]:
    """A warning for every section that no decision asked for."""
    faults = []
    for power, left in orders.powers.items():
        sections = [(section, getattr(left, section)) for section in ASKED]
        sections += [(section, getattr(left.politics, section)) for section in POLITICAL]
        for section, rest in sections:
            if rest not in (None, []):
                message = f"{power} was not asked for `{section}`, or not for all of it"
                faults.append(Fault("W-ORDER-UNUSED", message, left.node.line, left.node.column))
    return faults
