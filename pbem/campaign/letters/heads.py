"""Checks of the heads of letters, against the ledger or against the last report."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.ledger.public_state import BASIS, Count, EarlierPosition, PublicState, seq_key
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.names import as_quoted
from pbem.paper.letter_kinds import KINDS, MODERATORS, STAGED
from pbem.paper.letters import Letter

LONGEST_JUMP = 1000
"""Greatest amount by which a letter's number may exceed the highest earlier number of its seat.

A much higher number would leave no numbers for the seat's later letters.
"""


def highest_number(public: PublicState, seat: str) -> int:
    """Return the highest number of all letters of a seat, or 0 if it has none."""
    return max((number for key, number in public.seqs.items() if Count.read(key).seat == seat), default=0)


def jump_faults(seq: int, last: int) -> list[Wrong]:
    """Return a fault if the number `seq` is too far above `last`, the highest number before it; else an empty list."""
    return [] if seq <= last + LONGEST_JUMP else [wrong("E-LETTER-SEQ.far", last=last, seq=seq, least=last + 1)]


class ExpectedHead(Struct, frozen=True):
    """Values that the head of a letter must have. A value of None is not checked."""

    campaign: str | None = None
    seats: tuple[str, ...] | None = None
    highest: int | None = None
    """Highest number of all letters of the seat."""
    last: int | None = None
    """Number of the last letter in the same series of numbers."""
    stage: str | None = None
    """Stage that is played; empty while no stage is played."""
    basis: str | None = None
    phase: str = ""
    """Key of the wording for a campaign in which no stage is played."""


LAPSED = {
    "agreement": ("E-LETTER-STAGE.agreement", "E-LETTER-BASIS.agreement"),
    "proposal": ("E-LETTER-STAGE.proposal", "E-LETTER-BASIS.proposal"),
}
"""Dict from each kind of letter that makes an offer to other seats, to the codes of two faults. The first is for a
letter that names another stage, the second for a letter that names another basis."""

IDLE = {"joining": "campaign-joining", "over": "campaign-over", "closed": "campaign-closed"}
"""Dict from each phase in which no stage is played to the key of its wording."""


def expected_head(public: PublicState, letter: Letter, bot: str, is_new: bool) -> ExpectedHead:
    """Return the head that a letter must have now. A proposal may have the stage and basis of an earlier position.
    `bot` is the bot that wrote the letter for an absent player, or an empty text. `is_new` is false if the ledger has
    the letter already."""
    campaign, sender = public.settings.campaign, letter.sender
    if letter.kind == "join":
        # Programs up to 0.2 accepted any number here, and their ledgers must still verify.
        return ExpectedHead(campaign, highest=0 if is_new else None)
    last = public.seqs.get(seq_key(sender, letter.kind, bot), 0)
    expected = ExpectedHead(campaign, tuple(public.players), highest_number(public, sender), last, basis=public.basis)
    if public.phase != "running" or public.next is None:
        return replace(expected, stage="", phase=IDLE[public.phase])
    if earlier := earlier_position(public, letter):
        return replace(expected, stage=earlier.stage, basis=earlier.basis)
    return replace(expected, stage=public.next.stage)


def earlier_position(public: PublicState, letter: Letter) -> EarlierPosition | None:
    """Return the earlier position on which a proposal was written. Return None for a proposal on the present position,
    and for every other letter."""
    is_present = public.next and letter.stage == public.next.stage and not letter.basis
    if letter.kind != "proposal" or is_present:
        return None
    found = (each for each in reversed(public.positions) if each.stage == letter.stage)
    return next((each for each in found if letter.basis in ("", each.basis)), None)


def basis_of_sheet(public: PublicState, letter: Letter) -> str:
    """Return the basis of the position on which a letter without a basis was written."""
    earlier = earlier_position(public, letter)
    return earlier.basis if earlier else public.basis[:BASIS]


KEYS = {
    "E-LETTER-KIND": "kind",
    "E-LETTER-CAMPAIGN": "campaign",
    "E-LETTER-FROM": "from",
    "E-LETTER-SEQ": "seq",
    "E-LETTER-OLD": "seq",
    "E-LETTER-STAGE": "stage",
    "E-LETTER-BASIS": "basis",
}
"""Dict from the code of a fault to the key in a letter's head that has this fault."""


