"""Files of a player's office: those kept of a mail, the reports among them, and the signed letters to be sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.players.guidance import KINDS, Guidance, guidance_of
from pbem.campaign.players.letters import LetterContext, orders_letter
from pbem.faults.wrong import PbemError, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import Text
from pbem.paper.letters import LETTER, MODERATORS, Letter, check_signature, file_digest, letter_id, read_letter
from pbem.post.extract import extract
from pbem.post.mime import Envelope, files_in
from pbem.post.outbox import YAML
from pbem.post.outgoing import Correspondent, Enclosure, Outgoing, eml, message_id
from pbem.seal.keys import PublicKey

SHEET = "orders.yaml"

CALENDAR = "deadline.ics"
"""The one file of a reminder."""


class Came(Struct, frozen=True):
    """A file of a mail, plain or opened."""

    name: str
    data: bytes
    letter: Letter | None = None
    """The moderator's letter for the seat that is played, if the file is that and nothing else."""


class Filing(Struct, frozen=True):
    """Files of a mail that are filed."""

    files: dict[str, bytes]
    guide: Guidance | None = None
    """The report or the invitation among them."""
    unsigned: tuple[str, ...] = ()
    """The files that are left out, for nothing signed vouches for them."""


def filing_of(came: Sequence[Came]) -> Filing:
    """Return what is filed of a mail; an order sheet for which nobody vouches is made anew of the report."""
    guide = next(
        (guidance_of(each.letter, each.name) for each in came if each.letter and each.letter.kind in KINDS), None
    )
    files: dict[str, bytes] = {}
    unsigned = []
    for each in came:
        if each.letter:
            files.setdefault(f"{each.letter.kind}.yaml", each.data)
        elif not is_for_programs(each.name) or (guide and guide.sheets.get(each.name) == file_digest(each.data)):
            files.setdefault(each.name, each.data)
        else:
            unsigned.append(each.name)
    if guide and guide.seat in guide.owing and not guide.locked and SHEET not in files:
        occasion = LetterContext(guide.campaign, guide.seat, guide.stage, guide.basis)
        files[SHEET] = orders_letter(occasion, guide.next_seq, {}).encode()
    return Filing(files, guide, tuple(unsigned))


def is_for_programs(name: str) -> bool:
    """Return whether programs look for letters in a file of this name."""
    return name.casefold().endswith((".yaml", ".yml", ".json"))


def letters_in(data: bytes, name: str, campaign: str) -> list[Letter]:
    """Return the moderators' letters of a campaign in a file, whatever else stands there."""
    found = [each.letter for each in extract(data, name).letters] if is_for_programs(name) else []
    return [each for each in found if each and each.kind in MODERATORS and each.campaign == campaign]


def whole_letter(data: bytes, name: str, campaign: str) -> Letter | None:
    """Return the moderator's letter of a campaign that a file is; none if anything stands beside it."""
    try:
        letter = read_letter(data, name)
    except Refused:
        return None
    return letter if letter.kind in MODERATORS and letter.campaign == campaign else None


def is_letter_of(letter: Letter, moderator: PublicKey | None, source: str) -> bool:
    """Return whether a moderator's letter is signed by this one; before anybody is known, by the one whom it names."""
    try:
        if moderator:
            check_signature(letter, moderator)
        elif letter.kind in KINDS:
            guidance_of(letter, source)
    except PbemError:
        return False
    return True


def is_of_another(letter: Letter, moderator: PublicKey | None) -> bool:
    """Return whether the signature of a letter holds, under another key than the moderator's."""
    from pbem.seal.signature import signer_of

    try:
        signer = signer_of(letter.signature)
        check_signature(letter, signer)
    except PbemError:
        return False
    return signer != moderator


def addressee(letter: Letter) -> str:
    """Return the seat for which a letter of the moderator is."""
    node = entry_of(letter.body, "seat" if letter.kind == "invitation" else "to")
    return node.value if isinstance(node, Text) else ""


class Signed(Struct, frozen=True):
    """Signed letter in a file, ready to be sent."""

    path: Path
    campaign: str
    kind: str
    stage: str
    name: str
    """The fingerprint of what it says."""
    data: bytes


def signed_letters(root: Path, is_mine: Callable[[str, str], bool], key: PublicKey) -> Iterator[Signed]:
    """The letters under a folder that are of seats that are played, by campaign and seat, and signed with their key."""
    for path in sorted(root.rglob("*.yaml")):
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LETTER.size:
            continue
        data = path.read_bytes()
        try:
            letter = read_letter(data, path.name)
            if letter.signature and letter.kind not in MODERATORS and is_mine(letter.campaign, letter.sender):
                check_signature(letter, key)
                yield Signed(path, letter.campaign, letter.kind, letter.stage, letter_id(letter), data)
        except PbemError:
            continue


def letter_mail(letter: Signed, sender: str, to: str, now: datetime) -> tuple[bytes, str]:
    """The mail with a letter, and its name, which follows from what the letter says."""
    name = message_id(sender.partition("@")[2], letter.campaign, "letter", letter.name)
    about = " ".join(filter(None, (letter.kind, letter.stage)))
    mail = Outgoing(
        sender=Correspondent(sender),
        to=Correspondent(to),
        subject=f"[{letter.campaign}] {about}",
        date=now,
        message_id=name,
        text=words("office-letter", kind=letter.kind, campaign=letter.campaign).text(),
        attachments=(Enclosure("letter.yaml", YAML, letter.data),),
        thread=message_id(to.partition("@")[2], letter.campaign, "thread"),
        is_automatic=False,
        is_draft=True,
    )
    return eml(mail), name


def folder_of(subject: str, guide: Guidance | None) -> str:
    """Return where a mail is filed: by the entry of its report, else the number in its subject, or with all without."""
    if guide and guide.head:
        return f"{guide.head.entry:04d}"
    found = re.search(r"\] (\d{4}) ", subject)
    return found[1] if found else "mails"


def guidance_in(path: Path) -> Guidance:
    """Guidance in a signed letter of the moderator; raises `Refused` for anything else."""
    found = extract(path.read_bytes(), path.name)
    letters = [each.letter for each in found.letters if each.letter and each.letter.kind in KINDS]
    if len(letters) == 1:
        return guidance_of(letters[0], path.name)
    raise Refused(path.name, [*found.faults, wrong("E-GUIDE-FORM", kind=path.stem)])


def is_sound(path: Path, campaign: str) -> bool:
    """Return whether a file is the moderator's letter of a campaign that its name says."""
    try:
        found = guidance_in(path)
    except (PbemError, OSError):
        return False
    return (found.kind, found.campaign) == (path.stem, campaign)


def is_to_hold_report(head: Envelope, mail: bytes) -> bool:
    """Return whether a report belongs in a mail of the moderator."""
    if head.kind:
        return head.kind == "report"
    # Programs up to 0.2 tell no kind. Only their receipts name another mail than the first of the thread, and only
    # reminders bring nothing but a calendar.
    is_receipt = len(head.answers) > 1
    return not is_receipt and [name for name, _ in files_in(mail, "") if name] != [CALENDAR]
