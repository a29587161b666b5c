"""Shared folder as a carrier: a service such as Syncthing, Nextcloud or Dropbox copies the folder to everybody who
shares it.

Each mail is a file there, sealed to the key of its reader. A file may come late, in pieces, or twice; it may vanish or
be replaced. So an office reads only whole files that hold the mail that their name says, and lays its own mails again
if their files are gone."""

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
"""Suffixes of files in which players may lay signed letters that need not be sealed."""

LARGEST = MOST_BYTES * 3 // 2
"""Largest number of bytes of a file that is read. Base64 makes 4 bytes of 3."""

END = b"-----END AGE ENCRYPTED FILE-----"
"""Last line of a sealed file that is whole."""

STALE = 24 * 3600
"""Seconds after which a temporary file of a killed office is removed. Writing a file never takes so long."""

_NAME = re.compile(
    r"pbem-(?P<campaign>[a-z0-9-]+)\.(?P<seat>[a-z0-9-]+)\.(?P<key>[0-9a-f]{8})(?P<mail>[0-9a-f]{16}).*\.age",
    re.IGNORECASE | re.DOTALL,
)
"""Pattern of the names of sealed files: the reader's seat, digits of the reader's key, and digits of the mail. Services
that copy files add a mark to this name if two files are in conflict."""

MOST_NAMES = 8
"""Largest number of names under which one mail is laid, if others put their files in its place."""

MOST_DIGESTS = 20
"""Number of the newest files of one mail whose digests are kept: a service may bring an older file back."""

MOST_FILES = 3
"""Number of files that a notice names."""

FOUGHT = 5
"""Number of times that the file of a mail is laid before a person is told, even if the file was only removed or cut
off."""


class MailReader(Struct, frozen=True):
    """Reader of a mail in a shared folder: the seat, or `moderator`, and the key to which the mail is sealed."""

    seat: str
    key: PublicKey


ReaderOf = Callable[[QueuedMail], MailReader | None]
"""Function that returns the reader of a mail; None for a mail that needs no carrier. It raises `NotShared` for a mail
that cannot lie in the folder, and `NotNow` if the reader is not known now."""


def digits_of_key(key: PublicKey) -> str:
    return hashlib.sha256(key.blob).hexdigest()[:8]


def digits_of_mail(message_id: str) -> str:
    return hashlib.sha256(message_id.encode()).hexdigest()[:16]


def file_name(mail: QueuedMail, reader: MailReader) -> str:
    """Return the name of the file that brings a mail, fit for every system."""
    # Small letters without marks, no reserved name, and nothing that two systems spell in two ways.
    return f"pbem-{mail.campaign}.{reader.seat}.{digits_of_key(reader.key)}{digits_of_mail(mail.name)}.age"


def campaign_in(name: str) -> str:
    """Return the campaign in a sealed file's name; empty for other names."""
    found = _NAME.fullmatch(name)
    return found["campaign"].casefold() if found else ""


def mail_in(name: str) -> str:
    """Return the digits of key and mail in a sealed file's name; empty for other names."""
    found = _NAME.fullmatch(name)
    return (found["key"] + found["mail"]).casefold() if found else ""


