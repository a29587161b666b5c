"""Puzzles: a position with a question, tempting orders, and orders that solve it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.desk.desk import Desk
from pbem.desk.draft import Draft, bare_of, is_plan
from pbem.desk.drafts import ORDERS, PLANS
from pbem.desk.opened import Sitting
from pbem.paper.documents.convert import convert
from pbem.paper.documents.strict import read_yaml
from pbem.report.language.templates import FALLBACK
from pbem.resources import games, resource, templates_of

FILE = "puzzles.yaml"


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True):
    """Texts of a puzzle."""

    title: str
    asks: str
    tempts: str
    """Reason for which the tempting orders are not enough."""
    solves: str


def puzzles(language: str) -> dict[str, dict[str, Puzzle]]:
    """Return the texts of all puzzles, keyed by game and puzzle. Games without puzzles are left out."""
    found = {game: words_of(game, language) for game in games()}
    return {game: told for game, told in found.items() if told}


def words_of(game: str, language: str) -> dict[str, Puzzle]:
    """Return the texts of a game's puzzles, keyed by name, in English if the language has none. The result is empty if
    the game has no puzzles."""
    for each in (language, FALLBACK):
        path = templates_of(game, each) / FILE
        if path.is_file():
            return convert(read_yaml(path.read_bytes(), FILE), dict[str, Puzzle], FILE)
    return {}


def file_of(name: str, part: str = "") -> Path:
    """Return the path of a puzzle's position, or of its answer `part`: `tempting` or `solution`."""
    return resource("puzzles") / f"{name}{f'.{part}' if part else ''}.yaml"


def pose(desk: Desk, name: str) -> Sitting:
    return desk.open_position(file_of(name).read_bytes(), name)


def answer_puzzle(desk: Desk, name: str, part: str) -> None:
    """Replace the draft of orders or plans by an answer to the puzzle `name`. `part` says which answer: `tempting` or
    `solution`."""
    lines = file_of(name, part).read_text("utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith("#"))
    desk.drafts.take_up(PLANS if is_plan(bare_of(Draft(None, text).document())) else ORDERS)
    desk.draft.become(text)
