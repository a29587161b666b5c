"""Files that come in mails to a player's office, such as reports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.players.guidance import KINDS, Guidance, guidance_of
from pbem.campaign.players.letters import LetterContext, orders_letter
from pbem.campaign.players.offers import OfferedAgreement, offer_of
from pbem.faults.wrong import PbemError, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import Text
from pbem.paper.letter_kinds import MODERATORS
from pbem.paper.letters import Letter, check_signature, file_digest, read_letter
from pbem.post.boxes import SEALED, boxes_in, boxes_in_text, unsealed_content
from pbem.post.envelope import Envelope
from pbem.post.extract import extract
from pbem.post.mailbox import RawMessage
from pbem.post.mime import files_in
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.signature import signer_of

SHEET = "orders.yaml"

AGREEMENT = "agreement.yaml"
"""Name of the file that a player sends to agree to an offered agreement."""

BUNDLE = re.compile(r"succession-(\d{4})-\d{4}\.zip")
"""Pattern for the name of a bundle that an heir gets."""

TEXT = "mail.txt"
"""Name of the file with the text of a mail."""

_BARE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")

TO_JOIN = "join-"
"""Beginning of the names of folders with reports from campaigns that the player has not joined. These reports do not
count until the player has joined, because anybody may have signed them."""

DAMAGED = "W-OFFICE-DAMAGED"
"""Code of the doubt about a report that was damaged after it was filed."""

CALENDAR = "deadline.ics"
"""Name of the calendar file that comes with a reminder."""


class MailFile(Struct, frozen=True):
    """File that came in a mail. `data` is its content after decryption."""

    name: str
    data: bytes
    letter: Letter | None = None
    """Moderator's letter for the player's seat, if the whole file is this letter."""


class Filing(Struct, frozen=True):
    """Files of a mail that are to be written into the player's folder."""

    files: dict[str, bytes]
    guide: Guidance | None = None
    """Guidance in the report or invitation that is among the files."""
    offer: OfferedAgreement | None = None
    """Agreement that one of the files, a letter, offers to the player."""
    unsigned: tuple[str, ...] = ()
    """Names of files that are not written, because no signature covers them."""


def offer_in(came: Sequence[MailFile]) -> OfferedAgreement | None:
    """Return the first offer of an agreement among the files of a mail, or None. Raises `Refused` if the offer cannot
    be read, or if one of its two signatures is missing: that of the moderator, and that of the player who made it."""
    offers = (each for each in came if each.letter and each.letter.kind == "offer")
    return next((offer_of(each.letter, each.name) for each in offers if each.letter), None)


def filing_of(came: Sequence[MailFile], offer: OfferedAgreement | None = None) -> Filing:
    """Return those files of a mail that are to be written into the player's folder. Files for programs are included
    only if a signature covers them. If the report asks for orders and the mail has no order sheet, a sheet is added. If
    there is an `offer`, the file is added with which the player can agree to it."""
    guide = next(
        (guidance_of(each.letter, each.name) for each in came if each.letter and each.letter.kind in KINDS), None
    )
    files: dict[str, bytes] = {AGREEMENT: offer.agreeing.encode()} if offer else {}
    unsigned = []
    for each in came:
        if each.letter:
            name = f"{each.letter.kind}.yaml"
            # A mail may answer several letters at once, and has a receipt for each.
            is_further = each.letter.kind == "receipt" and name in files
            files.setdefault(further_name(name, each.data) if is_further else name, each.data)
        elif not is_for_programs(each.name) or (guide and guide.sheets.get(each.name) == file_digest(each.data)):
            files.setdefault(each.name, each.data)
        elif file_digest(files.get(each.name, b"")) != file_digest(each.data):
            unsigned.append(each.name)
    if guide and guide.request in ("orders", "in") and not guide.locked and SHEET not in files:
        occasion = LetterContext(guide.campaign, guide.seat, guide.stage, guide.basis)
        files[SHEET] = orders_letter(occasion, guide.next_seq, {}).encode()
    return Filing(files, guide, offer, tuple(unsigned))


def further_name(name: str, content: bytes) -> str:
    """Return another name for a file whose name is already used. It is made from the content."""
    return f"{file_digest(content)[:8]}-{name}"


def is_for_programs(name: str) -> bool:
    """Return True if a file's name has an ending of files for programs, which may contain letters."""
    return name.casefold().endswith((".yaml", ".yml", ".json"))


def letters_in(content: bytes, name: str, campaign: str = "") -> list[Letter]:
    """Return the moderators' letters in a file. If `campaign` is given, return only letters of this campaign. Return an
    empty list if the file's name does not have an ending of files for programs."""
    found = [each.letter for each in extract(content, name).letters] if is_for_programs(name) else []
    return [each for each in found if each and each.kind in MODERATORS and campaign in ("", each.campaign)]


def whole_letter(content: bytes, name: str, campaign: str) -> Letter | None:
    """Return the letter in a file if the whole file is a letter by the moderator of the campaign. Return None
    otherwise. `name` is the file's name."""
    try:
        letter = read_letter(content, name)
    except Refused:
        return None
    return letter if letter.kind in MODERATORS and letter.campaign == campaign else None


