"""The game data that ships with the program, and boards that players bring themselves, as typed rules."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pbem.engine.board import BoardData
from pbem.maria.data import Edition, GameData, MariaRules, Scenario, Terms, maria_rules
from pbem.maria.politics_data import PoliticsData
from pbem.paper.boards import load_board
from pbem.paper.convert import convert
from pbem.paper.faults import Fault, Refused
from pbem.paper.names import listed
from pbem.paper.politics import load_politics
from pbem.paper.strict import Node, read
from pbem.resources import resource

STANDARD_POLITICS = "standard"
"""The name of the politics file that ships with the program."""


@lru_cache(maxsize=16)
def load_rules(terms: Terms, folder: Path | None = None) -> MariaRules:
    """The rules of the game that is played; a board file is looked for beside the file that names it."""
    game = convert(data_file("game.yaml"), GameData, "rules/maria/game.yaml")
    scenarios = convert(data_file("scenarios.yaml"), dict[str, Scenario], "rules/maria/scenarios.yaml")
    editions = convert(data_file("editions.yaml"), dict[str, Edition], "rules/maria/editions.yaml")
    board = load_named_board(terms.board, folder)
    politics = load_named_politics(terms.politics, folder)
    return maria_rules(terms, game, scenarios[terms.scenario], editions[terms.edition], board, politics)


def data_file(name: str) -> Node:
    """One of MARIA's own data files."""
    path = resource("rules") / "maria" / name
    return read(path.read_bytes(), f"rules/maria/{name}")


def scenario_names() -> list[str]:
    """The scenarios there are."""
    return list(convert(data_file("scenarios.yaml"), dict[str, Scenario], "rules/maria/scenarios.yaml"))


def edition_names() -> list[str]:
    """The editions there are, the newest first."""
    return list(convert(data_file("editions.yaml"), dict[str, Edition], "rules/maria/editions.yaml"))


def boards() -> dict[str, Path]:
    """The boards that ship with the program."""
    return {path.stem: path for path in sorted(resource("rules").glob("*/boards/*.yaml")) if "." not in path.stem}


def find_board(name: str, folder: Path | None = None) -> Path:
    """The file of a board: one that ships with the program, or a path, seen from the folder of who names it."""
    shipped = boards()
    if name in shipped:
        return shipped[name]
    path = (folder or Path()) / name
    if path.is_file():
        return path
    hint = f"one of {listed(shipped)}, or a board file"
    raise Refused(name, [Fault("E-BOARD-MISSING", f"there is no board {name!r}", 1, 1, hint=hint)])


def load_named_board(name: str, folder: Path | None = None) -> BoardData:
    """A board by its name or file."""
    return load_board_file(find_board(name, folder))


@lru_cache(maxsize=8)
def load_board_file(path: Path) -> BoardData:
    """The board in a file."""
    return load_board(path.read_bytes(), str(path))


def find_politics(name: str = STANDARD_POLITICS, folder: Path | None = None) -> Path:
    """The file of a political display and its cards: the standard one, or a path, seen from who names it."""
    if name == STANDARD_POLITICS:
        return resource("rules") / "maria" / "politics.yaml"
    path = (folder or Path()) / name
    if path.is_file():
        return path
    hint = f"{STANDARD_POLITICS}, or a politics file"
    raise Refused(name, [Fault("E-POLITICS-MISSING", f"there is no politics file {name!r}", 1, 1, hint=hint)])


def load_named_politics(name: str = STANDARD_POLITICS, folder: Path | None = None) -> PoliticsData:
    """A political display and its cards by their name or file."""
    return load_politics_file(find_politics(name, folder))


@lru_cache(maxsize=8)
def load_politics_file(path: Path) -> PoliticsData:
    """The political display and the cards in a file."""
    return load_politics(path.read_bytes(), str(path))
