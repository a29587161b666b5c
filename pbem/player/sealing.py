"""Functions that seal and reveal parts of letters, and open sealed files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from pbem.campaign.disk.atomic import PRIVATE
from pbem.campaign.ledger.public_state import ORDERS_SLOT, PLANS_SLOT
from pbem.campaign.letters.heads import lock_fault
from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.letters.judging_orders import final_and_wait
from pbem.campaign.letters.letterbox import entry_of, parts_of
from pbem.campaign.players import campaign_notes
from pbem.campaign.players.campaign_notes import CampaignNotes, part_of
from pbem.campaign.players.letters import (
    LetterContext,
    SealedPart,
    boxed_part,
    orders_letter,
    reveal_letter,
    sealed_part,
)
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import MappingNode, Text, plain_mapping
from pbem.paper.letters import Letter, sign_letter
from pbem.player.files import GivenFile, write_file
from pbem.player.letters import Pen, guide, letter_at, notes_of, write_beside_others, write_noted
from pbem.post.boxes import boxes_in, unsealed_content
from pbem.post.mime import is_mail
from pbem.seal.canonical import Tree
from pbem.seal.keys import PrivateKey, PublicKey


def seal(file: GivenFile, only: str | None, report: GivenFile | None, pen: Pen) -> tuple[Path, SealedLetter]:
    """Write a copy of a letter in which orders or plans are sealed. Return the file's path, and the letter. `only` has
    the names of the sections to seal; None means all. Raises `Refused` if nothing can be sealed, or if sealed orders
    are being revealed now."""
    letter = letter_at(file.data, file.source)
    if letter.kind not in ("orders", "plan"):
        raise Refused("letter", [wrong("E-SEAL-KIND", kind=letter.kind)])
    notes = notes_on(letter, pen.place, report)
    if report and guide(report).locked and (fault := lock_fault(letter.kind)):
        raise Refused(report.source, [fault])
    made = sealed_copy(letter, notes, only, file.source)
    # The part is noted before the letter is written. If its salt got lost, nobody could reveal the part.
    campaign_notes.note_part(notes, made.occasion, made.part)
    campaign_notes.store(pen.place, notes)
    path = pen.out or sealed_path(file)
    write_beside_others(pen.out, path, made.text.encode(), letter)
    return path, made


class SealedLetter(Struct, frozen=True):
    """Player's letter that has a sealed part."""

    text: str
    occasion: LetterContext
    part: SealedPart
    to: str
    """Fingerprint of the key that opens the sealed part. Empty if the part is not sealed to any key, and only revealed
    later."""

    @property
    def sections(self) -> list[str]:
        assert isinstance(self.part.body, dict)
        return sorted(sections_of(self.part.body))


def sealed_copy(
    letter: Letter, notes: CampaignNotes, only: str | None, source: str, salt: bytes | None = None
) -> SealedLetter:
    """Return a copy of a letter in which orders or plans are sealed. `only` has the names of the sections to seal; None
    means all. `salt` is the salt of the commitment; if it is None, a new salt is made. Raises `Refused` if the letter
    cannot be sealed."""
    moderator = PublicKey.parse(notes.moderator)
    orders = split_orders(letter, only, source)
    keys = LetterVerdict()
    if letter.kind == "orders":
        final_and_wait(letter, keys)
    # A fault in these keys is refused here, because the moderator could not find it in the sealed letter.
    if keys.is_refused:
        raise Refused(source, keys.faults)
    occasion = LetterContext(letter.campaign, letter.sender, letter.stage, letter.basis)
    slot = PLANS_SLOT if letter.kind == "plan" else ORDERS_SLOT
    part = sealed_part(occasion, slot, orders.hidden, salt)
    to = None if notes.sealing == "reveal" else moderator
    # The sealed letter gets the same values of `final` and `wait` as the given letter.
    is_final = word_in_body(letter, "final") not in ("no", "false")
    waits = word_in_body(letter, "wait") in ("yes", "true")
    text = orders_letter(
        occasion, letter.seq, orders.shown, {slot: boxed_part(part, to)}, final=is_final, wait=waits, kind=letter.kind
    )
    return SealedLetter(text, occasion, part, to.fingerprint if to else "")


