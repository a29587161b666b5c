"""Broken, contradictory and hostile input: one clear answer, the right exit code, and nothing changed on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .test_commands import EXAMPLES, pbem

NEIPPERG = str(EXAMPLES / "neipperg.yaml")
SHIPPED = EXAMPLES.parent / "rules" / "maria" / "boards" / "theatrum-belli.yaml"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("board: friedrich\n", "1:8: E-BOARD-UNFIT MARIA cannot be played on the board 'friedrich'"),
        ("turn: 1\nboard: nowhere.yaml\n", "2:8: E-BOARD-MISSING there is no board 'nowhere.yaml'"),
        ("pieces: {Friedrich: Berlin, Friedrich der Große: Prag}\n", "1:29: E-FORM-TWICE"),
        ("turn: 2\npieces: {Friedrich: 'Berlin, 3, 4'}\n", "2:33: E-FORM-TWICE"),
        ("turn: 2\nmarkers: {prussia: Prag, austria: Prag}\n", "2:35: E-FORM-TWICE the marker of Prag"),
        ("turn: 2\nhands: {austria: ♠7, Austria: ♠8}\n", "2:22: E-FORM-TWICE the hand of Austria"),
        ("turn: 2\nstage: austria\nphase: combat\nbattles: [Wien]\n", "4:11: E-FORM-BATTLE"),
        ("turn: 2\nstage: austria\nphase: combat\nbattles: [Wien > Prag > Berlin]\n", "4:11: E-FORM-BATTLE"),
        ("turn: 2\nstage: prussia\nbegun: yes\nowing: [france]\npieces: {Friedrich: Berlin}\n", "4:8: E-POSITION"),
        (
            "game: friedrich\nturn: 2\npieces: {Friedrich: 'Oschatz, 0'}\n",
            "3:31: E-FORM-NUMBER troops cannot be 0 — 1 to 8",
        ),
        (
            "game: friedrich\nturn: 2\npieces: {Friedrich: 'Oschatz, 9'}\n",
            "3:31: E-FORM-NUMBER troops cannot be 9 — 1 to 8",
        ),
        ("turn: two\n", "1:7: E-FORM-NUMBER turn must be a whole number"),
        ("pbem: 2\n", "1:7: E-FORM-NUMBER the format cannot be 2 — write 1"),
    ],
)
def test_contradictions_are_refused_at_their_place(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "position.yaml").write_text(content, "utf-8")
    done = pbem("position", "load", "position.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"position.yaml:{told}"), done.stderr


@pytest.mark.parametrize(
    ("old", "new", "lacking"),
    [
        ("\nsetup:", "\nsetup: {}\nignored:", "set-up of france"),
        ("name: Glogau", "name: Glokau", "city Glogau"),
    ],
)
def test_a_board_that_lacks_what_the_game_needs_is_refused(tmp_path: Path, old: str, new: str, lacking: str) -> None:
    text = SHIPPED.read_text("utf-8").replace(old, new).split("\nignored:")[0]
    text = text.replace("Glogau,", "Glokau,").replace("Glogau]", "Glokau]").replace("city: Glogau", "city: Glokau")
    (tmp_path / "mine.yaml").write_text(text, "utf-8")
    (tmp_path / "position.yaml").write_text("board: mine.yaml\n")
    done = pbem("show", "position.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert "position.yaml:1:8: E-BOARD-UNFIT" in done.stderr
    assert lacking in done.stderr
    wrong_use = pbem("simulate", "--board", "mine.yaml", "--games", "1", cwd=tmp_path)
    assert wrong_use.returncode == 2
    assert lacking in wrong_use.stderr


def test_orders_of_one_power_stand_once(tmp_path: Path) -> None:
    (tmp_path / "orders.yaml").write_text("orders:\n  prussia: {move: []}\n  Prussia: {move: []}\n")
    done = pbem("try", str(EXAMPLES / "first-march.yaml"), "orders.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert "orders.yaml:3:3: E-FORM-TWICE" in done.stderr


def test_a_file_of_nonsense_is_left_after_a_hundred_faults(tmp_path: Path) -> None:
    (tmp_path / "names.yaml").write_text(f"turn: 2\nmarkers: {{prussia: [{', '.join(['konniggraz'] * 15_000)}]}}\n")
    done = pbem("position", "load", "names.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 100
    moves = "      - Friedrich: Wien\n" * 150
    (tmp_path / "orders.yaml").write_text(f"orders:\n  prussia:\n    move:\n{moves}")
    done = pbem("try", str(EXAMPLES / "first-march.yaml"), "orders.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "orders.yaml: further faults, not named here: 50"


def test_a_board_full_of_faults_is_left_after_a_hundred(tmp_path: Path) -> None:
    roads = "\n".join(f"  - [Nowhere {number}, Elsewhere {number}]" for number in range(300))
    (tmp_path / "board.yaml").write_text(
        SHIPPED.read_text("utf-8").replace("\nroads:", f"\nroads:\n{roads}", 1), "utf-8"
    )
    done = pbem("board", "check", "board.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert sum("E-BOARD-ROAD-CITY" in line for line in done.stderr.splitlines()) == 100


@pytest.mark.parametrize("size", ["{w: 100000000, h: 100000000}", "{w: 0, h: 0}"])
def test_a_canvas_has_a_size_that_can_be_drawn(tmp_path: Path, size: str) -> None:
    text = SHIPPED.read_text("utf-8").replace("canvas: {w: 3400, h: 2160}", f"canvas: {size}")
    (tmp_path / "board.yaml").write_text(text, "utf-8")
    done = pbem("board", "draw", "board.yaml", "-o", "board.svg", cwd=tmp_path)
    assert done.returncode == 1
    assert "E-BOARD-CANVAS" in done.stderr
    assert not (tmp_path / "board.svg").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("map", NEIPPERG, "-o", ""),
        ("map", NEIPPERG, "-o", "-"),
        ("map", NEIPPERG, "-o", "map.pdf"),
        ("position", "save", "-"),
        ("position", "save", "new.yaml", "--from", NEIPPERG, "--players", "2"),
        ("position", "save", "new.yaml", "--seed", "a\tb"),
        ("position", "save", "new.yaml", "--edition", "9"),
        ("position", "save", "new.yaml", "--board", "nowhere"),
        ("demo", "--seed", "a\tb", "--out", "demo"),
        ("demo", "--scenario", "nothing", "--out", "demo"),
        ("try", NEIPPERG, "-", "-"),
        ("rules", "copy", "-o", ""),
    ],
)
def test_wrong_use_is_said_and_writes_nothing(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = pbem(*arguments, cwd=tmp_path, given=b"orders: {}\n")
    assert done.returncode == 2
    assert "Error: " in done.stderr
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = pbem("map", NEIPPERG, "-o", "file/map.svg", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "file/map.svg: E-FILE this file cannot be written: a part of its path is no folder\n"


def test_missing_folders_are_made(tmp_path: Path) -> None:
    assert pbem("map", NEIPPERG, "-o", "some/where/map.svg", cwd=tmp_path).returncode == 0
    assert (tmp_path / "some" / "where" / "map.svg").exists()


def test_long_words_are_cut_in_messages(tmp_path: Path) -> None:
    done = pbem("legal", NEIPPERG, "x" * 5_000)
    assert done.returncode == 1
    assert len(done.stderr) < 200


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_no_traceback() -> None:
    for arguments in (("show", NEIPPERG), ("show", NEIPPERG, "--json"), ("board", "list")):
        with Path("/dev/full").open("w") as full:
            done = run_in(arguments, full, {})
        assert done.returncode == 1
        assert done.stderr.startswith("Error: "), done.stderr


def test_a_terminal_without_our_letters_gets_others() -> None:
    latin = {"PYTHONIOENCODING": "latin-1"}
    told = run_in(("show", NEIPPERG), subprocess.PIPE, latin)
    assert told.returncode == 0, told.stderr
    data = run_in(("show", NEIPPERG, "--json"), subprocess.PIPE, latin)
    whole = json.loads(pbem("show", NEIPPERG, "--json").stdout)
    assert json.loads(data.stdout) == whole


def run_in(arguments: tuple[str, ...], out: object, more: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the program with another standard output."""
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent), **more}
    command = [sys.executable, "-m", "pbem", *arguments]
    return subprocess.run(
        command,
        stdout=out,
        stderr=subprocess.PIPE,
        env=environment,
        encoding="latin-1",  # type: ignore[call-overload]
    )
