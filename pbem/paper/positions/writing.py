"""Writes any position as a position file that reads back to the very same position."""

from __future__ import annotations

from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table
from pbem.paper.documents.writing import Value, write
from pbem.paper.game_paper import game_paper
from pbem.paper.positions.rows import write_rows
from pbem.paper.terms import terms_document


def write_position(table: Table) -> str:
    """The position file of a table."""
    return write(position_document(table))


def position_document(table: Table) -> dict[str, Value]:
    """The position as a document; what is empty is left out."""
    return head_of(table) | rows_document(table)


def head_of(table: Table) -> dict[str, Value]:
    """Which game this is, and from what its shuffles follow."""
    head: dict[str, Value] = {"pbem": 1, "kind": "position", **terms_document(table.rules.terms)}
    if isinstance(table.dealer, SeededDealer):
        head["seed"] = table.dealer.seed
    return head


def rows_document(table: Table) -> dict[str, Value]:
    """What changes during the game."""
    state = table.state
    is_dealt = state.stage != "setup" or state.begun
    rows = [row for row in game_paper(table).positions if is_dealt or not row.dealt]
    return write_rows(table.rules, rows, state)