class FolderSource(LocalSource):
    """Mailbox that is a shared folder. The files stay there: the office that has written them removes them. A
    moderator's office takes also signed letters that lie unsealed there."""

    def __init__(self, path: Path, keys: Iterable[PrivateKey], is_moderators: bool) -> None:
        """Store the folder, and the keys that open this office's files. Raises `Refused` if the folder is gone."""
        if not path.is_dir():
            raise Refused(str(path), [wrong("E-OFFICE-INBOX.folder")])
        super().__init__(path)
        self.keys = {digits_of_key(key.public): key for key in keys}
        self.is_moderators = is_moderators
        self.unfinished: list[str] = []
        """Names of the files that are not whole yet, and perhaps never will be."""
        self.swapped: list[str] = []
        """Names of the files for this office that contain something else than the mail that their names promise."""
        self.others: set[tuple[str, str, str]] = set()
        """For each file that is sealed to a key of somebody else: campaign, seat, and digits of the key."""

    def hints(self) -> list[str]:
        """Return a hint for every file that may be for this office. A hint consists of size, time and name. A sealed
        file that is too large, or that is a link or a folder, gets no hint, and is noted in `swapped`. Raises `Refused`
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
                if not self.is_awaited(name):
                    continue
                if stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST:
                    self.known[f"{about.st_size}-{about.st_mtime_ns}/{name}"] = path
                elif _NAME.fullmatch(name):
                    self.swapped.append(name)
        return list(self.known)

    def is_awaited(self, name: str) -> bool:
        """Return whether a file may be for this office, by its name. A file sealed to somebody else's key is noted in
        `others`."""
        if found := _NAME.fullmatch(name):
            campaign, seat, key = (found[each].casefold() for each in ("campaign", "seat", "key"))
            if key not in self.keys:
                self.others.add((campaign, seat, key))
            return (seat == MODERATOR) == self.is_moderators and key in self.keys
        # Services and programs write unfinished files under names that begin with a point or `~`.
        is_letter = name.casefold().endswith(OPEN_LETTERS) and not name.startswith((".", "~"))
        return self.is_moderators and is_letter

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield each mail with the hint of its file, from the last call of `hints`. Incomplete files are noted in
        `unfinished`, and files with another mail in `swapped`."""
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
        """Return the mail in a file; None if the file is incomplete, has another mail than its name says, or is
        unsealed without a letter. The first two are noted in `unfinished` and `swapped`."""
        if not (found := _NAME.fullmatch(name)):
            letters = extract(file_bytes, name)
            if are_whole(letters):
                return file_bytes
            # In a mail, the letter may be encoded.
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
    """Return whether a file has letters, and all have come whole."""
    letters = [each.letter for each in found.letters]
    # Only a signature shows that nothing is missing at the end.
    return bool(letters) and not found.unread and all(each is not None and has_own_signature(each) for each in letters)


def has_own_signature(letter: Letter) -> bool:
    """Return whether a letter is unchanged since it was signed, with any key."""
    try:
        check_signature(letter, signer_of(letter.signature))
    except PbemError:
        return False
    return True


