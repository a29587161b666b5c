"""Replay of a ledger from its first entry, rollbacks included, and a reader of ledgers that needs no key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import read_whole
from pbem.campaign.disk.folder import Folder, open_folder
from pbem.campaign.ledger.chain import Head, Ledger
from pbem.campaign.ledger.entries import (
    ENTRY,
    SUCCESSION,
    Entry,
    check_entry,
    file_name,
    key_after,
    parse_entry,
    record_in,
)
from pbem.campaign.ledger.entry_effects import add_entry, public_state_at_start
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import NewRecord, Record, goes_back, is_position
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import Snapshot
from pbem.campaign.settings import Settings
from pbem.faults.wrong import Words, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

MALFORMED = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError)
"""Errors that entries with false content can cause in correct code."""


@contextmanager
def refuse_senseless(name: str) -> Iterator[None]:
    """Raise `Refused` for the entry in the file `name`, if the `with` block raises an error of `MALFORMED`."""
    try:
        yield
    except MALFORMED as error:
        raise Refused(name, [wrong("E-LEDGER-SENSE", why=why_senseless(error))]) from None


def why_senseless(error: Exception) -> Words:
    """Return plain words for a senseless entry, which has raised `error`, one of `MALFORMED`."""
    match error:
        case KeyError(args=(str() | int() as missing,)):
            return words("senseless.name", name=as_quoted(str(missing)))
        case LookupError():
            return words("senseless.number")
        case ValueError() | ArithmeticError():
            return words("senseless.value")
    return words("senseless")


class ReplayedEntry(Struct, frozen=True):
    """Entry of the ledger with its body, and the secret state just before or after the entry."""

    entry: Entry
    record: Record
    state: SecretState


Watcher = Callable[[ReplayedEntry], None]
"""Function that is called with each entry that is carried out again."""


def watch_nothing(_: ReplayedEntry) -> None:
    """Do nothing with the entry."""


class Moments(Struct):
    """Store of the secret states to which later entries go back."""

    wanted: set[int]
    """Entries whose states are needed."""
    kept: dict[int, bytes] = {}
    """Stored states, as JSON. The key of a state is the entry after which the game was in this state."""

    def keep(self, number: int, state: SecretState) -> None:
        """Store the state after an entry, if it is needed later."""
        if number in self.wanted:
            self.kept[number] = msgspec.json.encode(state.snapshot())

    def before(self, number: int) -> Snapshot:
        """Return the state to which a rollback to this entry leads. This is the state after the last adjudication or
        rollback, up to and including this entry. Raises `Refused` if there was none by then."""
        earlier = [each for each in self.kept if each <= number]
        if not earlier:
            raise Refused("rollback", [wrong("E-ROLLBACK-START", entry=number)])
        return msgspec.json.decode(self.kept[max(earlier)], type=Snapshot)


def replay(
    entries: Iterable[Entry],
    state_from: Callable[[Snapshot], SecretState],
    secret: str,
    before: Watcher = watch_nothing,
) -> Iterator[ReplayedEntry]:
    """Carry out entries one by one on one state. Yield each entry except the first together with this state, which the
    next step changes. `state_from` is a function that makes a state from a snapshot. `secret` has the moderator's
    random bytes. `before` is called with each entry before it is carried out.

    Raises `Disagreement` at an entry that does not follow from the letters and the secret. Raises `Refused` for an
    unreadable entry, or if the first entry begins no campaign.
    """
    walked = [(entry, record_in(entry)) for entry in entries]
    if walked:
        state = state_from(Snapshot(first_public_state(*walked[0]), secret))
        yield from replay_from(walked[1:], state, Moments(rollback_targets(walked)), before)


def replay_from(
    walked: Iterable[tuple[Entry, Record]], state: SecretState, moments: Moments, before: Watcher
) -> Iterator[ReplayedEntry]:
    """Carry out the entries `walked` on `state`, and yield each as `replay` does. `state` is the state after the entry
    before the first of them. `moments` has the states for rollbacks."""
    for entry, record in walked:
        time = stamp(entry.time)
        before(ReplayedEntry(entry, record, state))
        if goes_back(record):
            state.turn_back(entry.number, time, record, moments.before(record.to), entry.hash)
        else:
            state.take(entry.number, time, record, entry.hash)
        moments.keep(entry.number, state)
        yield ReplayedEntry(entry, record, state)


def rollback_targets(entries: Iterable[tuple[Entry, Record]]) -> set[int]:
    """Return the entries of the positions to which later entries go back."""
    found: set[int] = set()
    positions: list[int] = []
    for entry, record in entries:
        if goes_back(record) and (earlier := [each for each in positions if each <= record.to]):
            found.add(max(earlier))
        if is_position(record):
            positions.append(entry.number)
    return found


def first_public_state(entry: Entry, record: Record) -> PublicState:
    """Return the public state after the first entry. Raises `Refused` if the entry does not begin a campaign."""
    if not isinstance(record, NewRecord):
        raise Refused(file_name(entry.number, entry.kind), [wrong("E-LEDGER-FORM.new")])
    public = public_state_at_start(record)
    add_entry(public, entry.number, stamp(entry.time), record, entry.hash)
    return public


def public_state_until(entries: Sequence[Entry]) -> PublicState:
    """Return the public state after these entries, from entry 1 on."""
    public = first_public_state(entries[0], record_in(entries[0]))
    for entry in entries[1:]:
        add_entry(public, entry.number, stamp(entry.time), record_in(entry), entry.hash)
    return public


FIRST = file_name(1, "new")
"""Name of the file with which every ledger begins."""


class Reading:
    """All entries of a folder's ledger, and the resulting public state."""

    def __init__(self, folder: Folder, now: datetime, walked: Iterable[Entry] = ()) -> None:
        """Read every entry of the folder, or take the just verified entries `walked` instead. Raises `Refused` if the
        moderator has not signed the last entry."""
        self.folder = folder
        self.now = now
        self.walked = walked
        self.ledger = Ledger(folder.ledger, first_of(folder)[0].campaign)
        self.entries: list[tuple[Entry, Record]] = []
        self.people: list[dict[str, str]] = []
        """Names of the players after each entry, by seat. Texts about the entry use these names."""
        self.public = self.public_state()

    @property
    def settings(self) -> Settings:
        return self.public.settings

    @property
    def head(self) -> Head:
        last, _ = self.entries[-1]
        return Head(last.number, last.hash)

    def public_state(self) -> PublicState:
        """Return the public state after the last entry. Fill `entries` and `people` on the way."""
        _, first = first_of(self.folder)
        public = public_state_at_start(first)
        key = public.moderator
        for entry in self.walked or self.ledger.entries():
            record, key = record_in(entry), public.moderator
            with refuse_senseless(file_name(entry.number, entry.kind)):
                add_entry(public, entry.number, stamp(entry.time), record, entry.hash)
            self.entries.append((entry, record))
            self.people.append({seat: who.name for seat, who in public.players.items()})
        if not self.walked:
            # The chain of hashes covers the entries before.
            check_last(self.entries[-1][0], key)
        return public


