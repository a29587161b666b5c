"""The position that a file tells of: all of it in a position file, in a signed report what its reader may know."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.console.refusals import misuse
from pbem.console.surroundings import read_bytes
from pbem.engine.events import Event
from pbem.engine.memory import Memory
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.faults.wrong import words, wrong
from pbem.paper.documents.faults import Refused
from pbem.player.files import folder_of
from pbem.player.names import powers_of
from pbem.seal.canonical import AnyTree

if TYPE_CHECKING:
    from pbem.campaign.players.guidance import Guidance


@dataclass(frozen=True)
class FoundTable:
    """A table at its first decision, and how much of it is known."""

    table: Table
    known_to: tuple[Power, ...] | None = None
    """The powers whose secrets the file tells; none if it tells everything, and nothing of it is made up."""
    events: tuple[Event, ...] = ()
    """What happened until the first decision."""
    memory: Memory | None = None
    """What everybody remembers of how it came about, as far as the file tells."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing of it is made up."""
        return self.known_to is None


def find_table(path: str) -> FoundTable:
    """The table of a position file, of a report, or of a document of what players may know; raises `Refused`."""
    return table_in(read_bytes(path), path, folder_of(path))


def table_in(data: bytes, source: str, folder: Path | None = None) -> FoundTable:
    """The same of the bytes of a file, with files that it names looked for in a folder."""
    from pbem.engine.memory import remember
    from pbem.kit import game_of
    from pbem.paper.orders.trial import begin
    from pbem.paper.positions.files import load_position
    from pbem.paper.positions.knowledge import nothing_remembered

    match kind_of(data):
        case "report":
            return in_report(data, source, folder)
        case "knowledge":
            return in_knowledge(data, source, folder)
    table = load_position(data, source, folder)
    memory = nothing_remembered(table)
    events = tuple(begin(table))
    remember(memory, game_of(table).on_map, table.rules.common, events)
    return FoundTable(table, events=events, memory=memory)


def kind_of(data: bytes) -> str:
    """The kind that a document says it is of, however it is laid out; of a mail, that of what it may bring."""
    from pbem.paper.documents import strict
    from pbem.post.mime import is_mail

    if is_mail(data):
        return "report"
    try:
        document = strict.read_yaml(data, "document", strict.DocumentLimits(takes_spaces=True))
    except Refused:
        return ""
    kind = document.items.get("kind") if isinstance(document, strict.MappingNode) else None
    return kind.value if isinstance(kind, strict.Text) else ""


def in_report(data: bytes, source: str, folder: Path | None) -> FoundTable:
    """The table of a report that its moderator has signed."""
    return known_in(trusted(data, source), source, folder)


def trusted(data: bytes, source: str) -> Guidance:
    """An invitation or a report that the moderator whom it names has signed; raises `Refused`."""
    from pbem.campaign.players.guidance import guidance_of
    from pbem.cli.letters import letter_at
    from pbem.seal.faults import SealFault

    try:
        return guidance_of(letter_at(data, source, of_moderator=True), source)
    except SealFault as fault:
        raise Refused(source, [fault.wrong]) from None


def known_in(seen: Guidance, source: str, folder: Path | None = None) -> FoundTable:
    """The table of a report, as far as its reader knows it."""
    from pbem.campaign.players.guidance import known_memory, known_table

    table = known_table(seen, source, folder)
    return FoundTable(table, seen.powers, memory=known_memory(seen, table, source))


def in_knowledge(data: bytes, source: str, folder: Path | None = None) -> FoundTable:
    """The table of a document of what players may know."""
    from pbem.paper.documents import strict
    from pbem.paper.positions.knowledge import load_known, read_remembered

    table = load_known(data, source, folder)
    node = strict.read_yaml(data, source)
    document: AnyTree = strict.bare(node)
    powers = document.get("powers") or ()
    if unknown := [power for power in powers if power not in table.rules.powers]:
        raise Refused(source, [wrong("E-POSITION.reader", power=unknown[0], powers=table.rules.powers)])
    told = node.items.get("remembered") if isinstance(node, strict.MappingNode) else None
    return FoundTable(table, tuple(powers), memory=read_remembered(table, told, source) if told else None)


def seen_by(found: FoundTable, reader: str | None) -> tuple[Power, ...]:
    """The powers whose secrets a reader is shown: as they ask, but never more than the file tells."""
    if found.known_to is None:
        return powers_of(found.table.rules, reader)
    powers = found.known_to if reader is None else powers_of(found.table.rules, reader)
    if not set(powers) <= set(found.known_to):
        told = found.known_to or (words("use-nobody"),)
        raise click.BadParameter(misuse("use-secrets", powers=told), param_hint="--as")
    return powers
