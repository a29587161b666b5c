"""Verifies a campaign's folder from nothing but what is in it: what is public while it runs, once closed everything."""

from __future__ import annotations

import hashlib
import time as clock
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct, field

from pbem.paper.faults import Fault, Refused
from pbem.paper.letters import Letter, check_signature, read_letter
from pbem.seal.canonical import canonical
from pbem.seal.commitment import check
from pbem.seal.deal import check_opening, secret_commitment
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

from .atomic import StorageFault, read_whole
from .campaign import campaign_text, opener_of, rules_of
from .closing import PRIVATE_KINDS, OpenedFile
from .course import Course, Disagreement
from .entries import ENTRY, Entry, parse_entry
from .folder import Folder, open_folder
from .ledger import Finding, Head, Ledger
from .letterbox import Held, parts_of, revealed_in
from .moments import stamp
from .records import Adjudicated, Closed, Joined, Opened, Received, Record, Rekeyed
from .register import Register, enter, opened
from .replaying import Played, record_in, replay
from .state_file import state_text

LARGEST_OPENED = 64 * 1024 * 1024


class Figures(Struct):
    """What was looked at, for people who want to know what "verified" means."""

    entries: int = 0
    letters: int = 0
    """Signed letters whose signature and content were checked."""
    shuffles: int = 0
    cards: int = 0
    """Cards that were shown and proved to be the ones dealt."""
    adjudications: int = 0
    """Adjudications that were carried out again."""
    seconds: float = 0.0


class Verification(Struct):
    """What verifying a folder has found."""

    campaign: str = ""
    phase: str = ""
    findings: list[Finding] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return not any(not finding.fault.is_warning for finding in self.findings)

    def note(self, file: str, code: str, message: str) -> None:
        """Note something that is wrong."""
        self.findings.append(Finding(file, Fault(code, message, 1, 1)))


def verify(root: Path) -> Verification:
    """Verify a campaign's folder."""
    begun = clock.perf_counter()
    folder = open_folder(root)
    verification = Verification()
    try:
        walk = Walk(folder, verification)
        walk.run()
    except Refused as refused:
        verification.findings += [Finding(refused.source, fault) for fault in refused.faults]
    except (StorageFault, SealFault) as fault:
        verification.note(folder.root.name, fault.code, fault.message)
    verification.figures.seconds = clock.perf_counter() - begun
    return verification


