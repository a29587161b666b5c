"""Verifier of a campaign's folder, which needs nothing else: it checks the public part while the campaign runs, and
everything after the close."""

from __future__ import annotations

import os
import stat
import time as clock
from collections.abc import Generator, Iterable, Iterator
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from pbem.campaign.clock.clock import FIRST_YEAR, LAST_YEAR, ClockFault, OutsideCalendar, stamp
from pbem.campaign.clock.deadlines import Absence, check_absence
from pbem.campaign.clock.timing import repair_target, turns_back
from pbem.campaign.disk.atomic import fault_of, read_whole
from pbem.campaign.disk.folder import FOLDERS, FOR_GIT, Folder, open_folder
from pbem.campaign.founding import campaign_text, rules_of, unagreed_files
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.beside import DERIVED, LARGEST_FILE, compare_opened, compare_rules, entry_of_state
from pbem.campaign.ledger.chain import Finding, Head, Ledger, state_text
from pbem.campaign.ledger.entries import ENTRY, Entry, changed_ends, check_entry, key_after, parse_entry
from pbem.campaign.ledger.entry_checks import wrong_with_bot, wrong_with_entry, wrong_with_events, wrong_with_seats
from pbem.campaign.ledger.entry_effects import add_entry, public_state_at_start
from pbem.campaign.ledger.lots import is_lot_complete
from pbem.campaign.ledger.proposals import wrong_with_outcome
from pbem.campaign.ledger.public_state import is_beyond, is_promised
from pbem.campaign.ledger.replaying import (
    MALFORMED,
    Watcher,
    first_public_state,
    public_state_until,
    record_in,
    watch_nothing,
    why_senseless,
)
from pbem.campaign.letters.joining import check_possession, entry_text
from pbem.campaign.letters.proposing import wrong_with_proposal
from pbem.campaign.letters.provable import MESSAGE, can_be_proved
from pbem.campaign.masks import wrong_with_mask
from pbem.campaign.proof.judging_again import Rejudging, Verification, VerifierState
from pbem.campaign.proof.opened_letters import OpenedLetters, is_opened, letters_opened
from pbem.campaign.succession import too_few_holders, wrong_with_heirloom, wrong_with_succession
from pbem.engine.board import Board
from pbem.faults.wrong import PbemError, Wrong, words, wrong
from pbem.paper.documents.names import as_quoted
from pbem.paper.letters import Letter, check_signature, read_letter
from pbem.seal.deal import check_opening, secret_commitment
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

MODULES = ".gitmodules"
"""File by which git puts other repositories in the place of folders."""


def verify(root: Path) -> Verification:
    """Verify a campaign's folder in this process, and return the result."""
    return walk_through(Verifier(open_folder(root), Verification())).found


AnyVerifier = TypeVar("AnyVerifier", bound="Verifier")


def walk_through(walk: AnyVerifier) -> AnyVerifier:
    """Carry a verification out to its end and return it."""
    for _ in verification_steps(walk):
        pass
    return walk


def verification_steps(walk: Verifier) -> Iterator[None]:
    """Carry a verification out, an entry at each step. After the last step it has all findings."""
    begun = clock.perf_counter()
    try:
        yield from walk.steps()
    except PbemError as error:
        walk.found.findings += [Finding(error.source or walk.folder.root.name, fault) for fault in error.faults]
    walk.found.figures.seconds = clock.perf_counter() - begun


