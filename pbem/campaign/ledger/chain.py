"""Ledger: a chain of entries, each with the hash of the entry before it. Entries are added, never changed or removed.
The register is the public state after the last entry, stored in the program's cache."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.cache import keep, load_value, name_of
from pbem.campaign.disk.atomic import DISK, TEMPORARY, Disk, StorageFault, fault_of, read_whole, write_new
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.entries import (
    ENTRY,
    FILE_NAME,
    LAST_NUMBER,
    NOTHING_BEFORE,
    Entry,
    EntryHead,
    as_texts,
    build_entry,
    check_entry,
    file_name,
    parse_entry,
    texts,
)
from pbem.campaign.ledger.public_state import PublicState
from pbem.faults.wrong import ENGLISH, Wrong, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import Value, write
from pbem.seal.canonical import utf16_order
from pbem.seal.faults import SealFault

if TYPE_CHECKING:
    from pbem.seal.keys import PrivateKey, PublicKey

NextKey = Callable[["PublicKey", Entry], "PublicKey"]
"""Function that takes the moderator's key and a sound entry, and returns the key for the entries after this entry.

The function is called for every sound entry in order, so that it may also check the content of entries.
"""

CheckEntry = Callable[[Entry, "PublicKey"], None]
"""Function that checks an entry's signature against the moderator's key. Raises `BadSignature`."""

_BEFORE = re.compile(rb"^before: ([0-9a-f]{64})$", re.MULTILINE)
"""Pattern of the line in an entry that has the hash of the preceding entry."""

BACKWARDS = "clock"
"""The one kind of entry that may be dated before the preceding entry."""


class Head(Struct, frozen=True):
    """Number of a ledger's last entry, and the SHA-256 of this entry's bytes."""

    number: int
    hash: str


class Finding(Struct, frozen=True):
    """A fault, and the name of the file that has it."""

    file: str
    fault: Wrong

    def message_line(self, language: str = ENGLISH) -> str:
        return self.fault.message_line(self.file, language)

    def data(self, language: str) -> dict[str, str | int]:
        """Return the finding as an object for JSON."""
        return {"file": self.file, **self.fault.data(language)}


class _Listing(Struct, frozen=True):
    """Content of the ledger's folder: names of entries, and faults."""

    names: dict[int, str]
    gaps: list[Finding]
    """Faults of entries that are missing, occur twice, or are no ordinary files."""
    extras: list[Finding]
    """Faults of other files and folders, which do no harm to the entries."""


