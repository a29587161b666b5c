"""Hussars by a plan (§7)."""

from __future__ import annotations

from pbem.engine.field import OFF
from pbem.games.maria.bots.sensible.raiding import raid
from pbem.games.maria.rules.decisions import HussarPlacement, PlaceHussars
from pbem.paper.plans.data import RaidWish
from pbem.plans.sight import PlanSight


def place(sight: PlanSight, decision: PlaceHussars, wish: RaidWish) -> tuple[HussarPlacement, ...]:
    """Placement that costs the enemy most, or the present one, or none on the board."""
    match wish.raid:
        case "costliest":
            return (raid(sight.rules.common, sight.field, decision),)
        case "stay":
            return (HussarPlacement(decision.standing),)
        case "off":
            return (HussarPlacement((OFF,) * len(decision.standing)),)