def with_place(letter: Letter, fault: Wrong) -> Wrong:
    """Return a fault with the place of the wrong key in the letter's head. If this place is not known, return the fault
    unchanged."""
    place = letter.places.get(KEYS.get(fault.code, ""))
    return Fault.at(*place, fault) if place else fault


def head_faults(letter: Letter, expected: ExpectedHead) -> list[Wrong]:
    """Return all faults of a letter's head, with their places."""
    return [with_place(letter, fault) for fault in unplaced_faults(letter, expected)]


def unplaced_faults(letter: Letter, expected: ExpectedHead) -> list[Wrong]:
    """Return all faults of a letter's head, without places. A letter for another campaign or seat is not judged
    further."""
    faults = [wrong("E-LETTER-MISSING.letter", key=key) for key in letter.missing_keys]
    if letter.kind in MODERATORS:
        kinds = tuple(kind for kind in KINDS if kind not in MODERATORS)
        faults.append(wrong("E-LETTER-KIND.letter", kind=letter.kind, kinds=kinds))
    if expected.campaign is not None and letter.campaign != expected.campaign:
        written = as_quoted(letter.campaign)
        return [*faults, wrong("E-LETTER-CAMPAIGN.letter", written=written, campaign=expected.campaign)]
    if expected.seats is not None and letter.sender not in expected.seats:
        hint = None if expected.seats else words("by-join-letter")
        seat = as_quoted(letter.sender)
        return [*faults, wrong("E-LETTER-FROM.letter", seat=seat, seats=expected.seats, hint=hint)]
    if "seq" not in letter.missing_keys:
        faults += number_faults(letter.seq, expected)
    return faults + (stage_faults(letter, expected) if letter.kind in STAGED else [])


def number_faults(seq: int, expected: ExpectedHead) -> list[Wrong]:
    """Return a fault if a number is not above the last of its series, or far too high for its seat; else an empty
    list."""
    last = expected.last
    if last is not None and seq == last:
        return [wrong("E-LETTER-SEQ.used", last=last, least=last + 1)]
    if last is not None and seq < last:
        return [wrong("E-LETTER-OLD.seq", last=last, seq=seq, least=last + 1)]
    return [] if expected.highest is None else jump_faults(seq, expected.highest)


def stage_faults(letter: Letter, expected: ExpectedHead) -> list[Wrong]:
    """Return a fault if a letter has the wrong stage or basis, or if no stage is played; else an empty list."""
    stage = expected.stage
    if stage is None or "stage" in letter.missing_keys:
        return []
    if not stage:
        return [wrong("E-LETTER-STAGE.phase", stage=letter.stage, phase=words(expected.phase))]
    is_of_basis = expected.basis is None or "basis" in letter.missing_keys or letter.basis == expected.basis[:BASIS]
    return [] if letter.stage == stage and is_of_basis else [old_sheet(letter, stage)]


def old_sheet(letter: Letter, stage: str) -> Wrong:
    """Return the fault of a letter that answers an old position. `stage` is the present stage."""
    if letter.kind == "plan":
        stale = wrong("E-LETTER-STAGE.plan", stage=letter.stage, now=stage, key=stage)
        return wrong("E-LETTER-BASIS.plan") if letter.stage == stage else stale
    of_stage, of_basis = LAPSED.get(letter.kind, ("E-LETTER-STAGE.other", "E-LETTER-BASIS.letter"))
    return wrong(of_basis) if letter.stage == stage else wrong(of_stage, stage=letter.stage, now=stage)


def lock_fault(kind: str) -> Wrong | None:
    """Return the fault of a letter of this kind that comes while sealed orders are being revealed. Return None if the
    kind is allowed at that time."""
    found = {"orders": "E-LETTER-LOCKED", "plan": "E-LETTER-LOCKED.plan"}.get(kind)
    return wrong(found) if found else None
