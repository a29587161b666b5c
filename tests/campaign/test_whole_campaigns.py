"""Whole campaigns by letter: every variant is played to its end with real signatures, and verifies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Conduct
from tests.campaign.simulated import SimulatedTable

VARIANTS: list[dict[str, Any]] = [
    {"scenario": "introductory"},
    {"scenario": "introductory", "players": "2"},
    {"scenario": "advanced", "players": "2", "bluffing": "yes"},
    {"game": "friedrich", "scenario": "four"},
    {"game": "friedrich", "scenario": "three", "expert": "yes"},
    {"scenario": "silesia-gambit"},
    {"scenario": "advanced", "placing": "simultaneous", "edition": "1.0"},
    {"game": "friedrich", "scenario": "austria"},
]
"""The advanced game for three is one of the archives of `tests/protocol`. Every fourth is played in the suite
(`tests/part.txt`): one of each game."""


@pytest.mark.parametrize("terms", VARIANTS, ids=lambda terms: "-".join(terms.values()))
def test_a_campaign_is_played_to_its_end_and_verifies(tmp_path: Path, terms: dict[str, Any]) -> None:
    table = SimulatedTable(tmp_path / "campaign", **terms)
    table.join()
    rounds = table.play()
    if len(terms) < 2:
        table.assert_verified()
    table.close()
    closed = verify(table.root)
    assert closed.is_good, closed.findings
    assert closed.figures.adjudications >= rounds
    assert closed.figures.letters >= rounds
    assert closed.figures.cards > 0


def test_what_is_committed_to_is_revealed_only_when_all_have(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", conduct=Conduct(sealing="reveal"), scenario="introductory")
    table.join()
    table.play(12)
    table.close("far enough")
    assert verify(table.root).is_good
