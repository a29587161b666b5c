"""What follows from a board and is kept at hand for the next picture of it, until all pictures are drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

Made = TypeVar("Made", bound=Callable[..., object])

forgetting: list[Callable[[], None]] = []
"""What lets go of things that are kept."""


def at_hand(most: int) -> Callable[[Made], Made]:
    """Keep so many results of a function."""

    def keep(make: Made) -> Made:
        kept = lru_cache(maxsize=most)(make)
        forgetting.append(kept.cache_clear)
        return cast("Made", kept)

    return keep


def put_away() -> None:
    """Keep nothing at hand: whoever has drawn all pictures needs the room for other things."""
    for forget in forgetting:
        forget()
