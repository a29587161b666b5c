"""Shared folder as mailbox and carrier. A service such as Syncthing, Nextcloud or Dropbox copies the folder to
everybody who shares it.

Each mail is a file in the folder, sealed to the key of its reader. A file may come late, in pieces, or twice; it may
vanish or be replaced. So an office takes only complete files that contain the mail which their name promises. It also
writes its own mails again if their files are gone."""

from __future__ import annotations

import hashlib
import re
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal

from msgspec import Struct

from pbem.campaign.disk.atomic import TEMPORARY, StorageFault, fault_of, read_whole, write_whole
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import JoinRecord, KeyChangeRecord, SubstituteRecord
from pbem.campaign.ledger.replaying import Reading
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.faults.wrong import PbemError, wrong
from pbem.moderator.mails import INVITATION, seat_of
from pbem.office.carriers import LocalSource, NotNow, NotShared, NotThere, QueuedMail, file_name_text
from pbem.office.store import Store
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter, check_signature
from pbem.post.boxes import unsealed_content
from pbem.post.extract import Extraction, extract
from pbem.post.mailbox import MOST_BYTES, RawMessage
from pbem.post.outgoing import TO_FORMER, as_sent, name_and_recipient
from pbem.post.parcels import digits_of
from pbem.seal.box import pad, seal
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.signature import signer_of

OPEN_LETTERS = (".yaml", ".yml", ".txt", ".eml")
"""Endings of files with signed letters that players may put into the folder without sealing them."""

LARGEST = MOST_BYTES * 3 // 2
"""Largest number of bytes of a file that is read. Base64 makes 4 bytes of 3."""

END = b"-----END AGE ENCRYPTED FILE-----"
"""Last line of a sealed file. A file without it is incomplete."""

STALE = 24 * 3600
"""Seconds after which a temporary file is deleted. Writing a file never takes so long, so the office that made it was
killed."""

_NAME = re.compile(
    r"pbem-(?P<campaign>[a-z0-9-]+)\.(?P<seat>[a-z0-9-]+)\.(?P<key>[0-9a-f]{8})(?P<mail>[0-9a-f]{16}).*\.age",
    re.IGNORECASE | re.DOTALL,
)
"""Pattern for the names of sealed files. A name has the campaign, the reader's seat, digits of the reader's key, and
digits of the mail. Services that copy files add a mark to it if two files are in conflict."""

MOST_NAMES = 8
"""Largest number of names that are tried for the file of one mail, if others put their files under these names."""

MOST_DIGESTS = 20
"""Number of files of one mail whose digests are stored, the newest ones. A service may bring back an older file."""

MOST_FILES = 3
"""Largest number of files that a notice names."""

FOUGHT = 5
"""Number of times that the file of a mail is written before a person is told. This number is only for files that were
removed or cut off."""


class MailReader(Struct, frozen=True):
    """Reader of a mail in a shared folder: the seat, or `moderator`, and the key to which the mail is sealed."""

    seat: str
    key: PublicKey


ReaderOf = Callable[[QueuedMail], MailReader | None]
"""Function that returns the reader of a mail. It returns None for a mail that need not be sent. It raises `NotShared`
for a mail that may not be in the folder, and `NotNow` if the reader is not known yet."""


def digits_of_key(key: PublicKey) -> str:
    return hashlib.sha256(key.blob).hexdigest()[:8]


def digits_of_mail(message_id: str) -> str:
    return hashlib.sha256(message_id.encode()).hexdigest()[:16]


def file_name(mail: QueuedMail, reader: MailReader) -> str:
    """Return the name of the file for a mail. Every operating system allows this name."""
    # The name has only small letters without accents. No system reserves it or spells it in another way.
    return f"pbem-{mail.campaign}.{reader.seat}.{digits_of_key(reader.key)}{digits_of_mail(mail.name)}.age"


def campaign_in(name: str) -> str:
    """Return the campaign in the name of a sealed file. Return an empty text for any other name."""
    found = _NAME.fullmatch(name)
    return found["campaign"].casefold() if found else ""


