"""Cache of results for the next picture of a board, emptied when all pictures are drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

Made = TypeVar("Made", bound=Callable[..., object])

forgetting: list[Callable[[], None]] = []
"""Functions that empty parts of the cache."""


def at_hand(most: int) -> Callable[[Made], Made]:
    """Decorator that caches so many results of a function until `put_away`."""

    def keep(make: Made) -> Made:
        kept = lru_cache(maxsize=most)(make)
        forgetting.append(kept.cache_clear)
        return cast("Made", kept)

    return keep


def put_away() -> None:
    """Empty the cache: a program that has drawn all pictures needs the memory for other things."""
    for forget in forgetting:
        forget()