def notes_on(letter: Letter, place: Path, report: GivenFile | None) -> CampaignNotes:
    """Return the notes on the campaign and seat of a letter. If a report is given, the notes also have the news in it.
    Raises `Refused` if the report is of another campaign."""
    notes = notes_of(place, letter.campaign, letter.sender, report)
    if report and notes.campaign != letter.campaign:
        what = wrong("E-LETTER-CAMPAIGN.letter", written=as_quoted(letter.campaign), campaign=notes.campaign)
        raise Refused(report.source, [what])
    return notes


class SplitOrders(NamedTuple):
    """Orders of a letter, by power: `shown` has those that stay readable, and `hidden` those that are sealed."""

    shown: dict[str, Tree]
    hidden: dict[str, Tree]


def split_orders(letter: Letter, only: str | None, source: str) -> SplitOrders:
    """Split the orders of a letter into those that stay readable and those that are sealed. `only` has the names of the
    sections to seal; None means all. Raises `Refused` if the letter has no orders or no such section, or is sealed
    already."""
    if entry_of(letter.body, "sealed") is not None:
        raise Refused(source, [wrong("E-SEAL-TWICE")])
    node = entry_of(letter.body, "orders")
    if not isinstance(node, MappingNode):
        raise Refused(source, [Fault.at(letter.body.line, letter.body.column, wrong("E-SEAL-NOTHING"))])
    orders = plain_mapping(node)
    wanted = {word.strip() for word in only.split(",")} if only else None
    found = sections_of(orders)
    if wanted is not None and (unknown := sorted(wanted - found)):
        what = wrong("E-SEAL-SECTION", sections=tuple(unknown), known=tuple(sorted(found)))
        raise Refused(source, [Fault.at(node.line, node.column, what)])
    shown: dict[str, Tree] = {}
    hidden: dict[str, Tree] = {}
    for power, sections in orders.items():
        if not isinstance(sections, dict) or not sections:
            hidden[power] = sections or {}
            continue
        open_ones = {name: tree for name, tree in sections.items() if wanted is not None and name not in wanted}
        sealed_ones = {name: tree for name, tree in sections.items() if name not in open_ones}
        shown |= {power: open_ones} if open_ones else {}
        hidden |= {power: sealed_ones} if sealed_ones else {}
    return SplitOrders(shown, hidden)


def sections_of(orders: dict[str, Tree]) -> set[str]:
    return {section for each in orders.values() if isinstance(each, dict) for section in each}


def word_in_body(letter: Letter, key: str) -> str:
    """Return the word under a key of a letter's body, in lower case. Return an empty text if the key is missing."""
    node = entry_of(letter.body, key)
    return node.value.casefold() if isinstance(node, Text) else ""


def sealed_path(file: GivenFile) -> Path:
    """Return the path for a sealed letter. It is beside the file of the readable letter. If that letter was not in a
    file, it is `orders.sealed.yaml`."""
    path = Path(file.source if file.folder else "orders.yaml")
    return path.with_name(f"{path.stem}.sealed{path.suffix or '.yaml'}")


class PartsToReveal(Struct, frozen=True):
    """Sealed parts that shall be revealed, and the head of the letter that reveals them."""

    notes: CampaignNotes
    occasion: LetterContext
    seq: int
    parts: dict[str, SealedPart]
    warning: Wrong | None
    """Warning that it may be too early to reveal the parts, or None."""


