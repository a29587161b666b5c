"""Interface of the bots of one game; each game implements it in its own folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from random import Random
from typing import TypeAlias, TypeVar

from msgspec import Struct

from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Card, Power
from pbem.faults.wrong import Words
from pbem.kit import AnyDecision, AnyTable, part

Policy = Callable[[AnyTable, Decision, Random], Answer]
"""Function that answers a decision at a table."""

SeenT = TypeVar("SeenT")

OneAnswer: TypeAlias = Callable[[SeenT, AnyDecision, Random], Answer]
"""Function that answers decisions of one kind, by a table of one game or by a view of it."""


class GameBots(Struct, frozen=True):
    """Part of a game for the room `bots`: the `PART` of its `bots` module."""

    hold: Callable[[AnyTable, Decision], Answer]
    """Answer of an absent player to decisions that only this game asks."""
    uniform: Mapping[type[Decision], OneAnswer[AnyTable]]
    """Random answer to each kind of decision that only this game asks, or asks in its own way."""
    sensible: Policy
    strong: Policy | None = None
    """Policy that weighs better than the sensible bot, if there is one. It also answers in imagined combats."""
    why: Callable[[AnyTable, Decision, Answer], tuple[Words, ...]] = lambda table, decision, answer: ()
    """Reasons of the best bot's answer."""
    unasked: Callable[[AnyTable, Collection[Power]], Sequence[tuple[Power, Answer]]] = lambda table, powers: ()
    """Answers that a bot of these powers gives of its own accord before it answers anything."""
    unseen: Callable[[AnyTable], Sequence[list[Card]]] = lambda table: ()
    """Cards that nobody has seen, besides the draw deck."""
    card_point: float = 0.1
    """Worth of a point of a card in hand, in points of a game that is won with a hundred."""
    nearness: Callable[[AnyTable], Mapping[str, float]] = lambda table: {}
    """Nearness of each player to victory, from 0 to 1; 0 for players left out."""


@cache
def game_bots(game: str) -> GameBots:
    return part(game, "bots", GameBots)