def is_letter_of(letter: Letter, moderator: PublicKey | None, source: str) -> bool:
    """Return True if a letter is signed by the moderator. If `moderator` is None, a report or an invitation must be
    signed by the key that it names itself, and any other letter is accepted."""
    try:
        if moderator:
            check_signature(letter, moderator)
        elif letter.kind in KINDS:
            guidance_of(letter, source)
    except PbemError:
        return False
    return True


def is_of_another(letter: Letter, moderator: PublicKey | None) -> bool:
    """Return True if a letter is validly signed by somebody other than the moderator. If `moderator` is None, any valid
    signature is enough."""
    try:
        signer = signer_of(letter.signature)
        check_signature(letter, signer)
    except PbemError:
        return False
    return signer != moderator


def addressee(letter: Letter) -> str:
    """Return the seat to which a moderator's letter is addressed. Return an empty text if there is none."""
    node = entry_of(letter.body, "seat" if letter.kind == "invitation" else "to")
    return node.value if isinstance(node, Text) else ""


class MailContents(NamedTuple):
    """Files of a mail as an office stores them. Sealed files have been opened."""

    files: list[tuple[str, bytes]]
    is_whole: bool
    """True if every sealed file was complete and could be opened."""


def contents(message: RawMessage, keys: Sequence[PrivateKey]) -> MailContents:
    """Return the files of a mail. Files whose names lead into other folders are left out."""
    plain = [(name, data) for kind in (".yaml", ".ics") for name, data in files_in(message.data, kind)]
    plain += [(name, data) for name, data in files_in(message.data, ".zip") if BUNDLE.fullmatch(name)]
    text = extract(message.data, message.where).text.encode()
    sealed = [content.decode("ascii", "replace") for _, content in files_in(message.data, SEALED)]
    is_whole = all(boxes_in_text(content) for content in sealed)
    opened: list[tuple[str, bytes]] = []
    for name, box in boxes_in(message.data, "mail.eml"):
        content = opened_by(keys, box) if name else b""
        is_whole = is_whole and content is not None
        opened += [(name, content)] if name and content is not None else []
    found = [(TEXT, text), *(each for each in (*plain, *opened) if each[0].casefold() != TEXT)]
    return MailContents([(name, data) for name, data in found if _BARE.fullmatch(name)], is_whole)


def opened_by(keys: Iterable[PrivateKey], box: str) -> bytes | None:
    """Return the content of a sealed text. Return None if none of the keys opens it."""
    for key in keys:
        with suppress(BoxFault):
            return unsealed_content(box, key)
    return None


def write_beside(path: Path, content: bytes) -> Path:
    """Write a file, and return its path. If the path has another content already, write the file under another name."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    names = (path.name, f"new-{path.name}", further_name(path.name, content))
    paths = [path.with_name(name) for name in names]
    free = next((each for each in paths if not each.exists() or each.read_bytes() == content), paths[-1])
    write_whole(free, content, mode=PRIVATE)
    return free


def folder_of(subject: str, guidance: Guidance | OfferedAgreement | None) -> str:
    """Return the name of the folder for a mail: the number of the entry of its report or offer, or else the number in
    its subject. If there is no number, return `mails`."""
    if guidance and guidance.head:
        return f"{guidance.head.entry:04d}"
    found = re.search(r"\] (\d{4}) ", subject)
    return found[1] if found else "mails"


def guidance_in(path: Path) -> Guidance:
    """Return the guidance of the report or invitation in a file. Raises `Refused` unless the file has exactly one."""
    return _guidance_within(path.read_bytes(), path.name)


@lru_cache(maxsize=32)
def _guidance_within(content: bytes, name: str) -> Guidance:
    """Return the guidance of the report or invitation in the content of a file. Raises `Refused` as `guidance_in`
    does."""
    # The result is cached: a round reads the same report many times, and checking its signature takes long.
    found = extract(content, name)
    letters = [each.letter for each in found.letters if each.letter and each.letter.kind in KINDS]
    if len(letters) == 1:
        return guidance_of(letters[0], name)
    raise Refused(name, [*found.faults, wrong("E-GUIDE-FORM", kind=Path(name).stem)])


def is_sound(path: Path, campaign: str) -> bool:
    """Return True if a file is undamaged, belongs to this campaign, and has the kind that its name says (`report.yaml`,
    `invitation.yaml`)."""
    try:
        found = guidance_in(path)
    except (PbemError, OSError):
        return False
    return (found.kind, found.campaign) == (path.stem, campaign)


def is_to_hold_offer(head: Envelope, files: Iterable[tuple[str, bytes]]) -> bool:
    """Return True if a mail should contain the offer of an agreement. Either its headers say so, or one of its files is
    a letter by which a player can agree."""
    return head.kind == "offer" or any(
        each.letter and each.letter.kind == "agreement"
        for name, data in files
        if is_for_programs(name)
        for each in extract(data, name).letters
    )


def is_to_hold_report(head: Envelope, mail: bytes) -> bool:
    """Return True if a mail of the moderator should contain a report."""
    if head.kind:
        return head.kind == "report"
    # Programs up to version 0.2 do not name the kind of a mail. Only their receipts answer another mail than the first
    # of the thread, and only their reminders have a calendar as their single file.
    is_receipt = len(head.answers) > 1
    return not is_receipt and [name for name, _ in files_in(mail, "") if name] != [CALENDAR]
