"""Political cards and influence by a plan (§17.3, §17.5)."""

from __future__ import annotations

from pbem.games.maria.rules.decisions import Influence, PlaceInfluence, Politics, SelectPolitics
from pbem.paper.plans.data import CardsWish, PoliticsWish
from pbem.plans.giving import cards_for
from pbem.plans.sight import PlanSight

COVERED = 6
"""Influence counted for a face-down card when a plan asks who leads."""


def place(sight: PlanSight, decision: PlaceInfluence, wish: CardsWish) -> tuple[Influence, ...]:
    """Cards of the wish, the most wanted first; none if no political card of the wish lies open."""
    affairs = sight.view.affairs
    if wish.among and not wish.among & set(affairs.open):
        return (Influence(None),)
    own = affairs.display[decision.power].influence
    others = [display for power, display in affairs.display.items() if power not in sight.view.hands]
    lead = max((display.influence + COVERED * display.covered for display in others), default=0) - own
    return tuple(Influence(card) for card in cards_for(wish, decision.hand, affairs.trump, lead))


def select(sight: PlanSight, decision: SelectPolitics, wish: PoliticsWish) -> tuple[Politics, ...]:
    """Wishes whose card may be selected; without execution if the player may execute no more this turn (§24)."""
    return tuple(
        choice
        for choice in wish.choices
        if choice.card is None or choice.card in decision.cards
        if decision.may_execute or not (choice.instruction or choice.shifts)
    )