class Ledger:
    """Ledger of one campaign in one folder: reads, adds and checks entries."""

    def __init__(self, folder: Path, campaign: str) -> None:
        """Store the folder, without reading any entry."""
        self.folder = folder
        self.campaign = campaign
        self.newest: Entry | None = None
        """The last entry, if a caller has read it under the folder's lock. Then `append` need not list the folder."""

    @property
    def head(self) -> Head:
        """Return the number and hash of the last entry. The number is 0 in an empty ledger."""
        names = self._file_names()
        if not names:
            return Head(0, NOTHING_BEFORE)
        number = len(names)
        return Head(number, hashlib.sha256(self.bytes_of(names[number])).hexdigest())

    def append(self, kind: str, body: Value, time: datetime, key: PrivateKey, disk: Disk = DISK) -> Entry:
        """Add an entry, whole or not at all, and return it. The caller must hold the lock of the folder. Raises
        `Refused` for a full ledger, or for a time before the last entry, unless the new entry corrects the clock."""
        known, self.newest = self.newest, None  # after a failed addition, the next one lists the folder
        last = known
        if last is None and (names := self._file_names()):
            last = self._read_file(names[len(names)])
        number, before = (last.number + 1, last.hash) if last else (1, NOTHING_BEFORE)
        name = file_name(number, kind)
        if number > LAST_NUMBER:
            raise Refused(name, [wrong("E-LEDGER-FULL", most=LAST_NUMBER)])
        # Entries are dated in whole seconds. So an entry in the same second as the last one does not count as older.
        if last and time.replace(microsecond=0) < last.time and kind != BACKWARDS:
            now, then = (f"{each:%Y-%m-%d %H:%M}" for each in (time, last.time))
            raise Refused(name, [wrong("E-LEDGER-TIME", now=now, then=then)])
        data = build_entry(EntryHead(number, kind, self.campaign, time, before), body, key)
        write_new(self.folder / name, data, disk)
        entry = parse_entry(data, name)
        self.newest = entry if known else None
        return entry

    def read(self, number: int) -> Entry:
        """Return the entry of this number. Raises `Refused` if the entry is missing or unreadable."""
        names = self._file_names()
        if number not in names:
            raise Refused("ledger", [wrong("E-LEDGER-NUMBER", entry=number, last=len(names))])
        return self._read_file(names[number])

    def hash_of(self, number: int) -> str:
        """Return the SHA-256 of an entry's bytes, without parsing them; empty if there is no such entry."""
        name = self._file_names().get(number)
        return hashlib.sha256(self.bytes_of(name)).hexdigest() if name else ""

    def entries(self, first: int = 1, kinds: Collection[str] = ()) -> Iterator[Entry]:
        """Yield the entries from the number `first` on. If `kinds` are given, yield only entries of these kinds. Each
        entry is read when the caller asks for it. Raises `Refused` for an unreadable entry, and for an entry that does
        not name the hash of the entry read before it."""
        names, before = self._file_names(), Head(0, NOTHING_BEFORE)
        for number in range(first, len(names) + 1):
            if not kinds or any(names[number] == file_name(number, kind) for kind in kinds):
                entry = self._read_file(names[number])
                if before.number == number - 1 and before.hash != entry.before:
                    raise Refused(names[number], [wrong("E-LEDGER-CHAIN")])
                before = Head(number, entry.hash)
                yield entry

    def latest_entries(self, *kinds: str) -> Iterator[Entry]:
        """Yield the entries of these kinds, the newest first. Each entry is read when the caller asks for it."""
        names = self._file_names()
        for number in range(len(names), 0, -1):
            if any(names[number] == file_name(number, kind) for kind in kinds):
                yield self._read_file(names[number])

    def changed_entries(self, last: Head) -> Iterator[str]:
        """Yield the file names of entries whose bytes were changed, from the newest entry `last` back to the first. An
        entry counts as changed if its hash is not the one that the next entry names, or if it names no hash of the
        entry before it."""
        names, wanted = self._file_names(), last.hash
        for number in range(last.number, 0, -1):
            try:
                data = self.bytes_of(names[number])
            except StorageFault:
                data = b""
            before = _BEFORE.search(data)
            # If the next entry names no hash, only the form of this entry is checked.
            if not before or (wanted and hashlib.sha256(data).hexdigest() != wanted):
                yield names[number]
            wanted = before[1].decode("ascii") if before else ""

    def check(
        self,
        key: PublicKey,
        next_key: NextKey | None = None,
        head: Head | None = None,
        check_entry: CheckEntry = check_entry,
    ) -> list[Finding]:
        """Check the whole ledger, and return all faults. `key` is the moderator's first key. `next_key` returns the key
        that is valid after an entry, and `check_entry` checks an entry's signature. If `head` is given, the ledger must
        have that entry."""
        found: list[Finding] = []
        for _ in self.check_steps(found, key, next_key, head, check_entry):
            pass
        return found

    def check_steps(
        self,
        found: list[Finding],
        key: PublicKey,
        next_key: NextKey | None = None,
        head: Head | None = None,
        check_entry: CheckEntry = check_entry,
    ) -> Iterator[None]:
        """Check the ledger like `check`, one entry in each step of the iterator. After the last step, add all faults to
        `found`."""
        listing = self._listing()
        walk = _Walk(self, key, next_key, check_entry)
        for number in sorted(listing.names):
            walk.step(number, listing.names[number])
            yield
        found += listing.gaps + listing.extras + walk.found
        if head and head.number and walk.hashes.get(head.number) != head.hash:
            found.append(_fault_of_head(head, listing.names))

    def _file_names(self) -> dict[int, str]:
        """Return a dict from the number of each entry to its file name. Raises `Refused` if a number is missing."""
        listing = self._listing()
        if listing.gaps:
            raise Refused(listing.gaps[0].file, [listing.gaps[0].fault])
        return listing.names

    def _listing(self) -> _Listing:
        """Read the ledger's folder, and sort its content into entries and faults."""
        names: dict[int, str] = {}
        gaps: list[Finding] = []
        extras: list[Finding] = []
        kinds = self._kinds()
        for name in sorted(kinds):
            found, kind = FILE_NAME.fullmatch(name), kinds[name]
            number = int(found[1]) if found else 0
            if not number and kind == "file" and TEMPORARY.fullmatch(name):
                extras.append(Finding(name, wrong("W-LEDGER-LEFT")))
            elif not number:
                extras.append(Finding(name, wrong("E-LEDGER-EXTRA")))
            elif kind != "file":
                gaps.append(Finding(name, wrong("E-LEDGER-LINK", kind=words(kind))))
            elif number in names:
                gaps.append(Finding(name, wrong("E-LEDGER-TWICE", file=names[number])))
            else:
                names[number] = name
        gaps += [
            Finding(f"{number:04d}-….yaml", wrong("E-LEDGER-GAP", entry=number))
            for number in sorted(set(range(1, max(names, default=0))).difference(names))
        ]
        return _Listing(names, gaps, extras)

    def _kinds(self) -> dict[str, str]:
        """Return a dict from the name of each item in the folder to its kind: `file`, `symbolic-link` or
        `folder-or-device`. Raises `StorageFault` if the folder is a link or cannot be read."""
        if self.folder.is_symlink():
            raise StorageFault(wrong("E-DISK-LINK.ledger"))
        try:
            with os.scandir(self.folder) as items:
                return {item.name: _kind_of(item) for item in items}
        except OSError as error:
            raise fault_of(error, self.folder, "read") from None

    def bytes_of(self, name: str) -> bytes:
        return read_whole(self.folder / name, ENTRY.size)

    def _read_file(self, name: str) -> Entry:
        """Return the entry in this file. Raises `Refused` if the file cannot be read, or belongs to another number,
        kind or campaign."""
        data = self.bytes_of(name)
        try:
            entry = parse_entry(data, name)
        except Refused as refused:
            # If git has changed line ends, the fault names a remedy for this. So this fault is raised unchanged.
            if any(fault.code == "E-LINE-ENDS" for fault in refused.faults):
                raise
            raise Refused("ledger", [wrong("E-LEDGER-DAMAGED", file=f"ledger/{name}")]) from None
        if faults := self.faults_of_head(entry, name):
            raise Refused(name, faults)
        return entry

    def faults_of_head(self, entry: Entry, name: str) -> list[Wrong]:
        """Return the faults of an entry whose number or kind is not that of its file name, or that is of another
        campaign."""
        faults = []
        if name != file_name(entry.number, entry.kind):
            faults.append(wrong("E-LEDGER-NAME", name=file_name(entry.number, entry.kind)))
        if entry.campaign != self.campaign:
            faults.append(wrong("E-LEDGER-CAMPAIGN", theirs=entry.campaign, ours=self.campaign))
        return faults


