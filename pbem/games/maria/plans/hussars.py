"""Where a plan puts hussars (§7)."""

from __future__ import annotations

from pbem.engine.field import OFF
from pbem.games.maria.bots.sensible.raiding import raid
from pbem.games.maria.rules.decisions import HussarPlacement, PlaceHussars
from pbem.paper.plans.data import RaidWish
from pbem.plans.sight import PlanSight


def place(sight: PlanSight, decision: PlaceHussars, wish: RaidWish) -> tuple[HussarPlacement, ...]:
    """Where they cost the enemy most, as a player counts it who looks at the map; or as they lie, or none."""
    match wish.raid:
        case "costliest":
            return (raid(sight.rules.common, sight.field, decision),)
        case "stay":
            return (HussarPlacement(decision.standing),)
        case "off":
            return (HussarPlacement((OFF,) * len(decision.standing)),)
