"""Faults of orders that stand in the wrong place: orders of another seat's power, orders ahead for a wrong stage, and
plans beside or in place of orders."""

from __future__ import annotations

from pbem.campaign.play.resolving import is_past, legal_stages
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table, player_of, powers_of_player, turn_of
from pbem.faults.wrong import Wrong, words, wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.orders.files import PLANS, Orders
from pbem.paper.plans.ahead import AHEAD, stage_in
from pbem.paper.plans.data import Plan


def foreign_faults(table: Table, seat: str, orders: Orders) -> list[Fault]:
    """Return a fault for each power of another seat to which a letter of `seat` gives orders."""
    return [
        Fault.at(written.node.line, written.node.column, foreign_fault(table, seat, power))
        for power, written in orders.powers.items()
        if player_of(table, power) != seat
    ]


def foreign_fault(table: Table, seat: str, power: Power) -> Wrong:
    """Return the fault of a letter of `seat` that orders a power of another seat."""
    own, player = powers_of_player(table, seat), player_of(table, power)
    wording = "E-ORDER-FOREIGN.letter" if own else "E-ORDER-FOREIGN.powerless"
    return wrong(wording, power=power, player=player, seat=seat, powers=own)


def standing_warnings(orders: Orders) -> list[Fault]:
    """Return a warning for every plan among orders that is marked as standing: the mark has no effect there."""
    plans = [plan for written in orders.powers.values() for plan in written.sections.get("plans", []) if plan.standing]
    return [Fault.at(plan.node.line, plan.node.column, wrong("W-PLAN-STANDING")) for plan in plans]


def misplaced_faults(orders: Orders, rules: GameRules, now: str, table: Table | None) -> list[Fault]:
    """Return a fault for each block of orders given in advance that has a wrong stage. The stage must be later than
    `now`, in the same turn, and one in which the block's power acts."""
    return [
        Fault.at(block.node.line, block.node.column, what)
        for power, written in orders.powers.items()
        for block in written.sections.get(AHEAD, [])
        if (what := misplacement(block, power, rules, now, table))
    ]


def misplacement(block: Plan, power: Power, rules: GameRules, now: str, table: Table | None) -> Wrong | None:
    """Return the fault of a block of orders given in advance if its stage is wrong, else None. Without `table` it is
    not checked that the block's power acts in the stage."""
    stage = stage_in(block)
    if stage == now and block.withdraws:
        return None
    if stage == now:
        return wrong("E-AHEAD-STAGE.now", stage=stage)
    legal = legal_stages(table, power, now) if table else ()
    hint = words("ahead-stage", stages=legal) if legal else None
    if turn_of(stage) != turn_of(now):
        return wrong("E-AHEAD-STAGE.turn", hint=hint, stage=stage, turn=turn_of(now))
    if is_past(rules, stage, now):
        return wrong("E-AHEAD-STAGE.past", hint=hint, stage=stage, now=now)
    if table is None:
        return None
    stages = table.state.field.alliances.stage
    acting = game_of(table).acting_in(stage.partition("/")[2])
    if acting in stages.values() and stages[power] != acting:
        powers = tuple(other for other, its in stages.items() if its == acting)
        return wrong("E-AHEAD-STAGE.others", stage=stage, power=power, powers=powers)
    return None


def not_plan_faults(orders: Orders) -> list[Fault]:
    """Return a fault for each power that has anything but plans and orders for later stages in a letter of standing
    plans."""
    return [
        Fault.at(node.line, node.column, wrong("E-PLAN-ONLY", section=others[0]))
        for written in orders.powers.values()
        if (others := sorted(set(written.sections) - {PLANS, AHEAD})) and (node := written.node)
    ]
