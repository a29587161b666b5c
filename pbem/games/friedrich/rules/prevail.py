"""Search for cards that bring a score above zero, when exactly zero passes the right to play (§7, card 7)."""

from __future__ import annotations

from collections.abc import Sequence

Worth = tuple[int, int]
"""Lowest and highest worth of a card; they differ for a Reserve only."""


def can_come_out_above(score: int, worths: Sequence[Worth]) -> bool:
    """True if a side at this score, zero or less, can play cards one by one so that it ends above zero.

    It plays on only while it is below zero: a card that leads to zero passes the right to play to the other side.
    """
    if any(score + high > 0 for _, high in worths):
        return True
    if score + sum(high for _, high in worths) <= 0:
        return False
    return comes_out(score, tuple(sorted(worths)), {})


def comes_out(score: int, worths: tuple[Worth, ...], known: dict[tuple[int, tuple[Worth, ...]], bool]) -> bool:
    """Search for such a sequence by trying every card; `known` caches results."""
    key = (score, worths)
    if key not in known:
        known[key] = any(score + high > 0 for _, high in worths) or any(
            score + worth < 0 and comes_out(score + worth, worths[:place] + worths[place + 1 :], known)
            for place, (low, high) in enumerate(worths)
            for worth in range(low, high + 1)
        )
    return known[key]


def leads_above(score: int, rest: Sequence[Worth]) -> bool:
    """True if the score after a card is above zero, or can still be brought there with the rest."""
    return score > 0 or (score < 0 and can_come_out_above(score, rest))
