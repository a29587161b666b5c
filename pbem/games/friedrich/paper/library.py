"""Loader of FRIEDRICH's rules from the game's data files, from boards and fate files that players bring, and from the
terms of a game."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import get_args

from pbem.engine.board import BoardData
from pbem.engine.nouns import Power
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules.data import (
    FateOrder,
    FriedrichRules,
    GameData,
    Points,
    Scenario,
    Terms,
    friedrich_rules,
)
from pbem.games.friedrich.rules.fate_data import FateData
from pbem.paper import library
from pbem.paper.documents.convert import convert
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node, read_yaml
from pbem.paper.documents.writing import Value
from pbem.resources import resource

STANDARD_FATE = "standard"
"""Name of the Cards of Fate that ship with the program."""


@lru_cache(maxsize=16)
def load_friedrich(terms: Terms, folder: Path | None = None) -> FriedrichRules:
    """Return the rules of a game with these terms. `folder` has the board and fate files that the terms name. Raises
    `Misnamed` if an expert game is wanted of a scenario that has none, if the number of decks is wrong, or if the board
    is incomplete."""
    if folder and terms.board in library.boards() and terms.fate == STANDARD_FATE:
        return load_friedrich(terms)  # No file in the folder is needed, so all campaigns share one board.
    game = library.load_data("friedrich", "game.yaml", GameData)
    scenario = scenarios()[terms.scenario]
    if terms.expert and not scenario.expert:
        raise library.Misnamed("expert", "yes", wrong("E-VALUE-RANGE.expert", scenario=terms.scenario))
    least, most = game.decks.decks, game.most_decks
    if not least <= terms.decks <= most:
        what = wrong("E-VALUE-RANGE.decks", game=game.name, least=least, most=most)
        raise library.Misnamed("decks", str(terms.decks), what)
    board = library.load_named_board(terms.board, folder)
    fate = load_fate(terms.fate, folder)
    check_board(board, terms.board, game, scenario, fate)
    return friedrich_rules(terms, game, scenario, fate, library.ruled_points(Points(), terms.rulings), board)


def check_board(board: BoardData, name: str, game: GameData, scenario: Scenario, fate: FateData) -> None:
    """Raise `Misnamed` for a board that lacks something that the game needs, such as a set-up, a depot, or a region."""
    needed: dict[str, tuple[Iterable[str], Container[str]]] = {
        "lack-setup": (game.powers, board.setup),
        "lack-home": (game.powers, board.powers),
        "lack-depot": (game.powers, board.depots),
        "lack-re-entry": (game.powers, board.re_entry),
        "lack-objectives": ([*scenario.goals, fate.offensive.power], board.objectives),
        "lack-region": ([fate.garrison.region], board.regions),
        "lack-line": ([fate.offensive.starved_south_of], board.lines),
    }
    library.check_fitness(name, game.name, game.board, needed)


@lru_cache(maxsize=1)
def scenarios() -> dict[str, Scenario]:
    return library.load_data("friedrich", "scenarios.yaml", dict[str, Scenario])


@lru_cache(maxsize=1)
def order_of_play() -> tuple[Power, ...]:
    return tuple(library.load_data("friedrich", "game.yaml", GameData).powers)


def load_fate(name: str = STANDARD_FATE, folder: Path | None = None) -> FateData:
    """Load the standard Cards of Fate, or those of a file in `folder` with this name."""
    shipped = {STANDARD_FATE: resource("rules") / "friedrich" / "fate.yaml"}
    return load_fate_file(library.find_file(library.FileKind("fate file", "E-FATE-MISSING"), name, shipped, folder))


@lru_cache(maxsize=8)
def load_fate_file(path: Path) -> FateData:
    data = library.read_beginning(path)
    return library.load_shipped(path, data, FateData, lambda: convert(read_yaml(data, str(path)), FateData, str(path)))


TERMS = ("scenario", "expert", "fate order", "board", "fate file", "decks", "east prussia", "rulings")
MOST_DECKS = 9
FATE_ORDERS: dict[str, FateOrder] = {order: order for order in get_args(FateOrder)}


def read_terms(reader: Reader, entries: Mapping[str, Node]) -> Terms:
    """Read the terms of a game of FRIEDRICH. A term that is missing or wrong gets its default; `reader` notes each
    fault."""
    standard = Terms()
    names = {name: name for name in scenarios()}

    return Terms(
        scenario=library.term_in(entries, "scenario", lambda n: reader.word(n, "scenario", names), standard.scenario),
        expert=library.term_in(entries, "expert", lambda n: reader.truth(n, "expert"), standard.expert),
        fate_order=library.term_in(
            entries, "fate order", lambda n: reader.word(n, "fate order", FATE_ORDERS), standard.fate_order
        ),
        board=library.term_in(entries, "board", lambda n: reader.file_name(n, "board"), standard.board),
        fate=library.term_in(entries, "fate file", lambda n: reader.file_name(n, "fate file"), standard.fate),
        decks=library.term_in(entries, "decks", lambda n: reader.number(n, "decks", 1, MOST_DECKS), standard.decks),
        east_prussia=library.term_in(
            entries, "east prussia", lambda n: reader.truth(n, "east prussia"), standard.east_prussia
        ),
        rulings=library.read_rulings(reader, entries["rulings"], Points) if "rulings" in entries else (),
    )


def terms_document(terms: Terms) -> dict[str, Value]:
    """Return the terms as files write them. Decks, East Prussia and rulings are written only if they differ from their
    defaults."""
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
