"""Play at the desk as people do, by places of the screen alone; whole games are `python -m tests.desk.plays`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desk.fields import attacks, exile
from tests.desk.playing import FULL, PHONE, WIDE, Player
from tests.desk.sitting import PATIENCE, Sitter
from tests.site.browsing import reader

STAGES = 2
"""Stages that are played in the suite; `.ci/run` plays more."""


@pytest.mark.parametrize(("game", "width"), [("maria", WIDE), ("friedrich", PHONE)])
def test_play_now_leads_through_stages_by_clicks_alone(page_file: Path, tmp_path: Path, game: str, width: int) -> None:
    with reader(tmp_path) as found:
        found.driver.set_script_timeout(PATIENCE)
        sitter = Sitter(found, page_file)
        player = Player(sitter, width, seed=1)
        player.begin(game)
        player.play(STAGES)
        player.reload(player.look())
        assert sitter.memory() < FULL
    assert min(player.count.costs["a piece"]) == 2
    assert player.count.unusual() == []
    assert len(player.count.stages) == STAGES


def test_a_player_buys_troops_and_chooses_an_attack_in_the_bar(page_file: Path, tmp_path: Path) -> None:
    with reader(tmp_path / "profile") as found:
        found.driver.set_script_timeout(PATIENCE)
        player = Player(Sitter(found, page_file), WIDE, seed=1)
        (tmp_path / "exile.yaml").write_bytes(exile())
        player.sitter.open(str(tmp_path / "exile.yaml"))
        player.fill(player.reader.run("const [asked] = due(); return `${asked.power} ${asked.form.section}`"))
        assert "pay" in player.look()["letter"]
        (tmp_path / "attacks.yaml").write_bytes(attacks())
        player.sitter.open(str(tmp_path / "attacks.yaml"))
        for city in ("Wels", "Linz", "Pisek", "Budweis"):
            player.click_city(city)
        player.end(player.look())
        assert "which attack" in player.look()["prompt"]
        assert player.choice(player.look())
