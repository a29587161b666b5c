"""Tables, memories and rules made from guidance."""

from __future__ import annotations

from pathlib import Path

from pbem.campaign.players.guidance import Guidance, Terms
from pbem.engine.memory import Memory
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.reader import Reader, node_of
from pbem.paper.documents.writing import write
from pbem.paper.library import rules_of_terms
from pbem.paper.positions.files import Knowledge, load_knowledge, read_remembered


def known_table(found: Guidance, source: str, folder: Path | None = None) -> Table:
    return known_position(found, source, folder).table


def known_position(found: Guidance, source: str, folder: Path | None = None) -> Knowledge:
    """Return the table of a report, and the cards whose place the report tells. Hidden values on the table are made up.
    `folder` has the campaign's own boards. Raises `Refused` for a missing or faulty position."""
    if not found.position:
        raise Refused(source, [wrong("E-GUIDE-POSITION", kind=found.kind)])
    try:
        known = load_knowledge(write(found.position).encode(), source, folder)
    except ValueError as error:
        raise Refused(source, [wrong("E-GUIDE-POSITION.unread", why=str(error))]) from None
    if strangers := [power for power in found.powers if power not in known.table.rules.powers]:
        power, powers = as_quoted(strangers[0]), tuple(known.table.rules.powers)
        raise Refused(source, [wrong("E-GUIDE-POSITION.power", power=power, powers=powers)])
    return known


def known_memory(found: Guidance, table: Table, source: str) -> Memory:
    """Return a report's public memory of past moves. `table` has the report's position. Raises `Refused` for a memory
    that cannot be read."""
    return read_remembered(table, node_of(found.remembered), source)


def rules_of(terms: Terms) -> GameRules:
    """Return the rules that the terms name. Raises `Refused` for an unknown game, and for files of the campaign's
    own."""
    return rules_of_terms(terms, Reader("terms"))
