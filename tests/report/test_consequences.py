"""Consequences of orders are told from public facts and the reader's knowledge only."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.field import alter, remove
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.trial import run_known
from pbem.paper.positions.files import load_position
from pbem.report import blocks
from pbem.report.changes import changes
from pbem.report.consequences import Prospects, consequences, consequences_data

MID_WAR = Path(__file__).parents[2] / "examples/mid-war"
PRUSSIAN = (Power("prussia"), Power("saxony"))


@pytest.fixture(scope="module")
def table() -> Table:
    data = (MID_WAR / "position.yaml").read_bytes()
    found: Table = load_position(data, "position", MID_WAR)
    game_of(found).advance(found)
    return found


def told(table: Table, orders: str) -> tuple[dict[str, object], dict[str, object]]:
    """Consequences and changes of these orders, as Prussia is told."""
    trial = run_known(table, load_orders(orders.encode(), "orders", table.rules))
    assert not trial.is_refused, trial.faults
    view = game_of(table).view
    found = consequences_data(table.rules, consequences(table, trial.table, PRUSSIAN, PRUSSIAN))
    return found, changes(table.rules, view(table, PRUSSIAN), view(trial.table, PRUSSIAN))


FORWARD = "orders: {prussia: {move: [Friedrich: [Pardubitz, Kolin]]}, saxony: {move: []}}"


def test_a_battle_is_told_before_anybody_declares_with_what_can_be_known_of_its_strength(table: Table) -> None:
    found, changed = told(table, FORWARD)
    assert found["battles"] == [
        {
            "attacker": {
                "power": "prussia", "generals": ["Friedrich der Große"], "city": "Kolin", "suit": "♥",
                "least": 8, "most": 8,
            },
            "defender": {
                "power": "austria", "generals": ["Karl von Lothringen"], "city": "Czaslau", "suit": "♥",
                "least": 1, "most": 8,
            },
        }
    ]  # fmt: skip
    assert changed["pieces"] == {"Friedrich der Große": {"city": "Kolin", "suit": "♥"}}
    assert changed["questions"] == {"Pardubitz": "prussia"}
    assert "hands" not in changed


def test_who_stays_has_nothing_new_to_fear(table: Table) -> None:
    found, _ = told(table, "orders: {prussia: {move: []}, saxony: {move: []}}")
    assert (found["battles"], found["attackable"], found["open"], found["goals"]) == ([], [], [], [])
    assert "Schwerin" in str(found["supplied"])


def test_generals_without_a_train_in_reach_are_named(table: Table) -> None:
    lost = copy_of(table)
    for train in table.rules.common.trains(PRUSSIAN[0]):
        remove(lost.state.field, train)
    stay = "orders: {prussia: {move: []}, saxony: {move: []}}"
    assert told(table, stay)[0]["cut_off"] == []
    assert told(lost, stay)[0]["cut_off"] == ["Friedrich der Große", "Schwerin", "Erbprinz Leopold"]


def test_two_worlds_that_a_reader_cannot_tell_apart_lead_to_the_same(table: Table) -> None:
    twin = copy_of(table)
    named = table.rules.common.generals_by_name
    pieces = twin.state.field.pieces
    one, other = named["Karl von Lothringen"], named["Traun"]
    troops = pieces[one].troops, pieces[other].troops
    assert troops[0] != troops[1]
    alter(twin.state.field, one, troops=troops[1])
    alter(twin.state.field, other, troops=troops[0])
    hands = twin.state.cards.hands
    hands[Power("austria")], twin.state.cards.draw[:7] = twin.state.cards.draw[:7], hands[Power("austria")]
    for orders in (FORWARD, "orders: {prussia: {move: []}, saxony: {move: [Rutowski: Leitomischl]}}"):
        assert told(table, orders) == told(twin, orders)


@pytest.mark.parametrize("phase", ["movement", "recruiting"])
def test_a_battle_is_coming_as_long_as_recruits_can_be_bought_before_it(phase: str) -> None:
    pieces = "{Schwerin: 'Kuttenberg, 3', Daun: Tschaslau, prussia train 1: Nimburg}"
    position = (
        f"game: friedrich\nturn: 3\nstage: prussia\nphase: {phase}\nhands: {{prussia: [♥12]}}\npieces: {pieces}\n"
    )
    table = load_position(position.encode(), "before the battle.yaml")
    game_of(table).advance(table)
    (battle,) = Prospects(table, [Power("prussia")], [Power("prussia")]).battles()
    assert blocks.pieces(table.rules.common, battle.attacker.generals) == ["Schwerin"]
    assert blocks.pieces(table.rules.common, battle.defender.generals) == ["Daun"]
