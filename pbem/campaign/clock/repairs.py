"""What a wrong clock has done to a ledger, and how far everybody goes back when it is right again."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.campaign.ledger.register import Register


def turned_to(times: Sequence[str], now: str, began: int) -> int:
    """The entry to which the game goes back: the last that is not of a later time than it is now.

    Not behind the beginning of the game, of the entry `began`: cards are dealt alike by any clock.
    """
    right = next((number for number in range(len(times), 0, -1) if times[number - 1] <= now), 0)
    return max(right, began)


def promised(register: Register, now: str) -> str:
    """The deadline that the clock had set in a position that counts again; nothing if its own time was wrong."""
    if register.next is None or register.began > now:
        return ""
    return register.next.deadline
