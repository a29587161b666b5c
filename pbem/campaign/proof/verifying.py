"""Verifier of a campaign's folder: the public part while the campaign runs, everything after the close."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from pbem.campaign.clock.clock import FIRST_YEAR, LAST_YEAR, OutsideCalendar
from pbem.campaign.disk.atomic import read_whole
from pbem.campaign.disk.folder import FOLDERS, FOR_GIT, LARGEST_FILE, Folder, open_folder
from pbem.campaign.founding import campaign_text
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.beside import DERIVED, compare_opened, entry_of_state
from pbem.campaign.ledger.chain import Finding, Head, Ledger, state_text
from pbem.campaign.ledger.entries import ENTRY, Entry, changed_ends, check_entry, key_after, parse_entry, record_in
from pbem.campaign.ledger.replaying import (
    MALFORMED,
    Watcher,
    first_public_state,
    public_state_until,
    watch_nothing,
    why_senseless,
)
from pbem.campaign.proof.judging_again import Rejudging
from pbem.campaign.proof.opened_letters import OpenedLetters, is_opened, letters_opened
from pbem.campaign.proof.verification import EntryVerifier, Verification
from pbem.campaign.succession import too_few_holders
from pbem.faults.wrong import PbemError, Wrong, wrong
from pbem.paper.documents.names import as_quoted
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

MODULES = ".gitmodules"
"""File that tells git to put other repositories in the place of folders."""


def verify(root: Path) -> Verification:
    """Verify a campaign's folder in this process, and return the result."""
    return walk_through(Verifier(open_folder(root), Verification())).found


AnyVerifier = TypeVar("AnyVerifier", bound="Verifier")


def walk_through(walk: AnyVerifier) -> AnyVerifier:
    """Carry a verification out to its end, and return it."""
    for _ in verification_steps(walk):
        pass
    return walk


def verification_steps(walk: Verifier) -> Iterator[None]:
    """Carry a verification out, one entry at each step. All findings are noted in `walk`. A `PbemError` becomes a
    finding, too."""
    begun = clock.perf_counter()
    try:
        yield from walk.steps()
    except PbemError as error:
        walk.found.findings += [Finding(error.source or walk.folder.root.name, fault) for fault in error.faults]
    walk.found.figures.seconds = clock.perf_counter() - begun


