"""Functions that find a player's letters in files, and that number letters, sign them and note them."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from pbem.campaign.letters.heads import jump_faults, lock_fault
from pbem.campaign.players import campaign_notes
from pbem.campaign.players.campaign_notes import CampaignNotes, last_number, newest_letter
from pbem.campaign.players.finding_notes import (
    find_known_notes,
    find_notes,
    key_places,
    keys_in_turn,
    moved_to_seat,
    noted_campaigns,
    notes_before_lot,
    notes_with,
)
from pbem.campaign.players.guidance import Guidance, guidance_of
from pbem.campaign.players.known_position import rules_of
from pbem.campaign.players.standing import standing_of_seat
from pbem.campaign.settings import MODERATOR
from pbem.faults.wrong import PbemError, Wrong, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letter_kinds import MODERATORS, STAGED
from pbem.paper.letters import Letter, letter_id, read_letter, sign_letter, signed_bytes
from pbem.player.files import GivenFile, write_file, write_unnamed
from pbem.player.keyring import public_half
from pbem.player.names import powers_of
from pbem.seal.box import is_sealed_to
from pbem.seal.faults import SealFault
from pbem.seal.keys import PrivateKey, PublicKey, Signer


class Pen(Struct, frozen=True):
    """Key for signing, the key's path, and the path of the file to write. The path of the file is None if the player
    has not named one."""

    place: Path
    key: Callable[[], Signer]
    """Function that returns the opened key. It may ask for a passphrase."""
    out: Path | None = None


class SignedLetter(Struct, frozen=True):
    """Signed letter. `along` is the path of a file with preset plans that should be sent with the letter, or None."""

    letter: Letter
    text: str
    key: PublicKey
    warnings: list[Wrong]
    along: Path | None


def letter_at(data: bytes, source: str, *, of_moderator: bool = False, may_lack: bool = False) -> Letter:
    """Return the letter in the bytes of a file or mail: the moderator's if `of_moderator`, else the player's. With
    `may_lack`, parts of the letter may be missing. Raises `Refused` if there is no letter."""
    try:
        return read_letter(data, source, may_lack=may_lack)
    except Refused as refused:
        alone = refused
    # These modules are imported only here. Most files hold only a letter, and nothing that reads mails is needed for
    # them.
    from pbem.post.extract import extract
    from pbem.post.mime import is_mail

    found = extract(data, source)
    letters = [each for each in found.letters if each.letter and (each.letter.kind in MODERATORS) == of_moderator]
    letters = [each for each in letters if may_lack or not (each.letter and each.letter.missing_keys)]
    # The last letter is returned. Letters outside of quotations, and letters that are no plans, are preferred: a mail
    # with a report also has plans.
    letters.sort(key=lambda each: (not each.is_quoted, each.letter is not None and each.letter.kind != "plan"))
    if letters and (meant := letters[-1].letter):
        return meant
    if is_mail(data):
        faults = [fault for each in found.unread for fault in each.faults] or found.faults
        raise Refused(source, faults or alone.faults)
    raise alone


def guide(file: GivenFile) -> Guidance:
    """Return the guidance of an invitation or report: its content for the player's program. Raises `Refused` for any
    other file, and `SealFault` if the signature is false."""
    return guidance_of(letter_at(file.data, file.source, of_moderator=True), file.source)


def notes_of(place: Path, campaign: str | None, seat: str | None, came: GivenFile | None) -> CampaignNotes:
    """Return the notes on a campaign beside the key in the file `place`. If the moderator's letter `came` is given, the
    notes also have the news in it."""
    if came is None:
        return find_notes(place, campaign or "", seat or "")
    return notes_with(place, guide(came), seat or "")


def plan_head(campaign: str, seat: str, stage: str, basis: str, seq: int) -> dict[str, str | int]:
    return {"campaign": campaign, "from": seat, "stage": stage, "basis": basis, "seq": seq}


def sign(file: GivenFile, pen: Pen, language: str, *, renumber: bool = False) -> SignedLetter:
    """Sign a letter, note the signature beside the key, and write the letter to `pen.out` if it is given. If an
    unsigned letter has a number that was used before, the letter gets the next free number. With `renumber`, a signed
    letter gets a new number too. Raises `Refused` for a letter that this player may not sign."""
    letter, source = letter_at(file.data, file.source), file.source
    place, key = pen.place, pen.key()
    if letter.kind in STAGED - MODERATORS and (
        waits := notes_before_lot(place, letter.campaign, letter.sender, may_correct=True)
    ):
        moved_to_seat(place, waits, letter.sender)
    refuse_not_own(letter, place, source)
    notes = find_known_notes(place, letter.campaign, letter.sender)
    # By now the number of an order sheet may have been used. A signed letter keeps its number, because it may replace a
    # letter that was not sent.
    renumbered = repeated_numbers(letter, notes, "W-LETTER-SEQ.next") if not (letter.signature or renumber) else []
    if renumber or renumbered:
        letter = letter_at(renumbered_letter(letter, notes, source), source)
    refuse_jump(letter, notes, source)
    repeated = renumbered or repeated_numbers(letter, notes, "W-LETTER-SEQ")
    warnings = [*repeated, *(lock_warnings(letter, notes, place) if notes else ())]
    signed = sign_letter(letter.text, key)
    if pen.out:
        write_file(pen.out, signed.encode())
    if notes:
        warnings += part_warnings(notes, key, place)
        if letter.kind == "plan":
            notes.plans[letter_id(letter_at(signed.encode(), source))] = signed
        campaign_notes.note_signed(place, notes, letter, content_fingerprint(letter))
    along = send_along(letter, notes, place, key, language) if notes else None
    return SignedLetter(letter, signed, key.public, warnings, along)


def send_along(letter: Letter, notes: CampaignNotes, place: Path, key: Signer, language: str) -> Path | None:
    """Write and sign the preset plans that the player chose on joining, and return their path. They are sent together
    with the player's first orders. Return None if `letter` has no orders, or if the player chose no such plans."""
    from pbem.report.letters.sheet import preset_text  # it loads templates, which other letters do not need

    if not notes.preset or letter.kind != "orders":
        return None
    rules = rules_of(notes.terms)
    head = plan_head(notes.campaign, notes.seat, letter.stage, letter.basis, notes.seq + 1)
    signed = sign_letter(preset_text(rules, notes.preset, powers_of(rules, notes.seat), language, head), key)
    notes.plans[letter_id(letter_at(signed.encode(), "letter"))] = signed
    notes.preset = ""
    return write_noted(None, f"plan-{notes.campaign}-{notes.seat}.yaml", signed, place, notes)


