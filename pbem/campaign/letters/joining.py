"""Judges letters with which somebody takes a seat, and brings chance of their own to the deal."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping

from pbem.campaign.ledger.public_state import Player
from pbem.campaign.ledger.records import JoinRecord
from pbem.campaign.letters.key_holders import sharing_told
from pbem.campaign.letters.letterbox import HeldLetter, entry_of
from pbem.campaign.letters.verdicts import MODERATOR, LetterVerdict, text_of, unknown_keys
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.settings import Settings
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.look_alikes import mixed_word, outline
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.writing import write
from pbem.paper.letters import Letter, check_signature
from pbem.seal.canonical import in_order
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

_HEX = re.compile("[0-9a-f]{64}")
LONGEST_NAME = 80
NOBODYS = (MODERATOR, "all", "observer", "everybody")
"""What no player is called."""


def join(state: SecretState, letter: Letter, verdict: LetterVerdict, is_new: bool) -> None:
    """Somebody takes a seat; of what was taken before, it is not asked again whether two are called alike."""
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
    # Programs up to 0.2 took names that this one refuses: their ledgers still verify.
    is_free = is_new and letter.sender in seats and name != seats[letter.sender].name
    others = others_called(public.settings, letter.sender, public.players)
    if fault := wrong_with_name(name, others) if is_free else too_long(name):
        verdict.refuse(fault, node=entry_of(body, "name"))
    if fault := wrong_with_language(language):
        verdict.refuse(fault, node=entry_of(body, "language"))
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


def too_long(name: str) -> Wrong | None:
    """Return what is wrong with a name that has too many letters."""
    return wrong("E-JOIN-NAME", most=LONGEST_NAME) if len(name) > LONGEST_NAME else None


def wrong_with_name(name: str, others: Iterable[str]) -> Wrong | None:
    """Return what is wrong with what somebody wants to be called: nobody shall take them for one of these others."""
    if fault := too_long(name):
        return fault
    if "\n" in name:
        return wrong("E-JOIN-NAME.lines")
    if word := mixed_word(name):
        return wrong("E-JOIN-NAME.mixed", word=as_quoted(word))
    seen = outline(name)
    alike = next((other for other in others if name and outline(other) == seen), None)
    return None if alike is None else wrong("E-JOIN-NAME.alike", other=as_quoted(alike))


def wrong_with_language(language: str) -> Wrong | None:
    """Return what is wrong with a language."""
    is_language = re.fullmatch("[a-z]{2}", language)
    return None if is_language else wrong("E-JOIN-LANGUAGE", language=as_quoted(language))


def others_called(settings: Settings, seat: str, players: Mapping[str, Player]) -> tuple[str, ...]:
    """Return what all others are called, and their seats, for who comes to one."""
    host = () if settings.moderator.seat == seat else (settings.moderator.name,)
    seats = {other: each.name for other, each in settings.seats.items() if other != seat}
    people = (player.name for other, player in players.items() if other != seat)
    return tuple(name for name in (*NOBODYS, *host, *seats, *seats.values(), *people) if name)


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
