"""Absent players: defaults answer for them in the stage whose orders they have missed, and in no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.settings import Conduct
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable


def test_going_on_without_anybody_ends_with_the_stage(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    done = table.carried_out(force=True)
    assert set(done.record.absent) == set(table.players)
    assert done.record.stage == "1/setup"
    assert done.record.next.stage == "1/hussars"
    assert not done.record.next.over
    table.assert_verified()


def test_who_plays_two_stages_in_a_row_is_absent_only_in_the_one_that_was_missed(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory", players="2").begun()
    while (done := table.carried_out(force=True)).record.next.stage != "1/france":
        pass
    assert set(done.record.next.owing) == {"player-a"}
    done = table.carried_out(force=True)
    assert {answer.power for answer in done.outcome.answers} == {"france", "bavaria"}
    assert done.record.next.stage == "1/prussia"
    assert done.record.next.owing == {"player-a": ("prussia", "saxony")}
    assert done.record.next.answered == ()


def test_a_letter_answers_nothing_beyond_its_stage(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory", players="2").begun()
    while table.carried_out(force=True).record.next.stage != "1/france":
        pass
    every: dict[str, Tree] = {power: {"move": []} for power in ("france", "bavaria", "prussia", "saxony")}
    assert table.send(table.letter("player-a", every)).status == "final"
    done = table.carried_out()
    assert {answer.power for answer in done.outcome.answers} == {"france", "bavaria"}
    assert done.record.next.owing == {"player-a": ("prussia", "saxony")}
    with table.open() as campaign:
        assert campaign.public.pending == {}
        assert campaign.state.orders_in_force == {}


@pytest.mark.parametrize("sealing", ["moderator", "reveal"])
def test_a_campaign_can_be_played_by_nobody_stage_by_stage(tmp_path: Path, sealing: str) -> None:
    conduct = Conduct(sealing=sealing)  # type: ignore[arg-type]
    table = SimulatedTable(tmp_path / "campaign", conduct=conduct, scenario="introductory").begun()
    stages = [table.carried_out(force=True).record.stage for _ in range(12)]
    assert len(set(stages)) > 4
    table.close("nobody came")
    table.assert_verified()
