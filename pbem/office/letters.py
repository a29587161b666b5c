"""Letters that a player has signed, and the mails in which they go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.faults.words import words
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import LETTER, MODERATORS, check_signature, letter_id, read_letter
from pbem.post.outbox import YAML
from pbem.post.outgoing import Correspondent, Enclosure, Outgoing, eml, message_id
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey


class Signed(Struct, frozen=True):
    """A letter that is ready to be sent."""

    path: Path
    campaign: str
    kind: str
    stage: str
    name: str
    """The fingerprint of what it says."""
    data: bytes


def signed_in(root: Path, is_mine: Callable[[str, str], bool], key: PublicKey) -> Iterator[Signed]:
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
        except (Refused, SealFault):
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
        text=words("office-letter", kind=letter.kind, campaign=letter.campaign).told(),
        attachments=(Enclosure("letter.yaml", YAML, letter.data),),
        thread=message_id(to.partition("@")[2], letter.campaign, "thread"),
        is_automatic=False,
        is_draft=True,
    )
    return eml(mail), name
