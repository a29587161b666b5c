"""Letters that were refused and are to be sent again: the office does not go on by older ones in the meantime."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.campaign.clock.timestamps import parse_moment
from pbem.campaign.clock.timing import CampaignTime
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.letters.arrived import LetterAnswer

KINDS = ("orders", "plan")
"""The kinds of letters by which the game goes on."""

OVER = ("E-LETTER-STAGE", "E-LETTER-LOCKED")
"""The codes of letters for what is over, in place of which nothing can come."""

OLD = "E-LETTER-OLD"
"""The code of letters behind which others have been taken."""


def note_corrections(public: PublicState, answers: Iterable[LetterAnswer], awaited: dict[str, int]) -> None:
    """Note whose letters were refused though they are from whom they say, and forget those that have come again.

    `awaited` has the stage, by the entry with which it began, of each seat and kind of letter.
    """
    for answer in answers:
        receipt, letter = answer.receipt, answer.receipt.verdict.letter
        if letter is None or letter.kind not in KINDS or not answer.is_theirs:
            continue
        key = f"{receipt.player}/{letter.kind}"
        if not receipt.status.startswith("refused"):
            awaited.pop(key, None)
        elif is_current(public, answer):
            awaited[key] = public.since


def is_current(public: PublicState, answer: LetterAnswer) -> bool:
    """Say whether a refused letter was meant for the present stage, and nothing has come in its place."""
    receipt = answer.receipt
    codes = {fault.code for fault in receipt.verdict.faults}
    if not codes.isdisjoint(OVER):
        return False
    if receipt.status == "refused":
        return OLD not in codes
    # Seen again, as behind a kill: by now it is old, and what was taken since is known by its entry.
    taken = public.pending.get(receipt.player)
    return receipt.entry > max(public.since, taken.entry if taken else 0)


def seats_awaited(time: CampaignTime, awaited: dict[str, int]) -> tuple[str, ...]:
    """The seats from which a letter is awaited in place of a refused one: like a flag to wait, until the deadline."""
    public = time.public
    if public.locked or not public.deadline or time.now >= parse_moment(public.deadline):
        return ()
    return tuple(dict.fromkeys(key.partition("/")[0] for key, since in awaited.items() if since == public.since))
