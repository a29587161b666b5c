"""Whether cards can bring a score above zero, when reaching exactly zero gives the right to play away (§7, card 7)."""

from __future__ import annotations

from collections.abc import Sequence

Worth = tuple[int, int]
"""The lowest and the highest that a card can count; only a Reserve leaves a choice."""


def can_come_out_above(score: int, worths: Sequence[Worth]) -> bool:
    """Whether a side at this score, zero or less, can play cards one by one so that it ends above zero.

    It plays on only while it is below zero: a card that leads to zero hands the right to play to the other side.
    """
    if any(score + high > 0 for _, high in worths):
        return True
    if score + sum(high for _, high in worths) <= 0:
        return False
    return comes_out(score, tuple(sorted(worths)), {})


def comes_out(score: int, worths: tuple[Worth, ...], known: dict[tuple[int, tuple[Worth, ...]], bool]) -> bool:
    """Whether it comes out, by trying every card; what has been tried is remembered."""
    key = (score, worths)
    if key not in known:
        known[key] = any(score + high > 0 for _, high in worths) or any(
            score + worth < 0 and comes_out(score + worth, worths[:place] + worths[place + 1 :], known)
            for place, (low, high) in enumerate(worths)
            for worth in range(low, high + 1)
        )
    return known[key]


def leads_above(score: int, rest: Sequence[Worth]) -> bool:
    """Whether the score after a card is above zero, or still can be brought there with the rest."""
    return score > 0 or (score < 0 and can_come_out_above(score, rest))
