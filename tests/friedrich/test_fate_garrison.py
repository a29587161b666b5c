"""Russia must keep a general in East Prussia once it has conquered all of it, in the expert game (§13)."""

from __future__ import annotations

import pytest

from pbem.engine.field import OFF, unmark
from pbem.games.friedrich.rules import game, instants
from pbem.games.friedrich.rules.decisions import ChooseCities, NamedCities
from pbem.games.friedrich.rules.events import GarrisonMissing
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.fate_table import bare, begin, city, general, place
from tests.friedrich.refusals import code_of

EAST = ("Ortelsburg", "Königsberg (Ostpreußen)", "Riesenburg", "Rastenburg")


def conquered(expert: bool = True) -> Table:
    """Russia holds all its objectives in East Prussia, and Küstrin."""
    table = bare(expert=expert)
    table.state.field.markers = {city(table, name): "russia" for name in (*EAST, "Küstrin")}
    return table


def is_asked(table: Table) -> bool:
    """True if anything falls back at the end of Russia's stage."""
    begin(table, "russia", "supply")
    return any(isinstance(asked, ChooseCities) for asked in game.decisions(table))


def test_the_region_has_four_of_russias_objectives() -> None:
    table = bare()
    assert instants.region_objectives(table) == tuple(sorted(city(table, name) for name in EAST))


def test_without_a_general_there_prussia_takes_two_back_of_its_choice() -> None:
    table = conquered()
    place(table, "Fermor", "Warszawa", 3)
    assert is_asked(table)
    named = tuple(sorted((city(table, "Riesenburg"), city(table, "Rastenburg"))))
    assert code_of(table, "prussia", NamedCities(named[:1])) == "E-FATE-CITIES"
    assert code_of(table, "prussia", NamedCities((named[0], named[0]))) == "E-FATE-CITIES"
    assert code_of(table, "prussia", NamedCities((named[0], city(table, "Küstrin")))) == "E-FATE-CITY"
    events = game.apply(table, "prussia", NamedCities(named))
    assert GarrisonMissing("russia", "prussia", named) in events
    assert set(table.state.field.markers) == {city(table, name) for name in (*EAST[:2], "Küstrin")}


@pytest.mark.parametrize("where", ["Mohrungen", "Königsberg (Ostpreußen)", "Tilsit"])
def test_one_general_anywhere_in_the_region_is_enough(where: str) -> None:
    table = conquered()
    place(table, "Tottleben", where, 1)
    assert not is_asked(table)


def test_a_train_a_swede_or_a_general_next_door_is_not() -> None:
    table = conquered()
    place(table, "russia train 1", "Mohrungen")
    place(table, "Ehrensvärd", "Tilsit", 2)
    place(table, "Tottleben", "Warszawa", 1)
    assert is_asked(table)


def test_generals_who_starve_in_this_very_stage_guard_nothing() -> None:
    table = conquered()
    place(table, "Tottleben", "Tilsit", 1, down=True)
    assert is_asked(table)
    assert table.state.field.pieces[general(table, "Tottleben")].city == OFF


@pytest.mark.parametrize("lacking", EAST)
def test_nothing_falls_back_while_one_objective_there_is_lacking(lacking: str) -> None:
    table = conquered()
    unmark(table.state.field, [city(table, lacking)])
    assert not is_asked(table)


def test_only_in_the_expert_game_and_only_in_russias_stage() -> None:
    assert not is_asked(conquered(expert=False))
    table = conquered()
    begin(table, "sweden", "supply")
    assert table.state.tasks == []