def parts_to_reveal(letters: Sequence[GivenFile], report: GivenFile | None, place: Path) -> PartsToReveal:
    """Return the sealed parts of the letters of one seat. Their contents are taken from the player's notes. Raises
    `Refused` if the notes lack one of the contents, or if the letters are of several seats."""
    found = [letter_at(file.data, file.source) for file in letters]
    last = max(found, key=lambda letter: letter.seq)
    notes = notes_on(last, place, report)
    parts: dict[str, SealedPart] = {}
    for file, letter in zip(letters, found, strict=True):
        if (letter.campaign, letter.sender) != (last.campaign, last.sender):
            raise Refused(file.source, [wrong("E-REVEAL-APART")])
        parts |= noted_parts(notes, letter, file.source)
    seen = guide(report) if report else None
    early = None
    if any(letter.kind == "orders" for letter in found) and not (seen and seen.locked):
        early = wrong("W-REVEAL-EARLY.report") if seen else wrong("W-REVEAL-EARLY")
    stage, basis = (seen.stage, seen.basis) if seen else (last.stage, last.basis)
    occasion = LetterContext(last.campaign, last.sender, stage, basis)
    return PartsToReveal(notes, occasion, max(notes.seq, last.seq) + 1, parts, early)


def reveal(found: PartsToReveal, pen: Pen) -> Path:
    """Write the signed letter that reveals sealed parts. Note it beside the key, and return its path. The caller must
    show `found.warning` to the player."""
    occasion, seq = found.occasion, found.seq
    text = sign_letter(reveal_letter(occasion, seq, found.parts), pen.key())
    name = f"reveal-{occasion.campaign}-{occasion.player}-{seq}.yaml"
    return write_noted(pen.out, name, text, pen.place, found.notes)


def opened_files(file: GivenFile, key: Callable[[], PrivateKey]) -> list[tuple[str, bytes]]:
    """Open every box in a file. A box is a text that is sealed to a key. Return the name and content of each. `key` is
    a function that returns the private key. Raises `Refused` if the file has no box."""
    boxes = boxes_in(file.data, file.source)
    if not boxes:
        raise Refused(file.source, [wrong("E-SEAL-NONE")])
    private = key()
    return [(name, unsealed_content(box, private)) for name, box in boxes]


def texts_of(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Join the texts of opened files. If there are several files, those with web pages (HTML) are left out."""
    return b"\n".join(data for name, data in files if len(files) == 1 or not name.endswith((".html", ".htm")))


def noted_parts(notes: CampaignNotes, letter: Letter, file: str) -> dict[str, SealedPart]:
    """Return the sealed parts of a letter, by name, with their contents from the notes. Raises `Refused` if the notes
    do not have a content, or if the letter has no sealed part."""
    parts: dict[str, SealedPart] = {}
    for slot, written in parts_of(letter).items():
        commitment = str(written.get("commitment", "")) if isinstance(written, dict) else ""
        if commitment not in notes.sealed:
            raise Refused(file, [wrong("E-REVEAL-LOST", commitment=commitment[:12])])
        parts[slot] = part_of(commitment, notes.sealed[commitment])
    if not parts:
        raise Refused(file, [wrong("E-REVEAL-NOTHING")])
    return parts


def write_all(folder: Path, files: Sequence[tuple[str, bytes]]) -> list[Path]:
    """Write files into a folder, and return their paths. `files` has pairs of name and content. If two names are equal,
    the second gets a number. If the folder already has a file of one of these names with other content, nothing is
    written, and `Refused` is raised."""
    paths: dict[Path, bytes] = {}
    for number, (name, data) in enumerate(files, 1):
        path = folder / (name or f"opened-{number}{'.eml' if is_mail(data) else ''}")
        while path in paths:
            path = path.with_name(f"{path.stem}-{number}{path.suffix}")
        paths[path] = data
    taken = [path for path, data in paths.items() if os.path.lexists(path) and path.read_bytes() != data]
    if taken:
        raise Refused(str(taken[0]), [wrong("E-FILE-EXISTS")])
    for path, data in paths.items():
        write_file(path, data, PRIVATE)
    return list(paths)
