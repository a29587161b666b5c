"""A source of chance for those who must not use any."""

from __future__ import annotations

from random import Random


class NoChance(Random):
    """A source of chance that nobody may use."""

    def random(self) -> float:
        raise AssertionError("an absent player throws no dice")

    def getrandbits(self, k: int, /) -> int:
        raise AssertionError("an absent player throws no dice")
