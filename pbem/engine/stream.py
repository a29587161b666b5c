"""Shuffles from a stream of random bytes, so that the same stream gives the same deal everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def shuffled(cards: Sequence[T], stream: Iterator[int]) -> list[T]:
    """Fisher–Yates from the top of the deck; `stream` yields numbers of 32 bits, and biased ones are rejected."""
    order = list(cards)
    for place in range(len(order) - 1):
        left = len(order) - place
        other = place + below(left, stream)
        order[place], order[other] = order[other], order[place]
    return order


def below(limit: int, stream: Iterator[int]) -> int:
    """A number from 0 to limit - 1, each equally likely."""
    usable = (1 << 32) - (1 << 32) % limit
    for number in stream:
        if number < usable:
            return number % limit
    raise ValueError("the random stream has ended")


def words(block: Callable[[int], bytes]) -> Iterator[int]:
    """The big-endian 32-bit numbers of a stream given block by block."""
    count = 0
    while True:
        data = block(count)
        for at in range(0, len(data) - 3, 4):
            yield int.from_bytes(data[at : at + 4], "big")
        count += 1


class SeededDealer:
    """Deals from a seed in the clear: for simulations, puzzles and trials, where nobody has to be convinced."""

    def __init__(self, seed: str) -> None:
        """Every shuffle of this seed is SHA-256 in counter mode over the seed and the number of the shuffle."""
        self.seed = seed

    def shuffle(self, number: int, cards: Sequence[T]) -> list[T]:
        """The cards in the order that the seed gives this shuffle, top first."""
        key = f"pbem/seeded/1/{number}/{self.seed}/".encode()
        return shuffled(cards, words(lambda count: hashlib.sha256(key + str(count).encode()).digest()))
