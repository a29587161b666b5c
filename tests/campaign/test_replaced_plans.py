"""Warnings about plans that no longer count, because a newer letter of orders takes the place of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.campaign.play import adjudicating
from pbem.campaign.settings import Seat
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable
from tests.campaign.test_ahead import FRANCE, STILL
from tests.report.campaign_table import OpenTable

BATTLE: Tree = {"for": "battle", "tactic": "win-cheaply"}
PLANNED: dict[str, Tree] = {power: {"move": [], "plans": [BATTLE]} for power in STILL}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    return SimulatedTable(tmp_path_factory.mktemp("plans") / "campaign", position=FRANCE).begun()


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    return begun.copied(tmp_path / "campaign")


def warned(
    table: SimulatedTable, orders: Mapping[str, Tree], sealed: Mapping[str, Tree] | None = None
) -> list[tuple[object, object]]:
    """Send orders of Louis. Return entry and powers of each warning about plans that no longer count."""
    receipt = table.send(table.letter("louis", orders, sealed))
    assert receipt.status == "final"
    told = [fault for fault in receipt.verdict.faults if fault.code == "W-PLAN-REPLACED"]
    return [(gaps["entry"], gaps["powers"]) for gaps in (dict(fault.message.gaps) for fault in told)]


def test_orders_without_the_plans_of_those_before_say_so_once(table: SimulatedTable) -> None:
    assert warned(table, PLANNED) == []
    ((entry, powers),) = warned(table, STILL)
    with table.open() as campaign:
        assert entry == campaign.vault.entry - 1
    assert powers == ("bavaria", "france")
    assert warned(table, STILL) == [], "the letter before has no plans any more"


def test_only_powers_whose_plans_are_not_repeated_are_named(table: SimulatedTable) -> None:
    warned(table, PLANNED)
    ((_, powers),) = warned(table, {**STILL, "france": PLANNED["france"]})
    assert powers == ("bavaria",)


def test_nothing_is_said_of_sealed_plans(table: SimulatedTable) -> None:
    warned(table, {}, {"orders": PLANNED})
    assert warned(table, STILL) == []
    warned(table, PLANNED)
    assert warned(table, {}, {"orders": STILL}) == []


def test_a_sealed_receipt_tells_of_sealed_plans_as_well(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, seats={"louis": Seat(reports="sealed")})
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        campaign.save()
    plans: dict[str, Tree] = {"france": {"plans": [BATTLE]}}
    table.send(table.letter("louis", sealed={"orders": plans}))
    receipt = table.send(table.letter("louis", sealed={"orders": {"france": {}}}))
    assert "W-PLAN-REPLACED" in [fault.code for fault in receipt.verdict.faults]


def test_plans_of_a_stage_that_is_over_are_not_missed(table: SimulatedTable) -> None:
    warned(table, PLANNED)
    table.carried_out()
    receipt = table.send(table.letter("frederick", {"prussia": {"move": []}, "saxony": {"move": []}}))
    assert "W-PLAN-REPLACED" not in [fault.code for fault in receipt.verdict.faults]
