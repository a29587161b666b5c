"""Lines that a receipt shows to be copied: the head that orders should have had, and a message to other players."""

from __future__ import annotations

from pbem.campaign.ledger.public_state import BASIS, PublicState, seq_key
from pbem.campaign.letters.arrived import is_of_words
from pbem.campaign.letters.joining import LetterVerdict, text_of
from pbem.campaign.letters.letterbox import listed_names
from pbem.campaign.play.adjudicating import Receipt
from pbem.campaign.settings import MODERATOR
from pbem.paper.by_hand import SEAT
from pbem.report.letters.entries import Facts

HEADLESS = "E-TEXT-HEAD.orders"
"""Key of the fault that orders came without the lines that make them a letter."""


def head_lines(public: PublicState, receipt: Receipt) -> dict[str, str]:
    """Return the stage, basis and number that belong into the head, if orders came without one. Return an empty dict
    for any other letter. The caller must have checked that the player is asked for orders. Basis and number are empty
    if players do not sign their letters."""
    if not public.next or all(fault.message.key != HEADLESS for fault in receipt.verdict.faults):
        return {}
    if public.settings.conduct.signing == "off":
        return {"stage": public.next.stage, "basis": "", "seq": ""}
    seq = public.seqs.get(receipt.player, 0) + 1
    return {"stage": public.next.stage, "basis": public.basis[:BASIS], "seq": str(seq)}


WELL_FORMED = ("E-LETTER-", "E-SIGNATURE-")
"""Beginnings of the codes of faults for which the form of a letter is not to blame."""

INCOMPLETE = "E-LETTER-MISSING"
"""Code of the fault that a key is missing in the head of a letter."""


def message_lines(public: PublicState, receipt: Receipt) -> Facts:
    """Return the values for the lines of a message by hand. Return an empty dict unless the receipt refuses a message
    for its form, or answers a mail without a letter where letters need no signature.

    `to` has the addressees of the refused message. If one of them is unknown or there are none, it is the blank.
    `seats` has the other players' seats. `seq` is empty if players do not sign their letters.
    """
    letter, is_open = receipt.verdict.letter, public.settings.conduct.signing == "off"
    codes = [fault.code for fault in receipt.verdict.faults if not fault.is_warning]
    is_malformed = (letter.kind if letter else receipt.claimed_kind) == "message" and any(
        code == INCOMPLETE or not code.startswith(WELL_FORMED) for code in codes
    )
    is_refused = receipt.status == "refused" and receipt.player in public.players
    if not is_refused or not (is_malformed or (is_open and is_of_words(receipt))):
        return {}
    names = listed_names(text_of(LetterVerdict(), letter.body, "to")) if letter else ()
    is_known = bool(names) and {*names} <= {*public.players, MODERATOR, "all"}
    number = public.seqs.get(seq_key(receipt.player, "message"), 0) + 1
    return {
        "to": ",".join(names) if is_known else SEAT,
        "seats": [seat for seat in public.players if seat != receipt.player],
        "seq": "" if is_open else str(number),
    }
