"""A game that is a package of its own is found by its entry point, and played to its end by the real commands."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.paper.library import rulings_before

ROOT = Path(__file__).parents[1]
PROJECT = ROOT / "tests/toy_game"
PACKAGE = PROJECT / "toy_game"
GUIDE = (ROOT / "docs/adding-a-game.md").read_text("utf-8")
NAME = "race"
SEATS = ("rosa", "basil")


def installed(folder: Path) -> dict[str, str]:
    """An environment in which the project is installed: its own folder, and beside it what pip would note of it."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    head = ("Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}", "")
    (info / "METADATA").write_text("\n".join(head))
    groups = project["entry-points"].items()
    lines = (f"[{group}]\n" + "".join(f"{name} = {of}\n" for name, of in each.items()) for group, each in groups)
    (info / "entry_points.txt").write_text("\n".join(lines))
    path = os.pathsep.join(map(str, (folder, PROJECT, ROOT)))
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", "PBEM_LANGUAGE": ""}


class Player:
    """Players and a moderator who have nothing but the commands, in one folder."""

    def __init__(self, root: Path) -> None:
        """Nobody has begun anything."""
        self.root = root / "table"
        self.root.mkdir()
        self.environment = installed(root / "packages")
        self.program = subprocess.Popen(
            [sys.executable, "-m", "tests.forking"],
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str, as_: str = "", code: int = 0) -> str:
        """Output of a command in a process of its own, which must end with this exit code."""
        assert self.program.stdin
        assert self.program.stdout
        print(json.dumps([*words, *(["--key", f"{as_}/key"] if as_ else [])]), file=self.program.stdin, flush=True)
        ended, told, wrong = json.loads(self.program.stdout.readline())
        assert "Traceback" not in wrong, (words, wrong)
        assert ended == code, (words, told, wrong)
        return f"{told}{wrong}"

    def moderate(self, command: str, *words: str) -> str:
        """A command of the moderator."""
        return self.run(command, *words, "-C", NAME, as_="moderator")

    def newest(self, name: str) -> str:
        """The newest file of this name in the outbox."""
        return str(max((self.root / NAME / "outbox").glob(f"*/{name}")))

    def join(self) -> None:
        """A campaign begins, and both seats are taken by letter."""
        for who in ("moderator", *SEATS):
            self.run("key", "new", "--no-passphrase", as_=who)
        self.run("new", NAME, "--game", "toy", "--delay", "0m", as_="moderator")
        self.moderate("invite")
        for seat in SEATS:
            self.run("join", self.newest(f"{seat}-invitation.invitation.yaml"), as_=seat)
        self.moderate("accept", *(f"join-{NAME}-{seat}.yaml" for seat in SEATS))
        self.adjudicate()

    def order(self, seat: str, orders: str) -> None:
        """A player fills the newest sheet in and tries it, signs it and sends it."""
        sheet = Path(self.newest(f"{seat}.orders.yaml")).read_text("utf-8")
        letter = f"{seat}.yaml"
        (self.root / letter).write_text(sheet.partition("  orders:\n")[0] + "  orders:\n" + orders, "utf-8")
        self.run("check", letter, "--report", self.newest(f"{seat}.report.yaml"), as_=seat)
        self.run("sign", letter, as_=seat)
        assert "final" in self.moderate("accept", letter)
        self.adjudicate()

    def adjudicate(self) -> None:
        """The moderator carries out what is there, and writes the reports."""
        self.moderate("adjudicate")
        self.moderate("post", "--no-pictures")


def orders(power: str, march: str = "", bar: str = "") -> str:
    """Orders as they stand in a letter."""
    move = f"[{{{march}}}]" if march else "[]"
    return f"    {power}:\n      move: {move}\n" + (f"      bar: {bar}\n" if bar else "")


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """Players with the toy installed."""
    found = Player(tmp_path_factory.mktemp("toy"))
    with found.program:
        yield found


