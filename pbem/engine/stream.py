"""Shuffles from a stream of random bytes: the same stream gives the same deal everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def shuffle_cards(cards: Sequence[T], stream: Iterator[int]) -> list[T]:
    """Shuffle by Fisher–Yates from the top of the deck. `stream` yields 32-bit numbers; biased ones are rejected."""
    order = list(cards)
    for place in range(len(order) - 1):
        left = len(order) - place
        other = place + below(left, stream)
        order[place], order[other] = order[other], order[place]
    return order


def below(limit: int, stream: Iterator[int]) -> int:
    """Number from 0 to limit - 1, each equally likely. Raises ValueError if the stream ends."""
    usable = (1 << 32) - (1 << 32) % limit
    for number in stream:
        if number < usable:
            return number % limit
    raise ValueError("the random stream has ended")


def words(block: Callable[[int], bytes]) -> Iterator[int]:
    """Big-endian 32-bit numbers of a stream that is given block by block."""
    count = 0
    while True:
        data = block(count)
        for at in range(0, len(data) - 3, 4):
            yield int.from_bytes(data[at : at + 4], "big")
        count += 1


class SeededDealer:
    """Dealer from an open seed: for simulations, puzzles and trials, where nothing has to be proved."""

    def __init__(self, seed: str) -> None:
        """Store the seed. A shuffle uses SHA-256 in counter mode over the seed and the number of the shuffle."""
        self.seed = seed

    def shuffle(self, number: int, cards: Sequence[T]) -> list[T]:
        """Return the cards in the order that the seed gives this shuffle, top first."""
        key = f"pbem/seeded/1/{number}/{self.seed}/".encode()
        return shuffle_cards(cards, words(lambda count: hashlib.sha256(key + str(count).encode()).digest()))