class _Walk:
    """Check of a ledger, entry by entry, with the present key of the moderator and the faults so far."""

    def __init__(self, ledger: Ledger, key: PublicKey, next_key: NextKey | None, check_entry: CheckEntry) -> None:
        self.ledger = ledger
        self.check_entry = check_entry
        self.key = key
        self.next_key = next_key
        self.found: list[Finding] = []
        self.hashes: dict[int, str] = {0: NOTHING_BEFORE}
        self.time: datetime | None = None
        """Time of the last entry that could be read."""

    def step(self, number: int, name: str) -> None:
        """Check the entry with this number in the file `name`, and note its faults. A sound entry may change the
        moderator's key."""
        count = len(self.found)
        entry = self._entry(number, name)
        if entry and self.next_key and len(self.found) == count:
            self.key = self.next_key(self.key, entry)

    def _entry(self, number: int, name: str) -> Entry | None:
        """Read the entry in the file `name`, and note its faults. Return None if it cannot be read."""
        try:
            data = self.ledger.bytes_of(name)
            self.hashes[number] = hashlib.sha256(data).hexdigest()
            entry = parse_entry(data, name)
        except StorageFault as fault:
            self._note(name, fault.wrong)
            return None
        except Refused as refused:
            self.found.extend(Finding(name, fault) for fault in refused.faults)
            return None
        self.found.extend(Finding(name, fault) for fault in self.ledger.faults_of_head(entry, name))
        # If the preceding entry could not be read, its fault is noted already. This entry has no fault then.
        if self.hashes.get(number - 1, entry.before) != entry.before:
            self._note(name, wrong("E-LEDGER-CHAIN"))
        if self.time and entry.time < self.time and entry.kind != BACKWARDS:
            self._note(name, wrong("E-LEDGER-TIME.older"))
        self.time = entry.time
        try:
            self.check_entry(entry, self.key)
        except SealFault as fault:
            self._note(name, fault.wrong)
        return entry

    def _note(self, name: str, fault: Wrong) -> None:
        self.found.append(Finding(name, fault))