def check_last(entry: Entry, key: str) -> None:
    """Raise `Refused` if the last entry is not signed with `key`, the moderator's key before that entry."""
    try:
        check_entry(entry, PublicKey.parse(key))
    except SealFault as fault:
        raise Refused(file_name(entry.number, entry.kind), [fault.wrong]) from None


def first_of(folder: Folder) -> tuple[Entry, NewRecord]:
    """Return entry 1 of a folder and its body. Raises `Refused` if the entry does not begin a campaign."""
    entry = parse_entry(read_whole(folder.ledger / FIRST, ENTRY.size), FIRST)
    record = record_in(entry)
    if not isinstance(record, NewRecord):
        raise Refused(FIRST, [wrong("E-LEDGER-FORM.settings")])
    return entry, record


def moderator_of(root: Path) -> PublicKey:
    """Return the moderator's key at the end of a folder's ledger. Nothing is verified."""
    folder = open_folder(root)
    entry, record = first_of(folder)
    later = Ledger(folder.ledger, entry.campaign).latest_entries("key-change", SUCCESSION)
    found = PublicKey.parse(record.moderator)
    return next((key for each in later if (key := key_after(each, found)) != found), found)


def read_folder(root: Path, now: datetime) -> Reading:
    return Reading(open_folder(root), now)
