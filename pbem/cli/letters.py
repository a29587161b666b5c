"""The player's letters: sign, write to others, agree with others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.console.frames import language_wanted
from pbem.console.options import FileToWrite, as_json, gathered, line, lines
from pbem.console.printing import print_json, warn
from pbem.console.refusals import misuse, refusing_in_words
from pbem.console.surroundings import key_options, read_bytes, signing_key
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.player.files import folder_of, write_file, write_unnamed
from pbem.player.keyring import place_of
from pbem.player.names import meant, powers_of

if TYPE_CHECKING:
    from pbem.campaign.players.guidance import Guidance
    from pbem.campaign.players.notebook import Notebook
    from pbem.paper.letters import Letter
    from pbem.seal.canonical import Tree
    from pbem.seal.keys import Signer

Command = TypeVar("Command", bound=Callable[..., object])

out_option = click.option("-o", "--out", type=FileToWrite(), help="The file to write.")


def campaign_options(command: Command) -> Command:
    """The options that say for which campaign a letter is."""
    texts = {
        "--campaign": "Which campaign; left out: the only one you play in.",
        "--seat": "Which seat of it; left out: the only one you have.",
    }
    report = click.option("--report", metavar="FILE", help="The report.yaml or invitation.yaml that you had last.")
    command = report(command)
    for name, text in reversed(texts.items()):
        command = click.option(name, type=line, help=text)(command)
    return command


@dataclass(frozen=True)
class Writing:
    """How a player's letter is written: with which key, and where to."""

    out: Path | None
    key_path: Path | None
    passphrase_file: Path | None
    json_wanted: bool

    @property
    def place(self) -> Path:
        """Where the key lies, with the notes beside it."""
        return place_of(self.key_path)

    def key(self) -> Signer:
        """The key, to sign with."""
        return signing_key(self.key_path, self.passphrase_file)


@dataclass(frozen=True)
class Whose:
    """For which campaign and seat a letter is."""

    campaign: str | None
    seat: str | None
    report: str | None

    def notes(self, place: Path) -> Notebook:
        """The notes on it."""
        return notes_of(place, self.campaign, self.seat, self.report)


def writing(command: Callable[..., object]) -> Callable[..., object]:
    """The options of every command that writes a player's letter; it gets them as `pen`."""
    return out_option(key_options(as_json(gathered("pen", Writing)(command))))


def writing_whole(command: Callable[..., object]) -> Callable[..., object]:
    """The same where nothing else says for which campaign it is; that comes as `whose`."""
    return campaign_options(writing(gathered("whose", Whose)(command)))


def guide(path: str) -> Guidance:
    """The invitation or report in a file."""
    from pbem.campaign.players.guidance import guidance_of

    return guidance_of(letter_at(read_bytes(path), path, of_moderator=True), path)


def notes_of(place: Path, campaign: str | None, seat: str | None, guide_path: str | None) -> Notebook:
    """The notes on a campaign: as they are, or with what a letter of the moderator says."""
    from pbem.campaign.players import notebook

    if guide_path is None:
        return notebook.find(place, campaign or "", seat or "")
    return notebook.notes_with(place, guide(guide_path), seat or "")


