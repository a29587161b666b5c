"""The terms of a game of FRIEDRICH as documents have them (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, get_args

from pbem.games.friedrich.paper.library import scenarios
from pbem.games.friedrich.rules.data import FateOrder, Points, Terms
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.rulings import read_rulings

T = TypeVar("T")

TERMS = ("scenario", "expert", "fate order", "board", "fate file", "decks", "east prussia", "rulings")
MOST_DECKS = 9
FATE_ORDERS: dict[str, FateOrder] = {order: order for order in get_args(FateOrder)}


def read_terms(reader: Reader, entries: Mapping[str, Node]) -> Terms:
    """Which game of FRIEDRICH is played."""
    standard = Terms()
    names = {name: name for name in scenarios()}

    def take(key: str, read_it: Callable[[Node], T | None], otherwise: T) -> T:
        found = read_it(entries[key]) if key in entries else None
        return otherwise if found is None else found

    return Terms(
        scenario=take("scenario", lambda n: reader.word(n, "scenario", names), standard.scenario),
        expert=take("expert", lambda n: reader.truth(n, "expert"), standard.expert),
        fate_order=take("fate order", lambda n: reader.word(n, "fate order", FATE_ORDERS), standard.fate_order),
        board=take("board", lambda n: reader.file_name(n, "board"), standard.board),
        fate=take("fate file", lambda n: reader.file_name(n, "fate file"), standard.fate),
        decks=take("decks", lambda n: reader.number(n, "decks", 1, MOST_DECKS), standard.decks),
        east_prussia=take("east prussia", lambda n: reader.truth(n, "east prussia"), standard.east_prussia),
        rulings=read_rulings(reader, entries["rulings"], Points) if "rulings" in entries else (),
    )


def terms_document(terms: Terms) -> dict[str, Value]:
    """The terms as they are written; what only some tables agree on is left out where it is as usual."""
    standard = Terms()
    document: dict[str, Value] = {
        "scenario": terms.scenario,
        "expert": "yes" if terms.expert else "no",
        "fate order": terms.fate_order,
        "board": terms.board,
        "fate file": terms.fate,
    }
    if terms.decks != standard.decks:
        document["decks"] = terms.decks
    if terms.east_prussia != standard.east_prussia:
        document["east prussia"] = "yes" if terms.east_prussia else "no"
    if terms.rulings:
        document["rulings"] = dict(terms.rulings)
    return document