def refuse_jump(letter: Letter, notes: CampaignNotes | None, source: str) -> None:
    """Raise `Refused` if the letter's number is too far above the number of the last letter in the notes. For a letter
    that joins a campaign, the last number counts as 0. If there are no notes, other letters are not checked."""
    last = 0 if letter.kind == "join" else last_number(notes, letter.seq) if notes else letter.seq
    if far := jump_faults(letter.seq, last):
        raise Refused(source, far)


def refuse_not_own(letter: Letter, place: Path, source: str) -> None:
    """Raise `Refused` if the letter is the moderator's. Also raise it if the player's notes, beside the key in the file
    `place`, know the campaign but not the letter's seat."""
    own = [seat for campaign, seat in noted_campaigns(place) if campaign == letter.campaign]
    if letter.sender == MODERATOR or letter.kind in MODERATORS:
        raise Refused(source, [wrong("E-SIGN-MODERATOR", kind=letter.kind)])
    if own and letter.sender not in own:
        raise Refused(source, [wrong("E-SIGN-SEAT", sender=letter.sender, seats=tuple(own))])


def lock_warnings(letter: Letter, notes: CampaignNotes, place: Path) -> list[Wrong]:
    """Return a warning if the letter changes sealed orders of its stage while they are being revealed."""
    found = standing_of_seat(place, notes)
    is_late = found and found.came.locked and found.came.stage == letter.stage and lock_fault(letter.kind)
    return [wrong("W-LETTER-LOCKED")] if is_late else []


def part_warnings(notes: CampaignNotes, key: Signer, place: Path) -> list[Wrong]:
    """Return a warning if the player's newest part of the heirloom is damaged, or is sealed to a former or unknown key.
    A part that was found good before is not checked again. No part is checked if ssh-agent holds the key."""
    part = notes.heirloom
    if part is None or notes.opened == part.entry or not isinstance(key, PrivateKey):
        return []
    from pbem.campaign.succession import opened_part  # it loads modules that other letters do not need

    try:
        opened_part(part.points, part.number, part.part, key)
    except SealFault as fault:
        if fault.wrong.code != "E-SEAL-KEY":
            return [wrong("W-HEIR-PART", entry=part.entry, why=fault.message)]
        if other := key_of_part(part.part, place, notes, key.public):
            # The heir may have gone on from an older ledger, in which the player had not changed the key yet.
            return [] if other.is_later else [wrong("W-HEIR-KEY", entry=part.entry, key=other.key.fingerprint)]
        return [wrong("W-HEIR-KEY.unknown", entry=part.entry, key=key.public.fingerprint)]
    notes.opened = part.entry
    return []


