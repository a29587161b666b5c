"""Holds the rooms to their order: imports point downwards, and the lower rooms touch nothing outside."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pbem"
GAMES = {"maria", "friedrich"}
MAY_IMPORT = {
    "engine": set(),
    "maria": {"engine"},
    "friedrich": {"engine"},
    "seal": {"engine"},
    "paper": {"engine", "games", "seal", "resources", *GAMES},
    "bots": {"engine", "games", *GAMES},
    "plans": {"engine", "games", "paper", *GAMES},
    "campaign": {"engine", "games", "paper", "plans", "seal", "bots", "resources"},
    "report": {"engine", "games", "paper", "seal", "bots", "campaign", "resources", *GAMES},
    "post": {"engine", "games", "paper", "seal", "campaign", "report", "resources"},
    "site": {"engine", "games", "paper", "seal", "campaign", "report", "resources", *GAMES},
    "cli": {
        "engine",
        "games",
        "paper",
        "plans",
        "seal",
        "bots",
        "report",
        "post",
        "site",
        "campaign",
        "resources",
        *GAMES,
    },
}
LIBRARIES = {
    "engine": {"msgspec"},
    "maria": {"msgspec"},
    "friedrich": {"msgspec"},
    "bots": {"msgspec"},
    "plans": {"msgspec"},
    "post": {"msgspec"},
    "paper": {"msgspec", "yaml"},
    "report": {"msgspec", "jinja2", "markupsafe", "resvg_py", "PIL", "fontTools"},
    "site": {"msgspec", "jinja2", "markupsafe"},
    "seal": {"msgspec", "cryptography", "pyrage"},
    "campaign": {"msgspec", "yaml"},
    "cli": {"click", "rich"},
}
OWN_TO_ONE_GAME = {"pbem.cli.rules"}
"""Modules of the upper rooms that are about one game though they stand in no folder of its own."""


def imports(path: Path) -> set[str]:
    """The modules that a file imports, by their full names."""
    room = path.relative_to(PACKAGE.parent).with_suffix("").parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(room[: len(room) - node.level]) if node.level else ""
            found.add(".".join(filter(None, [base, node.module])))
    return found


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_point_downwards(room: str) -> None:
    files = list((PACKAGE / room).rglob("*.py"))
    assert files
    for path in files:
        for name in imports(path):
            top, *rest = name.split(".")
            if top == "pbem":
                assert not rest or rest[0] == room or rest[0] in MAY_IMPORT[room], f"{path}: {name}"
            else:
                assert top in sys.stdlib_module_names or top in LIBRARIES[room], f"{path}: {name}"


@pytest.mark.parametrize("room", ["paper", "plans", "report", "bots", "site", "cli", "campaign"])
def test_what_belongs_to_one_game_stands_in_a_folder_of_its_own(room: str) -> None:
    for path in (PACKAGE / room).rglob("*.py"):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        if name not in OWN_TO_ONE_GAME and not GAMES & set(name.split(".")):
            used = {module for module in imports(path) if GAMES & set(module.split(".")[1:2])}
            assert not used, f"{name} is for all games, and uses {used}"


def test_every_room_is_known() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert rooms == set(MAY_IMPORT)


@pytest.mark.parametrize("board", ["maria/boards/theatrum-belli.yaml", "friedrich/boards/friedrich.yaml"])
def test_code_names_no_city_and_no_general(board: str) -> None:
    text = (PACKAGE.parent / "rules" / board).read_text("utf-8")
    names = {line.split("name: ")[1].split(",")[0] for line in text.splitlines() if "- {name: " in line}
    for room in ("engine", "maria", "friedrich", "bots"):
        for path in (PACKAGE / room).rglob("*.py"):
            constants = {
                node.value
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            assert not constants & names, path
