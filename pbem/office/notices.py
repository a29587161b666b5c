"""What a person should know of the letters of an evening: which were refused or late, and where one is missing."""

from __future__ import annotations

from pbem.campaign.ledger.public_state import Count, PublicState
from pbem.campaign.letters.arrived import LetterAnswer
from pbem.faults.words import words
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.letters import Letter

LATE = ("E-LETTER-STAGE", "E-LETTER-LOCKED")
"""The codes of letters for a stage that is over."""

OPEN = ("E-LETTER-", "E-MAIL-", "E-TEXT-")
"""How the codes begin that say something of a mail or a letter's head: what is wrong with orders their writer knows."""


class Notices:
    """Of the letters of one campaign; a letter that is taken makes up for those of its writer that were refused."""

    def __init__(self, public: PublicState, numbers: dict[str, int]) -> None:
        """`numbers` are the highest that have come, by player, for all kinds of letters have one count; they grow."""
        self.numbers = numbers
        for key, number in public.seqs.items():
            seat = Count.read(key).seat
            numbers[seat] = max(number, numbers.get(seat, 0))
        self.found: dict[str, list[Wrong]] = {}

    def take(self, answer: LetterAnswer) -> None:
        """Look at the answer to a letter."""
        receipt = answer.receipt
        if not receipt.player:
            return
        letter = receipt.verdict.letter
        is_refused = receipt.status == "refused"
        lost = self.lost_before(receipt.player, letter, is_refused) if letter else []
        if is_refused:
            self.found.setdefault(receipt.player, []).extend(refusal(receipt.player, answer))
        elif receipt.status != "known":
            self.found[receipt.player] = lost

    def lost_before(self, player: str, letter: Letter, is_refused: bool) -> list[Wrong]:
        """Whether a letter's number is higher than the next one; one that was refused may be anybody's."""
        last = self.numbers.get(player, 0)
        following = last + 1
        self.numbers[player] = max(last, min(letter.seq, following) if is_refused else letter.seq)
        if letter.seq <= following:
            return []
        return [wrong("W-OFFICE-JUMP", player=player, last=last, seq=letter.seq)]


def refusal(player: str, answer: LetterAnswer) -> list[Wrong]:
    """What is told of a letter that was refused."""
    faults = answer.receipt.verdict.faults
    late = [fault for fault in faults if fault.code in LATE]
    wording = "W-OFFICE-LATE" if late else "W-OFFICE-TURNED"
    # Warnings come last.
    return [
        wrong(wording, player=player, code=first.code, why=first.message if is_open(first) else words("told-to-writer"))
        for first in [*late, *sorted(faults, key=lambda fault: fault.is_warning)][:1]
    ]


def is_open(fault: Wrong) -> bool:
    """Whether what is wrong says nothing of what somebody orders."""
    return fault.code.startswith(OPEN)