def key_of_part(part: str, place: Path, notes: CampaignNotes, own: PublicKey) -> OtherKey | None:
    """Return the one of `other_keys` to which `part`, a part of the heirloom, is sealed. Return None if it is sealed to
    none of them. `place` is the file of the player's key, `own` its public half."""
    return next((each for each in other_keys(place, notes, own) if is_sealed_to(each.key, part)), None)


class OtherKey(Struct, frozen=True):
    """Another key of the seat's player. `is_later` is true if the player took this key after the present one, and false
    if before it."""

    key: PublicKey
    is_later: bool


def other_keys(place: Path, notes: CampaignNotes, own: PublicKey) -> list[OtherKey]:
    """Return all keys of the seat's player except for `own`, the key at `place`. Keys that cannot be read are left
    out."""
    found: list[OtherKey] = []
    is_later = False
    for each, _ in keys_in_turn(key_places(place), notes.campaign, notes.seat):
        with suppress(PbemError, OSError):
            if (public := public_half(each)) == own:
                is_later = True
            elif public:
                found.append(OtherKey(public, is_later))
    return found


def repeated_numbers(letter: Letter, notes: CampaignNotes | None, code: str) -> list[Wrong]:
    """Return a warning with the code `code` if the notes have an earlier letter whose number is not lower than that of
    `letter`. Return an empty list without notes, or if that letter is `letter` itself."""
    if notes is None:
        return []
    last = last_number(notes, letter.seq, letter.kind)
    is_same = letter.seq == last and newest_letter(notes, letter.kind).letter == content_fingerprint(letter)
    return [] if letter.seq > last or is_same else [wrong(code, last=last, next=last + 1)]


def content_fingerprint(letter: Letter) -> str:
    """Return a digest of the signed text of a letter."""
    return sha256(signed_bytes(letter)).hexdigest()


def renumbered_letter(letter: Letter, notes: CampaignNotes | None, source: str) -> bytes:
    """Return the text of a letter with a number that the moderator accepts: its present number if possible, else the
    next free number. Raises `Refused` if there are no notes."""
    if notes is None:
        raise Refused(source, [wrong("E-NOTES-WHICH.seq", campaign=letter.campaign)])
    last = last_number(notes, letter.seq, letter.kind)
    is_free = letter.seq > last and not jump_faults(letter.seq, last_number(notes, letter.seq))
    return with_seq(letter, letter.seq if is_free else last + 1).encode()


def with_seq(letter: Letter, seq: int) -> str:
    """Return the text of a letter with the number `seq` in place of its own. The layout stays the same."""
    return re.sub(r"(?m)^((?:  )?seq:).*$", rf"\1 {seq}", letter.text, count=1)


def write_noted(out: Path | None, name: str, signed: str, place: Path, notes: CampaignNotes) -> Path:
    """Write a signed letter to `out`, or to the file `name` if `out` is None. Note the letter beside the key, and
    return the path of the file. If the file `name` holds a letter of another campaign or seat, it is not replaced."""
    data, path = signed.encode(), out or Path(name)
    letter = letter_at(data, "letter")
    write_beside_others(out, path, data, letter)
    campaign_notes.note_signed(place, notes, letter, content_fingerprint(letter))
    return path


def write_beside_others(out: Path | None, path: Path, data: bytes, letter: Letter) -> None:
    """Write a letter to `out`, or to `path` if `out` is None. A file at `path` is replaced only if it holds a letter of
    the same campaign and seat."""
    if out:
        write_file(out, data)
    else:
        write_unnamed(path, data, lambda found: is_letter_of(found, letter))


def is_letter_of(data: bytes, letter: Letter) -> bool:
    """Return whether `data` is a letter of the campaign and seat of `letter`."""
    try:
        found = letter_at(data, "letter", may_lack=True)
    except Refused:
        return False
    return (found.campaign, found.sender) == (letter.campaign, letter.sender)
