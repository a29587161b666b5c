"""Which attack a plan resolves first (MARIA §11.1)."""

from __future__ import annotations

from pbem.engine.decisions import ChooseBattle, Fight
from pbem.engine.field import troops_at
from pbem.paper.plans.data import AttackWish
from pbem.plans.sight import PlanSight


def attack(sight: PlanSight, decision: ChooseBattle, wish: AttackWish) -> tuple[Fight, ...]:
    """The attacks of the list that are due, in its order; then, if the plan says so, by the strength of one's own."""
    listed = [battle for order in wish.order if (battle := order.pairing(sight.field)) in decision.battles]
    rest = [battle for battle in decision.battles if battle not in listed] if wish.by else []
    sign = -1 if wish.by == "strongest" else 1
    rest.sort(key=lambda battle: sign * troops_at(sight.rules.common, sight.field, battle.attacker))
    return tuple(Fight(battle) for battle in [*listed, *rest])
