"""The position that a file tells of: all of it in a position file, in a signed report what its reader may know."""

from __future__ import annotations

from dataclasses import dataclass

import click

from pbem.cli.common import folder_of, powers_of, read_bytes
from pbem.engine.events import Event
from pbem.engine.memory import Memory
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.seal.canonical import AnyTree


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
    from pbem.engine.memory import remember
    from pbem.kit import game_of
    from pbem.paper.orders.trial import begin
    from pbem.paper.positions.files import load_position
    from pbem.paper.remembered import nothing_remembered

    data = read_bytes(path)
    match kind_of(data):
        case "report":
            return in_report(data, path)
        case "knowledge":
            return in_knowledge(data, path)
    table = load_position(data, path, folder_of(path))
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


def in_report(data: bytes, path: str) -> FoundTable:
    """The table of a report that its moderator has signed."""
    from pbem.campaign.players.guidance import guidance_of, known_memory, known_table
    from pbem.cli.letters import letter_at
    from pbem.seal.faults import SealFault

    try:
        found = guidance_of(letter_at(data, path, of_moderator=True), path)
    except SealFault as fault:
        raise Refused(path, [fault.wrong]) from None
    table = known_table(found, path, folder_of(path))
    return FoundTable(table, found.powers, memory=known_memory(found, table, path))


def in_knowledge(data: bytes, path: str) -> FoundTable:
    """The table of a document of what players may know."""
    from pbem.paper.documents import strict
    from pbem.paper.positions.knowledge import load_known
    from pbem.paper.remembered import read_remembered

    table = load_known(data, path, folder_of(path))
    node = strict.read_yaml(data, path)
    document: AnyTree = strict.bare(node)
    powers = document.get("powers") or ()
    if unknown := [power for power in powers if power not in table.rules.powers]:
        raise Refused(path, [wrong("E-POSITION.reader", power=unknown[0], powers=table.rules.powers)])
    told = node.items.get("remembered") if isinstance(node, strict.MappingNode) else None
    return FoundTable(table, tuple(powers), memory=read_remembered(table, told, path) if told else None)


def seen_by(found: FoundTable, reader: str | None) -> tuple[Power, ...]:
    """The powers whose secrets a reader is shown: as they ask, but never more than the file tells."""
    if found.known_to is None:
        return powers_of(found.table.rules, reader)
    powers = found.known_to if reader is None else powers_of(found.table.rules, reader)
    if not set(powers) <= set(found.known_to):
        told = ", ".join(found.known_to) or "nobody"
        raise click.BadParameter(f"it tells the secrets of {told} only.", param_hint="--as")
    return powers
