"""Movement and conquest: how far pieces go, what stops them, which objectives fall and what protects them (§4, §5)."""

from __future__ import annotations

import pytest

from pbem.engine.decisions import Done, Move
from pbem.engine.events import Conquered, Event, Questioned, QuestionLifted, TrainTaken
from pbem.engine.field import alter, mark
from pbem.engine.march import destinations
from pbem.engine.rules import IllegalOrder
from pbem.faults.wrong import words
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.movement import column_of
from pbem.games.friedrich.rules.sequence import advance
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.fate_table import at, bare, begin, city, general, place
from tests.friedrich.refusals import code_of


def way(table: Table, *names: str) -> tuple[int, ...]:
    """A path by the names of its cities."""
    return tuple(city(table, name) for name in names)


def move(table: Table, power: str, names: str | tuple[str, ...], *path: str) -> list[Event]:
    """Let pieces march."""
    movers = (names,) if isinstance(names, str) else names
    return game.apply(table, power, Move(tuple(general(table, name) for name in movers), way(table, *path)))


def refused(table: Table, power: str, names: str | tuple[str, ...], *path: str) -> str:
    """The code with which a march is refused."""
    movers = (names,) if isinstance(names, str) else names
    return code_of(table, power, Move(tuple(general(table, name) for name in movers), way(table, *path)))


def marching(power: str, scenario: str = "four", expert: bool = False) -> Table:
    """An empty board in the movement phase of a power that has a general far off."""
    return bare(scenario, expert=expert)


def test_a_general_goes_three_cities_and_four_by_main_roads_only() -> None:
    table = marching("prussia")
    place(table, "Keith", "Glogau", 2)
    begin(table, "prussia", "movement")
    assert refused(table, "prussia", "Keith", "Guhrau", "Glogau", "Guhrau", "Glogau") == "E-MARCH-LENGTH"
    assert refused(table, "prussia", "Keith", "Neusalz", "Glogau", "Neusalz", "Glogau", "Neusalz") == "E-MARCH-LENGTH"
    move(table, "prussia", "Keith", "Neusalz", "Glogau", "Neusalz", "Grünberg")
    assert at(table, "Keith") == city(table, "Grünberg")


def test_a_train_goes_two_cities_and_three_by_main_roads_only() -> None:
    table = marching("prussia")
    place(table, "prussia train 1", "Glogau")
    begin(table, "prussia", "movement")
    assert refused(table, "prussia", "prussia train 1", "Guhrau", "Glogau", "Guhrau") == "E-MARCH-LENGTH"
    move(table, "prussia", "prussia train 1", "Neusalz", "Glogau", "Neusalz")
    assert at(table, "prussia train 1") == city(table, "Neusalz")


def test_nobody_passes_allies_enemies_or_ones_own_train() -> None:
    for name in ("prussia train 1", "Ferdinand", "Daun"):
        table = marching("prussia")
        place(table, "Keith", "Schweidnitz", 2)
        place(table, name, "Breslau", 2)
        begin(table, "prussia", "movement")
        assert refused(table, "prussia", "Keith", "Breslau") == "E-MARCH-BLOCKED"
        assert refused(table, "prussia", "Keith", "Breslau", "Oels") == "E-MARCH-BLOCKED"


def test_all_own_pieces_on_the_way_are_to_be_ordered_away_first() -> None:
    table = marching("prussia")
    place(table, "Keith", "Schweidnitz", 2)
    place(table, "prussia train 1", "Breslau", 0)
    place(table, "prussia train 2", "Oels", 0)
    begin(table, "prussia", "movement")
    order = Move((general(table, "Keith"),), way(table, "Breslau", "Oels", "Militsch"))
    with pytest.raises(IllegalOrder) as caught:
        game.apply(table, "prussia", order)
    trains = [general(table, f"prussia train {number}") for number in (1, 2)]
    assert caught.value.hint == words("march-away-or-round", pieces=table.rules.common.names(trains))


