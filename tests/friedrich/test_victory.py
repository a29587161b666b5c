"""Victory (§11, §12)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pbem.engine.events import GameEnded, StageBegan
from pbem.games.friedrich.rules import fate
from pbem.games.friedrich.rules.events import WonTogether
from pbem.games.friedrich.rules.offensive import result_now, result_of_stage
from pbem.games.friedrich.rules.state import Result, Table
from tests.friedrich.fate_table import bare, begin


def conquer(table: Table, power: str, cities: Iterable[int]) -> None:
    """Mark cities as conquered."""
    table.state.field.markers |= dict.fromkeys(cities, power)


@pytest.mark.parametrize(("power", "player"), [
    ("russia", "elisabeth"), ("sweden", "elisabeth"), ("austria", "maria-theresa"), ("imperial", "maria-theresa"),
    ("france", "pompadour"),
])  # fmt: skip
def test_all_objectives_win(power: str, player: str) -> None:
    table = bare(expert=False)
    cities = table.rules.objectives[power]
    conquer(table, power, cities[:-1])
    assert result_now(table) is None
    conquer(table, power, cities)
    result = result_now(table)
    assert result is not None
    assert (result.winner, result.how, result.held[power]) == (player, "goals", len(cities))


@pytest.mark.parametrize(("power", "first"), [("sweden", 5), ("austria", 12), ("imperial", 5)])
def test_with_eased_conditions_the_first_order_is_enough(power: str, first: int) -> None:
    table = bare(expert=False)
    assert len(table.rules.first_order[power]) == first
    conquer(table, power, table.rules.first_order[power])
    assert result_now(table) is None
    table.state.fate.eased = [power]
    assert result_now(table) is not None


def test_several_win_together() -> None:
    table = bare(expert=False)
    for power in ("france", "russia"):
        conquer(table, power, table.rules.objectives[power])
    events = begin(table, "fate", "clock")
    assert WonTogether(("elisabeth", "pompadour")) in events
    assert isinstance(events[-1], GameEnded)
    result = table.state.result
    assert isinstance(result, Result)
    assert (result.winner, result.how, result.others) == ("elisabeth", "goals", ("pompadour",))


def test_two_powers_of_one_player_are_one_winner() -> None:
    table = bare(expert=False)
    for power in ("austria", "imperial"):
        conquer(table, power, table.rules.objectives[power])
    result = result_now(table)
    assert result is not None
    assert (result.winner, result.others) == ("maria-theresa", ())


def test_nobody_wins_before_the_end_of_the_turn() -> None:
    table = bare(expert=False)
    conquer(table, "russia", table.rules.objectives["russia"])
    events = begin(table, "russia", "supply")
    stages = [event.stage for event in events if isinstance(event, StageBegan)]
    assert stages[0] == "sweden"


def test_who_wins_before_the_card_wins_whatever_the_card_is() -> None:
    table = bare(expert=False)
    conquer(table, "russia", table.rules.objectives["russia"])
    table.state.fate.deck.remove(15)
    table.state.fate.deck.append(15)
    begin(table, "fate", "clock")
    assert table.state.result is not None
    assert table.state.result.winner == "elisabeth"
    assert table.state.fate.out == []


def test_prussia_wins_once_three_powers_have_left() -> None:
    table = bare(expert=False)
    for number in (15, 16, 17, 18):
        assert result_now(table) is None
        table.state.fate.deck.remove(number)
        table.state.fate.deck.append(number)
        fate.clock(table)
    result = result_now(table)
    assert result is not None
    assert (result.winner, result.how) == ("frederick", "survival")


def test_whoever_plays_the_power_now_wins() -> None:
    table = bare(expert=False)
    conquer(table, "imperial", table.rules.first_order["imperial"])
    for number in (17, 18):
        table.state.fate.deck.remove(number)
        table.state.fate.deck.append(number)
        assert result_now(table) is None
        fate.clock(table)
    result = result_now(table)
    assert result is not None
    assert result.winner == "pompadour"


def test_two_players() -> None:
    west = bare("west", expert=False)
    west.state.fate.out = [17, 18]
    result = result_now(west)
    assert result is not None
    assert result.winner == "frederick"
    theatre = bare("austria", expert=False)
    theatre.state.fate.out = [15, 17, 18]
    assert result_now(theatre) is None
    conquer(theatre, "prussia", theatre.rules.objectives["prussia"])
    result = result_of_stage(theatre, "prussia")
    assert result is not None
    assert (result.winner, result.how) == ("frederick", "goals")
    assert result_of_stage(theatre, "austria") is None