class Verifier(VerifierState):
    """Verification of one folder, carried out in steps."""

    def __init__(self, folder: Folder, verification: Verification, after: Watcher = watch_nothing) -> None:
        """Begin a verification of a folder; `after` is called with every entry that was carried out again."""
        super().__init__(folder, verification)
        self.after = after
        self.entries: list[Entry] = []

    def steps(self) -> Iterator[None]:
        """Check the entries step by step, then the files beside them. The secrets are checked only if the entries and
        these files are sound."""
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
            # Nothing can be written that follows from entries like these.
            self.note(entries[-1], wrong("E-VERIFY-ENTRY", why=why_senseless(error)))
            return
        if self.closed and self.found.is_good:
            yield from self.check_opened(entries, self.closed)

    def chain_steps(self) -> Generator[None, None, list[Entry]]:
        """Check the chain of entries step by step. Return the entries, or no entries if any is missing, altered or not
        signed by the moderator."""
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
        """Check that an entry is signed with the moderator's key. Raises `BadSignature`."""
        check_entry(entry, moderator)

    def take_public(self, entry: Entry, record: r.Record) -> None:
        """Check an entry as far as anybody can without the secrets, and add it to the public state."""
        if self.public is None and isinstance(record, r.NewRecord):
            self.public = public_state_at_start(record)
            self.check_own_files(entry, record)
            if fault := wrong_with_seats(record.settings):
                self.note(entry, fault)
        elif isinstance(record, r.NewRecord) or self.closed:
            self.note(entry, wrong("E-VERIFY-ORDER.begun"))
            return
        public = self.public
        assert public is not None
        for nonsense in wrong_with_entry(public, entry, record):
            self.note(entry, nonsense)
        if is_beyond(public, record):
            self.note(entry, wrong("E-VERIFY-MANY"))
        further = (wrong_with_bot(public, record, entry.time), wrong_with_outcome(public, record))
        for fault in (*filter(None, further), *wrong_with_mask(public, record)):
            self.note(entry, fault)
        self.found.figures.sealed += r.keeps_letter(record)
        match record:
            case r.JoinRecord():
                if record.letter:
                    self.check_letter(entry, record.letter, record.key)
                if record.player in public.players or record.player not in public.settings.seats:
                    self.note(entry, wrong("E-VERIFY-SEAT", seat=record.player))
            case r.KeyChangeRecord() if record.letter:
                self.check_letter(entry, record.letter, public.players[record.player].key)
                try:
                    # A letter that names a new key must prove that its writer has it.
                    check_possession(public, self.letters[entry.number], PublicKey.parse(record.key))
                except SealFault as fault:
                    message = words("new-key-of-entry", message=fault.message)
                    self.note(entry, replace(fault.wrong, message=message))
            case r.ProposalRecord() | r.VoteRecord():
                self.check_letter(entry, record.letter, public.players[record.player].key)
                if untold := wrong_with_proposal(public, entry, record, self.letters[entry.number]):
                    self.note(entry, untold)
            case r.LetterRecord():
                slots = {MESSAGE} if can_be_proved(public.settings) else set[str]()
                if record.kind == "message" and (record.stage or set(record.slots) != slots):
                    self.note(entry, wrong("E-VERIFY-LETTER.message"))
            case r.AgreementRecord() if not is_promised(public, record):
                self.note(entry, wrong("E-VERIFY-AGREED", players=record.powers))
            case r.RefusedRecord(mark) if mark in public.turned:
                self.note(entry, wrong("E-VERIFY-ORDER.refused"))
            case r.AbsenceRecord():
                self.check_days_of_absence(entry, record)
            case r.ExtensionRecord(until, _) if until < public.deadline:
                self.note(entry, wrong("E-VERIFY-DEADLINE.earlier"))
            case r.AdjudicationRecord():
                if self.found.is_good and (strange := wrong_with_events(public, record, self.board)):
                    self.note(entry, strange)
                if not is_lot_complete(public, record.drawn):
                    self.note(entry, wrong("E-VERIFY-LOT"))
                self.check_deal(entry, record)
                self.tables[entry.number] = dict(self.published)
            case r.ClockRecord() if not r.goes_back(record):
                self.check_repair(entry, record)
            case r.RollbackRecord(to):
                if isinstance(record, r.ClockRecord):
                    self.check_repair(entry, record)
                adjudicated = max(number for number in self.tables if number <= to)
                if not public.may_turn_back(adjudicated, to):
                    self.note(entry, wrong("E-VERIFY-SHOWN"))
                self.published = dict(self.tables[adjudicated])
                self.tables[entry.number] = dict(self.published)
            case r.HeirloomRecord():
                for untrue in wrong_with_heirloom(public, record):
                    self.note(entry, untrue)
            case r.SuccessionRecord():
                for untrue in wrong_with_succession(public, entry, record):
                    self.note(entry, untrue)
            case r.CloseRecord():
                self.closed = record
                if secret_commitment(bytes.fromhex(record.secret)) != public.secret:
                    self.note(entry, wrong("E-VERIFY-SECRET"))
        add_entry(public, entry.number, stamp(entry.time), record, entry.hash)
        self.times.append(public.time)
        self.deadlines[entry.number] = public.deadline

    @cached_property
    def board(self) -> Board:
        """Return the board of the campaign's game, on which the events of the entries happen."""
        assert self.public is not None
        return rules_of(self.folder, self.public.settings, self.public.protocol).common.board

    def check_days_of_absence(self, entry: Entry, record: r.AbsenceRecord) -> None:
        """Check that an absence could be announced when it was entered (docs/protocol.md, Verifying, 8)."""
        public = self.public
        assert public is not None
        # Each once: a ledger may say the same thousands of times.
        known = {(away.first, away.last) for away in public.absences if away.player == record.player}
        wish, *others = [
            Absence(record.player, date.fromisoformat(first), date.fromisoformat(last))
            for first, last in ((record.first, record.last), *known)
        ]
        try:
            check_absence(wish, others, entry.time, public.settings.clock)
        except ClockFault as fault:
            self.note(entry, fault.wrong)

    def check_repair(self, entry: Entry, record: r.ClockRecord) -> None:
        """Check the entry that corrects a wrong clock: it must undo everything that was entered by the wrong clock, and
        nothing else.

        Orders revealed behind a lock stay revealed.
        """
        assert self.public is not None
        now = stamp(entry.time)
        to = repair_target(self.public, self.tables, self.times, now)
        turns = turns_back(self.public, self.tables, to)
        stays = bool(self.tables) and not turns
        if (record.to, r.goes_back(record), bool(record.deadline)) != (to, turns, stays) or now >= self.times[-1]:
            self.note(entry, wrong("E-VERIFY-CLOCK"))

    def check_own_files(self, entry: Entry, record: r.NewRecord) -> None:
        """Check that the campaign's own files are those that were agreed, and that no other files are used. Files with
        notes may lie beside them."""
        for name in names_in(self.folder.rules):
            if name not in record.files and name not in FOR_GIT:
                is_note = stat.S_ISREG(os.lstat(self.folder.rules / name).st_mode)
                self.found.note(f"rules/{name}", wrong("W-VERIFY-FILE" if is_note else "E-VERIFY-FILE.none"))
        for finding in compare_rules(self.folder, record.files):
            self.found.findings.append(finding)
        if self.found.is_good:
            for fault in unagreed_files(self.folder, record.settings, record.files):
                self.note(entry, fault)

    def check_letter(self, entry: Entry, text: str, key: str) -> None:
        """Check that the letter in an entry has the form of stored letters, and is signed with `key` if letters are
        signed."""
        letter = read_letter(text.encode(), f"{entry.number:04d}-{entry.kind}.yaml")
        self.letters[entry.number] = letter
        if entry_text(letter) != text:
            self.note(entry, wrong("E-VERIFY-LETTER", what="`letter`"))
        if letter.signature or self.is_signing():
            self.check_signed(entry, letter, key)

    def is_signing(self) -> bool:
        """True if letters of the campaign must be signed."""
        assert self.public is not None
        return self.public.settings.conduct.signing == "on"

    def check_signed(self, entry: Entry, letter: Letter, key: str) -> None:
        """Note a fault unless a letter is signed with this key."""
        try:
            check_signature(letter, PublicKey.parse(key))
        except SealFault as fault:
            message = words("letter-of-entry", message=fault.message)
            self.note(entry, replace(fault.wrong, message=message))
        self.found.figures.letters += 1

    def check_deal(self, entry: Entry, record: r.AdjudicationRecord) -> None:
        """Check that the cards that an adjudication shows fit the hashes that were published when they were dealt."""
        for dealt in record.dealt:
            self.published[dealt.number] = dealt.hashes
            self.found.figures.shuffles += 1
        for shown in record.openings:
            hashes = self.published.get(shown.shuffle, ())
            there = 0 <= shown.position < len(hashes) and check_opening(
                hashes[shown.position], shown.shuffle, shown.position, bytes.fromhex(shown.salt), shown.card
            )
            if not there:
                undealt = wrong("E-VERIFY-CARD", card=shown.card, place=shown.position, shuffle=shown.shuffle)
                self.note(entry, undealt)
            self.found.figures.cards += 1

    def check_derived_files(self, entries: list[Entry]) -> None:
        """Check that the files beside the ledger are those that follow from it."""
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
        """Check that the files with settings for git are those of the program. Other settings could make git leave out
        or change files."""
        if os.path.lexists(self.folder.root / MODULES):
            self.found.note(MODULES, wrong("E-VERIFY-DERIVED.git"))
        for folder in ("", *FOLDERS):
            for name, text in FOR_GIT.items():
                path = self.folder.root / folder / name
                if os.path.lexists(path):
                    data = read_whole(path, LARGEST_FILE)
                    git = wrong("E-VERIFY-DERIVED.git")
                    self.check_content(str(Path(folder) / name), data, "" if folder else text, git)

    def check_content(self, name: str, data: bytes, text: str, otherwise: Wrong | None = None) -> None:
        """Note a fault if a file differs from `text`, which follows from the ledger. Changed line ends alone are a
        fault of their own."""
        if fault := changed_ends(data, text.encode()):
            self.found.note(name, fault)
        elif data != text.encode():
            self.found.note(name, otherwise or wrong(DERIVED))

    def check_opened(self, entries: list[Entry], closed: r.CloseRecord) -> Iterator[None]:
        """Check the file of opened letters, and play the whole game again with them."""
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
        """Judge every letter again, and carry every entry out again."""
        return Rejudging(self, letters).play(entries, closed, self.after)


def names_in(folder: Path) -> list[str]:
    """Return the names of everything in a folder, or nothing for a missing folder."""
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise fault_of(error, folder, "read") from None


def moderator_keys(entries: Iterable[Entry]) -> list[PublicKey]:
    """Return the keys of the moderators in a sound ledger, in order. Each later key is named by an entry signed with
    the previous key, or by the letters of seats who have made an heir the moderator."""
    found: list[PublicKey] = []
    for entry in entries:
        record = record_in(entry)
        key = PublicKey.parse(record.moderator) if isinstance(record, r.NewRecord) else key_after(entry, found[-1])
        found += [key] if key not in found[-1:] else []
    return found


def state_until(entries: list[Entry]) -> str:
    """Return the text of the state file after these entries."""
    return state_text(public_state_until(entries), Head(entries[-1].number, entries[-1].hash))
