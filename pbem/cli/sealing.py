"""`pbem seal`, `reveal` and `open`: what of a letter stays secret, and what comes sealed from the moderator."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from pbem.campaign.disk.atomic import PRIVATE
from pbem.cli.letters import Writing, guide, is_letter_of, letter_in, notes_of, write_noted, writing
from pbem.console.options import FileToWrite, line
from pbem.console.printing import print_json, show_text, warn
from pbem.console.refusals import refusing_in_words
from pbem.console.surroundings import key_options, private_key, read_bytes
from pbem.faults.wrong import shell_word, wrong
from pbem.paper.documents.faults import Fault, Refused
from pbem.player.files import write_file, write_unnamed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.campaign.players.letters import LetterContext, SealedPart
    from pbem.campaign.players.notebook import Notebook
    from pbem.paper.documents.writing import Value
    from pbem.paper.letters import Letter
    from pbem.seal.canonical import Tree
    from pbem.seal.keys import PublicKey


@click.command("seal")
@click.argument("file")
@click.option("--only", type=line, help="Only these sections of the orders, with commas between them.")
@click.option("--report", metavar="FILE", help="A report.yaml or invitation.yaml; left out: your notes say whom to.")
@writing
def seal_command(file: str, only: str | None, report: str | None, pen: Writing) -> None:
    """Seal the orders or plans of a letter, so that everybody may see it and only the moderator can read them.

    In a campaign with `sealing: reveal` not even the moderator can: the letter has the commitment alone, and your
    notes beside the key keep what `pbem reveal` shows later. The letter is not signed yet; sign it before you send it.
    """
    from pbem.campaign.players import notebook

    with refusing_in_words(pen.json_wanted):
        letter = letter_in(file)
        place = pen.place
        notes = notes_for(letter, place, report)
        made = sealed(letter, notes, only, file)
        path = pen.out or beside(file)
        # Noted before the letter is written: if its salt were lost, nobody could reveal it.
        notebook.note_part(notes, made.occasion, made.part)
        notebook.store(place, notes)
        if pen.out:
            write_file(path, made.text.encode())
        else:
            write_unnamed(path, made.text.encode(), lambda data: is_letter_of(data, letter))
        assert isinstance(made.part.body, dict)
        sections = sorted(sections_of(made.part.body))
        if pen.json_wanted:
            print_json({"file": str(path), "commitment": made.part.commitment, "sections": sections, "to": made.to})
            return
        whom = f"for {made.to}" if made.to else "for nobody; `pbem reveal` shows it later"
        click.echo(
            f"{path}: sealed {', '.join(sections) or 'nothing'} {whom}. Now `pbem sign {shell_word(str(path))}`."
        )


class Sealed(Struct, frozen=True):
    """A letter with what is sealed in it."""

    text: str
    occasion: LetterContext
    part: SealedPart
    to: str
    """The fingerprint of the key that opens it; nothing if none does."""


def sealed(letter: Letter, notes: Notebook, only: str | None, source: str, salt: bytes | None = None) -> Sealed:
    """Seal the orders or plans of a letter, or these sections of them; raises `Refused`."""
    from pbem.campaign.ledger.public_state import ORDERS_SLOT, PLANS_SLOT
    from pbem.campaign.players.letters import LetterContext, boxed, sealed_part

    moderator = moderator_of(notes)
    open_part, secret_part = parted(letter, only, source)
    occasion = LetterContext(letter.campaign, letter.sender, letter.stage, letter.basis)
    slot = PLANS_SLOT if letter.kind == "plan" else ORDERS_SLOT
    part = sealed_part(occasion, slot, secret_part, salt)
    to = None if notes.sealing == "reveal" else moderator
    text = sealed_letter(letter, occasion, open_part, {slot: boxed(part, to)})
    return Sealed(text, occasion, part, to.fingerprint if to else "")


def sealed_letter(letter: Letter, occasion: LetterContext, shown: dict[str, Tree], sealed: Mapping[str, Value]) -> str:
    """The letter with what stays open and what is sealed; it is as final, and waits, as it was written."""
    from pbem.campaign.players.letters import orders_letter

    is_final = word_in_body(letter, "final") not in ("no", "false")
    waits = word_in_body(letter, "wait") in ("yes", "true")
    return orders_letter(occasion, letter.seq, shown, sealed, final=is_final, wait=waits, kind=letter.kind)


def notes_for(letter: Letter, place: Path, report: str | None) -> Notebook:
    """The notes on a letter's campaign; with what a letter of the moderator says, if one is given."""
    if letter.kind not in ("orders", "plan"):
        raise Refused("letter", [wrong("E-SEAL-KIND", kind=letter.kind)])
    return notes_on(letter, place, report)


def notes_on(letter: Letter, place: Path, report: str | None) -> Notebook:
    """The notes on a letter's campaign and seat; a report must be of the same campaign."""
    notes = notes_of(place, letter.campaign, letter.sender, report)
    if notes.campaign != letter.campaign:
        what = wrong("E-LETTER-CAMPAIGN.report", seen=notes.campaign, campaign=letter.campaign)
        raise Refused(str(report), [what])
    return notes


def moderator_of(notes: Notebook) -> PublicKey:
    from pbem.seal.keys import PublicKey

    return PublicKey.parse(notes.moderator)


def parted(letter: Letter, only: str | None, source: str) -> tuple[dict[str, Tree], dict[str, Tree]]:
    """The orders of a letter that stay open, and those that are sealed."""
    from pbem.campaign.letters.letterbox import entry_of
    from pbem.paper.documents.strict import MappingNode, plain_mapping

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
    return shown, hidden


