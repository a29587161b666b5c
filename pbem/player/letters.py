"""Letters of a player: found in what came, numbered, signed, and noted beside the key."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from pbem.campaign.letters.heads import too_far
from pbem.campaign.letters.joining import MODERATOR
from pbem.campaign.players import notebook
from pbem.campaign.players.guidance import Guidance, guidance_of, rules_of
from pbem.campaign.players.notebook import Notebook, last_number, newest
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import MODERATORS, STAGED, Letter, letter_id, read_letter, sign_letter, signed_bytes
from pbem.player.files import Given, write_file, write_unnamed
from pbem.player.names import powers_of
from pbem.seal.keys import PublicKey, Signer


class Pen(Struct, frozen=True):
    """Means of writing: the place of the key, with the notes beside it, the key itself, and the file to write."""

    place: Path
    key: Callable[[], Signer]
    """Opens the key; who calls it is asked for a passphrase."""
    out: Path | None = None


class SignedLetter(Struct, frozen=True):
    """A letter that was signed, and plans of a preset that are to be sent with it."""

    letter: Letter
    text: str
    key: PublicKey
    warnings: list[Wrong]
    along: Path | None


def letter_at(data: bytes, source: str, *, of_moderator: bool = False, may_lack: bool = False) -> Letter:
    """Return the letter in these bytes: alone, or in anything else in which `pbem accept` finds letters.

    With `of_moderator` the moderator's letter is looked for; with `may_lack` the letter need not be complete.
    """
    try:
        return read_letter(data, source, may_lack=may_lack)
    except Refused as refused:
        alone = refused
    # Only now: a letter that stands alone, which most do, needs nothing that reads mails.
    from pbem.post.extract import extract
    from pbem.post.mime import is_mail

    found = extract(data, source)
    letters = [each for each in found.letters if each.letter and (each.letter.kind in MODERATORS) == of_moderator]
    letters = [each for each in letters if may_lack or not (each.letter and each.letter.missing_keys)]
    meant = [each.letter for each in [*letters, *(each for each in letters if not each.is_quoted)] if each.letter]
    # The first report's mail brings plans beside the sheet: the sheet is what is meant.
    meant.sort(key=lambda each: each.kind != "plan")
    if meant:
        return meant[-1]
    if is_mail(data):
        faults = [fault for each in found.unread for fault in each.faults] or found.faults
        raise Refused(source, faults or alone.faults)
    raise alone


def guide(file: Given) -> Guidance:
    """The invitation or report in a file; raises `Refused`, and `SealFault` for a wrong signature."""
    return guidance_of(letter_at(file.data, file.source, of_moderator=True), file.source)


def notes_of(place: Path, campaign: str | None, seat: str | None, came: Given | None) -> Notebook:
    """The notes on a campaign: as they are, or with what a letter of the moderator says that came."""
    if came is None:
        return notebook.find(place, campaign or "", seat or "")
    return notebook.notes_with(place, guide(came), seat or "")


def plan_head(campaign: str, seat: str, stage: str, basis: str, seq: int) -> dict[str, str | int]:
    """The head of a letter of plans, without its kind."""
    return {"campaign": campaign, "from": seat, "stage": stage, "basis": basis, "seq": seq}


def sign(file: Given, pen: Pen, language: str, *, renumber: bool = False) -> SignedLetter:
    """Sign a letter, write it into the file of the pen, if that has one, and note what was signed.

    Raises `Refused` for a letter that cannot be read, and one that is not its writer's to sign.
    """
    letter, source = letter_at(file.data, file.source), file.source
    place, key = pen.place, pen.key()
    if letter.kind in STAGED - MODERATORS and (waits := notebook.notes_before_lot(place, letter.campaign)):
        notebook.moved_to_seat(place, waits, letter.sender)
    refuse_not_own(letter, place, source)
    notes = notebook.find_known(place, letter.campaign, letter.sender)
    if renumber:
        letter = letter_at(renumbered_letter(letter, notes, source), source)
    refuse_far(letter, notes, source)
    warnings = repetition_faults(letter, notes)
    signed = sign_letter(letter.text, key)
    if pen.out:
        write_file(pen.out, signed.encode())
    if notes:
        if letter.kind == "plan":
            notes.plans[letter_id(letter_at(signed.encode(), source))] = signed
        notebook.note_signed(place, notes, letter, content_fingerprint(letter))
    along = send_along(letter, notes, place, key, language) if notes else None
    return SignedLetter(letter, signed, key.public, warnings, along)


def send_along(letter: Letter, notes: Notebook, place: Path, key: Signer, language: str) -> Path | None:
    """The letter of the plans that somebody joined with, signed beside the first orders; nothing if there are none."""
    from pbem.report.letters.sheet import preset_text  # loads templates, which no other letter needs

    if not notes.preset or letter.kind != "orders":
        return None
    rules = rules_of(notes.terms)
    head = plan_head(notes.campaign, notes.seat, letter.stage, letter.basis, notes.seq + 1)
    signed = sign_letter(preset_text(rules, notes.preset, powers_of(rules, notes.seat), language, head), key)
    notes.plans[letter_id(letter_at(signed.encode(), "letter"))] = signed
    notes.preset = ""
    return write_noted(None, f"plan-{notes.campaign}-{notes.seat}.yaml", signed, place, notes)


def refuse_not_own(letter: Letter, place: Path, source: str) -> None:
    """Refuse to sign the moderator's letters, whose signature is what they prove, and those of seats not one's own."""
    own = [seat for campaign, seat in notebook.all_of(place) if campaign == letter.campaign]
    if letter.sender == MODERATOR or letter.kind in MODERATORS:
        raise Refused(source, [wrong("E-SIGN-MODERATOR", kind=letter.kind)])
    if own and letter.sender not in own:
        raise Refused(source, [wrong("E-SIGN-SEAT", sender=letter.sender, seats=tuple(own))])


def refuse_far(letter: Letter, notes: Notebook | None, source: str) -> None:
    """Refuse a number that no moderator takes, as far as it is known here which one came before."""
    is_first = letter.kind == "join"
    if (notes or is_first) and (
        far := too_far(letter.seq, 0 if is_first or not notes else last_number(notes, letter.seq))
    ):
        raise Refused(source, far)


def repetition_faults(letter: Letter, notes: Notebook | None) -> list[Wrong]:
    """A warning if another letter with this seq, or a newer one, was signed before."""
    if notes is None:
        return []
    last = last_number(notes, letter.seq, letter.kind)
    is_same = letter.seq == last and newest(notes, letter.kind).letter == content_fingerprint(letter)
    return [] if letter.seq > last or is_same else [wrong("W-LETTER-SEQ", last=last, next=last + 1)]


def content_fingerprint(letter: Letter) -> str:
    """The fingerprint of what a letter says, whoever has signed it."""
    return sha256(signed_bytes(letter)).hexdigest()


def renumbered_letter(letter: Letter, notes: Notebook | None, source: str) -> bytes:
    """The letter with the next seq, its layout as it was; messages, which are counted apart, take none from others."""
    if notes is None:
        raise Refused(source, [wrong("E-NOTES-WHICH.seq", campaign=letter.campaign)])
    last = last_number(notes, letter.seq, letter.kind)
    is_free = letter.seq > last and not too_far(letter.seq, last_number(notes, letter.seq))
    return with_seq(letter, letter.seq if is_free else last + 1).encode()


def with_seq(letter: Letter, seq: int) -> str:
    """Return a letter's text with another seq and the same layout."""
    return re.sub(r"(?m)^((?:  )?seq:).*$", rf"\1 {seq}", letter.text, count=1)


def write_noted(out: Path | None, name: str, signed: str, place: Path, notes: Notebook) -> Path:
    """Write a signed letter, and note beside the key which number it has and what it says; gives its file.

    That is `out`, or if nobody has named a file one of this name, where nothing of others may lie.
    """
    data, path = signed.encode(), out or Path(name)
    letter = letter_at(data, "letter")
    write_beside_others(out, path, data, letter)
    notebook.note_signed(place, notes, letter, content_fingerprint(letter))
    return path


def write_beside_others(out: Path | None, path: Path, data: bytes, letter: Letter) -> None:
    """Write a file: as somebody has named it, or else where nothing but an older letter of the seat lies."""
    if out:
        write_file(out, data)
    else:
        write_unnamed(path, data, lambda found: is_letter_of(found, letter))


def is_letter_of(data: bytes, letter: Letter) -> bool:
    """Return whether a file is a letter of the same seat."""
    try:
        found = letter_at(data, "letter", may_lack=True)
    except Refused:
        return False
    return (found.campaign, found.sender) == (letter.campaign, letter.sender)
