"""What plans of one game need that those of another do not: the plays of a combat, recruits, and choices of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import Table
from pbem.kit import AnyDecision, part
from pbem.plans.chances import FindPlayable, playable_cards
from pbem.plans.mustering import Muster
from pbem.plans.sight import PlanSight

AnyWish: TypeAlias = Any
"""A wish to whoever finds by its name what fulfils it."""


def no_muster(sight: PlanSight, decision: Decision) -> Muster | None:
    """A decision is about no recruits."""
    return None


class GamePlans(Struct, frozen=True):
    """What one game brings to the room `plans`, as the `PART` of its `plans` module."""

    playable_cards: FindPlayable = playable_cards
    muster: Callable[[PlanSight, Decision], Muster | None] = no_muster
    """Recruits of any kind in one shape; nothing if the decision is about none."""
    choices: Mapping[str, Callable[[PlanSight, AnyDecision, AnyWish], tuple[Answer, ...]]] = {}
    """For each choice of its own the answers that a wish leads to, the one wanted most first."""
    nothing: Mapping[str, Answer] = {}
    """What `else: stop` answers to a choice of its own."""
    rules: Mapping[str, str] = {}
    """The part of the rule book behind what is noted of a plan, by its code."""


def game_plans_named(game: str) -> GamePlans:
    return part(game, "plans", GamePlans)


def game_plans(table: Table) -> GamePlans:
    """The part of the game that is played at a table."""
    return game_plans_named(table.rules.terms.game)
