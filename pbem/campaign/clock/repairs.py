"""What a wrong clock has done to a ledger, and how far everybody goes back when it is right again."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.campaign.ledger.public_state import PublicState


def last_right(times: Sequence[str], now: str) -> int:
    """The last entry that is not of a later time than it is now; 0 if there is none."""
    return next((number for number in range(len(times), 0, -1) if times[number - 1] <= now), 0)


def turned_to(public: PublicState, positions: Collection[int], times: Sequence[str], now: str) -> int:
    """The entry as after which the game stands again: the last of a right time.

    Not behind the beginning of the game, for cards are dealt alike by any clock; nor behind what was shown behind a
    lock: then it is the first position that has come of it, and without one the game goes on from where it is.
    """
    to = max(last_right(times, now), min(positions, default=0))
    if not positions or turns_back(public, positions, to):
        return to
    return min((position for position in positions if position > public.shown), default=len(times))


def turns_back(public: PublicState, positions: Collection[int], to: int) -> bool:
    """Whether a repair that names this entry turns the game back; if not, it has not begun, or it stays locked."""
    earlier = [position for position in positions if position <= to]
    return bool(earlier) and public.may_turn_back(max(earlier), to)


def promised(public: PublicState, now: str) -> str:
    """The deadline that the clock had set in a position that counts again; nothing if its own time was wrong."""
    if public.next is None or public.began > now:
        return ""
    return public.next.deadline
