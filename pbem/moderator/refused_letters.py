"""Notices about refused and lost letters, and the seats whose corrected letters the office waits for."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.clock.timing import CampaignTime, orders_now
from pbem.campaign.ledger.public_state import Count, PublicState
from pbem.campaign.letters.arrived import LetterAnswer
from pbem.campaign.letters.letterbox import state_of
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.paper.letters import Letter

LATE = ("E-LETTER-STAGE",)
"""Codes of faults of letters that came after the end of their stage."""

OPEN = ("E-JOIN-", "E-LETTER-", "E-MAIL-", "E-TEXT-", "E-VOTE-")
"""Beginnings of the codes of faults that the moderator may know. All other faults tell something about orders, which
only the writer of the letter may know."""


class Notices:
    """Collector of notices about the letters that come to a campaign."""

    def __init__(self, public: PublicState, numbers: dict[str, int]) -> None:
        """Begin without notices. `numbers` has the highest known number of each player's letters. It is raised to the
        numbers in the ledger, and later by each new letter."""
        self.numbers = numbers
        for key, number in public.seqs.items():
            seat = Count.read(key).seat
            numbers[seat] = max(number, numbers.get(seat, 0))
        self.found: dict[str, list[Wrong]] = {}

    def take(self, answer: LetterAnswer) -> None:
        """Add the notices about a letter and its answer. If the letter was taken, delete the notices about earlier
        refused letters of the same player."""
        receipt = answer.receipt
        if not receipt.player:
            return
        letter = receipt.verdict.letter
        is_refused = receipt.status == "refused"
        lost = self.lost_before(receipt.player, letter, is_refused) if letter else []
        if is_refused and letter is None and not answer.is_words:
            # The letter's number cannot be read. The next number is assumed.
            self.numbers[receipt.player] = self.numbers.get(receipt.player, 0) + 1
        if is_refused:
            self.found.setdefault(receipt.player, []).extend(refusal(receipt.player, answer))
        elif receipt.status != "known":
            self.found[receipt.player] = lost

    def lost_before(self, player: str, letter: Letter, is_refused: bool) -> list[Wrong]:
        """Store a letter's number. Return a notice if a letter before this one seems to be lost, else an empty list. A
        refused letter may have been written by anybody, so it raises the highest number by no more than one."""
        last = self.numbers.get(player, 0)
        following = last + 1
        self.numbers[player] = max(last, min(letter.seq, following) if is_refused else letter.seq)
        if letter.seq <= following:
            return []
        return [wrong("W-OFFICE-JUMP", player=player, last=last, seq=letter.seq)]


def refusal(player: str, answer: LetterAnswer) -> list[Wrong]:
    """Return a notice for the moderator about a refused letter and its main fault. The notice tells nothing about the
    orders. Return an empty list if there is no fault."""
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
    """Return the fault that is given as the reason of a refusal; None if there is no fault. If the letter is late, this
    is the reason. Otherwise a fault that refuses the letter comes before a warning."""
    faults = answer.receipt.verdict.faults
    if answer.is_words:
        return faults[0] if faults else None
    # Warnings come last in the list.
    ordered = sorted(faults, key=lambda fault: (fault.code not in LATE, fault.is_warning))
    return ordered[0] if ordered else None


def reason_to_tell(fault: Wrong) -> Words:
    """Return the reason of a refusal as the moderator may know it: it tells nothing about a player's orders."""
    return fault.message if is_open(fault) else words("told-to-writer")


def is_open(fault: Wrong) -> bool:
    """Return True if a fault tells nothing about a player's orders."""
    return fault.code.startswith(OPEN)


KINDS = ("orders", "plan")
"""Kinds of letters that the game must have to go on."""

OVER = ("E-LETTER-STAGE", "E-LETTER-BASIS", "E-LETTER-LOCKED")
"""Codes of faults of letters that came too late: their stage, or the request that they answer, is over. Correcting such
a letter would be useless."""

OLD = "E-LETTER-OLD"
"""Code of the fault of a letter whose writer had already sent a newer letter."""

USED = "E-LETTER-SEQ.used"
"""Key of the fault of a letter whose number an accepted letter has. Nobody can tell which of the two is newer."""

ENDED = frozenset((*OVER, OLD))
"""Codes of all faults that make it useless to correct the letter."""


def note_corrections(public: PublicState, answers: Iterable[LetterAnswer], awaited: dict[str, int]) -> None:
    """Store in `awaited` those refused letters that the office wants to have corrected: orders or plans for the present
    stage that surely come from their sender. A key is `seat/kind`, and its value is the entry at which the stage began.
    If a letter with the same seat and kind is accepted later, the key is deleted."""
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
    letter of the seat was taken. A letter with orders also needs none if the stage does not ask the seat for orders,
    and a letter with a used number needs none if the seat's orders are complete."""
    receipt, letter = answer.receipt, answer.receipt.verdict.letter
    codes = {fault.code for fault in receipt.verdict.faults}
    own = [state_of(orders) for orders in orders_now(public) if orders.player == receipt.player]
    if not codes.isdisjoint(OVER) or not (own or (letter and letter.kind == "plan")):
        return False
    if any(fault.message.key == USED for fault in receipt.verdict.faults) and {*own} <= {"final"}:
        return False
    if receipt.status == "refused":
        return OLD not in codes
    # A letter that is seen a second time, for example after a kill, always counts as old. Only the entries show whether
    # a letter was taken after it.
    taken = public.pending.get(receipt.player)
    return receipt.entry > max(public.since, taken.entry if taken else 0)


def seats_awaited(time: CampaignTime, awaited: dict[str, int]) -> tuple[str, ...]:
    """Return the seats whose corrected letters the office waits for. The result is empty after the deadline, and while
    orders are locked."""
    public = time.public
    if public.locked or not public.deadline or time.now >= parse_moment(public.deadline):
        return ()
    return tuple(dict.fromkeys(key.partition("/")[0] for key, since in awaited.items() if since == public.since))
