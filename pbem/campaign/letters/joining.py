"""Judges letters with which somebody takes a seat, and brings chance of their own to the deal."""

from __future__ import annotations

import hashlib
import re

from pbem.campaign.ledger.records import JoinRecord
from pbem.campaign.letters.key_holders import sharing_told
from pbem.campaign.letters.letterbox import HeldLetter, entry_of
from pbem.campaign.letters.verdicts import LetterVerdict, text_of, unknown_keys
from pbem.campaign.play.secret_state import SecretState
from pbem.faults.wrong import wrong
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.writing import write
from pbem.paper.letters import Letter, check_signature
from pbem.seal.canonical import in_order
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

_HEX = re.compile("[0-9a-f]{64}")
LONGEST_NAME = 80


def join(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """Somebody takes a seat."""
    public = state.public
    body = letter.body
    seats = public.settings.seats
    if letter.sender not in seats:
        verdict.refuse(wrong("E-JOIN-SEAT.letter", seat=as_quoted(letter.sender), seats=tuple(seats)))
    elif letter.sender in public.players:
        verdict.refuse(wrong("E-JOIN-TAKEN", seat=letter.sender))
    elif public.phase != "joining":
        verdict.refuse(wrong("E-JOIN-LATE"))
    key, entropy = text_of(verdict, body, "key"), text_of(verdict, body, "entropy")
    name = text_of(verdict, body, "name")
    language = text_of(verdict, body, "language") or (seats[letter.sender].language if letter.sender in seats else "en")
    unknown_keys(verdict, body, ("key", "entropy", "name", "language", "deal", "token"))
    check_invited(state, letter, verdict)
    if len(name) > LONGEST_NAME:
        verdict.refuse(wrong("E-JOIN-NAME", most=LONGEST_NAME), node=entry_of(body, "name"))
    if not re.fullmatch("[a-z]{2}", language):
        verdict.refuse(wrong("E-JOIN-LANGUAGE", language=as_quoted(language)), node=entry_of(body, "language"))
    if not entropy:
        verdict.refuse(wrong("E-JOIN-ENTROPY"), node=entry_of(body, "entropy"))
    if not key and must_have_key(state, letter.sender):
        verdict.refuse(wrong("E-JOIN-KEY", seat=letter.sender), node=entry_of(body, "key"))
    if key or letter.signature or public.settings.conduct.signing == "on":
        check_own_key(letter, key, verdict)
    if not verdict.is_refused:
        verdict.record = JoinRecord(
            letter.sender, key, entropy_of(entropy), letter.seq, verdict.mark, entry_text(letter), name, language
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
        verdict.refuse(wrong("E-JOIN-DEAL"), node=entry_of(letter.body, "deal"))
    if letter.sender in state.public.settings.seats and text_of(verdict, letter.body, "token") != state.token(
        letter.sender
    ):
        verdict.refuse(wrong("E-JOIN-TOKEN.letter"), node=entry_of(letter.body, "token"))


def check_own_key(letter: Letter, key: str, verdict: LetterVerdict) -> None:
    """A letter that names a key must be signed with it, or nobody knows that its writer has it."""
    try:
        check_signature(letter, PublicKey.parse(key))
    except SealFault as fault:
        verdict.refuse(fault.wrong, node=entry_of(letter.body, "key"))


def entry_text(letter: Letter) -> str:
    """A letter as an entry holds it, whatever the mail did to its lines; what it says and its signature stay."""
    tree = {**letter.tree, "signature": letter.signature} if letter.signature else letter.tree
    return write({key: tree[key] for key in in_order(tree)})


def entropy_of(text: str) -> str:
    """A player's random bytes: as given, or the SHA-256 of whatever line they wrote."""
    return text if _HEX.fullmatch(text) else hashlib.sha256(text.encode()).hexdigest()
