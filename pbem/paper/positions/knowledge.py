"""What players may know of a position as a document: enough to judge their own moves, and no secret of others.

It is built by naming what is shown, key by key; whatever is not named is left out. Reading it back gives a table on
which what is unknown is made up, so only the moves of those for whom it was written mean anything on it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from pbem.engine.cards import Dealer
from pbem.engine.field import Piece, troops_of
from pbem.engine.table import Table
from pbem.kit import AnyTable
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import read
from pbem.paper.documents.writing import Value
from pbem.paper.game_paper import game_paper
from pbem.paper.positions.files import Kind, read_table
from pbem.paper.positions.writing import ALWAYS, card_list, piece_text, position_document
from pbem.paper.terms import terms_document

KIND = "knowledge"
"""The kind of these documents."""

Share = Callable[[AnyTable, Collection[str], Value], Value]
"""What players of some powers may know of one entry of a position."""


def as_it_is(table: Table, powers: Collection[str], value: Value) -> Value:
    """What everybody may know."""
    return value


def own_troops(table: Table, powers: Collection[str], value: Value) -> Value:
    """All pieces, with the troops of one's own generals."""
    facts, pieces = table.rules.common.pieces, table.state.field.pieces
    return {
        each.name: piece_text(table, piece if each.power in powers else without_troops(piece))
        for each, piece in zip(facts, pieces, strict=True)
    }


def without_troops(piece: Piece) -> Piece:
    """A piece as others see it."""
    return Piece(piece.city, 0, piece.down, piece.on_top)


def own_hands(table: Table, powers: Collection[str], value: Value) -> Value:
    """Only the hands of these powers, whatever the whole position has there."""
    hands = table.state.cards.hands
    return {power: card_list(hands[power]) for power in table.rules.powers if power in powers}


SHARED: Mapping[str, Share] = {
    **dict.fromkeys(
        (
            "turn", "stage", "phase", "begun", "owing", "moved", "markers", "questions", "unused", "shuffles",
            "battles", "duel", "retreat", "result",
        ),
        as_it_is,
    ),
    "pieces": own_troops,
    "hands": own_hands,
}  # fmt: skip
"""What players may know of the keys that positions of every game have."""


def known_document(table: Table, powers: Collection[str]) -> dict[str, Value]:
    """The position as players of these powers may know it; nobody's if they are none."""
    shares = {**SHARED, **game_paper(table).known}
    whole = position_document(table)
    known = {key: shares[key](table, powers, value) for key, value in whole.items() if key in shares}
    own: list[Value] = [power for power in table.rules.powers if power in powers]
    head: dict[str, Value] = {"pbem": 1, "kind": KIND, "powers": own, **terms_document(table.rules.terms)}
    told = {key: value for key, value in known.items() if value not in ({}, []) or key in ALWAYS}
    return {**head, **told, **totals(table, powers)}


def totals(table: Table, powers: Collection[str]) -> dict[str, Value]:
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
    table, _ = read_table(reader, read(data, source), Kind(KIND, ("powers",)), folder, dealer)
    return table
