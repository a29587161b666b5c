"""`pbem what-if`: a branch from a report in the terminal, which is saved, and is no letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.playing import page
from pbem.playing.saved import GameFile
from tests.cli.correspondence import Correspondence


@pytest.fixture
def report(moving: Correspondence, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Prussia's report, in a folder where nothing else lies; no picture is drawn."""
    monkeypatch.setattr(page, "picture_file", lambda path, request: b"<svg/>")
    found = str(moving.root.joinpath(moving.sent("frederick.report.yaml")))
    monkeypatch.chdir(tmp_path)
    return found


def called(*words: str, types: tuple[str, ...] = (), code: int = 0) -> str:
    """Output of a command for a person who types these lines."""
    done = CliRunner().invoke(main, [*words], input="".join(f"{line}\n" for line in types), catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.output


def march_of(report: str) -> str:
    """Orders with the first march that is offered."""
    import json

    (option, *_) = json.loads(called("legal", report, "--json"))
    march = option["marches"][0]
    Path("orders.yaml").write_text(
        f"pbem: 1\nkind: orders\norders:\n  {option['power']}:\n    move:\n"
        f"      - {' + '.join(march['pieces'])}: {march['to'][0]['city']}\n",
        "utf-8",
    )
    return str(march["pieces"][0])


def test_orders_are_carried_out_and_the_next_question_comes(report: str) -> None:
    piece = march_of(report)
    shown = called("what-if", report, "orders.yaml", "--seed", "a")
    assert "nothing of it can be sent" in " ".join(shown.split())
    assert f"{piece} marches" in shown
    assert "\nwhat if " in shown
    entries = GameFile(Path("what-if.play")).load()[1]
    assert entries[0].starts
    shown = called("play", "what-if.play", types=("undo", "redo", "redo"))
    assert "Taken back: " in shown
    assert shown.count("E-PLAY-UNDO") == 1
    assert GameFile(Path("what-if.play")).load()[1] == entries


def test_the_same_seed_makes_the_same_branch(report: str) -> None:
    found = []
    for name in ("one", "two"):
        called("what-if", report, "--seed", "a", "--save", f"{name}.play", types=("done",) * 4)
        found.append(GameFile(Path(f"{name}.play")).load()[1])
    assert found[0] == found[1]
    assert len(found[0]) > 4


def test_others_stand_still_or_are_played_by_the_person(report: str) -> None:
    called("what-if", report, "--level", "still", "--bot", "louis=mine")
    setup = GameFile(Path("what-if.play")).load()[0]
    assert setup.bots == {"maria-theresa": "still"}
    assert "E-PLAY-EXISTS" in called("what-if", report, code=1)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--level", "wise"), 2, "there is no bot 'wise'"),
        (("--bot", "frederick=still"), 2, "your own seat"),
        (("wrong.yaml",), 1, "E-"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_saved(report: str, words: tuple[str, ...], code: int, says: str) -> None:
    Path("wrong.yaml").write_text("pbem: 1\nkind: orders\norders: {prussia: {move: [Schwerin: Paris]}}\n", "utf-8")
    assert says in called("what-if", report, *words, code=code)
    assert not Path("what-if.play").exists()


def test_a_report_to_nobody_who_plays_is_refused(moving: Correspondence, report: str) -> None:
    observers = str(moving.root.joinpath(moving.sent("observer.report.yaml")))
    assert "E-PLAY-SEAT" in called("what-if", observers, code=1)


def test_only_a_report_can_be_played_on_from(report: str) -> None:
    Path("position.yaml").write_text("pbem: 1\n", "utf-8")
    assert "E-" in called("what-if", "position.yaml", code=1)


def test_a_branch_is_told_from_a_game_and_is_no_record(report: str) -> None:
    called("what-if", report, "--seed", "a", "--save", "wi.play")
    told = called("wi.play")
    assert "a branch of `pbem what-if`" in told
    assert "$ pbem play wi.play" in told
    assert "record" not in told
    done = called("record", "wi.play", code=1)
    assert done.startswith("wi.play: E-PLAY-FILE "), "not one line of a record before"
    assert "there is no record" in done
    assert "`pbem play wi.play` goes on with it" in done
    called("play", "game.play", "--scenario", "introductory", "--seat", "louis", types=("quit",))
    game = called("game.play")
    assert "a game against bots" in game
    assert "$ pbem record game.play" in game
