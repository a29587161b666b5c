"""What the bots of one game know that those of another do not; each game brings it in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec import Struct

from pbem.engine.decisions import Answer, Decision
from pbem.kit import part

Policy = Callable[[Any, Decision, Random], Answer]
"""Answers a decision at a table."""

OneAnswer = Callable[[Any, Any, Random], Answer]
"""Answers decisions of one kind at a table of one game."""


class GameBots(Struct, frozen=True):
    """What one game brings to the room `bots`, as the `PART` of its `bots` module."""

    hold: Callable[[Any, Decision], Answer]
    """What an absent player answers to what only this game asks."""
    uniform: Mapping[type[Decision], OneAnswer]
    """How each kind of decision is answered at random that only this game asks, or asks in its own way."""
    sensible: Policy


def game_bots(game: str) -> GameBots:
    return part(game, "bots", GameBots)
