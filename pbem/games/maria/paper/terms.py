"""The terms of a game of MARIA as documents have them (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, get_args

from pbem.games.maria.paper.library import editions, scenarios
from pbem.games.maria.rules.data import Edition, Placing, Terms
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.rulings import read_rulings

T = TypeVar("T")

TERMS = ("scenario", "players", "edition", "board", "politics", "bluffing", "placing", "rulings")
PLACING: dict[str, Placing] = {placing: placing for placing in get_args(Placing)}


def read_terms(reader: Reader, entries: Mapping[str, Node]) -> Terms:
    """Which game of MARIA is played."""
    standard = Terms()
    scenario_names = {name: name for name in scenarios()}
    edition_names = {name: name for name in editions()}

    def take(key: str, read_it: Callable[[Node], T | None], otherwise: T) -> T:
        found = read_it(entries[key]) if key in entries else None
        return otherwise if found is None else found

    return Terms(
        scenario=take("scenario", lambda n: reader.word(n, "scenario", scenario_names), standard.scenario),
        players=take("players", lambda n: reader.number(n, "players", 2, 3), standard.players),
        edition=take("edition", lambda n: reader.word(n, "edition", edition_names), standard.edition),
        board=take("board", lambda n: reader.file_name(n, "board"), standard.board),
        politics=take("politics", lambda n: reader.file_name(n, "politics"), standard.politics),
        bluffing=take("bluffing", lambda n: reader.truth(n, "bluffing"), standard.bluffing),
        placing=take("placing", lambda n: reader.word(n, "placing", PLACING), standard.placing),
        rulings=read_rulings(reader, entries["rulings"], Edition) if "rulings" in entries else (),
    )


def terms_document(terms: Terms) -> dict[str, Value]:
    """The terms as they are written; what only politics asks is left out where there are none."""
    document: dict[str, Value] = {"scenario": terms.scenario, "players": terms.players}
    document |= {"edition": terms.edition, "board": terms.board}
    if scenarios()[terms.scenario].politics:
        bluffing = "yes" if terms.bluffing else "no"
        document |= {"politics": terms.politics, "bluffing": bluffing, "placing": terms.placing}
    if terms.rulings:
        document["rulings"] = dict(terms.rulings)
    return document
