"""What may stand in a plan, for whoever makes a form of it without knowing the game."""

from __future__ import annotations

from msgspec import Struct

from pbem.paper.plans.conditions import CONDITIONS, numbers
from pbem.paper.plans.files import BOUNDS, OTHERWISE, ROLES, form_of, keys_of, kinds

GENERAL = ("for", *CONDITIONS, *BOUNDS, "standing", "until", "else")
"""What is not about the choice itself."""


class PlanKey(Struct, frozen=True, omit_defaults=True):
    """One key of a plan, and what may stand under it."""

    key: str
    words: tuple[str, ...] = ()
    only: bool = False
    """Whether nothing else than one of these words may."""
    parts: tuple[str, ...] = ()
    """What may stand below it, each with a number or a span."""
    general: bool = False
    """Whether it says when the plan holds, not what it wants."""


def plan_keys(game: str) -> dict[str, tuple[PlanKey, ...]]:
    """For each choice that a plan of a game may be for, what may stand in it."""
    return {
        kind: tuple(described(game, kind, key) for key in keys_of(game, kind) if key != "for") for kind in kinds(game)
    }


def described(game: str, kind: str, key: str) -> PlanKey:
    """One key."""
    form = form_of(game, kind)
    words = {"role": ROLES, "standing": ("yes", "no"), "else": tuple(OTHERWISE) if form.may_stop else ("ask",)}
    words |= form.words
    parts = {"when": numbers(kind), **form.parts}
    return PlanKey(key, words.get(key, ()), key in words and key not in form.free, parts.get(key, ()), key in GENERAL)
