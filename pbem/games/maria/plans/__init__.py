"""Plans of MARIA."""

from __future__ import annotations

from pbem.engine.decisions import Decision, Recruit
from pbem.games.maria.plans import choices
from pbem.games.maria.rules.decisions import Influence, Politics, Reinforce
from pbem.plans.choices import GamePlans, Muster
from pbem.plans.sight import PlanSight, playable_cards


def muster(sight: PlanSight, decision: Decision) -> Muster | None:
    """Return the facts of a decision to recruit (§13) or to give free troops (§17.5); None for any other decision."""
    match decision:
        case Recruit(_, _, room, entries):
            return Muster(sight.rules.common.limits.troop_price, sum(room.values()), room, entries)
        case Reinforce(_, troops, room, entries):
            return Muster(0, troops, room, entries)
    return None


PART = GamePlans(
    playable_cards=playable_cards,
    muster=muster,
    choices={
        "corps": choices.send,
        "hussars": choices.place_hussars,
        "toll": choices.pay,
        "influence": choices.place_influence,
        "politics": choices.select,
        "relocate": choices.relocate,
    },
    nothing={"influence": Influence(None), "politics": Politics(None)},
    rules={
        "W-PLAN-HAND": "§8",
        "W-PLAN-SUIT": "§11.1",
        "W-PLAN-MUST": "§11.1",
        "W-PLAN-LIMIT": "§11.1",
        "W-PLAN-REACH": "§11.1",
    },
)
