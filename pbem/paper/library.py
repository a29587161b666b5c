"""Boards that ship with the program or that players bring themselves, and the rules of any game."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from pbem.engine.board import BoardData
from pbem.paper.boards import BOARD_LIMITS, load_board
from pbem.paper.faults import Fault, Refused
from pbem.paper.forms import forms_named
from pbem.paper.names import listed, shown
from pbem.paper.strict import STANDARD, Limits
from pbem.resources import resource


class Misnamed(Refused):
    """What a document names under `key` is not there, or not fit for the game; the place is that of the name."""

    def __init__(self, key: str, name: str, code: str, message: str, hint: str = "") -> None:
        """Refuse what is called `name`; whoever reads the document that names it knows the place."""
        self.key = key
        super().__init__(name, [Fault(code, message, 1, 1, hint=hint)])


def load_rules(terms: Any, folder: Path | None = None) -> Any:
    """The rules of the game that is played; files are looked for beside the file that names them."""
    return forms_named(terms.game).load_rules(terms, folder)


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
    raise Misnamed("board", name, "E-BOARD-MISSING", f"there is no board {shown(name)}", hint)


def load_named_board(name: str, folder: Path | None = None) -> BoardData:
    """A board by its name or file."""
    return load_board_file(find_board(name, folder))


@lru_cache(maxsize=8)
def load_board_file(path: Path) -> BoardData:
    """The board in a file."""
    return load_board(beginning(path, BOARD_LIMITS), str(path))


def beginning(path: Path, limits: Limits = STANDARD) -> bytes:
    """The bytes of a file: all of them, or one more than its reader takes, so that no file fills the memory."""
    with path.open("rb") as file:
        return file.read(limits.size + 1)
