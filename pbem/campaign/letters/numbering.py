"""Numbers of letters: one far above the last would leave its seat none for the letters to come."""

from __future__ import annotations

from pbem.campaign.ledger.public_state import Count, PublicState
from pbem.faults.wrong import Wrong, wrong

LONGEST_JUMP = 1000
"""How far above the highest number of its seat a letter may be; the first one above nothing."""


def highest_number(public: PublicState, seat: str) -> int:
    """Return the highest number of all letters of a seat, whichever of its counts it is of."""
    return max((number for key, number in public.seqs.items() if Count.read(key).seat == seat), default=0)


def too_far(seq: int, last: int) -> list[Wrong]:
    """Return what is wrong with a number so far above the highest one."""
    return [] if seq <= last + LONGEST_JUMP else [wrong("E-LETTER-SEQ.far", last=last, seq=seq, least=last + 1)]
