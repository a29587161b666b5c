"""Places that events name, which must be those of the board, as `docs/protocol.md` says: nothing of `pbem`, for
`second.py`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.protocol.second_entries import NUMBER, Entry, need

DATA = Path(__file__).parents[2] / "rules"
PLACES = ("city", "start", "path", "withdrawn_from", "attacking_city", "defending_city", "cities")
"""Fields of events that hold cities (docs/events.md)."""
OFF_THE_MAP = ("-1", "-2")


def on_the_board(entry: Entry, root: Path, terms: dict[str, str]) -> None:
    """The cities of an adjudication's events must be on the board."""
    known = number_of_cities(board_of(root, terms))
    for event in entry.body["events"]:
        for value in [event[field] for field in PLACES if field in event]:
            places = value if isinstance(value, list) else [value]
            need(all(is_place(place, known) for place in places), "an event is in a place that there is not")


def is_place(place: Any, known: int) -> bool:
    """True for one of so many cities, or a place off the map."""
    is_number = isinstance(place, str) and re.fullmatch(NUMBER, place) is not None
    return place in OFF_THE_MAP or (is_number and int(place) < known)


def board_of(root: Path, terms: dict[str, str]) -> bytes:
    """File of the board that the terms name, or else the game: the campaign's own, or one that comes with the game."""
    data = DATA / terms.get("game", "maria")
    need((data / "game.yaml").is_file(), "there is no such game")
    board = terms.get("board") or loaded((data / "game.yaml").read_bytes())["board"]
    own = root / "rules" / board
    path = own if own.is_file() else data / "boards" / f"{board}.yaml"
    return path.read_bytes() if path.is_file() else b"cities: []"


@cache
def number_of_cities(board: bytes) -> int:
    """Number of cities of a board."""
    return len(loaded(board)["cities"])


@cache
def loaded(document: bytes) -> Any:
    """A document of rules data; nobody changes it."""
    return yaml.load(document, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
