"""Shared folder as a carrier: a service such as Syncthing, Nextcloud or Dropbox copies it to everybody in it.

Each mail is a file there, sealed to the key of its reader. A file may come late, in pieces, twice under two names, or
vanish: it is read only when it is whole, and laid again by whoever has sent it.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.briefing import MODERATOR, OBSERVER
from pbem.campaign.disk.atomic import TEMPORARY, StorageFault, fault_of, read_whole, write_whole
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import JoinRecord, KeyChangeRecord, SubstituteRecord
from pbem.campaign.ledger.replaying import Reading
from pbem.faults.wrong import PbemError, wrong
from pbem.moderator.mails import INVITATION, seat_of
from pbem.office.carriers import LocalSource, NotNow, NotShared, NotThere, QueuedMail, file_name_text
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter, check_signature
from pbem.post.boxes import unsealed_content
from pbem.post.extract import extract
from pbem.post.mailbox import MOST_BYTES, RawMessage
from pbem.post.outgoing import TO_FORMER, as_sent
from pbem.post.parcels import digits_of
from pbem.seal.box import pad, seal
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.signature import signer_of

OPEN_LETTERS = (".yaml", ".yml", ".txt", ".eml")
"""Suffixes of files in which players may lay signed letters that need not be sealed."""

LARGEST = MOST_BYTES * 3 // 2
"""Largest number of bytes of a file that is read. Base64 makes 4 bytes of 3."""

END = b"-----END AGE ENCRYPTED FILE-----"
"""Last line of a sealed file that is whole."""

STALE = 24 * 3600
"""Seconds after which a temporary file of a killed office is removed. Nobody writes a file for so long."""

_NAME = re.compile(r"pbem-[a-z0-9-]+\.([a-z0-9-]+)\.([0-9a-f]{8})([0-9a-f]{16}).*\.age", re.IGNORECASE | re.DOTALL)
"""Pattern of the names of sealed files: the reader's seat, digits of the reader's key, and digits of the mail. Services
write the mark of a copy by conflict behind them."""


class Reader(Struct, frozen=True):
    """Reader of a mail in a shared folder: the seat, or `moderator`, and the key to which the mail is sealed."""

    seat: str
    key: PublicKey


ReaderOf = Callable[[QueuedMail], Reader | None]
"""Function that returns the reader of a mail; None for a mail that needs no carrier. It raises `NotShared` for a mail
that cannot lie in the folder, and `NotNow` if the reader is not known now."""


def digits_of_key(key: PublicKey) -> str:
    return hashlib.sha256(key.blob).hexdigest()[:8]


def digits_of_mail(message_id: str) -> str:
    return hashlib.sha256(message_id.encode()).hexdigest()[:16]


def file_name(mail: QueuedMail, reader: Reader) -> str:
    """Return the name of the file that brings a mail. It fits every system: small letters without marks, no reserved
    name, and nothing that two systems spell in two ways."""
    return f"pbem-{mail.campaign}.{reader.seat}.{digits_of_key(reader.key)}{digits_of_mail(mail.name)}.age"


class FolderSource(LocalSource):
    """Mailbox that is a shared folder. The files stay where they are: their writer takes them away.

    A moderator's office takes from it also signed letters that lie there unsealed.
    """

    def __init__(self, path: Path, key: PrivateKey, is_moderators: bool) -> None:
        """Take the folder, and the key that opens the files for this office. Raises `Refused` if the folder is gone."""
        if not path.is_dir():
            raise Refused(str(path), [wrong("E-OFFICE-INBOX.folder")])
        super().__init__(path)
        self.key = key
        self.is_moderators = is_moderators
        self.unfinished: list[str] = []
        """Names of the files that are not whole yet, or never will be."""

    def hints(self) -> list[str]:
        """Return a hint for every file that may be for this office, made of its name, size and time. Raises `Refused`
        if the folder cannot be read."""
        self.known = {}
        try:
            paths = sorted(self.path.iterdir())
        except OSError as error:
            raise Refused(str(self.path), [fault_of(error, self.path, "read").wrong]) from None
        for path in paths:
            name = file_name_text(path)
            with suppress(OSError):
                about = path.lstat()
                if stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST and self.is_awaited(name):
                    self.known[f"{about.st_size}-{about.st_mtime_ns}/{name}"] = path
        return list(self.known)

    def is_awaited(self, name: str) -> bool:
        """Return whether a file may be for this office, by its name."""
        if found := _NAME.fullmatch(name):
            is_role = (found[1].casefold() == MODERATOR) == self.is_moderators
            return is_role and found[2].casefold() == digits_of_key(self.key.public)
        # Services and programs write what is unfinished under names that begin with a point or `~`.
        is_letter = name.casefold().endswith(OPEN_LETTERS) and not name.startswith((".", "~"))
        return self.is_moderators and is_letter

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield the mails in the whole files with these hints, each with its hint. A file that is not whole is read
        again in the next round."""
        for hint in hints:
            path, name = self.known[hint], hint.partition("/")[2]
            try:
                content = self.content(read_whole(path, LARGEST), name)
            except StorageFault:
                content = None
                self.unfinished += [name] if path.exists() else []
            if content is not None:
                yield hint, RawMessage(content, name)

    def content(self, data: bytes, name: str) -> bytes | None:
        """Return the mail in a file, or None if the file is not whole or not for this office."""
        if not _NAME.fullmatch(name):
            if is_whole_letter(data, name):
                return data
            self.unfinished += [name] if b"pbem:" in data else []
            return None
        try:
            return unsealed_content(data.decode("ascii", "replace"), self.key)
        except BoxFault as fault:
            self.unfinished += [name] if fault.code != "E-SEAL-KEY" else []
            return None


