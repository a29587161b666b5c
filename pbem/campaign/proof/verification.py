"""Verification of a campaign: the findings, and the checks of entries that need no secret."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import date
from functools import cached_property
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.clock.clock import ClockFault, stamp
from pbem.campaign.clock.deadlines import Absence, check_absence
from pbem.campaign.clock.timing import repair_target, turns_back
from pbem.campaign.disk.atomic import fault_of
from pbem.campaign.disk.folder import FOR_GIT, Folder
from pbem.campaign.founding import compare_rules, rules_of, unagreed_files
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.beside import DERIVED
from pbem.campaign.ledger.chain import Finding
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.entry_checks import wrong_with_bot, wrong_with_entry, wrong_with_events, wrong_with_seats
from pbem.campaign.ledger.entry_effects import add_entry, public_state_at_start
from pbem.campaign.ledger.proposals import wrong_with_outcome
from pbem.campaign.ledger.public_state import PublicState, is_beyond, is_promised
from pbem.campaign.ledger.seats import is_lot_complete, wrong_with_mask
from pbem.campaign.letters.joining import check_possession, entry_text
from pbem.campaign.letters.proposing import wrong_with_proposal
from pbem.campaign.letters.provable import MESSAGE, can_be_proved
from pbem.campaign.succession import wrong_with_heirloom, wrong_with_succession
from pbem.engine.board import Board
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter, check_signature, read_letter
from pbem.seal.deal import check_opening, secret_commitment
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey


class Figures(Struct):
    """Counts of what a verification has checked."""

    entries: int = 0
    """Number of entries that could be read, counted from the first. If the verification has a phase, these are all
    entries."""
    letters: int = 0
    """Number of letters whose signature and content were checked."""
    sealed: int = 0
    """Number of letters of which only the entries were checked, because nobody can read the letters yet, or ever."""
    shuffles: int = 0
    cards: int = 0
    """Number of cards that were shown and proved to be the ones dealt."""
    adjudications: int = 0
    """Number of adjudications that were carried out again."""
    seconds: float = 0.0


class Verification(Struct):
    """Result of verifying a folder."""

    campaign: str = ""
    phase: str = ""
    findings: list[Finding] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)

    @property
    def is_good(self) -> bool:
        return not any(not finding.fault.is_warning for finding in self.findings)

    @property
    def has_sound_ledger(self) -> bool:
        """True if nothing is wrong with the ledger itself. Warnings do not count, nor do faults of files that are
        computed from it."""
        return all(f.fault.is_warning or f.fault.code == DERIVED for f in self.findings)

    def note(self, file: str, fault: Wrong) -> None:
        self.findings.append(Finding(file, fault))


def sound_verification(root: Path, found: Verification) -> Verification:
    """Return the verification if all findings are warnings. Raises `Refused` otherwise."""
    if not found.is_good:
        first = next(finding for finding in found.findings if not finding.fault.is_warning)
        raise Refused(root.name, [wrong("E-EXPORT-UNSOUND", why=first.message_line())])
    return found


class EntryVerifier:
    """Verification of entries, and of the files that the first entry names, without the secrets."""

    def __init__(self, folder: Folder, verification: Verification) -> None:
        """Begin a verification of a folder. Findings are added to `verification`."""
        self.folder = folder
        self.found = verification
        self.public: PublicState | None = None
        self.letters: dict[int, Letter] = {}
        self.closed: r.CloseRecord | None = None
        self.published: dict[int, tuple[str, ...]] = {}
        """Dict from the number of each shuffle to its published hashes."""
        self.tables: dict[int, dict[int, tuple[str, ...]]] = {}
        """Earlier values of `published`, to which a rollback returns. The key is the entry after which `published` had
        this value."""
        self.deadlines: dict[int, str] = {}
        """Dict from the number of each entry to the deadline after it."""
        self.times: list[str] = []
        """Times of all entries so far, as the entries have them."""

    def note(self, entry: Entry, fault: Wrong) -> None:
        self.found.note(f"{entry.number:04d}-{entry.kind}.yaml", fault)

    def take_public(self, entry: Entry, record: r.Record) -> None:
        """Check an entry without the secrets, and add it to the public state. An entry after the close, or a second
        entry that begins a campaign, is not added but noted as a fault."""
        if self.public is None and isinstance(record, r.NewRecord):
            self.public = public_state_at_start(record)
            self.check_own_files(entry, record)
        elif isinstance(record, r.NewRecord) or self.closed:
            self.note(entry, wrong("E-VERIFY-ORDER.begun"))
            return
        assert self.public is not None
        for fault in self.wrong_with_entry(self.public, entry, record):
            self.note(entry, fault)
        self.found.figures.sealed += r.keeps_letter(record)
        for fault in self.wrong_with_content(self.public, entry, record):
            self.note(entry, fault)
        if isinstance(record, r.CloseRecord):
            self.closed = record
        add_entry(self.public, entry.number, stamp(entry.time), record, entry.hash)
        self.times.append(self.public.time)
        self.deadlines[entry.number] = self.public.deadline

    def wrong_with_entry(self, public: PublicState, entry: Entry, record: r.Record) -> Iterator[Wrong]:
        """Yield the faults that entries of any kind can have."""
        if isinstance(record, r.NewRecord) and (fault := wrong_with_seats(record.settings)):
            yield fault
        yield from wrong_with_entry(public, entry, record)
        if is_beyond(public, record):
            yield wrong("E-VERIFY-MANY")
        yield from filter(None, (wrong_with_bot(public, record, entry.time), wrong_with_outcome(public, record)))
        yield from wrong_with_mask(public, record)

    def wrong_with_content(self, public: PublicState, entry: Entry, record: r.Record) -> Iterator[Wrong]:
        """Yield the faults that only entries of this kind can have. Faults of a letter in the entry are not yielded:
        they are noted at once."""
        match record:
            case r.JoinRecord():
                if record.letter:
                    self.check_letter(entry, record.letter, record.key)
                if record.player in public.players or record.player not in public.settings.seats:
                    yield wrong("E-VERIFY-SEAT", seat=record.player)
            case r.KeyChangeRecord() if record.letter:
                self.check_letter(entry, record.letter, public.players[record.player].key)
                # The letter proves that its writer has the new key. Older campaigns need no proof.
                try:
                    check_possession(public, self.letters[entry.number], PublicKey.parse(record.key))
                except SealFault as fault:
                    yield replace(fault.wrong, message=words("new-key-of-entry", message=fault.message))
            case r.ProposalRecord() | r.VoteRecord():
                self.check_letter(entry, record.letter, public.players[record.player].key)
                yield from filter(None, [wrong_with_proposal(public, entry, record, self.letters[entry.number])])
            case r.LetterRecord(kind="message"):
                slots = {MESSAGE} if can_be_proved(public.settings) else set[str]()
                if record.stage or set(record.slots) != slots:
                    yield wrong("E-VERIFY-LETTER.message")
            case r.AgreementRecord() if not is_promised(public, record):
                yield wrong("E-VERIFY-AGREED", players=record.powers)
            case r.RefusedRecord(mark) if mark in public.turned:
                yield wrong("E-VERIFY-ORDER.refused")
            case r.AbsenceRecord():
                yield from wrong_with_absence(public, entry, record)
            case r.ExtensionRecord(until, _) if until < public.deadline:
                yield wrong("E-VERIFY-DEADLINE.earlier")
            case r.AdjudicationRecord():
                yield from self.wrong_with_adjudication(public, entry, record)
            case r.RollbackRecord():
                yield from self.wrong_with_rollback(public, entry, record)
            case r.HeirloomRecord():
                yield from wrong_with_heirloom(public, record)
            case r.SuccessionRecord():
                yield from wrong_with_succession(public, entry, record)
            case r.CloseRecord(secret) if secret_commitment(bytes.fromhex(secret)) != public.secret:
                yield wrong("E-VERIFY-SECRET")

    def wrong_with_adjudication(
        self, public: PublicState, entry: Entry, record: r.AdjudicationRecord
    ) -> Iterator[Wrong]:
        """Yield the faults of an adjudication's events, lot and shown cards. The hashes of shuffles are then stored
        under the number of the entry."""
        if self.found.is_good and (strange := wrong_with_events(public, record, self.board)):
            yield strange
        if not is_lot_complete(public, record.drawn):
            yield wrong("E-VERIFY-LOT")
        yield from self.wrong_with_cards(record)
        self.tables[entry.number] = dict(self.published)

    def wrong_with_rollback(self, public: PublicState, entry: Entry, record: r.RollbackRecord) -> Iterator[Wrong]:
        """Yield the faults of an entry that turns the game back or corrects the clock. If the game goes back, the
        published hashes of shuffles go back with it."""
        if isinstance(record, r.ClockRecord):
            if self.is_false_repair(public, entry, record):
                yield wrong("E-VERIFY-CLOCK")
            if not r.goes_back(record):
                return
        adjudicated = max(number for number in self.tables if number <= record.to)
        if not public.may_turn_back(adjudicated, record.to):
            yield wrong("E-VERIFY-SHOWN")
        self.published = dict(self.tables[adjudicated])
        self.tables[entry.number] = dict(self.published)

    @cached_property
    def board(self) -> Board:
        """Return the board of the campaign's game."""
        assert self.public is not None
        return rules_of(self.folder, self.public.settings, self.public.protocol).common.board

    def check_own_files(self, entry: Entry, record: r.NewRecord) -> None:
        """Check that the campaign's own files are those that were agreed on, and that the rules use no others. Any
        other file in their folder gets a warning; a folder or link there gets a fault."""
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
        """Check form and signature of the letter in an entry, and store the letter. `key` is the key that must have
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
        """Note a fault unless a letter is signed with this key, and count the letter."""
        try:
            check_signature(letter, PublicKey.parse(key))
        except SealFault as fault:
            message = words("letter-of-entry", message=fault.message)
            self.note(entry, replace(fault.wrong, message=message))
        self.found.figures.letters += 1

    def wrong_with_cards(self, record: r.AdjudicationRecord) -> Iterator[Wrong]:
        """Store the hashes that an adjudication publishes. Then yield a fault for each shown card that does not fit the
        hash published for it."""
        for dealt in record.dealt:
            self.published[dealt.number] = dealt.hashes
            self.found.figures.shuffles += 1
        for shown in record.openings:
            hashes = self.published.get(shown.shuffle, ())
            there = 0 <= shown.position < len(hashes) and check_opening(
                hashes[shown.position], shown.shuffle, shown.position, bytes.fromhex(shown.salt), shown.card
            )
            if not there:
                yield wrong("E-VERIFY-CARD", card=shown.card, place=shown.position, shuffle=shown.shuffle)
            self.found.figures.cards += 1

    def is_false_repair(self, public: PublicState, entry: Entry, record: r.ClockRecord) -> bool:
        """True if an entry that corrects the clock is wrong. A correct entry takes the campaign back to the entry that
        `repair_target` names, and has an earlier date than the entry before it."""
        now = stamp(entry.time)
        to = repair_target(public, self.tables, self.times, now)
        turns = turns_back(public, self.tables, to)
        stays = bool(self.tables) and not turns
        return (record.to, r.goes_back(record), bool(record.deadline)) != (to, turns, stays) or now >= self.times[-1]


def wrong_with_absence(public: PublicState, entry: Entry, record: r.AbsenceRecord) -> Iterator[Wrong]:
    """Yield a fault if an absence could not be announced at the time of its entry (docs/protocol.md, Verifying, 8)."""
    # A set, because a hostile ledger may have the same absence thousands of times.
    known = {(away.first, away.last) for away in public.absences if away.player == record.player}
    wish, *others = [
        Absence(record.player, date.fromisoformat(first), date.fromisoformat(last))
        for first, last in ((record.first, record.last), *known)
    ]
    try:
        check_absence(wish, others, entry.time, public.settings.clock)
    except ClockFault as fault:
        yield fault.wrong


def names_in(folder: Path) -> list[str]:
    """Return the names of everything in a folder; none if it is missing. Raises `StorageFault` if it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise fault_of(error, folder, "read") from None
