"""Puzzles: a position with a question, orders that tempt, and orders that solve it; each game brings the words."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.paper.documents.convert import convert
from pbem.paper.documents.strict import read_yaml
from pbem.report.language.templates import FALLBACK
from pbem.resources import games, resource, templates_of

FILE = "puzzles.yaml"


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle in words."""

    title: str
    asks: str
    tempts: str
    """Reason for which the first idea is not enough."""
    solves: str


def puzzles(language: str) -> dict[str, dict[str, Puzzle]]:
    """All puzzles of each game that has some, by name."""
    found = {game: words_of(game, language) for game in games()}
    return {game: told for game, told in found.items() if told}


def words_of(game: str, language: str) -> dict[str, Puzzle]:
    """The puzzles of a game, in English where it has no other words."""
    for each in (language, FALLBACK):
        path = templates_of(game, each) / FILE
        if path.is_file():
            return convert(read_yaml(path.read_bytes(), FILE), dict[str, Puzzle], FILE)
    return {}


def file_of(name: str, part: str = "") -> Path:
    """The position of a puzzle, or the orders that are one of its answers: `tempting`, `solution`."""
    return resource("puzzles") / f"{name}{f'.{part}' if part else ''}.yaml"


def answer_text(name: str, part: str) -> str:
    """An answer without the words that stand above it."""
    lines = file_of(name, part).read_text("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("#"))