@click.command("sign")
@click.argument("file")
@click.option("--renumber", is_flag=True, help="First give the letter the next free seq.")
@writing
def sign_command(file: str, renumber: bool, pen: Writing) -> None:
    """Sign a letter in its file, in place of any signature it has; `-` reads from and prints to the terminal.

    A letter that cannot be read is not signed, nor one that is not yours to sign: the moderator's, or another seat's.
    """
    from pbem.campaign.players import notebook
    from pbem.paper.letters import MODERATORS, STAGED, letter_id, sign_letter

    with refusing_in_words(pen.json_wanted):
        data = read_bytes(file)
        letter = letter_at(data, file)
        place, key = pen.place, pen.key()
        if letter.kind in STAGED - MODERATORS and (waits := notebook.notes_before_lot(place, letter.campaign)):
            notebook.moved_to_seat(place, waits, letter.sender)
        refuse_not_own(letter, place, file)
        notes = notebook.find_known(place, letter.campaign, letter.sender)
        if renumber:
            letter = letter_at(renumbered(letter, notes, file), file)
        refuse_far(letter, notes, file)
        warnings = repeated(letter, notes)
        signed = sign_letter(letter.text, key)
        target = pen.out or (None if file == "-" else Path(file))
        if target:
            write_file(target, signed.encode())
        if notes:
            if letter.kind == "plan":
                notes.plans[letter_id(letter_at(signed.encode(), file))] = signed
            notebook.note_signed(place, notes, letter, says(letter))
        along = send_along(letter, notes, pen) if notes else None
        if pen.json_wanted:
            said = [warning.said(language_wanted()) for warning in warnings]
            found = {"file": str(target or ""), "kind": letter.kind, "seq": letter.seq, "warnings": said}
            found |= {"preset": str(along)} if along else {}
            print_json({**found, "key": key.public.fingerprint} | ({} if target else {"letter": signed}))
            return
        for warning in warnings:
            warn(warning)
        done = f"{target}: {letter.kind} of {letter.sender}, seq {letter.seq}, signed by {key.public.fingerprint}"
        click.echo(done if target else signed, nl=bool(target))
        if along:
            click.echo(f"{along}: the plans that you joined with, signed; read them, and send them too.", err=True)


def plan_head(campaign: str, seat: str, stage: str, basis: str, seq: int) -> dict[str, str | int]:
    """The head of a letter of plans, without its kind."""
    return {"campaign": campaign, "from": seat, "stage": stage, "basis": basis, "seq": seq}


def known_preset(written: str, game: str, option: str) -> str:
    """The preset of plans that is meant."""
    from pbem.paper.plans.presets import preset_names

    return meant(written, preset_names(game), words("preset"), option)


def send_along(letter: Letter, notes: Notebook, pen: Writing) -> Path | None:
    """The letter of the plans that somebody joined with, signed beside the first orders; nothing if there are none."""
    from pbem.campaign.players.guidance import rules_of
    from pbem.paper.letters import letter_id, sign_letter
    from pbem.report.letters.sheet import preset_text

    if not notes.preset or letter.kind != "orders":
        return None
    rules = rules_of(notes.terms)
    head = plan_head(notes.campaign, notes.seat, letter.stage, letter.basis, notes.seq + 1)
    text = preset_text(rules, notes.preset, powers_of(rules, notes.seat), language_wanted(), head)
    signed = sign_letter(text, pen.key())
    notes.plans[letter_id(letter_at(signed.encode(), "letter"))] = signed
    notes.preset = ""
    return write_noted(None, f"plan-{notes.campaign}-{notes.seat}.yaml", signed, pen.place, notes)


def refuse_not_own(letter: Letter, place: Path, source: str) -> None:
    """Refuse to sign the moderator's letters, whose signature is what they prove, and those of seats not one's own."""
    from pbem.campaign.letters.joining import MODERATOR
    from pbem.campaign.players import notebook
    from pbem.paper.letters import MODERATORS

    own = [seat for campaign, seat in notebook.all_of(place) if campaign == letter.campaign]
    if letter.sender == MODERATOR or letter.kind in MODERATORS:
        raise Refused(source, [wrong("E-SIGN-MODERATOR", kind=letter.kind)])
    if own and letter.sender not in own:
        raise Refused(source, [wrong("E-SIGN-SEAT", sender=letter.sender, seats=tuple(own))])


def refuse_far(letter: Letter, notes: Notebook | None, source: str) -> None:
    """Refuse a number that no moderator takes, as far as it is known here which one came before."""
    from pbem.campaign.letters.numbering import too_far
    from pbem.campaign.players.notebook import last_number

    is_first = letter.kind == "join"
    if (notes or is_first) and (
        far := too_far(letter.seq, 0 if is_first or not notes else last_number(notes, letter.seq))
    ):
        raise Refused(source, far)


def repeated(letter: Letter, notes: Notebook | None) -> list[Wrong]:
    """A warning if another letter with this seq, or a newer one, was signed before."""
    from pbem.campaign.players.notebook import last_number, newest

    if notes is None:
        return []
    last = last_number(notes, letter.seq, letter.kind)
    is_same = letter.seq == last and newest(notes, letter.kind).letter == says(letter)
    return [] if letter.seq > last or is_same else [wrong("W-LETTER-SEQ", last=last, next=last + 1)]


