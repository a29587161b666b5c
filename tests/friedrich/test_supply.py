"""Supply at the end of a stage (§9)."""

from __future__ import annotations

import pytest

from pbem.engine.events import GeneralRemoved, SupplyLost, SupplyRestored, SupplyTraced
from pbem.games.friedrich.rules.events import Starved
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.fate_table import at, bare, begin, city, general, place


def is_down(table: Table, name: str) -> bool:
    """True if a general is face-down."""
    return table.state.field.pieces[general(table, name)].down


def ring(table: Table, where: str, steps: int, land: str) -> int:
    """A city of this land exactly so far away."""
    board = table.rules.common.board
    far = board.distance(city(table, where))
    return next(c for c in range(len(board.cities)) if far[c] == steps and board.land[c] == land)


@pytest.mark.parametrize(("steps", "down"), [(6, False), (7, True)])
def test_a_path_has_at_most_six_cities(steps: int, down: bool) -> None:
    table = bare(expert=False)
    place(table, "austria train 1", "Breslau")
    place(table, "Daun", ring(table, "Breslau", steps, "prussia"), 3)
    events = begin(table, "austria", "supply")
    assert is_down(table, "Daun") == down
    assert any(isinstance(event, SupplyTraced) and len(event.path) == 6 for event in events) != down


@pytest.mark.parametrize(("blocker", "down"), [("Keith", True), ("prussia train 1", True), ("Laudon", False),
                                               ("russia train 1", False)])  # fmt: skip
def test_enemies_block_a_path_and_friends_do_not(blocker: str, down: bool) -> None:
    table = bare(expert=False)
    place(table, "austria train 1", "Rendsburg")
    place(table, "Daun", "Kiel", 3)
    for near in table.rules.common.board.near[city(table, "Kiel")]:
        if near != city(table, "Rendsburg"):
            place(table, "Heinrich", near, 1)
    place(table, "austria train 1", "Glückstadt")
    place(table, blocker, "Rendsburg", 1)
    begin(table, "austria", "supply")
    assert is_down(table, "Daun") == down


@pytest.mark.parametrize(("name", "where", "down"), [
    ("Keith", "Berlin", False), ("Keith", "Leipzig", True), ("Keith", "Stade", True), ("Ferdinand", "Stade", False),
    ("Hildburghausen", "Leipzig", False), ("Daun", "Leipzig", True), ("Saltikov", "Warszawa", False),
    ("Saltikov", "Sierpc", False), ("Saltikov", "Lipno", True), ("Richelieu", "Koblenz", False),
    ("Richelieu", "Boppard", True), ("Ehrensvärd", "Grimmen", False),
])  # fmt: skip
def test_who_is_at_home_where(name: str, where: str, down: bool) -> None:
    table = bare(expert=False)
    power = table.rules.common.pieces[place(table, name, where, 2)].power
    begin(table, power, "supply")
    assert is_down(table, name) == down


def test_trains_of_allies_supply_nobody() -> None:
    table = bare(expert=False)
    place(table, "Keith", "Göttingen", 2)
    place(table, "hanover train 1", "Münden")
    begin(table, "prussia", "supply")
    assert is_down(table, "Keith")


def test_the_second_time_a_whole_stack_is_gone() -> None:
    table = bare(expert=False)
    keith, dohna = place(table, "Keith", "Göttingen", 2), place(table, "Dohna", "Göttingen", 5)
    assert {event for event in begin(table, "prussia", "supply") if isinstance(event, SupplyLost)} == {
        SupplyLost(keith, 0), SupplyLost(dohna, 0),
    }  # fmt: skip
    events = begin(table, "prussia", "supply")
    assert Starved((keith, dohna), city(table, "Göttingen"), 7) in events
    assert GeneralRemoved(dohna, city(table, "Göttingen")) in events
    assert at(table, "Keith") < 0


def test_back_in_supply_he_is_face_up() -> None:
    table = bare(expert=False)
    keith = place(table, "Keith", "Berlin", 2, down=True)
    assert SupplyRestored(keith) in begin(table, "prussia", "supply")
    assert not is_down(table, "Keith")


def test_only_the_active_power_is_looked_at() -> None:
    table = bare(expert=False)
    place(table, "Keith", "Göttingen", 2)
    begin(table, "hanover", "supply")
    assert not is_down(table, "Keith")