class FolderCarrier:
    """Carrier that lays mails into a shared folder, each sealed to its reader's key. The digest of each file is stored,
    because only the reader can open the file."""

    def __init__(self, folder: Path, reader_of: ReaderOf, store: Store) -> None:
        self.folder = folder
        self.reader_of = reader_of
        self.store = store

    def carry(self, letter: QueuedMail) -> None:
        """Lay a mail into the folder. If the mail has no reader there (`reader_of` returns None), do nothing. Raises
        `NotThere` for a too large mail, and the exceptions of `reader_of` and `free_place`."""
        # A missing folder is not made: its disk may not be connected.
        self.check_folder()
        reader = self.reader_of(letter)
        if reader is None:
            return
        try:
            box = seal([reader.key], pad(as_sent(letter.data))).encode()
        except BoxFault as fault:  # too large: it holds up no other mail
            raise NotThere(str(fault)) from None
        name = file_name(letter, reader)
        path = self.free_place(name)
        # The digest is noted first: after a kill, the file is known as the office's own.
        self.remember(name, box)
        # The file is sealed, so everybody may read it; the sync service may run under another account of this computer.
        write_whole(path, box)

    def check_folder(self) -> None:
        if not self.folder.is_dir():
            raise Refused(str(self.folder), [wrong("E-OFFICE-INBOX.folder")])

    def places(self, name: str) -> list[Path]:
        """Return the paths at which a mail with this file name may lie."""
        stem = name.removesuffix(".age")
        return [self.folder / name, *(self.folder / f"{stem}-{number}.age" for number in range(2, MOST_NAMES + 1))]

    def free_place(self, name: str) -> Path:
        """Return a free path for a mail. Raises `NotNow` if there is none."""
        known, places = self.digests(name), self.places(name)
        # The person who once put another file in the mail's place may have done so by mistake.
        if len(known) <= 1 and not is_folder(places[0]):
            return places[0]
        free = [path for path in places if self.what_lies(path, known) != "other"]
        last = [path for path in places if not is_folder(path)][-1:]
        for path in (free or last)[:1]:
            return path
        raise NotNow(name)

    def what_lies(self, path: Path, known: Collection[str]) -> Literal["nothing", "own", "other"]:
        """Return `own` for a file that this office has laid (its digest is in `known`), `nothing` for an empty place or
        a file that lacks its end, and `other` for anything else."""
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
        """Return the last `MOST_DIGESTS` digests of files that this office has laid for the mail with this file name,
        the newest first."""
        rows = self.store.rows("SELECT digest FROM laid WHERE file = ? ORDER BY number DESC", name)
        return [row["digest"] for row in rows]

    def remember(self, name: str, content: bytes) -> None:
        """Note the digest of a file, and forget all but the newest `MOST_DIGESTS` of its mail."""
        with self.store.step():
            self.store.do("INSERT INTO laid (file, digest) VALUES (?, ?)", name, digest_of(content))
            query = "DELETE FROM laid WHERE file = ? AND number NOT IN (SELECT number FROM laid WHERE file = ? %s)"
            self.store.do(query % f"ORDER BY number DESC LIMIT {MOST_DIGESTS}", name, name)

    def is_laid(self, letter: QueuedMail) -> bool:
        """True if a sent mail need not be laid into the folder again: its file is there, unchanged, under its own name
        or the name of a copy. If nobody can read the mail in the folder now, return True, too."""
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
        # A sync service may have renamed it, as a copy in conflict.
        copies = [path for path in self.folder.glob("*") if mail_in(file_name_text(path)) == mail_in(name)]
        return any(self.what_lies(path, known) == "own" for path in copies)

    def changed_file(self, letter: QueuedMail) -> str:
        """Return the name of a mail's file if a person should be told of it: another file lies in its place, or it has
        vanished again and again. Else return an empty text."""
        reader = self.reader_of(letter)
        name = file_name(letter, reader) if reader else ""
        known = self.digests(name)
        places = self.places(name)[: len(known)]
        is_other = any(self.what_lies(path, known) == "other" for path in places)
        return name if is_other or len(known) >= FOUGHT else ""

    def tidy(self, gone: Collection[str]) -> None:
        """Remove the files of pruned mails, and temporary files of killed offices. `gone` has the message-ids of the
        pruned mails."""
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
    """Return whether a folder, and no link to one, lies at a path."""
    # No file can be written in the place of a folder.
    return path.is_dir() and not path.is_symlink()


def reader_of_mail(campaign: Path, public: PublicState, mail: QueuedMail, now: datetime) -> MailReader | None:
    """Return the reader for whom a mail in an outbox is sealed. Return None if there is no such reader: for a mail to
    the moderator, and for a mail to a former address whose key is unknown. Raises `NotShared` if the mail may not lie
    in a shared folder."""
    number, seat = int(mail.path.parent.name), seat_of(mail.path)
    if f"{INVITATION}." in mail.path.name:
        # Anybody who can read an invitation can take its seat.
        raise NotShared(wrong("W-OFFICE-HAND", file=str(mail.path.with_suffix(".invitation.yaml"))))
    if TO_FORMER in seat:
        seat, _, digits = seat.partition(TO_FORMER)
        key = former_key(campaign, digits, now)
        return MailReader(seat, key) if key else None
    if seat == MODERATOR:
        return None
    # Before the lot is drawn, mails name the seats under which the players joined.
    seat = public.drawn.get(seat, seat) if number < public.drawn_at else seat
    player = public.players.get(seat)
    # A former player's mail is not sealed to the present player.
    if seat == OBSERVER or player is None or not player.key or player.since > number:
        raise NotShared(wrong("W-OFFICE-HAND.key", seat=seat, file=str(mail.path)))
    return MailReader(seat, PublicKey.parse(player.key))


def former_key(campaign: Path, digits: str, now: datetime) -> PublicKey | None:
    """Return the key of the present or former player whom `digits` name in the file of a mail; None if they name no
    player."""
    # In the file of a note about a change of address, the digits name no player.
    for _, record in Reading(open_folder(campaign), now).entries:
        if isinstance(record, JoinRecord | SubstituteRecord | KeyChangeRecord) and record.key:
            key = PublicKey.parse(record.key)
            if digits_of(key.fingerprint) == digits:
                return key
    return None
