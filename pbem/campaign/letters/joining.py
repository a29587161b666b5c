"""Judges letters with which somebody takes a seat, and brings chance of their own to the deal."""

from __future__ import annotations

import hashlib
import re

from pbem.campaign.ledger.records import JoinRecord
from pbem.campaign.letters.key_holders import sharing_told
from pbem.campaign.letters.letterbox import HeldLetter, entry_of
from pbem.campaign.letters.verdicts import LetterVerdict, text_of, unknown_keys
from pbem.campaign.play.secret_state import SecretState
from pbem.paper.documents.names import as_quoted, listed
from pbem.paper.documents.writing import write
from pbem.paper.letters import Letter, check_signature
from pbem.seal.canonical import in_order
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

_HEX = re.compile("[0-9a-f]{64}")


def join(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """Somebody takes a seat."""
    public = state.public
    body = letter.body
    seats = public.settings.seats
    if letter.sender not in seats:
        verdict.refuse("E-JOIN-SEAT", f"there is no seat {as_quoted(letter.sender)}", hint=listed(seats))
    elif letter.sender in public.players:
        verdict.refuse("E-JOIN-TAKEN", f"the seat {letter.sender} is taken", hint="a moderator can name a substitute")
    elif public.phase != "joining":
        verdict.refuse("E-JOIN-LATE", "the campaign has begun")
    key, entropy = text_of(verdict, body, "key"), text_of(verdict, body, "entropy")
    name = text_of(verdict, body, "name")
    language = text_of(verdict, body, "language") or (seats[letter.sender].language if letter.sender in seats else "en")
    unknown_keys(verdict, body, ("key", "entropy", "name", "language", "deal", "token"))
    check_invited(state, letter, verdict)
    if len(name) > 80:
        verdict.refuse("E-JOIN-NAME", "the name has more than 80 letters", entry_of(body, "name"))
    if not re.fullmatch("[a-z]{2}", language):
        hint = "two letters, such as en, es, it, de"
        verdict.refuse("E-JOIN-LANGUAGE", f"{as_quoted(language)} is no language", entry_of(body, "language"), hint)
    if not entropy:
        hint = "`pbem join` makes 32 random bytes; any long line of your own is as good"
        verdict.refuse(
            "E-JOIN-ENTROPY", "the letter brings no chance of its own to the deal", entry_of(body, "entropy"), hint
        )
    if not key and must_have_key(state, letter.sender):
        hint = "`pbem join` writes and signs it; without a key a seat needs `reports: plain` in the campaign's settings"
        message = f"reports to {letter.sender} are sealed to its player's key, and the letter names none"
        verdict.refuse("E-JOIN-KEY", message, entry_of(body, "key"), hint)
    if key or letter.signature or public.settings.conduct.signing == "on":
        check_own_key(letter, key, verdict)
    if not verdict.is_refused:
        verdict.record = JoinRecord(
            letter.sender, key, entropy_of(entropy), letter.seq, state.mark(letter), tidy(letter), name, language
        )
        verdict.held = HeldLetter(letter.text)
        verdict.faults += sharing_told(public.players, letter.sender, key)


def must_have_key(state: SecretState, seat: str) -> bool:
    """Whether the reports to a seat can only be sealed; older campaigns sent them as they were to who had no key."""
    settings = state.public.settings
    return state.public.protocol >= 2 and seat in settings.seats and settings.seats[seat].reports == "sealed"


def check_invited(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """A seat goes to whom it was offered, and the letter vouches for the deal that the moderator has committed to."""
    if text_of(verdict, letter.body, "deal") != state.public.secret:
        hint = "copy the line `deal:` from the invitation"
        verdict.refuse("E-JOIN-DEAL", "the letter is not for this campaign's deal", entry_of(letter.body, "deal"), hint)
    if letter.sender in state.public.settings.seats and text_of(verdict, letter.body, "token") != state.token(
        letter.sender
    ):
        hint = "copy the line `token:` from the invitation to this seat"
        verdict.refuse(
            "E-JOIN-TOKEN", "the letter does not come from whom was invited", entry_of(letter.body, "token"), hint
        )


def check_own_key(letter: Letter, key: str, verdict: LetterVerdict) -> None:
    """A letter that names a key must be signed with it, or nobody knows that its writer has it."""
    try:
        check_signature(letter, PublicKey.parse(key))
    except SealFault as fault:
        verdict.refuse(fault.code, fault.message, entry_of(letter.body, "key"))


def tidy(letter: Letter) -> str:
    """A letter as an entry holds it, whatever the mail did to its lines; what it says and its signature stay."""
    tree = {**letter.tree, "signature": letter.signature} if letter.signature else letter.tree
    return write({key: tree[key] for key in in_order(tree)})


def entropy_of(text: str) -> str:
    """A player's random bytes: as given, or the SHA-256 of whatever line they wrote."""
    return text if _HEX.fullmatch(text) else hashlib.sha256(text.encode()).hexdigest()
