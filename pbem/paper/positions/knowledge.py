"""What players may know of a position as a document: enough to judge their own moves, and no secret of others.

Each row of a position says who may know it. Reading such a document back gives a table on which what is unknown is made
up, so only the moves of those for whom it was written mean anything on it.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pbem.engine.cards import Dealer
from pbem.engine.field import troops_of
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import read_yaml
from pbem.paper.documents.writing import Value
from pbem.paper.game_paper import game_paper
from pbem.paper.positions.files import Kind, read_table
from pbem.paper.positions.rows import known_rows
from pbem.paper.positions.writing import rows_document
from pbem.paper.terms import terms_document

KIND = "knowledge"
"""The kind of these documents."""


def known_document(table: Table, powers: Collection[Power]) -> dict[str, Value]:
    """The position as players of these powers may know it; nobody's if they are none."""
    own: list[Value] = [power for power in table.rules.powers if power in powers]
    head: dict[str, Value] = {"pbem": 1, "kind": KIND, "powers": own, **terms_document(table.rules.terms)}
    told = known_rows(table, powers, game_paper(table).positions, rows_document(table))
    return {**head, **told, **totals(table, powers)}


def totals(table: Table, powers: Collection[Power]) -> dict[str, Value]:
    """What everybody may know of what is hidden: how many troops and cards each power has, and each pile."""
    rules, state = table.rules, table.state
    others = [power for power in rules.powers if power not in powers]
    troops = {power: troops_of(rules.common, state.field, power) for power in others}
    return {
        "troops": {power: count for power, count in troops.items() if count},
        "hand sizes": {power: len(state.cards.hands[power]) for power in others},
        "pile sizes": [len(pile) for pile in state.cards.discards],
    }


def load_known(data: bytes, source: str, folder: Path | None = None, dealer: Dealer | None = None) -> Table:
    """The table that such a document describes as far as it goes; raises `Refused` with every fault.

    What nobody could know is made up, and so it is not judged whether the whole is possible.
    """
    reader = Reader(source)
    table, _ = read_table(reader, read_yaml(data, source), Kind(KIND, ("powers", "remembered")), folder, dealer)
    return table
