"""A person at the terminal, who types what a script says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.playing import page
from pbem.playing.saved import GameFile

ALWAYS_THE_FIRST = ["1"] * 1000
"""Input of a person who takes the first choice until the game is over."""


class Person:
    """Plays in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        """Nothing is played yet."""
        self.folder = folder

    @property
    def file(self) -> Path:
        """File of the saved game."""
        return self.folder / "game.play"

    def plays(self, *options: str, types: Iterable[str] = (), code: int = 0) -> str:
        """Output for a person who calls `pbem play`, and types these lines until they end."""
        typed = "".join(f"{line}\n" for line in types)
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