def mail_in(name: str) -> str:
    """Return the digits of the key and of the mail in the name of a sealed file. Return an empty text for any other
    name."""
    found = _NAME.fullmatch(name)
    return (found["key"] + found["mail"]).casefold() if found else ""


class FolderSource(LocalSource):
    """Mailbox that is a shared folder. Files are not removed after reading; the office that wrote a file removes it. A
    moderator's office also takes signed letters that are not sealed."""

    def __init__(self, path: Path, keys: Iterable[PrivateKey], is_moderators: bool) -> None:
        """Store the folder, and the keys with which this office's files are opened. Raises `Refused` if the folder is
        missing."""
        if not path.is_dir():
            raise Refused(str(path), [wrong("E-OFFICE-INBOX.folder")])
        super().__init__(path)
        self.keys = {digits_of_key(key.public): key for key in keys}
        self.is_moderators = is_moderators
        self.unfinished: list[str] = []
        """Names of the files that are incomplete. They may become complete later, or never."""
        self.swapped: list[str] = []
        """Names of the files for this office that contain something else than the mail that the name promises."""
        self.others: set[tuple[str, str, str]] = set()
        """Campaign, seat and digits of the key for each file that is sealed to somebody else's key."""

    def hints(self) -> list[str]:
        """Return a hint for every file that may be for this office. A hint consists of size, time and name. If a sealed
        file is too large, or its name belongs to a link or a folder, it gets no hint, and its name is added to
        `swapped`. Raises `Refused` if the folder cannot be read."""
        self.known = {}
        try:
            paths = sorted(self.path.iterdir())
        except OSError as error:
            raise Refused(str(self.path), [fault_of(error, self.path, "read").wrong]) from None
        for path in paths:
            name = file_name_text(path)
            with suppress(OSError):
                about = path.lstat()
                if not self.is_awaited(name):
                    continue
                if stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST:
                    self.known[f"{about.st_size}-{about.st_mtime_ns}/{name}"] = path
                elif _NAME.fullmatch(name):
                    self.swapped.append(name)
        return list(self.known)

    def is_awaited(self, name: str) -> bool:
        """Return True if the file with this name may be for this office. If it is sealed to somebody else's key, it is
        added to `others`."""
        if found := _NAME.fullmatch(name):
            campaign, seat, key = (found[each].casefold() for each in ("campaign", "seat", "key"))
            if key not in self.keys:
                self.others.add((campaign, seat, key))
            return (seat == MODERATOR) == self.is_moderators and key in self.keys
        # Programs and services write incomplete files whose names begin with a dot or `~`.
        is_letter = name.casefold().endswith(OPEN_LETTERS) and not name.startswith((".", "~"))
        return self.is_moderators and is_letter

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield the mail in each of these files together with its hint. The hints must come from the last call of
        `hints`. The names of incomplete files are added to `unfinished`, and those of files with another mail to
        `swapped`."""
        for hint in hints:
            path, name = self.known[hint], hint.partition("/")[2]
            try:
                content = self.content(read_whole(path, LARGEST), name)
            except StorageFault:
                content = None
                self.unfinished += [name] if path.exists() else []
            if content is not None:
                yield hint, RawMessage(content, name)

    def content(self, file_bytes: bytes, name: str) -> bytes | None:
        """Return the mail in a file, or None. If the file is incomplete, its name is added to `unfinished`. If it
        contains another mail than its name promises, the name is added to `swapped`. A file that is not sealed and has
        no letter is ignored."""
        if not (found := _NAME.fullmatch(name)):
            letters = extract(file_bytes, name)
            if are_whole(letters):
                return file_bytes
            # In a mail, the text of the letter may be encoded.
            self.unfinished += [name] if b"pbem:" in file_bytes or letters.letters or letters.unread else []
            return None
        try:
            content = unsealed_content(file_bytes.decode("ascii", "replace"), self.keys[found["key"].casefold()])
        except BoxFault as fault:
            (self.swapped if fault.code == "E-SEAL-KEY" else self.unfinished).append(name)
            return None
        if digits_of_mail(name_and_recipient(content).message_id) == found["mail"].casefold():
            return content
        self.swapped.append(name)
        return None


def are_whole(found: Extraction) -> bool:
    """Return True if a file has letters, and all of them are complete."""
    letters = [each.letter for each in found.letters]
    # Only a signature shows that the end of a letter is not missing.
    return bool(letters) and not found.unread and all(each is not None and has_own_signature(each) for each in letters)


def has_own_signature(letter: Letter) -> bool:
    """Return True if a letter has not been changed since it was signed, no matter by which key."""
    try:
        check_signature(letter, signer_of(letter.signature))
    except PbemError:
        return False
    return True


class FolderCarrier:
    """Carrier that writes mails into a shared folder, each sealed to its reader's key. It stores the digest of each
    file, because only the reader can open the file."""

    def __init__(self, folder: Path, reader_of: ReaderOf, store: Store) -> None:
        self.folder = folder
        self.reader_of = reader_of
        self.store = store

    def carry(self, letter: QueuedMail) -> None:
        """Write a mail into the folder. Do nothing if the mail need not be sent (`reader_of` returns None). Raises
        `NotThere` if the mail is too large, and the exceptions of `reader_of` and `free_place`."""
        # If the folder is missing, it is not made: perhaps its disk is not connected.
        self.check_folder()
        reader = self.reader_of(letter)
        if reader is None:
            return
        try:
            box = seal([reader.key], pad(as_sent(letter.data))).encode()
        except BoxFault as fault:  # too large: this must not hold up other mails
            raise NotThere(str(fault)) from None
        name = file_name(letter, reader)
        path = self.free_place(name)
        # The digest is stored first. If the office is killed after writing the file, it still recognizes the file as
        # its own.
        self.remember(name, box)
        # Everybody may read the file, because it is sealed. The service that copies it may run under another account.
        write_whole(path, box)

    def check_folder(self) -> None:
        if not self.folder.is_dir():
            raise Refused(str(self.folder), [wrong("E-OFFICE-INBOX.folder")])

    def places(self, name: str) -> list[Path]:
        """Return the paths that are tried for the mail with this file name, in this sequence."""
        stem = name.removesuffix(".age")
        return [self.folder / name, *(self.folder / f"{stem}-{number}.age" for number in range(2, MOST_NAMES + 1))]

    def free_place(self, name: str) -> Path:
        """Return a path to which a mail can be written. Raises `NotNow` if there is none."""
        known, places = self.digests(name), self.places(name)
        # If another file has replaced the mail only once, this may have been a mistake. So the same path is used again.
        if len(known) <= 1 and not is_folder(places[0]):
            return places[0]
        free = [path for path in places if self.what_lies(path, known) != "other"]
        last = [path for path in places if not is_folder(path)][-1:]
        for path in (free or last)[:1]:
            return path
        raise NotNow(name)

    def what_lies(self, path: Path, known: Collection[str]) -> Literal["nothing", "own", "other"]:
        """Return what is at a path: `own` for a file that this office has written, whose digest is in `known`;
        `nothing` if there is no file or the file's end is missing; `other` for anything else."""
        try:
            path.lstat()
        except FileNotFoundError:
            return "nothing"
        except OSError:
            return "other"
        try:
            data = read_whole(path, LARGEST)
        except StorageFault:
            return "other"
        if digest_of(data) in known:
            return "own"
        return "other" if END in data[-len(END) - 8 :] else "nothing"

    def digests(self, name: str) -> list[str]:
        """Return the digests of the last `MOST_DIGESTS` files that this office has written for the mail with this file
        name. The newest comes first."""
        rows = self.store.rows("SELECT digest FROM laid WHERE file = ? ORDER BY number DESC", name)
        return [row["digest"] for row in rows]

    def remember(self, name: str, content: bytes) -> None:
        """Store the digest of a file. Of all digests for the same mail, only the newest `MOST_DIGESTS` are left."""
        with self.store.step():
            self.store.do("INSERT INTO laid (file, digest) VALUES (?, ?)", name, digest_of(content))
            query = "DELETE FROM laid WHERE file = ? AND number NOT IN (SELECT number FROM laid WHERE file = ? %s)"
            self.store.do(query % f"ORDER BY number DESC LIMIT {MOST_DIGESTS}", name, name)

    def is_laid(self, letter: QueuedMail) -> bool:
        """True if a sent mail need not be written into the folder again. Its unchanged file may be there already, under
        its own name or that of a copy. Or the mail has no reader at this moment who could read it there."""
        try:
            reader = self.reader_of(letter)
        except (NotNow, NotShared):
            return True
        if reader is None:
            return True
        name = file_name(letter, reader)
        known = self.digests(name)
        if any(self.what_lies(path, known) == "own" for path in self.places(name)[: len(known)]):
            return True
        # The service that copies files may have given another name to the file, because of a conflict.
        copies = [path for path in self.folder.glob("*") if mail_in(file_name_text(path)) == mail_in(name)]
        return any(self.what_lies(path, known) == "own" for path in copies)

    def changed_file(self, letter: QueuedMail) -> str:
        """Return the name of a mail's file if a person should be told of the file: another file has replaced it, or it
        has vanished again and again. Otherwise return an empty text."""
        reader = self.reader_of(letter)
        name = file_name(letter, reader) if reader else ""
        known = self.digests(name)
        places = self.places(name)[: len(known)]
        is_other = any(self.what_lies(path, known) == "other" for path in places)
        return name if is_other or len(known) >= FOUGHT else ""

    def tidy(self, gone: Collection[str]) -> None:
        """Delete the files of pruned mails, whose message-ids are in `gone`, and the temporary files of killed
        offices."""
        self.check_folder()
        digits = set(map(digits_of_mail, gone))
        for path in list(self.folder.iterdir()):
            name = file_name_text(path)
            found = _NAME.fullmatch(name)
            with suppress(OSError):
                is_stale = TEMPORARY.fullmatch(name) and time.time() - path.stat().st_mtime > STALE
                if is_stale or (found and found["mail"].casefold() in digits):
                    path.unlink()
        with self.store.step():
            for each in digits:
                self.store.do("DELETE FROM laid WHERE file GLOB ?", f"*{each}.age")

    def close(self) -> None:
        """Do nothing."""


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def is_folder(path: Path) -> bool:
    """Return True if there is a folder at a path. A link to a folder does not count."""
    # No file can be written at the path of a folder.
    return path.is_dir() and not path.is_symlink()


