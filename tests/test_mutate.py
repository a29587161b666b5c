"""The command that changes the core: what it changes, and that it finds the folders and tests that it names."""

from __future__ import annotations

import ast

from tests.mutate import CORE, ROOT, changes, drawn

SOURCE = b"""
from __future__ import annotations

LIMIT: int = 3


class Piece(Struct, frozen=True):
    city: int = 0


def nearest(piece: Piece, cities: list[int]) -> int | None:
    \"\"\"Return 1.\"\"\"
    for city in cities:
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


def test_folders_and_tests_of_the_core_are_there() -> None:
    assert [name for folder, first in CORE.items() for name in (folder, *first) if not (ROOT / name).exists()] == []
