"""Tables read from files. A file has the whole position, or it is a report, from which the table is known as far as the
report's reader knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from pbem.engine.events import Event
from pbem.engine.memory import Declaration, Memory, remember
from pbem.engine.nouns import Power
from pbem.engine.table import Table, deep_copy
from pbem.faults.wrong import WrongUse, words, wrong
from pbem.kit import game_of
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Refused
from pbem.paper.orders.trial import Trial, begin
from pbem.paper.positions.files import load_known, load_position, nothing_remembered, read_remembered
from pbem.player.files import GivenFile
from pbem.player.names import powers_of
from pbem.post.mime import is_mail
from pbem.seal.canonical import AnyTree

if TYPE_CHECKING:
    from pbem.bots.imagining import KnownFacts
    from pbem.campaign.players.guidance import Guidance

# Most files are positions. Modules that read reports are loaded only if the file is a report.


@dataclass(frozen=True)
class FoundTable:
    """Table read from a file, after the game was played on to its first decision, and the facts that the file tells."""

    table: Table
    known_to: tuple[Power, ...] | None = None
    """Powers whose secrets the file tells; all other secrets are made up. None if the file tells all secrets."""
    events: tuple[Event, ...] = ()
    """Events up to the first decision."""
    memory: Memory | None = None
    """Public facts of the game so far, if the file tells them."""
    facts: KnownFacts | None = None
    """Facts that the reports of the file's reader tell. None if the file is no report."""

    @property
    def is_whole(self) -> bool:
        """Return whether the file holds the whole position. If it does not, the hidden parts are made up."""
        return self.known_to is None


def table_in(file: GivenFile) -> FoundTable:
    """Return the table in a file. The file is a position, a report, or a document of what some players know. Raises
    `Refused` for a faulty file."""
    match kind_of(file.data):
        case "report":
            return reported_table(trusted_guide(file), file.source, file.folder)
        case "knowledge":
            return table_of_knowledge(file)
    table = load_position(file.data, file.source, file.folder)
    memory = nothing_remembered(table)
    events = tuple(begin(table))
    remember(memory, game_of(table).on_map, table.rules.common, events)
    return FoundTable(table, events=events, memory=memory)


def kind_of(content: bytes) -> str:
    """Return the kind that a document gives as its own, or an empty text. A mail counts as `report`, since reports come
    by mail."""
    if is_mail(content):
        return "report"
    try:
        document = strict.read_yaml(content, "document", strict.DocumentLimits(takes_spaces=True))
    except Refused:
        return ""
    kind = document.items.get("kind") if isinstance(document, strict.MappingNode) else None
    return kind.value if isinstance(kind, strict.Text) else ""


def trusted_guide(file: GivenFile) -> Guidance:
    """Return the guidance of an invitation or report. Raises `Refused` if it is not signed by the moderator whom it
    names."""
    from pbem.player.letters import guide
    from pbem.seal.faults import SealFault

    try:
        return guide(file)
    except SealFault as fault:
        raise Refused(file.source, [fault.wrong]) from None


def identity_of(seen: Guidance) -> str:
    """Return a text that identifies a report, by campaign, seat, stage and basis."""
    return ".".join((seen.campaign, seen.seat, seen.stage, seen.basis))


def reported_table(seen: Guidance, source: str, folder: Path | None = None) -> FoundTable:
    """Return the table of the report `seen`. Everything that its reader does not know is made up. `folder` has the
    campaign's own boards."""
    from pbem.campaign.players.known_position import known_memory, known_table

    table = known_table(seen, source, folder)
    return FoundTable(table, seen.powers, memory=known_memory(seen, table, source))


def table_of_knowledge(file: GivenFile) -> FoundTable:
    """Return the table of a document that tells what some players know. Raises `Refused` if the document is faulty."""
    table = load_known(file.data, file.source, file.folder)
    node = strict.read_yaml(file.data, file.source)
    document: AnyTree = strict.bare(node)
    powers = document.get("powers") or ()
    if unknown := [power for power in powers if power not in table.rules.powers]:
        raise Refused(file.source, [wrong("E-POSITION.reader", power=unknown[0], powers=table.rules.powers)])
    told = node.items.get("remembered") if isinstance(node, strict.MappingNode) else None
    return FoundTable(table, tuple(powers), memory=read_remembered(table, told, file.source) if told else None)


def powers_shown(found: FoundTable, reader: str | None) -> tuple[Power, ...]:
    """Return the powers whose secrets are shown to a reader. Raises `WrongUse` if the file does not tell the secrets of
    all of them."""
    if found.known_to is None:
        return powers_of(found.table.rules, reader)
    powers = found.known_to if reader is None else powers_of(found.table.rules, reader)
    if not set(powers) <= set(found.known_to):
        told = found.known_to or (words("use-nobody"),)
        raise WrongUse(wrong("use-secrets", powers=told), option="--as")
    return powers


@dataclass
class Outcome:
    """Tables before and after orders, and the events that the orders caused."""

    before: Table
    after: Table
    events: list[Event]
    readers: tuple[Power, ...]
    """Powers whose secrets the reader knows."""
    ordering: set[Power] = field(default_factory=set)
    """Powers whose orders were tried. Consequences are told for these powers."""
    is_hidden: bool = False
    """True if the trial stopped because otherwise hidden cards would have been seen."""
    memory: Memory | None = None
    """Public facts of the game up to the table `after`. None if they are not known."""

    def __post_init__(self) -> None:
        self.memory = deep_copy(self.memory)

    @property
    def declared(self) -> Sequence[Declaration]:
        return self.memory.declared if self.memory else ()

    def add(self, trial: Trial, ordering: Sequence[Power]) -> None:
        """Add a trial of further orders. `ordering` has the powers whose orders they are."""
        if self.memory:
            remember(self.memory, game_of(trial.table).on_map, trial.table.rules.common, trial.events)
        self.after = trial.table
        self.events += trial.events
        self.ordering.update(ordering)
        self.is_hidden |= trial.hidden


class Moment(TypedDict):
    """Turn, stage and phase of a position, the powers that have to decide, and a digest of the position. The digest is
    empty if the position is not wholly known."""

    turn: int
    stage: str
    phase: str
    owing: list[Power]
    digest: str


def moment_of(found: FoundTable) -> Moment:
    """Return the turn, stage, phase, deciding powers and digest of a position."""
    from pbem.engine.table import digest
    from pbem.kit import game_of

    state, game = found.table.state, game_of(found.table)
    return {
        "turn": state.turn,
        "stage": state.stage,
        "phase": state.phase,
        "owing": [decision.power for decision in game.decisions(found.table)],
        "digest": digest(state) if found.is_whole else "",
    }
