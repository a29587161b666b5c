"""A person at the terminal, who types what a script says."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner
from typing_extensions import Buffer

from pbem.cli import main
from pbem.playing import page
from pbem.playing.saved import GameFile

CHOICE = re.compile(r"^ +(\d+)  \S", re.MULTILINE)


class FirstChoices(io.RawIOBase):
    """Input of a person who takes the first choice of what is on the screen, so many times."""

    def __init__(self, times: int) -> None:
        """Take this many; then the input ends."""
        self.left, self.seen = times, 0

    def readable(self) -> bool:
        return True

    def readinto(self, line: Buffer) -> int:
        """Type the number that is shown first since the line before."""
        if not self.left or not memoryview(line).nbytes:
            return 0
        screen = cast(io.TextIOWrapper, sys.stdout)
        screen.flush()
        shown = cast(io.BytesIO, screen.buffer).getvalue().decode()
        new, self.seen = shown[self.seen :], len(shown)
        self.left -= 1
        typed = f"{CHOICE.findall(new)[0]}\n".encode()
        memoryview(line)[: len(typed)] = typed
        return len(typed)


class Person:
    """Plays in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        """Nothing is played yet."""
        self.folder = folder

    @property
    def file(self) -> Path:
        """File of the saved game."""
        return self.folder / "game.play"

    def plays(self, *options: str, types: Iterable[str] | FirstChoices = (), code: int = 0) -> str:
        """Output for a person who calls `pbem play`, and types these lines until they end."""
        typed = types if isinstance(types, FirstChoices) else "".join(f"{line}\n" for line in types)
        done = CliRunner().invoke(main, ["play", str(self.file), *options], input=typed, catch_exceptions=False)
        assert done.exit_code == code, done.output
        return done.output

    def answers(self) -> int:
        """Number of saved answers, the bots' among them."""
        return len(GameFile(self.file).load()[1])


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw no picture: what is drawn, other tests look at."""
    monkeypatch.setattr(page, "picture_file", lambda path, request: b"<svg font-family=\"'PT Serif',Georgia\"/>")
    return None
