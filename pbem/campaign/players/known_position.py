"""Position in a moderator's letter as a table, and as a document the map before the events of which a report tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pbem.campaign.players.guidance import Guidance, Terms
from pbem.engine.memory import MapState, Memory
from pbem.engine.nouns import City, each_piece
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.reader import Reader, node_of
from pbem.paper.documents.writing import write
from pbem.paper.library import rules_of_terms
from pbem.paper.positions.files import Knowledge, load_knowledge, read_remembered
from pbem.seal.canonical import AnyTree


def known_table(found: Guidance, source: str, folder: Path | None = None) -> Table:
    return known_position(found, source, folder).table


def known_position(found: Guidance, source: str, folder: Path | None = None) -> Knowledge:
    """Return the table of a report, and the cards whose place the report tells. Hidden values on the table are made up.
    `folder` has the campaign's own boards. Raises `Refused` for a position that is missing or faulty, or if the report
    names a power that the game lacks."""
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
    """Return the public memory of past moves that a report has. `table` has the report's position. Raises `Refused` for
    a memory that cannot be read."""
    return read_remembered(table, node_of(found.remembered), source)


def map_document(on_map: MapState) -> dict[str, str | dict[str, str]]:
    """Return a public map as texts. Cities and pieces are numbers, as in the events of the ledger. A list of numbers is
    a single text."""
    return {
        "places": line_of_numbers(on_map.places),
        "down": line_of_numbers(piece for piece, is_down in each_piece(on_map.down) if is_down),
        "on-top": line_of_numbers(piece for piece, is_on_top in each_piece(on_map.on_top) if is_on_top),
        "hussars": line_of_numbers(on_map.hussars),
        "markers": {str(city): power for city, power in sorted(on_map.markers.items())},
        "questions": {str(city): power for city, power in sorted(on_map.questions.items())},
    }


def line_of_numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def map_in(document: Mapping[str, AnyTree]) -> MapState:
    """Return the public map in a document that `map_document` made. Its numbers are not checked against the board.
    Raises `LookupError`, `TypeError`, `ValueError` or `AttributeError` for a document of another form."""
    places = [City(int(place)) for place in document["places"].split()]
    down, on_top = ({int(piece) for piece in document[key].split()} for key in ("down", "on-top"))
    return MapState(
        places=places,
        down=[piece in down for piece in range(len(places))],
        on_top=[piece in on_top for piece in range(len(places))],
        hussars=[City(int(place)) for place in document["hussars"].split()],
        markers={City(int(city)): str(power) for city, power in (document["markers"] or {}).items()},
        questions={City(int(city)): str(power) for city, power in (document["questions"] or {}).items()},
    )


def rules_of(terms: Terms) -> GameRules:
    """Return the rules of the game that the terms name. Raises `Refused` if the terms name a game that the program
    lacks, or a file of the campaign's own."""
    return rules_of_terms(terms, Reader("terms"))