def test_the_ends_of_a_march_follow_the_pieces() -> None:
    table = marching("prussia")
    keith, breslau = place(table, "Keith", "Schweidnitz", 2), city(table, "Breslau")
    daun = place(table, "Daun", "Prag", 2)
    begin(table, "prussia", "movement")
    for where, is_open in (("Prag", True), ("Breslau", False), ("Prag", True)):
        alter(table.state.field, daun, city=city(table, where))
        assert (breslau in destinations(column_of(table, [keith]))) == is_open


def test_a_stack_has_three_generals_and_who_joins_it_has_moved() -> None:
    table = marching("prussia")
    for name, where in {"Keith": "Schweidnitz", "Schwerin": "Breslau", "Heinrich": "Oels", "Dohna": "Striegau"}.items():
        place(table, name, where, 2)
    begin(table, "prussia", "movement")
    assert refused(table, "prussia", "Keith", "Breslau", "Oels") == "E-MARCH-JOINED"
    move(table, "prussia", "Keith", "Breslau")
    assert refused(table, "prussia", "Keith", "Schweidnitz") == "E-MARCH-TWICE"
    assert refused(table, "prussia", "Schwerin", "Oels") == "E-MARCH-TWICE"
    move(table, "prussia", "Heinrich", "Breslau")
    assert refused(table, "prussia", "Dohna", "Schweidnitz", "Breslau") == "E-STACK-FULL"


def test_a_stack_moves_as_one_or_parts() -> None:
    table = marching("prussia")
    for name in ("Keith", "Schwerin", "Heinrich"):
        place(table, name, "Breslau", 2)
    begin(table, "prussia", "movement")
    move(table, "prussia", ("Keith", "Heinrich"), "Oels")
    move(table, "prussia", "Schwerin", "Wohlau")
    assert at(table, "Keith") == at(table, "Heinrich") == city(table, "Oels")
    assert at(table, "Schwerin") == city(table, "Wohlau")


def test_generals_of_two_powers_never_stack() -> None:
    table = marching("austria")
    place(table, "Daun", "Leipzig", 2)
    place(table, "Hildburghausen", "Halle", 2)
    begin(table, "austria", "movement")
    assert refused(table, "austria", "Daun", "Halle") == "E-MARCH-BLOCKED"
    assert refused(table, "austria", ("Daun", "Hildburghausen"), "Borna") == "E-MARCH-POWER"


def test_a_general_stops_where_he_takes_a_train() -> None:
    table = marching("austria")
    place(table, "Daun", "Schweidnitz", 2)
    train = place(table, "prussia train 1", "Breslau")
    begin(table, "austria", "movement")
    assert refused(table, "austria", "Daun", "Breslau", "Oels") == "E-MARCH-TRAIN"
    events = move(table, "austria", "Daun", "Breslau")
    assert TrainTaken(train, city(table, "Breslau"), general(table, "Daun")) in events
    assert at(table, "prussia train 1") < 0


def silesia(guard: str = "Glogau") -> Table:
    """The example of §5: an Austrian general in Waldenburg, a Prussian one in Glogau."""
    table = marching("austria")
    place(table, "Daun", "Waldenburg", 4)
    place(table, "Keith", guard, 2)
    begin(table, "austria", "movement")
    return table


def test_the_example_of_the_rule_book() -> None:
    table = silesia()
    events = move(table, "austria", "Daun", "Schweidnitz", "Breslau", "Oels")
    fallen = [event.city for event in events if isinstance(event, Conquered)]
    assert fallen == [city(table, "Waldenburg"), city(table, "Schweidnitz")]
    assert [event.city for event in events if isinstance(event, Questioned)] == [city(table, "Breslau")]
    events = game.apply(table, "austria", Done())
    assert QuestionLifted(city(table, "Breslau"), "austria") in events
    assert sorted(table.state.field.markers) == sorted(fallen)


def test_an_objective_falls_later_if_its_protector_has_gone_back() -> None:
    table = silesia()
    move(table, "austria", "Daun", "Schweidnitz", "Breslau", "Oels")
    place(table, "Keith", "Neusalz", 2)
    events = game.apply(table, "austria", Done())
    retroactive = [event for event in events if isinstance(event, Conquered)]
    assert [(event.city, event.by, event.retroactive) for event in retroactive] == [
        (city(table, "Breslau"), "austria", True)
    ]


