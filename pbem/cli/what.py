"""`pbem FILE`: what a file is, and what to do with it next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from pbem.cli.mine import Names, standing_of
from pbem.console.options import Telling, telling_options
from pbem.console.printing import print_json, say
from pbem.console.refusals import refusing_in_words
from pbem.console.surroundings import key_option, read_bytes, time_now
from pbem.faults.wrong import Words, printable, shell_word, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.terms import game_of_terms
from pbem.player.keyring import place_of

if TYPE_CHECKING:
    from pbem.campaign.players.guidance import Guidance
    from pbem.paper.letters import Letter


class Told(Struct, frozen=True):
    """What a file is, and which commands come next."""

    kind: str
    says: tuple[Words, ...]
    next: tuple[str, ...] = ()
    """Commands, in which FILE stands for its name."""


@click.command("FILE")
@click.argument("file")
@key_option
@telling_options
def file_command(file: str, key_path: Path | None, telling: Telling) -> None:
    """Tell what a FILE is (a report, an invitation, a receipt, a letter, a mail with one), and what to do next.

    What a report says of your part is noted beside your key, for `pbem status`.
    """
    with refusing_in_words(telling.json_wanted):
        told = what(read_bytes(file), file, place_of(key_path), telling.language)
        said = [each.told(telling.language) for each in told.says]
        commands = [command.replace("FILE", shell_word(file)) for command in told.next]
        if telling.json_wanted:
            print_json({"file": file, "kind": told.kind, "says": said, "next": commands})
            return
        say(f"{printable(file)}: {said[0]}")
        for line in said[1:]:
            say(f"  {line}")
        for command in commands:
            click.echo(f"  $ pbem {printable(command)}")


def what(data: bytes, file: str, place: Path, language: str) -> Told:
    """What a file is; raises `Refused` for what is nothing that pbem knows."""
    from pbem.post.boxes import boxes_in

    if letter := letter_of(data, file, of_moderator=True):
        return of_moderator(letter, file, place, language)
    if letter := letter_of(data, file, of_moderator=False):
        return of_player(letter, file)
    if boxes_in(data, file):
        return Told("sealed", (words("file-sealed"),), ("open FILE --into .",))
    return of_position(data, file)


def letter_of(data: bytes, file: str, of_moderator: bool) -> Letter | None:
    """The letter of the moderator, or of a player, in a file."""
    from pbem.cli.letters import letter_at
    from pbem.paper.letters import MODERATORS

    try:
        found = letter_at(data, file, of_moderator=of_moderator, may_lack=True)
    except Refused:
        return None
    return found if (found.kind in MODERATORS) == of_moderator else None


def of_moderator(letter: Letter, file: str, place: Path, language: str) -> Told:
    """An invitation, a report or a receipt."""
    from pbem.campaign.players.guidance import KINDS, guidance_of

    if letter.kind not in KINDS:
        return of_receipt(letter, place)
    found = guidance_of(letter, file)
    signed = words("file-signer", key=found.moderator.fingerprint)
    names = Names(language, game_of_terms(found.terms))
    if found.kind == "invitation":
        seat = names.player(found.seat) if found.seat else words("file-any-seat")
        told = words("file-invitation", campaign=found.campaign, seat=seat)
        return Told("invitation", (told, signed), ("join FILE --name NAME",) if found.seat else ())
    return of_report(found, file, place, signed, names)


def of_receipt(letter: Letter, place: Path) -> Told:
    """A receipt, or a ruling; signed by the moderator of the notes, if there are any."""
    from pbem.campaign.players import notebook
    from pbem.paper.letters import check_signature
    from pbem.seal.keys import PublicKey

    for campaign, seat in notebook.all_of(place):
        if campaign == letter.campaign:
            check_signature(letter, PublicKey.parse(notebook.find(place, campaign, seat).moderator))
    is_refused = letter_word(letter, "status") == "refused"
    key = "file-receipt-refused" if is_refused else "file-receipt"
    told = words(key, campaign=letter.campaign, entry=letter_word(letter, "entry"))
    return Told(letter.kind, (told,), ("sign orders.yaml --renumber",) if is_refused else ())


def letter_word(letter: Letter, key: str) -> str:
    """A word in the body of a letter."""
    from pbem.campaign.letters.letterbox import entry_of
    from pbem.paper.documents.strict import Text

    node = entry_of(letter.body, key)
    return node.value if isinstance(node, Text) else ""


def of_report(found: Guidance, file: str, place: Path, signed: Words, names: Names) -> Told:
    """A report, which is noted if it is of a campaign that there are notes of."""
    from pbem.campaign.players import notebook

    entry = found.head.entry if found.head else 0
    told = words("file-report", campaign=found.campaign, seat=names.player(found.seat), entry=entry)
    if not any(campaign == found.campaign for campaign, _ in notebook.all_of(place)):
        return Told("report", (told, signed), ("show FILE",))
    notes = notebook.notes_with(place, found)
    notebook.store(place, notes)
    *standing, _ = standing_of(notes, time_now(), names)
    return Told("report", (told, words("file-signer-known"), *standing), ("show FILE", *answers(found)))


def answers(found: Guidance) -> tuple[str, ...]:
    """The commands that answer what a report asks."""
    if found.seat not in found.owing:
        return ()
    return ("reveal orders.sealed.yaml",) if found.locked else ("check orders.yaml --report FILE", "sign orders.yaml")


def of_player(letter: Letter, file: str) -> Told:
    """A letter of a player: signed, to be sent, or else to be looked at and signed."""
    key = "file-letter-signed" if letter.signature else "file-letter"
    told = words(key, kind=letter.kind, campaign=letter.campaign, seat=letter.sender, seq=letter.seq)
    return Told(letter.kind, (told,), () if letter.signature else ("check FILE --report report.yaml", "sign FILE"))


def of_position(data: bytes, file: str) -> Told:
    """A position file, or orders as `pbem try` takes them, by its keys."""
    from pbem.paper.documents.strict import MappingNode, read_yaml

    try:
        found = read_yaml(data, file)
    except Refused:
        found = None
    if isinstance(found, MappingNode) and "orders" in found.items:
        return Told("orders", (words("file-orders"),), ("try POSITION FILE",))
    if not isinstance(found, MappingNode) or not {"pieces", "turn", "stage"} & set(found.items):
        raise Refused(file, [wrong("E-FILE-UNKNOWN")])
    return Told("position", (words("file-position"),), ("show FILE", "map FILE -o map.png", "legal FILE"))
