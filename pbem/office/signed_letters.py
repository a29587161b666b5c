"""Letters that a player has signed, as files, and the mails in which they are sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.faults.wrong import PbemError, words
from pbem.paper.letter_kinds import MODERATORS
from pbem.paper.letters import LETTER, Letter, check_signature, letter_id, read_letter
from pbem.post.outgoing import Correspondent, Enclosure, OutgoingMail, eml, message_id
from pbem.post.parcels import YAML
from pbem.seal.faults import BadSignature
from pbem.seal.keys import PublicKey
from pbem.seal.signature import signer_of

LETTER_ENDINGS = ("", ".yaml", ".yml", ".txt")
"""Endings of the names of files in which players sign letters."""


class SignedLetter(Struct, frozen=True):
    """Signed letter in a file, written for a seat of the player. Its signature may be wrong, or made with a key of
    somebody else."""

    path: Path
    letter: Letter
    data: bytes
    is_sound: bool = True
    """False if the letter is faulty: the file was changed after it was signed, or was signed with another key than the
    player's."""
    is_own: bool = True
    """False if the letter was signed with another key than the player's."""
    key: PublicKey | None = None
    """Public key that the signature names."""

    @property
    def enclosed_as(self) -> str:
        """Name of the letter's file in the mail to the moderator. It is the player's own name for the file. If a mail
        program might change this name, it is `letter.yaml`."""
        return self.path.name if _ENCLOSED.fullmatch(self.path.name) else "letter.yaml"

    @property
    def name(self) -> str:
        """Digest of the letter. Receipts name the letter by it."""
        return letter_id(self.letter)


_ENCLOSED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}\.ya?ml")


def signed_letters(
    root: Path, is_mine: Callable[[str, str], bool], keys: Collection[PublicKey]
) -> Iterator[SignedLetter]:
    """Yield the signed letters for seats of the player in a folder and its subfolders. Letters that were changed, or
    that are not signed with one of the `keys`, are yielded as faulty (not sound)."""
    for path in sorted(root.rglob("*")):
        is_text = path.suffix.casefold() in LETTER_ENDINGS and not path.is_symlink() and path.is_file()
        if not is_text or path.stat().st_size > LETTER.size:
            continue
        data = path.read_bytes()
        try:
            letter = read_letter(data, path.name)
            if letter.signature and letter.kind not in MODERATORS and is_mine(letter.campaign, letter.sender):
                key = signer_of(letter.signature)
                is_own = key in keys
                yield SignedLetter(path, letter, data, is_own and is_as_signed(letter, key), is_own, key)
        except PbemError:
            continue


def is_as_signed(letter: Letter, key: PublicKey) -> bool:
    """Return True if a letter has not been changed since it was signed with this key. Raises `BadSignature` if another
    key has signed it, or if the signature has a wrong form."""
    try:
        check_signature(letter, key)
    except BadSignature as error:
        if error.code != "E-SIGNATURE-WRONG":
            raise
        return False
    return True


def letter_mail_id(signed: SignedLetter, sender: str, heirs: int = 0) -> str:
    """Return the message-id of the mail in which a letter is sent to a moderator who has `heirs` predecessors. The
    message-id for the same letter is always the same."""
    later = (f"heir {heirs}",) if heirs else ()
    return message_id(sender.partition("@")[2], signed.letter.campaign, "letter", signed.name, *later)


def letter_mail(signed: SignedLetter, sender: str, addressee: str, now: datetime, heirs: int = 0) -> bytes:
    """Return the mail in which a letter is sent to the moderator `addressee`, who had `heirs` predecessors.
    `letter_mail_id` gives its message-id."""
    letter = signed.letter
    about = " ".join(filter(None, (letter.kind, letter.stage)))
    mail = OutgoingMail(
        sender=Correspondent(sender),
        to=Correspondent(addressee),
        subject=f"[{letter.campaign}] {about}",
        date=now,
        message_id=letter_mail_id(signed, sender, heirs),
        text=words("office-letter", kind=letter.kind, campaign=letter.campaign, file=signed.enclosed_as).text(),
        attachments=(Enclosure(signed.enclosed_as, YAML, signed.data),),
        thread=message_id(addressee.partition("@")[2], letter.campaign, "thread"),
        is_automatic=False,
        is_draft=True,
    )
    return eml(mail)