def reader_of_mail(campaign: Path, public: PublicState, mail: QueuedMail, now: datetime) -> MailReader | None:
    """Return the reader to whose key a mail in an outbox is sealed. Return None for a mail to the moderator, and for a
    mail to a former address whose key is unknown. Raises `NotShared` if the mail may not be put into a shared
    folder."""
    number, seat = int(mail.path.parent.name), seat_of(mail.path)
    if f"{INVITATION}." in mail.path.name:
        # Anybody who can read an invitation can take the seat that it offers.
        raise NotShared(wrong("W-OFFICE-HAND", file=str(mail.path.with_suffix(".invitation.yaml"))))
    if TO_FORMER in seat:
        seat, _, digits = seat.partition(TO_FORMER)
        key = former_key(campaign, digits, now)
        return MailReader(seat, key) if key else None
    if seat == MODERATOR:
        return None
    # Before lots are drawn, mails name the seats for which the players joined.
    seat = public.drawn.get(seat, seat) if number < public.drawn_at else seat
    player = public.players.get(seat)
    # A mail to a former player must not be sealed to the present player.
    if seat == OBSERVER or player is None or not player.key or player.since > number:
        raise NotShared(wrong("W-OFFICE-HAND.key", seat=seat, file=str(mail.path)))
    return MailReader(seat, PublicKey.parse(player.key))


def former_key(campaign: Path, digits: str, now: datetime) -> PublicKey | None:
    """Return the public key whose digits are in the name of a mail's file. It is the key of a present or former player.
    Return None if the digits belong to no player."""
    # A note about a change of address has a file with other digits, which belong to no player.
    for _, record in Reading(open_folder(campaign), now).entries:
        if isinstance(record, JoinRecord | SubstituteRecord | KeyChangeRecord) and record.key:
            key = PublicKey.parse(record.key)
            if digits_of(key.fingerprint) == digits:
                return key
    return None
