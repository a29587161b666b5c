"""`pbem play` on a real terminal, killed and called again; its map, in a file and on terminals that show pictures."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from base64 import b64decode
from pathlib import Path

import pytest

from pbem.playing.page import iterm_output, kitty_output, way_to_put
from pbem.playing.session import completion

from .conftest import Person

OPTIONS = ("--seat", "frederick", "--seed", "a")


class Terminal:
    """A process on a terminal of its own."""

    def __init__(self, file: Path, *options: str) -> None:
        """Call `pbem play`."""
        self.leader, follower = pty.openpty()
        around = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
        command = [sys.executable, "-m", "pbem", "play", str(file), *options]
        self.process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=around)
        os.close(follower)

    def until(self, sign: bytes) -> str:
        """Output up to a sign."""
        shown = b""
        while sign not in shown:
            shown += os.read(self.leader, 65536)
        return shown.decode()

    def types(self, line: str) -> None:
        os.write(self.leader, f"{line}\n".encode())

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.leader)


def test_killed_anywhere_it_goes_on(person: Person, tmp_path: Path) -> None:
    killed = tmp_path / "killed.play"
    first = Terminal(killed, *OPTIONS)
    assert "Prussia must allocate" in first.until(b"1/setup")
    first.types("1")
    assert "Friedrich der Große: Breslau, Trebnitz" in first.until(b"1/prussia> ")
    first.types("done")
    first.kill()
    then = Terminal(killed)
    shown = then.until(b"> ")
    if "1/prussia> " in shown and "Rutowski: " not in shown:
        then.types("done")
        then.until(b"> ")
    then.types("done")
    assert "Turn 2, stage of Prussia" in then.until(b"2/prussia> ")
    then.kill()
    person.plays(*OPTIONS, types=["1", "done", "done"])
    assert killed.read_bytes() == person.file.read_bytes()


def test_the_map_is_drawn_beside_the_game(person: Person) -> None:
    picture = person.file.with_suffix(".svg")
    shown = person.plays(*OPTIONS, types=["1"])
    assert str(picture) in shown
    before = picture.read_bytes()
    assert before.startswith(b"<svg")
    person.plays(types=["Friedrich: Schweidnitz"])
    marched = picture.read_bytes()
    assert marched != before
    person.plays(types=["map Schwerin"])
    assert picture.read_bytes() != marched


@pytest.mark.usefixtures("quick")
def test_the_map_lies_where_it_is_wanted(person: Person, tmp_path: Path) -> None:
    person.plays(*OPTIONS, "--map", str(tmp_path / "map.png"))
    assert (tmp_path / "map.png").exists()


@pytest.mark.parametrize(
    ("environment", "way"),
    [
        ({}, None),
        ({"TERM": "xterm-256color"}, None),
        ({"TERM": "xterm-kitty"}, kitty_output),
        ({"TERM_PROGRAM": "iTerm.app"}, iterm_output),
        ({"TERM_PROGRAM": "WezTerm", "TMUX": "/tmp/tmux"}, None),
    ],
)
def test_terminals_that_show_pictures(environment: dict[str, str], way: object) -> None:
    assert way_to_put(environment) is way


def test_a_picture_arrives_whole() -> None:
    png = bytes(range(256)) * 40
    parts = list(kitty_output(png))
    assert len(parts) > 2
    assert [part.partition(";")[0].endswith("m=1") for part in parts] == [True] * (len(parts) - 1) + [False]
    assert b64decode("".join(part.partition(";")[2].removesuffix("\x1b\\") for part in parts)) == png
    (only,) = iterm_output(png)
    assert b64decode(only.partition(":")[2].removesuffix("\x07")) == png


def test_names_are_completed() -> None:
    names = ("map", "Friedrich", "Frankenstein")
    found = [completion(names, "? fr", state) for state in range(3)]
    assert found == ["? Friedrich", "? Frankenstein", None]
    assert completion(names, " ", 0) is None
