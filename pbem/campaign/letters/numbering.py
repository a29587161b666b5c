"""Limits of letters' numbers: one far above the last would leave its seat no numbers for later letters."""

from __future__ import annotations

from pbem.campaign.ledger.public_state import Count, PublicState
from pbem.faults.wrong import Wrong, wrong

LONGEST_JUMP = 1000
"""Greatest difference between a letter's number and the highest before it of its seat, or 0."""


def highest_number(public: PublicState, seat: str) -> int:
    """Return the highest number of all letters of a seat, in any of its counts."""
    return max((number for key, number in public.seqs.items() if Count.read(key).seat == seat), default=0)


def too_far(seq: int, last: int) -> list[Wrong]:
    """Return the fault of a number too far above the highest one."""
    return [] if seq <= last + LONGEST_JUMP else [wrong("E-LETTER-SEQ.far", last=last, seq=seq, least=last + 1)]
