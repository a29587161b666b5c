"""The terms of a game of FRIEDRICH as documents have them (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, get_args

from pbem.friedrich.data import FateOrder, Terms
from pbem.paper.friedrich.library import scenarios
from pbem.paper.reader import Reader
from pbem.paper.strict import Node
from pbem.paper.writing import Value

T = TypeVar("T")

TERMS = ("scenario", "expert", "fate order", "board", "fate file")
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
        board=take("board", lambda n: reader.text(n, "board"), standard.board),
        fate=take("fate file", lambda n: reader.text(n, "fate file"), standard.fate),
    )


def terms_document(terms: Terms) -> dict[str, Value]:
    """The terms as they are written."""
    return {
        "scenario": terms.scenario,
        "expert": "yes" if terms.expert else "no",
        "fate order": terms.fate_order,
        "board": terms.board,
        "fate file": terms.fate,
    }
