"""Notices about refused and lost letters, and the seats whose corrected letters an evening awaits."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.clock.timing import CampaignTime, orders_now
from pbem.campaign.ledger.public_state import Count, PublicState
from pbem.campaign.letters.arrived import LetterAnswer
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.paper.letters import Letter

LATE = ("E-LETTER-STAGE",)
"""Codes of faults of letters whose stage is over."""

OPEN = ("E-JOIN-", "E-LETTER-", "E-MAIL-", "E-TEXT-", "E-VOTE-")
"""Beginnings of the codes of faults that the moderator may know. All other faults are about orders, and only for the
writer of the letter."""


class Notices:
    """Notices about the letters that come to a campaign."""

    def __init__(self, public: PublicState, numbers: dict[str, int]) -> None:
        """Begin without notices. `numbers` has, by player, the highest number of the letters known so far. The numbers
        are raised to those in the ledger, and later letters raise them further."""
        self.numbers = numbers
        for key, number in public.seqs.items():
            seat = Count.read(key).seat
            numbers[seat] = max(number, numbers.get(seat, 0))
        self.found: dict[str, list[Wrong]] = {}

    def take(self, answer: LetterAnswer) -> None:
        """Collect notices about a letter and its answer. If the letter was taken, drop the notices about the player's
        earlier refused letters."""
        receipt = answer.receipt
        if not receipt.player:
            return
        letter = receipt.verdict.letter
        is_refused = receipt.status == "refused"
        lost = self.lost_before(receipt.player, letter, is_refused) if letter else []
        if is_refused and letter is None and not answer.is_words:
            # Its number cannot be read, and is taken for the next number.
            self.numbers[receipt.player] = self.numbers.get(receipt.player, 0) + 1
        if is_refused:
            self.found.setdefault(receipt.player, []).extend(refusal(receipt.player, answer))
        elif receipt.status != "known":
            self.found[receipt.player] = lost

    def lost_before(self, player: str, letter: Letter, is_refused: bool) -> list[Wrong]:
        """Note a letter's number, and return a notice if a letter before it seems lost. A refused letter may come from
        anybody, so it raises the highest number by one at most."""
        last = self.numbers.get(player, 0)
        following = last + 1
        self.numbers[player] = max(last, min(letter.seq, following) if is_refused else letter.seq)
        if letter.seq <= following:
            return []
        return [wrong("W-OFFICE-JUMP", player=player, last=last, seq=letter.seq)]


def refusal(player: str, answer: LetterAnswer) -> list[Wrong]:
    """Return a notice to the moderator about a refused letter, with its main fault; empty without a fault. The notice
    tells nothing of the orders."""
    fault = main_fault(answer)
    if fault is None:
        return []
    if answer.is_words:
        return [wrong("W-OFFICE-WORDS", player=player, why=fault.message)]
    wording = "W-OFFICE-LATE" if fault.code in LATE else "W-OFFICE-TURNED"
    letter = answer.receipt.verdict.letter
    kind = letter.kind if letter else ""
    return [wrong(wording, player=player, kind=kind, code=fault.code, why=reason_to_tell(fault))]


def main_fault(answer: LetterAnswer) -> Wrong | None:
    """Return the fault that is told as the reason of a refusal, or None. Lateness comes first, then refusals, then
    warnings."""
    faults = answer.receipt.verdict.faults
    if answer.is_words:
        return faults[0] if faults else None
    # Warnings come last.
    ordered = sorted(faults, key=lambda fault: (fault.code not in LATE, fault.is_warning))
    return ordered[0] if ordered else None


def reason_to_tell(fault: Wrong) -> Words:
    """Return the reason of a refusal, for the moderator, without anything of a player's orders."""
    return fault.message if is_open(fault) else words("told-to-writer")


def is_open(fault: Wrong) -> bool:
    """Return whether a fault says nothing about a player's orders."""
    return fault.code.startswith(OPEN)


KINDS = ("orders", "plan")
"""Kinds of letters without which the game does not go on."""

OVER = ("E-LETTER-STAGE", "E-LETTER-BASIS", "E-LETTER-LOCKED")
"""Codes of faults of letters that came after the end of their stage, or of the request that they answer. A corrected
letter would be useless."""

OLD = "E-LETTER-OLD"
"""Code of the fault of a letter that came after a newer letter of its writer."""


ENDED = frozenset((*OVER, OLD))
"""Codes of all faults for which a corrected letter would be useless."""


def note_corrections(public: PublicState, answers: Iterable[LetterAnswer], awaited: dict[str, int]) -> None:
    """Note in `awaited` the refused letters of which the office awaits corrections: genuine orders or plans for the
    present stage. The key is `seat/kind`; the value is the entry at which the stage began. If a letter of this seat and
    kind is accepted, its key is removed."""
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
    """True if a refused letter still needs a correction. It needs none if its stage or request is over, or if a newer
    letter of the seat was taken. Orders also need none if the stage asks the seat for no orders."""
    receipt, letter = answer.receipt, answer.receipt.verdict.letter
    codes = {fault.code for fault in receipt.verdict.faults}
    is_asked = any(orders.player == receipt.player for orders in orders_now(public))
    if not codes.isdisjoint(OVER) or not (is_asked or (letter and letter.kind == "plan")):
        return False
    if receipt.status == "refused":
        return OLD not in codes
    # A letter seen again, as after a kill, always counts as old: only entries tell if one was taken after it.
    taken = public.pending.get(receipt.player)
    return receipt.entry > max(public.since, taken.entry if taken else 0)


def seats_awaited(time: CampaignTime, awaited: dict[str, int]) -> tuple[str, ...]:
    """Return the seats whose corrected letters the office awaits. There are none after the deadline, or while orders
    are locked."""
    public = time.public
    if public.locked or not public.deadline or time.now >= parse_moment(public.deadline):
        return ()
    return tuple(dict.fromkeys(key.partition("/")[0] for key, since in awaited.items() if since == public.since))
