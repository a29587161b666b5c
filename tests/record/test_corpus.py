"""`pbem corpus`: archives that are sound, the same for a seed whoever makes them, and a corpus that goes on."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem import __version__
from pbem.bots.table import sensible_policy
from pbem.campaign.disk.folder import LOCK, hold_lock
from pbem.campaign.proof.verifying import verify
from pbem.cli import main
from pbem.engine.table import digest
from pbem.player.names import new_table
from pbem.playing.game import PlayedGame
from pbem.playing.saved import GameFile, Setup
from tests.record.reading import check, recorded

TWO = ("--players", "2")
"""The quickest game."""

SENSIBLE = f"sensible/{__version__}"


def corpus(folder: Path, *options: str, code: int = 0) -> dict[str, Any]:
    """Output of `pbem corpus` about a corpus for two players."""
    done = CliRunner().invoke(main, ["corpus", str(folder), *TWO, "--json", *options])
    assert done.exit_code == code, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file of a corpus, by its path; that nobody else is at work there is none of it."""
    files = [path for path in folder.rglob("*") if path.is_file() and path != folder / LOCK]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_an_archive_of_a_corpus_is_sound_and_follows_from_its_seed(tmp_path: Path) -> None:
    told = corpus(tmp_path / "one", "--games", "1", "--turns", "1", "--jobs", "1")
    corpus(tmp_path / "two", "--games", "1", "--turns", "1", "--jobs", "1")
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")
    archive = tmp_path / "one" / "000001"
    found = verify(archive)
    assert found.findings == []
    assert found.phase == "closed"
    assert found.figures.sealed == 0
    assert not [name for name in files_in(archive) if name.endswith((".age", ".lock"))]
    lines = recorded(str(archive))
    assert lines[-1]["turn"] == 2, "the second turn has begun"
    assert told["turns a game"] == 1
    assert lines[-1]["decisions"] == told["decisions"]
    assert {(line["by"], line["bot"]) for line in lines if line["type"] == "Decided"} == {("player", SENSIBLE)}
    assert {seat["bot"].partition("/")[0] for seat in lines[0]["seats"].values()} == {"sensible"}


def test_a_corpus_of_records_goes_on_and_is_the_same_whoever_makes_it(tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    told = corpus(whole, "--games", "2", "--records", "--jobs", "1")
    corpus(parted, "--games", "1", "--records", "--jobs", "1")
    with (parted / "games.jsonl").open("ab") as file:
        file.write(b'{"name":"000002","tu')  # as a command leaves it that is killed
    (parted / "000002.jsonl").write_bytes(b"half")
    assert corpus(parted, "--games", "2", "--records", "--jobs", "2") == told | {"folder": str(parted)}
    assert files_in(whole) == files_in(parted)
    lines = [json.loads(line) for line in (whole / "000002.jsonl").read_bytes().splitlines()]
    for line in lines:
        check(line)
    assert corpus(whole, "--games", "1", "--records")["games"] == 1
    said = CliRunner().invoke(main, ["corpus", str(whole), *TWO, "--games", "1", "--records", "--language", "es"])
    assert "puntos por partida: player-a" in said.stdout
    (whole / "000002.jsonl").unlink()
    assert corpus(whole, "--games", "2", "--records", "--jobs", "1") == told
    assert (whole / "000002.jsonl").read_bytes() == (parted / "000002.jsonl").read_bytes()


def test_a_cluster_that_is_none_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    assert corpus(folder, "--on", "nonsense", code=1)["refused"][0]["code"] == "E-WORK-ADDRESS"
    assert not folder.exists()


@pytest.mark.parametrize("options", [("--seed", "2"), ("--bots", "random"), ("--turns", "3"), ("--records",)])
def test_another_corpus_is_not_mixed_in(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "corpus.json").write_text(
        '{"version":"0.5.0","games":{"terms":{"players":"2","game":"maria"},'
        '"bots":{"player-a":"sensible","player-b":"sensible"},"turns":null},"seed":1,"of":"archives"}'
    )
    assert corpus(tmp_path, *options, code=1)["refused"][0]["code"] == "E-CORPUS-TAKEN"


def test_nothing_is_written_into_a_folder_with_something_else(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine")
    assert corpus(tmp_path, code=1)["refused"][0]["code"] == "E-CORPUS-TAKEN"
    (tmp_path / "corpus.json").write_text("mine")
    assert corpus(tmp_path, code=1)["refused"][0]["code"] == "E-CORPUS-TAKEN"
    assert len(files_in(tmp_path)) == 2


def test_two_commands_do_not_make_the_same_games(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    corpus(folder, "--games", "1", "--turns", "1", "--records", "--jobs", "1")
    before = files_in(folder)
    with hold_lock(folder, "another", datetime.now(UTC)):
        told = corpus(folder, "--games", "2", "--turns", "1", "--records", "--jobs", "1", code=1)
    assert told["refused"][0]["code"] == "E-LOCK-HELD"
    assert files_in(folder) == before
    assert corpus(folder, "--games", "2", "--turns", "1", "--records", "--jobs", "1")["games"] == 2


def test_a_game_against_bots_is_recorded_with_its_secrets_once_it_is_over(tmp_path: Path) -> None:
    terms = {"game": "maria", "players": "2"}
    rules = new_table(terms).rules
    game = PlayedGame(rules, Setup(terms, "1", "player-a", {"player-b": "sensible"}))
    choose = sensible_policy("maria")
    path = tmp_path / "mine.play"
    while (decision := game.question()) is not None:
        game.take(decision.power, choose(game.table, decision, game.chance_now()))
        if len(game.entries) < 40:
            early = game.entries[:]
            early_digest = digest(game.table.state)
    GameFile(path).save(game.setup, early, early_digest)
    lines = recorded(str(path))
    assert {line["type"] for line in lines} == {"Begins", "Happened", "Ends"}
    drawn = [event for line in lines for event in line.get("events", ()) if event["type"] == "CardsDrawn"]
    assert drawn
    assert not [event for event in drawn if event["cards"]]
    path.unlink()
    GameFile(path).save(game.setup, game.entries, digest(game.table.state))
    lines = recorded(str(path))
    for line in lines:
        check(line)
    assert len(lines) == len(game.entries) + 3
    assert lines[-2]["digest"] == digest(game.table.state)
    assert lines[0]["seats"]["player-a"]["bot"] == ""
    bots = {(line["player"], line.get("bot")) for line in lines if line["type"] == "Decided"}
    assert bots == {("player-a", None), ("player-b", SENSIBLE)}