def _kind_of(dir_entry: os.DirEntry[str]) -> str:
    if dir_entry.is_file(follow_symlinks=False):
        return "file"
    return "symbolic-link" if dir_entry.is_symlink() else "folder-or-device"


def _fault_of_head(head: Head, names: dict[int, str]) -> Finding:
    """Return the fault of a ledger that has no entry with the number and hash of `head`."""
    if head.number in names:
        return Finding(names[head.number], wrong("E-LEDGER-HEAD", entry=head.number))
    short = wrong("E-LEDGER-HEAD.short", entry=head.number, last=max(names, default=0))
    return Finding(f"{head.number:04d}-….yaml", short)


class Register(Struct, frozen=True):
    """Public state of a campaign after the entry `head`, as the program's cache keeps it."""

    head: Head
    public: PublicState


def register_name(folder: Folder) -> str:
    """Return the name of a folder's register in the program's cache."""
    return name_of("register", str(folder.root.resolve()).encode())


def note_register(folder: Folder, public: PublicState, head: Head) -> None:
    """Write into the program's cache the public state as it is after the entry `head`. Seats and players keep the
    order in which the entries name them."""
    seats = {seat: public.settings.seats[seat] for seat in utf16_order(public.settings.seats)}
    public = replace(public, settings=replace(public.settings, seats=seats))
    if public.next:
        owing = {player: public.next.owing[player] for player in utf16_order(public.next.owing)}
        public = replace(public, next=replace(public.next, owing=owing))
    keep(register_name(folder), Register(head, public))


def stored_register(folder: Folder) -> Register | None:
    """Return the cached register of a folder; None if there is none, or if the ledger has changed since."""
    found = load_value(register_name(folder), Register)
    try:
        return found if found and Ledger(folder.ledger, "").head == found.head else None
    except Refused:
        return None


FORMAT = 1
"""Version of the format of the state file."""


def state_text(public: PublicState, head: Head) -> str:
    document: dict[str, Value] = {
        "pbem": 1,
        "kind": "state",
        "format": FORMAT,
        "campaign": public.settings.campaign,
        "version": public.version,
        "head": {"entry": head.number, "hash": head.hash},
        "phase": public.phase,
        "players": {player: texts({"name": who.name, "key": who.key}) for player, who in public.players.items()},
    }
    if public.next:
        document["next"] = as_texts(public.next)
        document["deadline"] = public.deadline
        document["letters"] = {player: as_texts(pending) for player, pending in public.pending.items()}
    return write(document)
