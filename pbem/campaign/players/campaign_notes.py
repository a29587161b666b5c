"""Notes of a player, stored beside the key: campaigns, seats, signed letters, and players' names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from pbem.campaign.clock.bank import time_parts
from pbem.campaign.disk.atomic import DISK, PRIVATE, Disk, fault_of, read_whole, write_whole
from pbem.campaign.disk.vault import json_value
from pbem.campaign.ledger.public_state import seq_key
from pbem.campaign.letters.heads import LONGEST_JUMP
from pbem.campaign.letters.letterbox import Request, listed_names
from pbem.campaign.players.guidance import Guidance, OwedPowers, ReportedHead, ReportedPart
from pbem.campaign.players.letters import LetterContext, SealedPart
from pbem.campaign.settings import MODERATOR
from pbem.faults.wrong import words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import Names, did_you_mean
from pbem.paper.letters import Letter
from pbem.seal.canonical import AnyTree, canonical


def seat_called(written: str, players: Mapping[str, str], powers: Collection[str]) -> str:
    """Return the seat with the name `written`, or with a player of this name. The exact name of a seat takes
    precedence. Raises `Refused` if the name fits no seat or several seats, or if it could also be the name of a
    power."""
    if written in players:
        return written
    seats, people = tuple(players), tuple(players.values())
    meant = {seats[place] for names in (seats, people) for place in Names(names).matches(written)}
    if len(meant) == 1 and not Names(powers).matches(written):
        return meant.pop()
    hint = did_you_mean(sorted(meant)) if meant else Names([*seats, *filter(None, people)]).suggestion(written) or None
    unknown = wrong("E-PLAYER-UNKNOWN", seat=written, seats=seats, hint=hint if players else words("nobody-has-joined"))
    raise Refused(written, [unknown])


FORMAT = 1
SENT = ("orders", "reveal")
"""Kinds of letters that answer decisions of a stage."""
LARGEST = 8 * 1024 * 1024


class NotedPart(Struct, frozen=True):
    """Sealed part of a signed letter: the salt and content that reveal it."""

    stage: str
    basis: str
    slot: str
    salt: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    body: AnyTree


class NewestLetter(Struct, frozen=True):
    """The newest letter in one series of letter numbers."""

    seq: int
    letter: str
    """Fingerprint of the letter's content."""


class LastReport(Struct, frozen=True):
    """Facts of the newest report that was read: the stage, and what the reader owes."""

    entry: int
    stage: str
    deadline: str
    """Deadline in UTC; empty without a deadline."""
    powers: tuple[str, ...]
    """The reader's powers whose orders are expected."""
    locked: bool
    """True if sealed orders have to be revealed."""
    asks: Request | Literal[""] = ""
    """Request of the report; empty in notes of 0.2."""
    basis: str = ""
    hash: str = ""
    """Hash of the last entry that the report covers; empty in notes of 0.3."""
    bank: tuple[str, ...] = ()
    """Time in the reader's bank, in days and hours; empty without a bank."""

    @property
    def request(self) -> Request:
        """Return the report's request to its reader."""
        return self.asks or ("nothing" if not self.powers else "reveal" if self.locked else "orders")


class LastSigned(Struct, frozen=True):
    """The newest letter that was signed for a stage."""

    kind: str
    seq: int
    stage: str
    basis: str = ""


class NextKey(Struct, frozen=True):
    """Key to which the player wants to change. The former key signs until the receipt of the change has come."""

    place: str
    """Absolute path of the private key."""
    letter: str
    """Digest of the letter that names the key."""


class CampaignNotes(Struct):
    """One player's notes on one campaign."""

    format: int
    campaign: str
    seat: str
    moderator: str
    """The moderator's public key, as the invitation has it."""
    sealing: str
    """The value of `sealing` in the campaign's conduct."""
    terms: dict[str, str | dict[str, str]]
    """Terms of the game, by which orders are read."""
    language: str = ""
    """Language of the player's reports, in which commands tell of the campaign; empty in notes of 0.2."""
    seq: int = 0
    """Number of the newest letter that was signed."""
    letter: str = ""
    """Fingerprint of the content of the newest letter."""
    newest: dict[str, NewestLetter] = field(default_factory=dict)
    """The newest letter in each series of numbers: messages and agreements have series of their own
    (`public_state.seq_key`)."""
    sealed: dict[str, NotedPart] = field(default_factory=dict)
    """Dict from the commitment to a sealed part to this part."""
    heirloom: ReportedPart | None = None
    """The player's newest part of the key for an heir."""
    opened: int = 0
    """Number of the entry with the heirloom whose part the player has opened and found right."""
    plans: dict[str, str] = field(default_factory=dict)
    """Dict from the fingerprint of each signed letter of standing plans to the text of the letter."""
    players: dict[str, str] = field(default_factory=dict)
    """Dict from each seat to the name of its player, as far as letters of the moderator name it."""
    powers: tuple[str, ...] = ()
    """Powers that owe orders according to the newest letter that names any."""
    host: str = ""
    """Name of the moderator."""
    former: list[str] = []
    """Public keys of former moderators, from whom heirs have taken the campaign over."""
    preset: str = ""
    """Plans with which the seat was joined; empty once their letter is written."""
    came: LastReport | None = None
    """Facts from the newest report that was read; None before the first."""
    signed: LastSigned | None = None
    """The newest letter for a stage; None before the first."""
    awaits_lot: bool = False
    """True if these are the notes of a joined seat, and no report has yet named the seat that the player gets by
    lot."""
    is_moved: bool = False
    """True after a letter has moved the notes from the joined seat to the seat that the player got by lot."""
    next_key: NextKey | None = None
    """Key to which the player wants to change; None if no change awaits its receipt."""
    key_before: str = ""
    """Absolute path of the player's former key, which also has notes beside it; empty if this is the first key."""

    @property
    def is_free(self) -> bool:
        """True if the notes may still be moved to the seat that a lot gives. They may be moved until a report has named
        the seat, or the player has signed something for a stage."""
        return self.awaits_lot and not (self.is_moved or self.signed or self.sealed or self.plans)