def sections_of(orders: dict[str, Tree]) -> set[str]:
    """The names of all sections in some orders."""
    return {section for each in orders.values() if isinstance(each, dict) for section in each}


def word_in_body(letter: Letter, key: str) -> str:
    """What a letter says under a key of its body, in small letters; nothing if no word stands there."""
    from pbem.campaign.letters.letterbox import entry_of
    from pbem.paper.documents.strict import Text

    node = entry_of(letter.body, key)
    return node.value.casefold() if isinstance(node, Text) else ""


def beside(file: str) -> Path:
    """Where the sealed letter goes: the one that can be read is kept."""
    path = Path("orders.yaml" if file == "-" else file)
    return path.with_name(f"{path.stem}.sealed{path.suffix or '.yaml'}")


@click.command("reveal")
@click.argument("letters", nargs=-1, required=True, metavar="LETTER...")
@click.option("--report", metavar="FILE", help="The last report.yaml: is it time? Plans of an earlier stage need it.")
@writing
def reveal_command(letters: tuple[str, ...], report: str | None, pen: Writing) -> None:
    """Write the signed letter that shows what a sealed LETTER has committed to; several, if plans are sealed, too.

    Everybody is asked for it once all commitments are in; whoever sends it before shows the moderator their orders for
    nothing. What to show stands in the notes beside your key.
    """
    from pbem.campaign.players.guidance import Guidance
    from pbem.campaign.players.letters import LetterContext, reveal_letter
    from pbem.paper.letters import sign_letter

    with refusing_in_words(pen.json_wanted):
        sealed = [letter_in(letter) for letter in letters]
        last = max(sealed, key=lambda letter: letter.seq)
        place = pen.place
        notes = notes_on(last, place, report)
        parts: dict[str, SealedPart] = {}
        for file, letter in zip(letters, sealed, strict=True):
            if (letter.campaign, letter.sender) != (last.campaign, last.sender):
                raise Refused(file, [wrong("E-REVEAL-APART")])
            parts |= noted_parts(notes, letter, file)
        now = guide(report) if report else last
        if any(letter.kind == "orders" for letter in sealed) and not (isinstance(now, Guidance) and now.locked):
            warn(wrong("W-REVEAL-EARLY.report") if report else wrong("W-REVEAL-EARLY"))
        key = pen.key()
        occasion = LetterContext(last.campaign, last.sender, now.stage, now.basis)
        seq = max(notes.seq, last.seq) + 1
        text = sign_letter(reveal_letter(occasion, seq, parts), key)
        path = write_noted(pen.out, f"reveal-{last.campaign}-{last.sender}-{seq}.yaml", text, place, notes)
        if pen.json_wanted:
            print_json({"file": str(path), "seq": seq, "slots": sorted(parts)})
        else:
            click.echo(f"{path}: send it to the moderator.")


def noted_parts(notes: Notebook, letter: Letter, file: str) -> dict[str, SealedPart]:
    """What the notes have of the sealed parts of a letter."""
    from pbem.campaign.letters.letterbox import parts_of
    from pbem.campaign.players.notebook import part_of

    parts: dict[str, SealedPart] = {}
    for slot, written in parts_of(letter).items():
        commitment = str(written.get("commitment", "")) if isinstance(written, dict) else ""
        if commitment not in notes.sealed:
            raise Refused(file, [wrong("E-REVEAL-LOST", commitment=commitment[:12])])
        parts[slot] = part_of(commitment, notes.sealed[commitment])
    if not parts:
        raise Refused(file, [wrong("E-REVEAL-NOTHING")])
    return parts


@click.command("open")
@click.argument("file")
@click.option("-o", "--out", type=FileToWrite(), help="The file to write; left out: it is printed.")
@click.option(
    "--into", type=click.Path(path_type=Path, file_okay=False), help="Write each file under its own name here."
)
@key_options
def open_command(
    file: str, out: Path | None, into: Path | None, key_path: Path | None, passphrase_file: Path | None
) -> None:
    """Open what is sealed to you: a report, or the mail that it came in.

    A mail brings several files: --into writes them all, without it their texts are printed, and no page (HTML).
    """
    from pbem.campaign.disk.atomic import write_whole
    from pbem.post.boxes import boxes_in, unsealed

    with refusing_in_words(False):
        boxes = boxes_in(read_bytes(file), file)
        if not boxes:
            raise Refused(file, [wrong("E-SEAL-NONE")])
        key = private_key(key_path, passphrase_file)
        opened = [(name, unsealed(box, key)) for name, box in boxes]
        if into:
            write_all(into, opened)
            return
        texts = [plain for name, plain in opened if len(opened) == 1 or not name.endswith((".html", ".htm"))]
        if out:
            write_whole(out, b"\n".join(texts), mode=PRIVATE)
        else:
            show_text(b"\n".join(texts).decode("utf-8", "replace") + "\n")


def write_all(folder: Path, files: Sequence[tuple[str, bytes]]) -> None:
    """Write files into a folder, each under its own name; raises `Refused` before the first one if any name is taken.

    Of two files of one name the second gets a number; what has been opened there before may be written again.
    """
    paths: dict[Path, bytes] = {}
    for number, (name, data) in enumerate(files, 1):
        path = folder / (name or f"opened-{number}")
        while path in paths:
            path = path.with_name(f"{path.stem}-{number}{path.suffix}")
        paths[path] = data
    taken = [path for path, data in paths.items() if os.path.lexists(path) and path.read_bytes() != data]
    if taken:
        raise Refused(str(taken[0]), [wrong("E-FILE-EXISTS")])
    for path, data in paths.items():
        write_file(path, data, PRIVATE)
        click.echo(str(path))