def says(letter: Letter) -> str:
    """The fingerprint of what a letter says, whoever has signed it."""
    from hashlib import sha256

    from pbem.paper.letters import signed_bytes

    return sha256(signed_bytes(letter)).hexdigest()


def renumbered(letter: Letter, notes: Notebook | None, source: str) -> bytes:
    """The letter with the next seq, its layout as it was; messages, which are counted apart, take none from others."""
    from pbem.campaign.letters.numbering import too_far
    from pbem.campaign.players.notebook import last_number

    if notes is None:
        raise Refused(source, [wrong("E-NOTES-WHICH.seq", campaign=letter.campaign)])
    last = last_number(notes, letter.seq, letter.kind)
    is_free = letter.seq > last and not too_far(letter.seq, last_number(notes, letter.seq))
    return with_seq(letter, letter.seq if is_free else last + 1).encode()


def with_seq(letter: Letter, seq: int) -> str:
    """The letter with another seq, its layout as it was."""
    import re

    return re.sub(r"(?m)^((?:  )?seq:).*$", rf"\1 {seq}", letter.text, count=1)


@click.command("message")
@click.argument("to", type=line)
@click.argument("words", type=lines)
@writing_whole
def message_command(to: str, words: str, whose: Whose, pen: Writing) -> None:
    """Write a signed letter with WORDS for others: seats or names with commas between them, `moderator`, or `all`.

    The moderator passes it on with the next reports.
    """
    write_signed("message", {"to": to, "text": words}, whose, pen)


@dataclass(frozen=True)
class Binding:
    """What an agreement binds and until when, as the options say it."""

    until: str
    stages: str
    powers: str
    cities: str
    cards: str

    @property
    def body(self) -> dict[str, Tree]:
        """What of it stands in a letter."""
        from pbem.paper.agreements import Bound

        said = {"stages": self.stages, "powers": self.powers, "cities": self.cities, "cards": self.cards}
        split = {kind: tuple(name.strip() for name in names.split(",")) for kind, names in said.items() if names}
        return Bound(split, self.until).tree


def binding_options(command: Command) -> Command:
    """The options that say what an agreement binds."""
    texts = {
        "--until": "The turn or stage to the end of which it holds: `3`, `3/prussia`.",
        "--stages": "Stages that it is about: `prussia`, or `3/prussia`; with commas between them.",
        "--powers": "Powers that it binds, or protects.",
        "--cities": "Cities that it is about.",
        "--cards": "Cards that it is about.",
    }
    for name, text in reversed(texts.items()):
        command = click.option(name, type=line, default="", help=text)(command)
    return command


@click.command("agree")
@click.argument("partners", type=line)
@click.argument("words", type=line)
@binding_options
@writing_whole
@gathered("bound", Binding)
def agree_command(partners: str, words: str, bound: Binding, whose: Whose, pen: Writing) -> None:
    """Write a signed letter that agrees with PARTNERS on WORDS; it is for the stage of the --report.

    It counts once everybody named has signed the same words, binding the same. What it binds and until when is
    remembered: reports list it, and `pbem check` and receipts remind its parties where an order touches it. Nothing is
    enforced.
    """
    with refusing_in_words(pen.json_wanted):
        if bound.body and whose.report:
            check_binding(bound, whose.report)
    write_signed("agreement", {"with": partners, "words": words, **bound.body}, whose, pen)


def check_binding(bound: Binding, report: str) -> None:
    """Refuse names that the game of a report does not know, before anything is signed."""
    from pbem.campaign.players.guidance import known_table
    from pbem.paper.agreements import read_bound
    from pbem.paper.documents.reader import Reader, node_of

    seen, reader = guide(report), Reader("agreement")
    read_bound(reader, node_of(bound.body), known_table(seen, report, folder_of(report)).rules, seen.stage)
    reader.refuse()


