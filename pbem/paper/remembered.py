"""What everybody remembers (`engine/memory.py`) as reports have it, beside the position that they tell."""

from __future__ import annotations

from pbem.engine.map_state import map_state_of
from pbem.engine.memory import Declared, Memory
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.faults.words import words
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.game_paper import game_paper
from pbem.paper.positions import kinds as k
from pbem.paper.positions.reader import PositionReader

PIECE = k.piece(words("a-piece"))
WAY = k.tupled("came", k.CITY)
DECLARED = k.listed(
    "declared",
    k.record(
        Declared,
        "declared",
        {"generals": k.tupled("generals", PIECE), "troops": k.number("troops", 1, 999), "sure": k.truth("sure")},
    ),
)


def nothing_remembered(table: Table) -> Memory:
    """A position of which nobody knows how it came about."""
    return Memory(map_state_of(table.state.field))


def remembered_document(rules: Rules, memory: Memory) -> dict[str, Value]:
    """The way of every piece from the city where it stood, and what generals have declared together."""
    cities, pieces = rules.board.cities, rules.pieces
    return {
        "came": {pieces[piece].name: [cities[city].name for city in way] for piece, way in sorted(memory.ways.items())},
        "declared": [
            {
                "generals": [pieces[general].name for general in each.generals],
                "troops": each.strength,
                "sure": "yes" if each.sure else "no",
            }
            for each in memory.declared
        ],
    }


def read_remembered(table: Table, node: Node, source: str) -> Memory:
    """What such a document says beside a table; raises `Refused`."""
    reading = PositionReader(Reader(source), table, {}, game_paper(table))
    mapping = reading.reader.mapping(node, "remembered")
    entries = reading.reader.known(mapping, ("came", "declared"), "remembered") if mapping else {}
    memory = nothing_remembered(table)
    if "came" in entries:
        for name, value in reading.reader.pairs(entries["came"], "came"):
            piece, way = PIECE.read(reading, name), WAY.read(reading, value)
            if piece is not None and way:
                memory.ways[piece] = way
    if "declared" in entries:
        memory.declared = DECLARED.read(reading, entries["declared"]) or []
    reading.reader.refuse()
    return memory
