"""What people call the cities of a board in their languages; files and ledgers keep to the board's own names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pbem.paper.documents.strict import plain, read
from pbem.resources import resource

EVERY = "every"
"""The key of names that are used in every language that has none of its own: the board prints them otherwise."""


@cache
def other_names(board: str) -> Mapping[str, Mapping[str, str]]:
    """By language, the other names of the cities of a board that ships with the program; none for any other."""
    files = resource("rules").glob("*/boards/*.names.yaml")
    found = next((path for path in files if path.name == f"{board}.names.yaml"), None)
    if found is None:
        return {}
    tree: Any = plain(read(found.read_bytes(), found.name))
    return {language: dict(names) for language, names in tree.items()}


def aliases(board: str) -> dict[str, str]:
    """Every other name of a city of the board, and the board's own name for it."""
    return {other: own for names in other_names(board).values() for own, other in names.items()}


def called(board: str, language: str) -> Mapping[str, str]:
    """The cities that are called otherwise in a language than on the board."""
    names = other_names(board)
    return {**names.get(EVERY, {}), **names.get(language, {})}
