"""What the bots of one game know that those of another do not; each game brings it in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from random import Random
from typing import TypeAlias, TypeVar

from msgspec import Struct

from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Card, Power
from pbem.faults.words import Words
from pbem.kit import AnyDecision, AnyTable, part

Policy = Callable[[AnyTable, Decision, Random], Answer]
"""Answers a decision at a table."""

SeenT = TypeVar("SeenT")

OneAnswer: TypeAlias = Callable[[SeenT, AnyDecision, Random], Answer]
"""Answers decisions of one kind, by a table of one game or by what is seen there."""


class GameBots(Struct, frozen=True):
    """What one game brings to the room `bots`, as the `PART` of its `bots` module."""

    hold: Callable[[AnyTable, Decision], Answer]
    """What an absent player answers to what only this game asks."""
    uniform: Mapping[type[Decision], OneAnswer[AnyTable]]
    """How each kind of decision is answered at random that only this game asks, or asks in its own way."""
    sensible: Policy
    strong: Policy | None = None
    """One that weighs better than the sensible bot, if there is any; in combats it is asked in imagined worlds, too."""
    why: Callable[[AnyTable, Decision, Answer], tuple[Words, ...]] = lambda table, decision, answer: ()
    """Why the best bot answers so: what it weighed, and what tipped the scales."""
    unasked: Callable[[AnyTable, Collection[Power]], Sequence[tuple[Power, Answer]]] = lambda table, powers: ()
    """What a bot of these powers settles before it answers anything."""
    unseen: Callable[[AnyTable], Sequence[list[Card]]] = lambda table: ()
    """Cards that lie where nobody has seen them, besides the draw deck."""
    card_point: float = 0.1
    """What a point of a card in hand is worth, in points of a game that is won with a hundred."""
    nearness: Callable[[AnyTable], Mapping[str, float]] = lambda table: {}
    """How near each player is to victory, from 0 to 1; whoever is not named was never near."""


@cache
def game_bots(game: str) -> GameBots:
    return part(game, "bots", GameBots)