def is_whole_letter(data: bytes, name: str) -> bool:
    """Return whether a file has letters, and each has come whole. Only a signature shows that nothing is missing at the
    end."""
    found = extract(data, name)
    letters = [each.letter for each in found.letters]
    return bool(letters) and not found.unread and all(each is not None and is_as_signed(each) for each in letters)


def is_as_signed(letter: Letter) -> bool:
    """Return whether a letter is unchanged since somebody has signed it."""
    try:
        check_signature(letter, signer_of(letter.signature))
    except PbemError:
        return False
    return True


class FolderCarrier:
    """Carrier that lays mails into a shared folder, each sealed to the key of its reader."""

    def __init__(self, folder: Path, reader_of: ReaderOf) -> None:
        self.folder = folder
        self.reader_of = reader_of

    def carry(self, letter: QueuedMail) -> None:
        """Lay a mail into the folder, unless it lies there. The folder is never made anew: one that is gone may be a
        disk that is not connected."""
        self.check_folder()
        reader = self.reader_of(letter)
        if reader is None or self.has(letter, reader):
            return
        try:
            box = seal([reader.key], pad(as_sent(letter.data)))
        except BoxFault as fault:  # too large: it holds up no other mail
            raise NotThere(str(fault)) from None
        # Sealed, so that everybody may read it; another account of this computer may be the service.
        write_whole(self.folder / file_name(letter, reader), box.encode())

    def check_folder(self) -> None:
        """Raise `Refused` if the folder is gone."""
        if not self.folder.is_dir():
            raise Refused(str(self.folder), [wrong("E-OFFICE-INBOX.folder")])

    def has(self, letter: QueuedMail, reader: Reader) -> bool:
        """Return whether the file of a mail lies in the folder, with its last line."""
        try:
            with (self.folder / file_name(letter, reader)).open("rb") as file:
                file.seek(0, os.SEEK_END)
                file.seek(max(0, file.tell() - len(END) - 8))
                return END in file.read()
        except OSError:
            return False

    def is_laid(self, letter: QueuedMail) -> bool:
        """Return whether a mail that was sent needs not be laid again."""
        try:
            reader = self.reader_of(letter)
        except (NotNow, NotShared):
            return True
        return reader is None or self.has(letter, reader)

    def tidy(self, gone: Collection[str]) -> None:
        """Remove the files of mails that were pruned, and temporary files of killed offices. `gone` has the message-ids
        of the mails."""
        self.check_folder()
        digits = set(map(digits_of_mail, gone))
        for path in list(self.folder.iterdir()):
            name = file_name_text(path)
            found = _NAME.fullmatch(name)
            with suppress(OSError):
                is_stale = TEMPORARY.fullmatch(name) and time.time() - path.stat().st_mtime > STALE
                if is_stale or (found and found[3].casefold() in digits):
                    path.unlink()

    def close(self) -> None:
        """Do nothing: no connection is open."""


def reader_of_mail(campaign: Path, public: PublicState, mail: QueuedMail, now: datetime) -> Reader | None:
    """Return the reader of a mail in a campaign's outbox; None for the moderator's own. Raises `NotShared` for a mail
    that nobody can read who may read it.

    A mail that was written for a former player of a seat is not sealed to the present one.
    """
    number, seat = int(mail.path.parent.name), seat_of(mail.path)
    if f"{INVITATION}." in mail.path.name:
        # Whoever reads an invitation can take its seat.
        raise NotShared(wrong("W-OFFICE-HAND", file=str(mail.path.with_suffix(".invitation.yaml"))))
    if TO_FORMER in seat:
        seat, _, digits = seat.partition(TO_FORMER)
        key = former_key(campaign, digits, now)
        return Reader(seat, key) if key else None
    if seat == MODERATOR:
        return None
    # Before a lot, mails have the names of seats as they were joined.
    seat = public.drawn.get(seat, seat) if number < public.drawn_at else seat
    player = public.players.get(seat)
    if seat == OBSERVER or player is None or not player.key or player.since > number:
        raise NotShared(wrong("W-OFFICE-HAND.key", seat=seat, file=str(mail.path)))
    return Reader(seat, PublicKey.parse(player.key))


def former_key(campaign: Path, digits: str, now: datetime) -> PublicKey | None:
    """Return the key of a former player, of which a file name has the digits; None for a note about a mere change of
    address, whose name has no key."""
    for _, record in Reading(open_folder(campaign), now).entries:
        if isinstance(record, JoinRecord | SubstituteRecord | KeyChangeRecord) and record.key:
            key = PublicKey.parse(record.key)
            if digits_of(key.fingerprint) == digits:
                return key
    return None
