"""Holds the rooms to their order: imports point downwards, and the lower rooms touch nothing outside."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pbem"
MAY_IMPORT = {
    "engine": set(),
    "maria": {"engine"},
    "paper": {"engine", "maria", "resources"},
    "bots": {"engine", "maria"},
    "report": {"engine", "maria", "paper", "resources"},
    "cli": {"engine", "maria", "paper", "bots", "report", "resources"},
}
LIBRARIES = {
    "engine": {"msgspec"},
    "maria": {"msgspec"},
    "bots": {"msgspec"},
    "paper": {"msgspec", "yaml"},
    "report": {"msgspec", "jinja2", "resvg_py"},
    "cli": {"click", "rich"},
}


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


def test_every_room_is_known() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert rooms == set(MAY_IMPORT)


def test_code_names_no_city_and_no_general() -> None:
    board = (PACKAGE.parent / "rules" / "maria" / "boards" / "theatrum-belli.yaml").read_text("utf-8")
    names = {line.split("name: ")[1].split(",")[0] for line in board.splitlines() if "- {name: " in line}
    for room in ("engine", "maria", "bots"):
        for path in (PACKAGE / room).rglob("*.py"):
            constants = {
                node.value
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            assert not constants & names, path