class Walk:
    """One verification of one folder."""

    def __init__(self, folder: Folder, verification: Verification) -> None:
        """Read the entries; their chain is checked before anything in them is believed."""
        self.folder = folder
        self.found = verification
        self.register: Register | None = None
        self.letters: dict[int, Letter] = {}
        self.closed: Closed | None = None
        self.published: dict[int, tuple[str, ...]] = {}
        """The hashes published of every shuffle."""
        self.keys: dict[int, str] = {}
        """The key that each accepted letter had to be signed with, by entry."""

    def run(self) -> None:
        """Verify everything."""
        entries = self.chained()
        if not entries:
            return
        for entry in entries:
            self.public(entry, record_in(entry))
        assert self.register is not None
        self.found.phase = self.register.phase
        self.found.figures.entries = len(entries)
        self.derived_files(self.register, entries[-1])
        if self.closed and self.found.is_good:
            self.opened(entries, self.closed)

    def chained(self) -> list[Entry]:
        """The entries, if they are whole, in a row and signed by the moderator."""
        first = Ledger(self.folder.ledger, "")
        name = next((path.name for path in sorted(self.folder.ledger.glob("0001-new.yaml"))), "")
        if not name:
            self.found.note("ledger", "E-LEDGER-GAP", "entry 1 is missing")
            return []
        start = parse_entry(read_whole(first.folder / name, ENTRY.size), name)
        record = record_in(start)
        if not isinstance(record, Opened):
            self.found.note(name, "E-LEDGER-FORM", "a ledger begins with the settings of its campaign")
            return []
        self.found.campaign = start.campaign
        ledger = Ledger(self.folder.ledger, start.campaign)
        entries: list[Entry] = []

        def next_key(key: PublicKey, entry: Entry) -> PublicKey:
            entries.append(entry)
            body = record_in(entry) if entry.kind == "key-change" else None
            return PublicKey.parse(body.key) if isinstance(body, Rekeyed) and not body.player else key

        self.found.findings += ledger.check(PublicKey.parse(record.moderator), next_key)
        return entries if self.found.is_good else []

    def public(self, entry: Entry, record: Record) -> None:
        """Check what anybody can check of an entry, and add it up."""
        if isinstance(record, Opened):
            self.register = opened(record)
            self.files(record)
        register = self.register
        assert register is not None
        match record:
            case Joined():
                self.letter(entry, record.letter, record.key)
            case Rekeyed() if record.letter:
                self.letter(entry, record.letter, register.players[record.player].key)
            case Received():
                acting = register.moderator if record.acted else register.players[record.player].key
                self.keys[entry.number] = acting
            case Adjudicated():
                self.deal(entry, record)
            case Closed():
                self.closed = record
                if secret_commitment(bytes.fromhex(record.secret)) != register.secret:
                    self.note(entry, "E-VERIFY-SECRET", "the secret is not the one that was committed to")
        enter(register, entry.number, stamp(entry.time), record)

    def note(self, entry: Entry, code: str, message: str) -> None:
        """Note something that is wrong with an entry."""
        self.found.note(f"{entry.number:04d}-{entry.kind}.yaml", code, message)

    def files(self, record: Opened) -> None:
        """The campaign's own files must be those that were agreed."""
        for name, digest in record.files.items():
            data = read_whole(self.folder.rules / name, LARGEST_OPENED)
            if hashlib.sha256(data).hexdigest() != digest:
                self.found.note(f"rules/{name}", "E-VERIFY-FILE", "this is not the file that the campaign began with")

    def letter(self, entry: Entry, text: str, key: str) -> None:
        """A letter that stands in an entry must be signed as the entry says."""
        letter = read_letter(text.encode(), f"{entry.number:04d}-{entry.kind}.yaml")
        self.letters[entry.number] = letter
        if letter.signature or self.signs():
            self.signed(entry, letter, key)

    def signs(self) -> bool:
        """Whether the campaign signs its letters."""
        assert self.register is not None
        return self.register.settings.conduct.signing == "on"

    def signed(self, entry: Entry, letter: Letter, key: str) -> None:
        """The letter's signature must be this key's."""
        try:
            check_signature(letter, PublicKey.parse(key))
        except SealFault as fault:
            self.note(entry, fault.code, f"the letter of this entry: {fault.message}")
        self.found.figures.letters += 1

    def deal(self, entry: Entry, record: Adjudicated) -> None:
        """Cards that show must be those that the published hashes stand for."""
        for dealt in record.dealt:
            self.published[dealt.number] = dealt.hashes
            self.found.figures.shuffles += 1
        for shown in record.openings:
            hashes = self.published.get(shown.shuffle, ())
            there = shown.position < len(hashes) and check_opening(
                hashes[shown.position], shown.shuffle, shown.position, bytes.fromhex(shown.salt), shown.card
            )
            if not there:
                message = f"the card {shown.card} was not dealt at place {shown.position} of shuffle {shown.shuffle}"
                self.note(entry, "E-VERIFY-CARD", message)
            self.found.figures.cards += 1

    def derived_files(self, register: Register, last: Entry) -> None:
        """What is written beside the ledger must follow from it."""
        head = Head(last.number, last.hash)
        written = {
            "state.yaml": (self.folder.state, state_text(register, head)),
            "campaign.yaml": (self.folder.campaign, campaign_text(register.settings)),
        }
        for name, (path, text) in written.items():
            if read_whole(path, LARGEST_OPENED) != text.encode():
                self.found.note(name, "E-VERIFY-DERIVED", "the file does not say what the ledger says")

    def opened(self, entries: list[Entry], closed: Closed) -> None:
        """Once the secrets are published: every letter as it was written, and the whole game again."""
        data = read_whole(self.folder.opened, LARGEST_OPENED)
        if hashlib.sha256(data).hexdigest() != closed.opened:
            self.found.note("opened.json", "E-VERIFY-OPENED", "this is not the file that was published at the close")
            return
        try:
            letters = msgspec.json.decode(data, type=OpenedFile).letters
        except msgspec.MsgspecError as error:
            self.found.note("opened.json", "E-VERIFY-OPENED", f"the file cannot be read: {error}")
            return
        self.play_again(entries, closed, letters)

    def play_again(self, entries: list[Entry], closed: Closed, letters: dict[int, Held]) -> None:
        """Carry every entry out again, from the letters and the secret."""
        assert self.register is not None
        settings = self.register.settings
        rules, set_up = rules_of(self.folder, settings), opener_of(self.folder, settings)
        at = entries[0]

        def before(next_one: Played) -> None:
            nonlocal at
            at = next_one.entry
            if isinstance(next_one.record, Received) and next_one.record.kind not in PRIVATE_KINDS:
                self.letter_again(next_one.course, at, next_one.record, letters)

        try:
            for played in replay(
                entries, lambda kept: Course(kept, rules, letters.__getitem__, set_up), closed.secret, before
            ):
                self.found.figures.adjudications += isinstance(played.record, Adjudicated)
        except (Disagreement, KeyError, ValueError) as error:
            what = error.what if isinstance(error, Disagreement) else f"{error}"
            self.note(at, "E-VERIFY-GAME", f"{what} is not what the letters and the deal lead to")

    def letter_again(self, course: Course, entry: Entry, record: Received, letters: dict[int, Held]) -> None:
        """A letter must be the one that was accepted, signed by its player, its sealed parts as committed to."""
        held = letters[entry.number]
        letter = held.letter
        if course.mark(letter) != record.mark or (letter.sender, letter.seq) != (record.player, record.seq):
            self.note(entry, "E-VERIFY-LETTER", "the letter in opened.json is not the one that was accepted")
        if letter.signature or self.signs():
            self.signed(entry, letter, self.keys[entry.number])
        for slot, commitment in self.commitments(course, record, held):
            self.note(entry, "E-SEAL-COMMITMENT", f"the sealed part {slot} is not what {commitment[:12]}… stands for")

    def commitments(self, course: Course, record: Received, held: Held) -> Iterator[tuple[str, str]]:
        """The sealed parts that are not what was committed to."""
        if record.kind == "agreement":
            return
        written = held.opened if record.kind == "orders" else revealed_in(held.letter)
        announced = parts_of(held.letter)
        for slot, commitment in record.slots.items():
            if record.kind == "orders" and announced.get(slot, {}).get("commitment") != commitment:
                yield slot, commitment
            elif slot in written:
                part = written[slot]
                salt = bytes.fromhex(part.salt)
                if not check(commitment, course.name, record.stage, record.player, slot, salt, canonical(part.body)):
                    yield slot, commitment
