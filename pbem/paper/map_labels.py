"""What is written on pieces of the map, `P1` or `PT`, as a way to name them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from pbem.cache import load_or_make
from pbem.engine.nouns import Piece, each_piece
from pbem.engine.rules import PieceFacts
from pbem.paper.documents.names import fold
from pbem.paper.documents.strict import bare, read_yaml
from pbem.resources import data_of
from pbem.seal.canonical import AnyTree

TRAIN = "T"
"""The letter of a supply train."""


@cache
def marks_of(game: str) -> Mapping[str, tuple[str, ...]]:
    """The letters of each power of a game in one language or another."""
    path = data_of(game) / "marks.yaml"
    if not path.is_file():
        return {}
    data = path.read_bytes()

    def marks() -> dict[str, tuple[str, ...]]:
        tree: AnyTree = bare(read_yaml(data, path.name))
        return {power: tuple(letters) for power, letters in tree.items()}

    return load_or_make(f"file-{game}-{path.name}", data, dict[str, tuple[str, ...]], marks)


@lru_cache(maxsize=8)
def labels_of(pieces: tuple[PieceFacts, ...], game: str) -> Mapping[str, list[Piece]]:
    """The pieces that bear each label, without case and accents."""
    found: dict[str, list[Piece]] = {}
    for piece, facts in each_piece(pieces):
        for mark in marks_of(game).get(facts.power, ()):
            found.setdefault(fold(f"{mark}{facts.rank or TRAIN}"), []).append(piece)
    return found


def alike(labels: Mapping[str, list[Piece]], written: str) -> list[Piece]:
    """The pieces whose labels differ in the rank alone: all generals of Prussia for `P9`."""
    letters = fold(written).rstrip("0123456789")
    found = (pieces for label, pieces in labels.items() if label.rstrip("0123456789") == letters != label)
    return [piece for pieces in found for piece in pieces]
