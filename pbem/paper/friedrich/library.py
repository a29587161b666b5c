"""FRIEDRICH's data that ships with the program, and boards that players bring themselves, as typed rules."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import lru_cache
from pathlib import Path

from pbem.engine.board import BoardData
from pbem.friedrich.data import FriedrichRules, GameData, Scenario, Terms, friedrich_rules
from pbem.friedrich.fate_data import FateData
from pbem.paper.convert import convert
from pbem.paper.library import Misnamed, beginning, load_named_board
from pbem.paper.names import shown
from pbem.paper.strict import Node, read
from pbem.resources import resource

STANDARD_FATE = "standard"
"""The name of the file of Cards of Fate that ships with the program."""


@lru_cache(maxsize=16)
def load_friedrich(terms: Terms, folder: Path | None = None) -> FriedrichRules:
    """The rules of the game that is played; board and fate files are looked for beside the file that names them."""
    game = convert(data_file("game.yaml"), GameData, "rules/friedrich/game.yaml")
    scenario = scenarios()[terms.scenario]
    if terms.expert and not scenario.expert:
        message = f"{terms.scenario} is not played as the expert game"
        raise Misnamed("expert", "yes", "E-VALUE-RANGE", message, "expert: no")
    board = load_named_board(terms.board, folder)
    fate = load_fate(terms.fate, folder)
    check_fitness(board, terms.board, game, scenario, fate)
    return friedrich_rules(terms, game, scenario, fate, board)


def check_fitness(board: BoardData, name: str, game: GameData, scenario: Scenario, fate: FateData) -> None:
    """Refuse a board that lacks what the game needs: set-ups, homes, objectives, depots, and places of the rules."""
    needed: dict[str, tuple[Iterable[str], Container[str]]] = {
        "set-up of": (game.powers, board.setup),
        "home country of": (game.powers, board.powers),
        "depot of": (game.powers, board.depots),
        "re-entry area of": (game.powers, board.re_entry),
        "objectives of": ([*scenario.goals, fate.offensive.power], board.objectives),
        "region": ([fate.garrison.region], board.regions),
        "line": ([fate.offensive.starved_south_of], board.lines),
    }
    lacking = [
        f"{what} {', '.join(missing)}"
        for what, (names, there) in needed.items()
        if (missing := [each for each in names if each not in there])
    ]
    if lacking:
        message = f"{game.name} cannot be played on the board {shown(name)}: it has no {'; no '.join(lacking)}"
        raise Misnamed("board", name, "E-BOARD-UNFIT", message, f"{game.board} has everything")


def data_file(name: str) -> Node:
    """One of FRIEDRICH's own data files."""
    path = resource("rules") / "friedrich" / name
    return read(path.read_bytes(), f"rules/friedrich/{name}")


@lru_cache(maxsize=1)
def scenarios() -> dict[str, Scenario]:
    """The scenarios there are, by name."""
    return convert(data_file("scenarios.yaml"), dict[str, Scenario], "rules/friedrich/scenarios.yaml")


def find_fate(name: str = STANDARD_FATE, folder: Path | None = None) -> Path:
    """The file of the Cards of Fate: the standard one, or a path, seen from who names it."""
    if name == STANDARD_FATE:
        return resource("rules") / "friedrich" / "fate.yaml"
    path = (folder or Path()) / name
    if path.is_file():
        return path
    hint = f"{STANDARD_FATE}, or a file of Cards of Fate"
    raise Misnamed("fate file", name, "E-FATE-MISSING", f"there is no file of Cards of Fate {shown(name)}", hint)


def load_fate(name: str = STANDARD_FATE, folder: Path | None = None) -> FateData:
    """The Cards of Fate by their name or file."""
    return load_fate_file(find_fate(name, folder))


@lru_cache(maxsize=8)
def load_fate_file(path: Path) -> FateData:
    """The Cards of Fate in a file."""
    return convert(read(beginning(path), str(path)), FateData, str(path))
