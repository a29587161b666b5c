"""The tutorials are true: their commands are run by the people who give them there, and their edits fit the sheets."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .guides import Reading

DOCS = Path(__file__).parents[2] / "docs"
SEATS = {"anna": "maria-theresa", "fritz": "frederick", "lou": "louis"}


@pytest.mark.parametrize("name", ["tutorial-player.md", "tutorial-moderator.md"])
def test_a_tutorial_does_what_it_says(name: str, tmp_path: Path) -> None:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("there is no ssh-keygen")
    reading = Reading(tmp_path, "vienna-1741", SEATS)
    assert reading.follow((DOCS / name).read_text("utf-8")) > 15
