"""Positions as documents: in full, or as far as a reader may know them, with the public memory of past moves."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pbem.engine.cards import Dealer, SeededDealer
from pbem.engine.field import troops_of
from pbem.engine.memory import Declared, Memory, map_state_of
from pbem.engine.nouns import Power
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.faults.wrong import words
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node, read_yaml
from pbem.paper.documents.writing import Value, write
from pbem.paper.library import game_paper
from pbem.paper.positions import kinds as k
from pbem.paper.positions.files import Kind, read_table
from pbem.paper.positions.kinds import PositionReader
from pbem.paper.positions.rows import known_rows, write_rows
from pbem.paper.terms import terms_document


def write_position(table: Table) -> str:
    """The position file of a table."""
    return write(position_document(table))


def position_document(table: Table) -> dict[str, Value]:
    """The position as a document; empty values are left out."""
    return head_of(table) | rows_document(table)


def head_of(table: Table) -> dict[str, Value]:
    """The game and its terms, and the seed of its shuffles, if there is one."""
    head: dict[str, Value] = {"pbem": 1, "kind": "position", **terms_document(table.rules.terms)}
    if isinstance(table.dealer, SeededDealer):
        head["seed"] = table.dealer.seed
    return head


def rows_document(table: Table) -> dict[str, Value]:
    """The part of the position that changes during the game."""
    state = table.state
    is_dealt = state.stage != "setup" or state.begun
    rows = [row for row in game_paper(table).positions if is_dealt or not row.dealt]
    return write_rows(table.rules, rows, state)


KIND = "knowledge"
"""Kind of these documents."""


def known_document(table: Table, powers: Collection[Power]) -> dict[str, Value]:
    """The position as players of these powers may know it; as everybody may if there are none."""
    own: list[Value] = [power for power in table.rules.powers if power in powers]
    head: dict[str, Value] = {"pbem": 1, "kind": KIND, "powers": own, **terms_document(table.rules.terms)}
    told = known_rows(table, powers, game_paper(table).positions, rows_document(table))
    return {**head, **told, **totals(table, powers)}


def totals(table: Table, powers: Collection[Power]) -> dict[str, Value]:
    """Public totals of hidden things: troops and cards of each power, and the size of each pile."""
    rules, state = table.rules, table.state
    others = [power for power in rules.powers if power not in powers]
    troops = {power: troops_of(rules.common, state.field, power) for power in others}
    return {
        "troops": {power: count for power, count in troops.items() if count},
        "hand sizes": {power: len(state.cards.hands[power]) for power in others},
        "pile sizes": [len(pile) for pile in state.cards.discards],
    }


def load_known(data: bytes, source: str, folder: Path | None = None, dealer: Dealer | None = None) -> Table:
    """The table that such a document describes, as far as it goes. Raises `Refused` with every fault.

    Hidden values are invented, so it is not checked whether the position as a whole is possible.
    """
    reader = Reader(source)
    table, _ = read_table(reader, read_yaml(data, source), Kind(KIND, ("powers", "remembered")), folder, dealer)
    return table


PIECE = k.piece(words("a-piece"))
WAY = k.tuple_kind("came", k.CITY)
DECLARED = k.list_kind(
    "declared",
    k.record(
        Declared,
        "declared",
        {"generals": k.tuple_kind("generals", PIECE), "troops": k.number("troops", 1, 999), "sure": k.truth("sure")},
    ),
)


def nothing_remembered(table: Table) -> Memory:
    """Memory of a position whose past nobody knows."""
    return Memory(map_state_of(table.state.field))


def remembered_document(rules: Rules, memory: Memory) -> dict[str, Value]:
    """The memory as a document: the way of every piece, and declarations of generals."""
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
    """The memory in such a document, for a table. Raises `Refused`."""
    reading = PositionReader(Reader(source), table, {}, game_paper(table))
    mapping = reading.reader.mapping(node, "remembered")
    entries = reading.reader.known_entries(mapping, ("came", "declared"), "remembered") if mapping else {}
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