def addressed_seats(notes: CampaignNotes, written: str, others: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the seats in a list of addressees. `others` are further allowed names, such as `moderator`. Raises
    `Refused` for an unknown name, if the notes know any players."""
    if not notes.players:
        return listed_names(written)
    players = notes.players | {other: notes.host if other == MODERATOR else "" for other in others}
    return tuple(dict.fromkeys(seat_called(part, players, notes.powers) for part in listed_names(written)))


def seat_and_name(notes: CampaignNotes, seat: str) -> str:
    name = notes.players.get(seat, "")
    return f"{seat} ({name})" if name else seat


def load(path: Path) -> CampaignNotes:
    """Read the notes in a file. Raises `Refused` if form, format or file name is wrong, and `NotCanonical` if a sealed
    part cannot be revealed."""
    notes = read(read_whole(path, LARGEST), path.name)
    if path.name != f"{notes.campaign}.{notes.seat}.json":
        raise Refused(path.name, [wrong("E-NOTES-FORM.other")])
    return notes


def read(content: bytes, source: str) -> CampaignNotes:
    """Read notes in JSON. Raises `Refused` if form or format is wrong, and `NotCanonical` if a sealed part cannot be
    revealed."""
    notes = json_value(content, CampaignNotes, source, "E-NOTES-FORM")
    if notes.format != FORMAT:
        raise Refused(source, [wrong("E-NOTES-FORMAT", format=notes.format)])
    for noted in notes.sealed.values():
        canonical(noted.body)
    return notes


def notes_text(notes: CampaignNotes) -> bytes:
    return msgspec.json.format(msgspec.json.encode(notes), indent=1)


def store(key: Path, notes: CampaignNotes, disk: Disk = DISK) -> None:
    """Write notes to a file that only its owner can read. Raises `StorageFault` if that fails."""
    path = path_of(key, notes)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise fault_of(error, path.parent, "make") from None
    write_whole(path, notes_text(notes), disk, PRIVATE)


def note_signed(key: Path, notes: CampaignNotes, letter: Letter, said: str) -> None:
    """Note that a letter was signed, and store the notes. `said` is the fingerprint of the letter's content."""
    seq = letter.seq
    if seq >= last_number(notes, seq, letter.kind):
        notes.newest[seq_key(notes.seat, letter.kind)] = NewestLetter(seq, said)
    if letter.kind in SENT:
        notes.signed = LastSigned(letter.kind, seq, letter.stage, letter.basis)
    if seq >= last_number(notes, seq):
        notes.seq, notes.letter = seq, said
    store(key, notes)


def note_report(notes: CampaignNotes, guide: Guidance) -> None:
    """Note the facts of a report, without storing the notes. Ignore a report of another seat, or one older than the
    last one read."""
    if guide.head is None or guide.seat != notes.seat or (notes.came and guide.head.entry < notes.came.entry):
        return
    notes.came = last_report(guide)
    # The part is taken only from a newer report. With an old one the moderator would seem to have been silent for
    # longer.
    notes.heirloom = guide.heirloom or notes.heirloom


def last_report(guide: Guidance) -> LastReport:
    """Return those facts of a report that are stored in notes."""
    owed = guide.owing.get(guide.seat, OwedPowers())
    powers = () if owed.state in ("final", "nothing required") else owed.powers
    head = guide.head or ReportedHead(0, "")
    bank = guide.said.get("bank")
    account = bank.get(guide.seat) if isinstance(bank, dict) else None
    left = account.get("left") if isinstance(account, dict) else None
    return LastReport(
        head.entry,
        guide.stage,
        guide.deadline,
        powers,
        guide.locked,
        guide.request,
        guide.basis,
        head.hash,
        time_parts(int(left)) if isinstance(left, str) and re.fullmatch("[0-9]{1,9}", left) else (),
    )


def newest_letter(notes: CampaignNotes, kind: str) -> NewestLetter:
    """Return the newest letter in the series of numbers for letters of this kind. Old notes know only the newest letter
    of all."""
    if not notes.newest:
        return NewestLetter(notes.seq, notes.letter)
    return notes.newest.get(seq_key(notes.seat, kind), NewestLetter(0, ""))


def last_number(notes: CampaignNotes, seq: int, kind: str = "") -> int:
    """Return the highest number noted for letters of this kind, or for all letters if `kind` is empty. `seq` is the
    number of a later letter. A noted number that is too far above `seq` must be wrong: return `seq - 1` instead."""
    noted = newest_letter(notes, kind).seq if kind else notes.seq
    return noted if noted <= seq + LONGEST_JUMP else seq - 1


def note_part(notes: CampaignNotes, occasion: LetterContext, part: SealedPart) -> None:
    """Note a sealed part that will have to be revealed, without storing the notes."""
    notes.sealed[part.commitment] = NotedPart(occasion.stage, occasion.basis, part.slot, part.salt.hex(), part.body)


def part_of(commitment: str, noted: NotedPart) -> SealedPart:
    return SealedPart(noted.slot, bytes.fromhex(noted.salt), noted.body, commitment)


def folder_of(key: Path) -> Path:
    """Return the folder of the notes that are stored beside a key."""
    return key.with_name(f"{key.name}.campaigns")


def path_of(key: Path, notes: CampaignNotes) -> Path:
    return folder_of(key) / f"{notes.campaign}.{notes.seat}.json"
