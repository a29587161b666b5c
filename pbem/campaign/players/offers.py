"""Offers of agreements: the moderator's letters that pass a player's signed agreement on to another party."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct, convert

from pbem.campaign.clock.clock import checked_stamp
from pbem.campaign.letters.letterbox import entry_of, listed_names
from pbem.campaign.players.guidance import Number, ReportedHead, Signing
from pbem.faults.wrong import PbemError, wrong
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.strict import Text, bare
from pbem.paper.documents.writing import write
from pbem.paper.letters import WIDE, Letter, check_signature, read_letter, write_letter
from pbem.seal.canonical import AnyTree
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey
from pbem.seal.signature import signer_of

OfferState = Literal["open", "answered", "lapsed"]
"""State of an offer for its reader. `open`: the reader can agree. `answered`: the reader has signed. `lapsed`: the
reader can no longer agree."""


class OfferedAgreement(Struct, frozen=True):
    """Offer of an agreement to one player who has yet to sign it."""

    campaign: str
    moderator: PublicKey
    seat: str
    """Seat of the reader."""
    stage: str
    basis: str
    head: ReportedHead
    """Number and hash of the entry of the letter that offers the agreement."""
    until: str
    """Moment at which orders are carried out at the latest; empty without a deadline."""
    next_seq: int
    """Number for the letter with which the reader would agree."""
    letter: Letter
    """Letter of the player who offers the agreement."""

    @property
    def agreeing(self) -> str:
        """Return the unsigned letter with which the reader agrees to the offer."""
        return agreeing_letter(self.letter, self.seat, self.next_seq, self.basis)

    def is_answered_by(self, letter: Letter) -> bool:
        """True if the reader's letter agrees to exactly this offer. Its signature is not checked."""
        head = (self.campaign, self.seat, self.stage, self.basis)
        is_of_stage = (letter.campaign, letter.sender, letter.stage, letter.basis[: len(self.basis)]) == head
        same = letter.kind == "agreement" and terms_of(letter) == terms_of(self.letter)
        return is_of_stage and same and parties_of(letter) == parties_of(self.letter)


def offer_of(letter: Letter, source: str) -> OfferedAgreement:
    """Return the content of a letter that offers an agreement. Raises `Refused` if the letter is damaged, if the
    moderator whom it names has not signed it, or if the offered agreement is not valid (`is_signed_offer`)."""
    body: AnyTree = bare(letter.body)
    try:
        if letter.kind != "offer":
            raise KeyError(letter.kind)
        found = OfferedAgreement(
            campaign=letter.campaign,
            moderator=PublicKey.parse(body["moderator"]),
            seat=convert(body["to"], str),
            stage=letter.stage,
            basis=letter.basis,
            head=convert(body["head"], ReportedHead, strict=False),
            until=checked_stamp(convert(body.get("deadline", ""), str)),
            next_seq=convert(body["next-seq"], Number, strict=False),
            letter=read_letter(write(convert(body["offered"], dict[str, AnyTree]), WIDE).encode(), source),
        )
        signing = convert(body["signing"], Signing)
        check_signature(letter, found.moderator)
    except (msgspec.ValidationError, PbemError, KeyError, TypeError, AttributeError, ValueError):
        damaged = wrong("E-GUIDE-FORM", kind="offer")
        raise Refused(source, [Fault.at(letter.body.line, letter.body.column, damaged)]) from None
    if not is_signed_offer(found, signing):
        raise Refused(source, [wrong("E-OFFER-WORDS", party=found.letter.sender)])
    return found


def is_signed_offer(offer: OfferedAgreement, signing: Signing) -> bool:
    """True if the offered letter is an agreement of another player with the reader, for the position of the offer, and
    has a valid signature. Any key may have signed. If the campaign demands no signatures, an unsigned letter is
    accepted."""
    letter = offer.letter
    head = (letter.kind, letter.campaign, letter.stage)
    is_of_position = offer.basis.startswith(letter.basis) or letter.basis.startswith(offer.basis)
    parties = parties_of(letter)
    if head != ("agreement", offer.campaign, offer.stage) or not is_of_position:
        return False
    if offer.seat not in parties or letter.sender == offer.seat:
        return False
    if not letter.signature:
        return signing == "off"
    try:
        check_signature(letter, signer_of(letter.signature))
    except SealFault:
        return False
    return True


def parties_of(letter: Letter) -> tuple[str, ...]:
    """Return the seats of all parties to an agreement, with the writer of its letter."""
    partners = entry_of(letter.body, "with")
    named = listed_names(partners.value) if isinstance(partners, Text) else ()
    return tuple(sorted({letter.sender, *named}))


def terms_of(letter: Letter) -> dict[str, AnyTree]:
    """Return the body of an agreement without its parties. Every run of blanks and line ends in the words becomes one
    blank."""
    body: AnyTree = bare(letter.body)
    terms = {key: value for key, value in body.items() if key != "with"} if isinstance(body, dict) else {}
    return {**terms, "words": " ".join(str(terms.get("words", "")).split())}


def agreeing_letter(letter: Letter, seat: str, seq: int, basis: str) -> str:
    """Return the unsigned letter with which a seat agrees to another player's agreement `letter`."""
    body: AnyTree = bare(letter.body)
    head: dict[str, str | int] = {"kind": letter.kind, "campaign": letter.campaign, "from": seat}
    head |= {"seq": seq, "stage": letter.stage, "basis": basis}
    partners = ", ".join(each for each in parties_of(letter) if each != seat)
    return write_letter(head, {**body, "with": partners})
