"""Strengths that follow from declarations, totals and recruits: as narrow as public facts allow, and never untrue."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.bots.table import sensible_policy
from pbem.campaign.briefing import briefings
from pbem.campaign.ledger.entries import as_texts
from pbem.campaign.play import secret_state
from pbem.campaign.proof.drawing import follow
from pbem.engine.decisions import Allot
from pbem.engine.events import GeneralEntered, Recruited
from pbem.engine.field import alter
from pbem.engine.memory import Declaration, Memory, map_state_of
from pbem.engine.nouns import Card, Piece, Power
from pbem.engine.strengths import on_map, strength_limits, strengths_counted
from pbem.engine.table import Table, deep_copy
from pbem.report.consequences import Prospects
from tests.campaign.simulated import SimulatedTable
from tests.report.test_strengths_told import told  # noqa: F401 - a fixture

GAMES = {"maria": {"scenario": "introductory"}, "friedrich": {"scenario": "four"}}


def with_troops(table: Table, power: str, *troops: int) -> tuple[Table, tuple[Piece, ...]]:
    """The same table with the first generals of a power on the map having so many troops, the others off it."""
    table = deep_copy(table)
    common, field = table.rules.common, table.state.field
    generals = on_map(common, field, power)
    for general in generals[len(troops) :]:
        alter(field, general, city=-1)
    for general, number in zip(generals, troops, strict=False):
        alter(field, general, troops=number)
    return table, generals[: len(troops)]


@pytest.mark.parametrize("gained", [0, 2, 5])
@pytest.mark.parametrize("strength", [3, 4, 8])
def test_limits_are_those_of_all_ways_to_have_the_total(told, strength: int, gained: int) -> None:  # noqa: F811
    table, (one, two, three) = with_troops(told.table_in_play, "austria", 6, 5, 2)
    said = [Declaration((one, two), strength, not gained, gained or None)]
    ways = [
        way
        for way in product(range(1, 9), repeat=3)
        if sum(way) == 13 and strength <= way[0] + way[1] <= strength + gained
    ]
    for group in ((one,), (two,), (three,), (one, two), (one, three), (one, two, three)) if ways else ():
        places = [(one, two, three).index(general) for general in group]
        sums = [sum(way[place] for place in places) for way in ways]
        field = table.state.field
        assert strength_limits(table.rules.common, field, group, said) == (min(sums), max(sums)), group


def test_recruits_cannot_make_a_known_general_weaker(told) -> None:  # noqa: F811
    """One general with all four troops of a power; then it recruits seven, and two generals come back."""
    table, generals = with_troops(told.table_in_play, "austria", 4)
    common = table.rules.common
    (counted,) = strengths_counted(common, table.state.field, ["austria"], [])
    assert counted == Declaration(generals, 4)
    after, (first, second, third) = with_troops(told.table_in_play, "austria", 6, 4, 1)
    doubted = replace(counted, sure=False, gained=7)
    assert strength_limits(common, after.state.field, (first,), [doubted]) == (4, 8)
    assert strength_limits(common, after.state.field, (second,), [doubted]) == (1, 6)
    assert strength_limits(common, after.state.field, (second, third), [doubted]) == (3, 7)


@pytest.mark.parametrize("count", [1, 2])
def test_generals_who_come_back_have_new_troops_alone(told, count: int) -> None:  # noqa: F811
    """Three new troops, of which others may have got some; how many these others have is not known."""
    before, _ = with_troops(told.table_in_play, "austria", 5, 4)
    after, (first, second, *back) = with_troops(told.table_in_play, "austria", 5, 4 + 3 - count, *[1, 1][:count])
    memory = Memory(map_state_of(before.state.field))
    memory.counted = [Declaration((first,), 2, False, 6), Declaration((second,), 1, False, 6)]
    places = [after.state.field.pieces[general].city for general in back]
    events = [Recruited(Power("austria"), 3, (Card(0),), None), *map(GeneralEntered, back, places)]
    follow(memory, after.rules, [{"type": type(event).__name__, **as_texts(event)} for event in events], before)
    for general in back:
        limits = strength_limits(after.rules.common, after.state.field, (general,), memory.strengths)
        assert limits == (1, 4 - count)
    assert not memory.declared


@pytest.mark.parametrize("gained", [0, 3])
@pytest.mark.parametrize("strength", [5, 14])
def test_limits_of_a_stack_of_two_powers_are_those_of_both_totals_and_its_strength(
    told,  # noqa: F811
    strength: int,
    gained: int,
) -> None:
    table, (one, two) = with_troops(told.table_in_play, "austria", 6, 5)
    table, (three, four) = with_troops(table, "prussia", 7, 2)
    said = [Declaration((one, three), strength, not gained, gained or None)]
    ways = [
        way
        for way in product(range(1, 9), repeat=4)
        if way[0] + way[1] == 11 and way[2] + way[3] == 9 and strength <= way[0] + way[2] <= strength + gained
    ]
    for group in ((one,), (two,), (four,), (one, three), (one, two, three)):
        sums = [sum(way[(one, two, three, four).index(general)] for general in group) for way in ways]
        assert strength_limits(table.rules.common, table.state.field, group, said) == (min(sums), max(sums)), group


@pytest.mark.parametrize("game", GAMES)
def test_strengths_of_a_campaign_are_true_and_no_wider_than_declared_ones(tmp_path: Path, game: str) -> None:
    table = SimulatedTable(tmp_path, 1, game=game, **GAMES[game])
    for player in table.players.values():
        player.policy = sensible_policy(game)
    narrower = 0
    with table.begun().open() as campaign:
        for _ in range(60):
            if campaign.public.next is None:
                break
            table.round(campaign)
            memory, now = campaign.state.memory, campaign.state.table
            assert memory is not None
            assert now is not None
            common, field = now.rules.common, now.state.field
            assert memory.on_map.places == map_state_of(field).places
            for power in now.rules.powers if now.state.stage != "setup" else ():
                for general in on_map(common, field, power):
                    least, most = strength_limits(common, field, (general,), memory.strengths)
                    assert least <= field.pieces[general].troops <= most
                    fewest, greatest = strength_limits(common, field, (general,), memory.declared)
                    assert fewest <= least <= most <= greatest
                    narrower += (fewest, greatest) != (least, most)
        told = briefings(campaign)
    assert narrower
    for each in told.values():
        if each.table and each.memory:
            prospects = Prospects(each.table, each.powers, each.powers, each.memory.strengths)
            for city in prospects.foes:
                assert prospects.stack(city).least <= prospects.stack(city).most


def otherwise_spread(table: Table) -> Table:
    """The same table, with the troops of each power's generals on the map changed around."""
    table = deep_copy(table)
    field = table.state.field
    for power in table.rules.powers:
        generals = on_map(table.rules.common, field, power)
        troops = [field.pieces[general].troops for general in generals]
        for general, number in zip(generals, troops[1:] + troops[:1], strict=True):
            alter(field, general, troops=number)
    return table


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_counted_from_how_troops_are_spread(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0

    def twice(memory: Memory, rules: Any, events: Any, before: Table) -> None:
        nonlocal compared
        other, spread = deep_copy(memory), otherwise_spread(before)
        follow(memory, rules, events, before)
        follow(other, rules, events, spread)
        assert memory == other
        compared += spread != before

    monkeypatch.setattr(secret_state, "follow", twice)
    SimulatedTable(tmp_path, 2, game=game, **GAMES[game]).begun().play(20)
    assert compared


def test_the_least_of_the_first_allotment_is_known(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path, 1, scenario="introductory").begun()
    with table.open() as campaign:
        asked = {each.power: each for told in briefings(campaign).values() for each in told.orders.asked}
    least = {
        general: number for each in asked.values() if isinstance(each, Allot) for general, number in each.least.items()
    }
    table.ordered(*table.players)
    table.carried_out()
    more = 0
    with table.open() as campaign:
        for told in briefings(campaign).values():
            if told.reader in table.players and told.memory:
                prospects = Prospects(told.table_in_play, told.powers, told.powers, told.memory.strengths)
                for city in prospects.foes:
                    stack = prospects.stack(city)
                    assert stack.least >= sum(least[general] for general in stack.generals), stack
                    more += stack.least > len(stack.generals)
    assert more


def test_a_declaration_of_several_powers_stays_whole(told) -> None:  # noqa: F811
    """Nobody knows which of the powers bears its losses."""
    table, (one, *_) = with_troops(told.table_in_play, "austria", 4)
    other = on_map(table.rules.common, table.state.field, "imperial")[0]
    mixed = Declaration((one, other), 7)
    found = strengths_counted(table.rules.common, table.state.field, ["austria", "imperial"], [mixed])
    assert mixed in found
    assert not any({one, other}.intersection(each.generals) for each in found if each != mixed)


def test_a_stack_of_several_powers_marches_with_the_strength_that_it_declared(told) -> None:  # noqa: F811
    table, (one, _) = with_troops(told.table_in_play, "austria", 6, 5)
    table, (two, _) = with_troops(table, "russia", 4, 3)
    city = table.state.field.pieces[one].city
    alter(table.state.field, two, city=city)
    prospects = Prospects(table, ["prussia"], ["prussia"], [Declaration((one, two), 10)])
    assert prospects.stack(city) == prospects.in_march(city).stack
    assert prospects.stack(city).least == prospects.stack(city).most == 10