ADDRESSED = {"message": ("to", ("moderator", "all")), "agreement": ("with", ())}
"""By kind of letter: where it has seats or names, and whom it may name besides."""


EMPTY = {"message": "E-MESSAGE-EMPTY", "agreement": "E-AGREEMENT-EMPTY"}
"""What is wrong with a letter that is for nobody."""


def write_signed(kind: str, body: Mapping[str, Tree], whose: Whose, pen: Writing) -> None:
    """Write a whole letter of a player, signed."""
    from pbem.campaign.players import notebook
    from pbem.paper.letters import STAGED, sign_letter, write_letter

    with refusing_in_words(pen.json_wanted):
        stage: dict[str, str | int] = {}
        if kind in STAGED:
            if whose.report is None:
                raise click.UsageError(misuse("use-report"))
            seen = guide(whose.report)
            stage = {"stage": seen.stage, "basis": seen.basis}
        place = pen.place
        notes, key = whose.notes(place), pen.key()
        whom, others = ADDRESSED[kind]
        meant = notebook.addressed(notes, str(body[whom]), others)
        if not meant or (kind == "agreement" and set(meant) == {notes.seat}):
            raise Refused(whom, [wrong(EMPTY[kind])])
        body = {**body, whom: ", ".join(meant)}
        head = {"kind": kind, "campaign": notes.campaign, "from": notes.seat, **stage, "seq": notes.seq + 1}
        text = sign_letter(write_letter(head, body), key)
        name = f"{kind}-{notes.campaign}-{notes.seat}-{notes.seq + 1}.yaml"
        path = write_noted(pen.out, name, text, place, notes)
        if pen.json_wanted:
            print_json({"file": str(path), "kind": kind, "seq": notes.seq, whom: meant})
        else:
            people = ", ".join(notebook.introduced(notes, seat) for seat in meant)
            click.echo(f"{path}: {whom} {people}. Send it to the moderator.")


def write_noted(out: Path | None, name: str, signed: str, place: Path, notes: Notebook) -> Path:
    """Write a signed letter, and note beside the key which number it has and what it says; gives its file.

    That is `out`, or if nobody has named a file one of this name, where nothing of others may lie.
    """
    from pbem.campaign.players import notebook

    data, path = signed.encode(), out or Path(name)
    letter = letter_at(data, "letter")
    if out:
        write_file(path, data)
    else:
        write_unnamed(path, data, lambda found: is_letter_of(found, letter))
    notebook.note_signed(place, notes, letter, says(letter))
    return path


def is_letter_of(data: bytes, letter: Letter) -> bool:
    """Return whether a file is a letter of the same seat."""
    try:
        found = letter_at(data, "letter", may_lack=True)
    except Refused:
        return False
    return (found.campaign, found.sender) == (letter.campaign, letter.sender)


def letter_in(path: str) -> Letter:
    """The one letter in a file: alone, or within a mail or page."""
    return letter_at(read_bytes(path), path)


def letter_at(data: bytes, source: str, *, of_moderator: bool = False, may_lack: bool = False) -> Letter:
    """The letter in these bytes: alone, or in whatever else `pbem accept` finds letters in.

    With `of_moderator` it is one of the moderator's that is looked for, with `may_lack` it need not be complete.
    """
    from pbem.paper.letters import read_letter

    try:
        return read_letter(data, source, may_lack=may_lack)
    except Refused as refused:
        alone = refused
    from pbem.paper.letters import MODERATORS
    from pbem.post.extract import extract
    from pbem.post.mime import is_mail

    found = extract(data, source)
    letters = [each for each in found.letters if each.letter and (each.letter.kind in MODERATORS) == of_moderator]
    letters = [each for each in letters if may_lack or not (each.letter and each.letter.lacking)]
    meant = [each.letter for each in [*letters, *(each for each in letters if not each.is_quoted)] if each.letter]
    # The first report's mail brings plans beside the sheet: the sheet is what is meant.
    meant.sort(key=lambda each: each.kind != "plan")
    if meant:
        return meant[-1]
    if is_mail(data):
        faults = [fault for each in found.unread for fault in each.faults] or found.faults
        raise Refused(source, faults or alone.faults)
    raise alone
