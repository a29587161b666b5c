"""Names of cities in other languages. Files and ledgers use the board's own names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from pbem.cache import load_or_make
from pbem.paper.documents.names import fold
from pbem.paper.documents.strict import bare, read_yaml
from pbem.resources import data_of, games
from pbem.seal.canonical import AnyTree

EVERY = "every"
"""Key of names that are used in every language without one of its own, because the board prints them otherwise."""

OLDER = "older"
"""Key of names that are understood but not shown: older books have them."""


@cache
def other_names(board: str) -> Mapping[str, Mapping[str, str]]:
    """By language, the other names of the cities of a board that ships with a game; empty for any other board."""
    files = (data_of(game) / "boards" / f"{board}.names.yaml" for game in games())
    found = next((path for path in files if path.is_file()), None)
    if found is None:
        return {}
    data = found.read_bytes()

    def names() -> dict[str, dict[str, str]]:
        tree: AnyTree = bare(read_yaml(data, found.name))
        return {language: dict(names) for language, names in tree.items()}

    return load_or_make(f"file-{found.name}", data, dict[str, dict[str, str]], names)


def aliases(board: str) -> dict[str, str]:
    """Every other name of a city of the board, and the board's own name for it."""
    return {other: own for names in other_names(board).values() for own, other in names.items()}


@lru_cache(maxsize=16)
def city_names_in(board: str, own: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Names of a board's cities in a language, in the same order; `own` are the board's names.

    A player's own board with the name of a shipped one may have a city whose own name equals another city's
    translation: that translation is not used.
    """
    names, mine = other_names(board), {fold(name): name for name in own}
    others = {**names.get(EVERY, {}), **names.get(language, {})}
    words = ((name, others.get(name, name)) for name in own)
    return tuple(other if mine.get(fold(other), name) == name else name for name, other in words)
