"""The command that changes the core: what it changes, and that it finds the folders and tests that it names."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from unittest.mock import patch

from msgspec import Struct

from tests.mutate import CORE, ROOT, changes, drawn
from tests.switching import switched

SOURCE = b"""
from __future__ import annotations

LIMIT: int = 3


class Piece(Struct, frozen=True):
    city: int = 0


def nearest(piece: Piece, cities: list[int], least: int = 0) -> int | None:
    \"\"\"Return 1.\"\"\"
    for city, _ in zip(cities, cities, strict=True):
        if not city >= 0 or city == piece.city:
            continue
        note(city)
        return city + 1
    return None
"""


def test_each_change_is_one_and_can_be_run() -> None:
    found = {change.told: change.applied(SOURCE) for change in changes("piece.py", SOURCE)}
    assert set(found) == {
        "not city >= 0 without its `not`",
        "or → and",
        ">= → >",
        "== → !=",
        "0 → 1",
        "continue → break",
        "note(city) → pass",
        "+ → -",
        "1 → 2",
    }
    assert b"city > 0 or" in found[">= → >"]
    for changed in found.values():
        ast.parse(changed)
        assert changed != SOURCE


def test_changes_are_drawn_alike_from_the_same_seed() -> None:
    once, again = drawn(40, 5), drawn(40, 5)
    assert once == again != drawn(40, 6)
    for change, _ in once:
        ast.parse(change.applied((ROOT / change.path).read_bytes()))


def test_each_change_is_made_where_it_is_switched_on() -> None:
    found = list(changes("piece.py", SOURCE))
    changed, places = [change.applied(SOURCE) for change in found], [change.begin for change in found]
    text = switched(SOURCE, dict(enumerate(changed)), dict(enumerate(places))).replace(
        "from pbem.switch", "from switch"
    )
    told = []
    for on in range(-1, len(found)):
        noted: list[int] = []
        switch = SimpleNamespace(is_on=lambda number, on=on: number == on)
        module = {"Struct": Struct, "note": noted.append}
        with patch.dict("sys.modules", {"switch": switch}):
            exec(text, module)
        told.append((module["nearest"](module["Piece"](2), [-1, 2, 0, 5]), *noted))
    assert told[0] == (1, 0)
    assert told.count(told[0]) == 1


def test_folders_and_tests_of_the_core_are_there() -> None:
    assert [name for folder, first in CORE.items() for name in (folder, *first) if not (ROOT / name).exists()] == []
