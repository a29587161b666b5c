"""Letters that a player has signed: the files, and the mails that carry them."""

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
    """Signed letter in a file, for a seat of the player. The signature may be wrong, or made with another key."""

    path: Path
    letter: Letter
    data: bytes
    is_sound: bool = True
    """False if the file was changed after it was signed, or if another key has signed it."""
    is_own: bool = True
    """False if another key has signed the letter."""
    key: PublicKey | None = None
    """The key that the signature names."""

    @property
    def enclosed_as(self) -> str:
        """Name of the letter's file in the mail to the moderator: the player's own, or `letter.yaml` if a mail program
        might change it."""
        return self.path.name if _ENCLOSED.fullmatch(self.path.name) else "letter.yaml"

    @property
    def name(self) -> str:
        """Digest of the letter, by which a receipt names it."""
        return letter_id(self.letter)


_ENCLOSED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}\.ya?ml")


def signed_letters(
    root: Path, is_mine: Callable[[str, str], bool], keys: Collection[PublicKey]
) -> Iterator[SignedLetter]:
    """Yield the signed letters under a folder for seats of the player. Letters that were changed, or signed with
    another key than these, are yielded as not sound."""
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
    """Return whether a letter is unchanged since this key has signed it. Raises `BadSignature` for another key, or a
    signature without the right form."""
    try:
        check_signature(letter, key)
    except BadSignature as error:
        if error.code != "E-SIGNATURE-WRONG":
            raise
        return False
    return True


def letter_mail_id(signed: SignedLetter, sender: str, heirs: int = 0) -> str:
    """Return the message-id for a letter's mail to a moderator with `heirs` predecessors. The same letter always gets
    the same message-id."""
    later = (f"heir {heirs}",) if heirs else ()
    return message_id(sender.partition("@")[2], signed.letter.campaign, "letter", signed.name, *later)


def letter_mail(signed: SignedLetter, sender: str, addressee: str, now: datetime, heirs: int = 0) -> bytes:
    """Return the mail that carries a letter, with the message-id of `letter_mail_id`."""
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
