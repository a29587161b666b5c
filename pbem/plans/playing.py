"""Plays a combat out by plans, one choice after the other, as far as they reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.engine import events as e
from pbem.engine.decisions import ChooseBattle, ChooseRetreat, Decision, PlayCard
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Text
from pbem.paper.orders.trial import begin, decisions, step
from pbem.paper.plans.data import BattleWish, Bound, Plan, Tactic
from pbem.plans.source import PlanSource
from pbem.plans.tally import Tally

AFTERWARDS = (e.StageBegan, e.TurnBegan, e.SupplyTraced, e.SupplyLost, e.SupplyRestored)

IN_COMBAT = (ChooseBattle, PlayCard, ChooseRetreat)


class Played(Struct):
    """How far plans have led."""

    events: list[e.Event] = field(default_factory=list)
    notes: list[tuple[str, Fault]] = field(default_factory=list)
    """What a plan could not do, and whose it was."""
    waiting: tuple[Decision, ...] = ()


def play_out(table: Table, sources: Sequence[PlanSource], tally: Tally) -> Played:
    """Answer what combat asks by plans, until they end or the combats do; the table is changed.

    A position that was set up by hand first goes on to its first decision.
    """
    done = Played(begin(table))
    tally.see(done.events)
    while all(isinstance(decision, IN_COMBAT) for decision in decisions(table)):
        taken = step(table, sources)
        if taken is None or taken.refused:
            break
        tally.see(taken.events)
        done.events += taken.events
        done.notes += [(taken.power, fault) for fault in taken.faults]
    done.events = until_end(done.events)
    done.waiting = tuple(decision for decision in decisions(table) if isinstance(decision, IN_COMBAT))
    for decision in done.waiting:
        for source in sources:
            done.notes += [(decision.power, fault) for fault in source.why_not(decision)]
    return done


def until_end(events: Sequence[e.Event]) -> list[e.Event]:
    """What happened until the combats ended: supply and the next stage do not belong to them."""
    joined = next((place for place, event in enumerate(events) if isinstance(event, e.BattleJoined)), 0)
    end = (place for place, event in enumerate(events) if place > joined and isinstance(event, AFTERWARDS))
    return list(events[joined : next(end, len(events))])


def by_tactic(powers: Sequence[Power], tactic: Tactic) -> Mapping[Power, list[Plan]]:
    """Plans for any battle that name a tactic and nothing else."""
    plan = Plan(1, "battle", BattleWish(tactic=tactic), Text(tactic, 0, 0), standing=True)
    return {power: [plan] for power in powers}


def loose(plans: Mapping[Power, Sequence[Plan]], power: Power) -> dict[Power, list[Plan]]:
    """The plans of the first power of several for this one, whatever generals, cities and time they are for."""
    first = next(iter(plans.values()), ())
    return {power: [replace(plan, bound=Bound(role=plan.bound.role), standing=True, until=None) for plan in first]}