def test_face_down_generals_protect_and_conquer() -> None:
    table = silesia()
    for name in ("Keith", "Daun"):
        alter(table.state.field, general(table, name), down=True)
    events = move(table, "austria", "Daun", "Schweidnitz", "Breslau", "Oels")
    assert len([event for event in events if isinstance(event, Conquered)]) == 2
    assert len([event for event in events if isinstance(event, Questioned)]) == 1


def test_hanover_protects_nothing_in_prussia_and_prussia_nothing_in_hanover() -> None:
    for protector, objective, falls in (
        ("Ferdinand", "Magdeburg", True), ("Keith", "Magdeburg", False),
        ("Ferdinand", "Braunschweig", False), ("Keith", "Braunschweig", True),
    ):  # fmt: skip
        table = marching("france")
        place(table, "Richelieu", objective, 2)
        near = table.rules.common.board.near[city(table, objective)]
        place(table, protector, near[-1], 2)
        begin(table, "france", "movement")
        game.apply(table, "france", Move((general(table, "Richelieu"),), (near[0],)))
        assert (city(table, objective) in table.state.field.markers) == falls, (protector, objective)


def test_prussia_protects_and_reconquers_in_saxony_where_it_is_not_at_home() -> None:
    table = marching("imperial")
    place(table, "Hildburghausen", "Leipzig", 2)
    place(table, "Keith", "Dresden", 2)
    begin(table, "imperial", "movement")
    move(table, "imperial", "Hildburghausen", "Borna")
    assert table.state.field.markers == {city(table, "Leipzig"): "imperial"}
    place(table, "Hildburghausen", "Bamberg", 2)
    place(table, "Keith", "Leipzig", 2)
    begin(table, "prussia", "movement")
    move(table, "prussia", "Keith", "Halle")
    assert table.state.field.markers == {}


def test_nobody_conquers_the_objectives_of_an_ally() -> None:
    table = marching("russia")
    place(table, "Saltikov", "Leipzig", 2)
    begin(table, "russia", "movement")
    events = move(table, "russia", "Saltikov", "Borna")
    assert not table.state.field.markers
    assert not [event for event in events if isinstance(event, Questioned)]


def test_only_generals_of_the_conqueror_hinder_reconquest_but_the_imperial_train_does_too() -> None:
    for name, hindered in (
        ("Daun", False), ("austria train 1", False), ("Hildburghausen", True), ("imperial train 1", True),
    ):  # fmt: skip
        table = marching("prussia")
        place(table, "Keith", "Leipzig", 2)
        place(table, name, "Wurzen", 1)
        mark(table.state.field, city(table, "Leipzig"), "imperial")
        begin(table, "prussia", "movement")
        move(table, "prussia", "Keith", "Halle")
        assert (city(table, "Leipzig") in table.state.field.markers) == hindered, name
        assert (city(table, "Leipzig") in table.state.field.questions) == hindered, name


def test_trains_conquer_nothing() -> None:
    table = marching("austria")
    place(table, "austria train 1", "Schweidnitz")
    begin(table, "austria", "movement")
    move(table, "austria", "austria train 1", "Breslau")
    assert not table.state.field.markers


def test_prussia_conquers_nothing_in_the_standard_game() -> None:
    table = marching("prussia")
    place(table, "Keith", "Prag", 2)
    begin(table, "prussia", "movement")
    near = table.rules.common.board.near[city(table, "Prag")]
    game.apply(table, "prussia", Move((general(table, "Keith"),), (near[0],)))
    assert not table.state.field.markers


def test_facing_spreads_in_a_stack() -> None:
    table = marching("prussia")
    place(table, "Keith", "Schweidnitz", 2, down=True)
    place(table, "Schwerin", "Breslau", 2)
    begin(table, "prussia", "movement")
    move(table, "prussia", "Keith", "Breslau")
    assert table.state.field.pieces[general(table, "Schwerin")].down


def test_a_power_without_pieces_is_not_asked_to_move() -> None:
    table = marching("sweden")
    table.state.stage, table.state.phase, table.state.begun = "sweden", "movement", False
    table.state.owing = []
    advance(table)
    assert table.state.stage != "sweden"