def test_the_program_finds_it_wherever_it_starts(player: Player) -> None:
    command = [sys.executable, "-m", "pbem", "board", "check", "ring"]
    done = subprocess.run(command, cwd=player.root, env=player.environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == player.run("board", "check", "ring")


def test_its_board_is_checked_and_drawn(player: Player) -> None:
    assert "4 cities, 4 roads. Nothing is wrong" in player.run("board", "check", "ring")
    assert "E-RULES-NONE the game toy brings no short rules" in player.run("rules", "toy", code=1)
    player.run("map", "ring", "-o", "ring.svg")
    assert "Bluewater" in (player.root / "ring.svg").read_text("utf-8")


def test_a_whole_game_is_played_by_letters(player: Player) -> None:
    """Three of them: Red wins in the second turn."""
    player.join()
    player.order("rosa", orders("red", "Ruby: Easton", "none"))
    refuse_and_offer(player)
    player.order("basil", orders("blue", "Azure: Weston", "none"))
    player.order("rosa", orders("red", "Ruby: Bluewater"))
    account = Path(player.newest("observer.txt")).read_text("utf-8")
    assert "Ruby to Bluewater." in account
    assert "Ruby marches from Easton to Bluewater" in Path(player.newest("observer.html")).read_text("utf-8")
    assert "The winner is Rosa: the courier has arrived" in account
    tell_in_words(player)
    publish(player)


def refuse_and_offer(player: Player) -> None:
    """Check that forbidden answers are refused with their §, and that allowed ones are listed."""
    report = player.newest("basil.report.yaml")
    (player.root / "wrong.yaml").write_text("orders: {blue: {move: [{Azure: Easton}], bar: Redhill}}", "utf-8")
    refused = player.run("try", report, "wrong.yaml", code=1)
    assert "E-MARCH-BLOCKED Ruby in Easton" in refused
    assert "choose another goal" in refused
    assert "E-TOY-BAR Redhill cannot be barred (§4) — Weston" in refused
    assert "- Weston" in player.run("legal", report)


def tell_in_words(player: Player) -> None:
    """A language that the game has not is English; a campaign may have templates of its own for the game."""
    assert "race, Basil" in player.moderate("report", "basil", "--language", "de")
    words = (PACKAGE / "templates/en/game.txt.j2").read_text("utf-8")
    own = player.root / NAME / "templates/en/toy/game.txt.j2"
    own.parent.mkdir(parents=True)
    own.write_text(words.replace("the courier has arrived", "the letter is there"), "utf-8")
    report = player.moderate("report", "basil", "--whole")
    assert "Turn 2 of 4, stage of Red, the game is over" in report
    assert "the letter is there" in report
    own.write_text("", "utf-8")
    refused = player.run("report", "basil", "-C", NAME, as_="moderator", code=1)
    assert "it has no macro stage, which others use" in refused
    shutil.rmtree(player.root / NAME / "templates")


def publish(player: Player) -> None:
    """The archive is whole, verifies, and is a site."""
    player.moderate("close")
    verified = json.loads(player.run("verify", NAME, "--json"))
    assert not verified["findings"]
    assert "1/red → 1/blue" in player.run("log", NAME)
    player.run("export", "site", "-C", NAME)
    assert "TOY" in (player.root / "site/index.html").read_text("utf-8")


def test_a_game_that_came_later_had_no_older_protocol() -> None:
    assert rulings_before("toy") == {}
    assert set(rulings_before("maria")) == {1, 2, 3}


def test_bots_play_it_with_letters_and_without(player: Player) -> None:
    games: dict[str, Any] = json.loads(player.run("simulate", "--game", "toy", "--games", "20", "--json"))
    assert games["games"] == 20
    player.run("simulate", "--game", "toy", "--games", "1", "--letters", "--json")


def test_a_position_is_written_and_read_back(player: Player) -> None:
    (player.root / "position.yaml").write_text("game: toy\nturn: 2\nstage: blue\nbarred: {red: Easton}\n")
    player.run("position", "save", "whole.yaml", "--from", "position.yaml")
    assert "Red bars Easton" in player.run("show", "whole.yaml")
    (player.root / "orders.yaml").write_text("orders: {blue: {move: [{Azure: Easton}]}}", "utf-8")
    refused = player.run("try", "whole.yaml", "orders.yaml", code=1)
    assert "E-TOY-BARRED Easton is barred (§3) — another city" in refused
    (player.root / "position.yaml").write_text("game: toy\nbarred: {red: Redhill}\n")
    refused = player.run("position", "load", "position.yaml", code=1)
    assert "red bars a home (§4)" in refused


def files() -> Iterator[str]:
    """Files of the package of the toy, by their paths in the project."""
    for path in sorted(PROJECT.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(PROJECT).as_posix()


def test_the_guide_lists_the_files_of_the_package() -> None:
    listed = re.findall(r"^\| `(toy_game/[\w./]+|pyproject\.toml|README\.md)` \|", GUIDE, re.MULTILINE)
    assert sorted(listed) == list(files())
