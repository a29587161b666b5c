"""What plans of one game need that those of another do not: the plays of a combat, recruits, and choices of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pbem.engine.cards import is_reserve, value_of
from pbem.engine.decisions import Answer, Decision, PlayCard
from pbem.engine.table import Table

if TYPE_CHECKING:
    from pbem.plans.mustering import Muster
    from pbem.plans.sight import Sight


class Chance(Struct, frozen=True):
    """A card that may be played now, as what a Reserve is declared, and what it counts."""

    card: int
    value: int
    worth: int

    @property
    def is_reserve(self) -> bool:
        """Whether the card is a Reserve."""
        return is_reserve(self.card)


class Parts(Struct, frozen=True):
    """The part of one game."""

    chances: Callable[[Any, PlayCard], tuple[Chance, ...]]
    """Everything that may be played now."""
    muster: Callable[[Sight, Decision], Muster | None]
    """Recruits of any kind in one shape; nothing if the decision is about none."""
    choices: Mapping[str, Callable[[Sight, Any, Any], tuple[Answer, ...]]]
    """For each choice of its own the answers that a wish leads to, the one wanted most first."""
    nothing: Mapping[str, Answer]
    """What `else: stop` answers to a choice of its own."""
    rules: Mapping[str, str]
    """The part of the rule book behind what is noted of a plan, by its code."""


@cache
def parts_named(game: str) -> Parts:
    """The part of a game; only what is played is loaded."""
    if game == "maria":
        from pbem.games.maria.plans import PARTS

        return PARTS
    if game == "friedrich":
        from pbem.games.friedrich.plans import PARTS as OF_FRIEDRICH

        return OF_FRIEDRICH
    raise KeyError(game)


def parts_of(table: Table) -> Parts:
    """The part of the game that is played at a table."""
    return parts_named(table.rules.terms.game)


def chances(table: Table, decision: PlayCard) -> tuple[Chance, ...]:
    """Every card that may be played for what is printed on it, a Reserve for every value (MARIA §8)."""
    most = table.rules.common.decks.reserve_most
    found: list[Chance] = []
    for card in decision.cards:
        if is_reserve(card):
            found += [Chance(card, value, value) for value in range(1, most + 1)]
        else:
            found.append(Chance(card, 0, value_of(card)))
    return tuple(found)