class Verifier(EntryVerifier):
    """Verification of one folder in steps."""

    def __init__(self, folder: Folder, verification: Verification, after: Watcher = watch_nothing) -> None:
        """Begin a verification of a folder. `after` is called with each entry that is carried out again."""
        super().__init__(folder, verification)
        self.after = after
        self.entries: list[Entry] = []

    def steps(self) -> Iterator[None]:
        """Check the entries, then the files beside them. If the campaign is closed and has no fault so far, play the
        game again. An entry that makes no sense ends the check."""
        self.entries = entries = yield from self.chain_steps()
        if not entries:
            return
        for entry in entries:
            try:
                self.take_public(entry, record_in(entry))
            except OutsideCalendar:
                self.note(entry, wrong("E-VERIFY-ENTRY.calendar", first=FIRST_YEAR, last=LAST_YEAR))
                return
            except MALFORMED as error:
                self.note(entry, wrong("E-VERIFY-ENTRY", why=why_senseless(error)))
                return
            self.found.figures.entries = entry.number
        assert self.public is not None
        self.found.phase = self.public.phase
        if few := too_few_holders(self.public):
            self.found.note("ledger", few)
        try:
            self.check_derived_files(entries)
        except MALFORMED as error:
            # The files beside the ledger cannot be computed from such entries.
            self.note(entries[-1], wrong("E-VERIFY-ENTRY", why=why_senseless(error)))
            return
        if self.closed and self.found.is_good:
            yield from self.check_opened(entries, self.closed)

    def chain_steps(self) -> Generator[None, None, list[Entry]]:
        """Check the chain of entries step by step, note every fault, and return the entries. If there is a fault,
        return no entries."""
        first = Ledger(self.folder.ledger, "")
        name = next((path.name for path in sorted(self.folder.ledger.glob("0001-new.yaml"))), "")
        if not name:
            self.found.note("ledger", wrong("E-LEDGER-GAP", entry=1))
            return []
        start = parse_entry(read_whole(first.folder / name, ENTRY.size), name)
        record = record_in(start)
        if not isinstance(record, r.NewRecord):
            self.found.note(name, wrong("E-LEDGER-FORM.settings"))
            return []
        if record.settings.campaign != start.campaign:
            self.found.note(name, wrong("E-LEDGER-CAMPAIGN", theirs=start.campaign, ours=record.settings.campaign))
            return []
        self.found.campaign = start.campaign
        ledger = Ledger(self.folder.ledger, start.campaign)
        entries: list[Entry] = []

        def next_key(key: PublicKey, entry: Entry) -> PublicKey:
            entries.append(entry)
            return key_after(entry, key)

        try:
            moderator = PublicKey.parse(record.moderator)
        except SealFault as fault:
            self.found.note(name, fault.wrong)
            return []
        yield from ledger.check_steps(self.found.findings, moderator, next_key, check_entry=self.check_entry)
        if self.found.is_good:
            return entries
        sound = (place for place, entry in enumerate(entries, 1) if entry.number != place)
        self.found.figures.entries = next(sound, len(entries) + 1) - 1
        return []

    def check_entry(self, entry: Entry, moderator: PublicKey) -> None:
        """Raise `BadSignature` unless an entry is signed with the moderator's key."""
        check_entry(entry, moderator)

    def check_derived_files(self, entries: list[Entry]) -> None:
        """Check the files beside the ledger, which must have the content that follows from the ledger. An older state
        file gets only a warning."""
        assert self.public is not None
        agreed_on = first_public_state(entries[0], record_in(entries[0])).settings
        self.check_content("campaign.yaml", read_whole(self.folder.campaign, LARGEST_FILE), campaign_text(agreed_on))
        data = read_whole(self.folder.state, LARGEST_FILE)
        last, until = entries[-1], entry_of_state(data)
        if 0 < until < last.number and data == state_until(entries[:until]).encode():
            self.found.note("state.yaml", wrong("W-VERIFY-BEHIND", entry=until, last=last.number))
        else:
            self.check_content("state.yaml", data, state_text(self.public, Head(last.number, last.hash)))
        self.check_files_for_git()
        if not self.closed and os.path.lexists(self.folder.opened):
            self.found.note("opened.json", wrong("W-VERIFY-FILE.opened"))

    def check_files_for_git(self) -> None:
        """Check that the files with settings for git are those of the program."""
        if os.path.lexists(self.folder.root / MODULES):
            self.found.note(MODULES, wrong("E-VERIFY-DERIVED.git"))
        for folder in ("", *FOLDERS):
            for name, text in FOR_GIT.items():
                path = self.folder.root / folder / name
                if os.path.lexists(path):
                    data = read_whole(path, LARGEST_FILE)
                    git = wrong("E-VERIFY-DERIVED.git")
                    self.check_content(str(Path(folder) / name), data, "" if folder else text, git)

    def check_content(self, name: str, content: bytes, text: str, otherwise: Wrong | None = None) -> None:
        """Note a fault if the content of the file `name` is not `text`. If only the line ends differ, the fault says
        so. Otherwise the fault is `otherwise`, if it is given."""
        if fault := changed_ends(content, text.encode()):
            self.found.note(name, fault)
        elif content != text.encode():
            self.found.note(name, otherwise or wrong(DERIVED))

    def check_opened(self, entries: list[Entry], closed: r.CloseRecord) -> Iterator[None]:
        """Check the file of opened letters against the close and the accepted letters, then play the game again. If the
        file is wrong, note a fault and play nothing."""
        if fault := compare_opened(self.folder, closed.opened):
            self.found.note("opened.json", fault)
            return
        letters = letters_opened(self.folder)
        if letters.campaign != self.found.campaign:
            theirs = wrong("E-VERIFY-OPENED.campaign", theirs=as_quoted(letters.campaign), ours=self.found.campaign)
            self.found.note("opened.json", theirs)
            return
        accepted = {entry.number for entry in entries if is_opened(record_in(entry))}
        if set(letters) != accepted:
            self.found.note("opened.json", wrong("E-VERIFY-OPENED.letters"))
            return
        yield from self.play_again(entries, closed, letters)

    def play_again(self, entries: list[Entry], closed: r.CloseRecord, letters: OpenedLetters) -> Iterator[None]:
        """Judge every letter and carry every entry out again."""
        return Rejudging(self, letters).play(entries, closed, self.after)


def moderator_keys(entries: Iterable[Entry]) -> list[PublicKey]:
    """Return the public keys of all moderators in a sound ledger, from the first to the last."""
    found: list[PublicKey] = []
    for entry in entries:
        record = record_in(entry)
        key = PublicKey.parse(record.moderator) if isinstance(record, r.NewRecord) else key_after(entry, found[-1])
        found += [key] if key not in found[-1:] else []
    return found


def state_until(entries: list[Entry]) -> str:
    """Return the text of the state file after these entries."""
    return state_text(public_state_until(entries), Head(entries[-1].number, entries[-1].hash))
