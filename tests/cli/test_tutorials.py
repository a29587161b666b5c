"""The tutorials are true: their commands are run by the people who give them there, and their edits fit the sheets."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from .guides import BLOCK, MEANWHILE, Reading

DOCS = Path(__file__).parents[2] / "docs"
SEATS = {"anna": "maria-theresa", "fritz": "frederick", "lou": "louis"}


@pytest.mark.parametrize("name", ["tutorial-player.md", "tutorial-moderator.md"])
def test_a_tutorial_does_what_it_says(name: str, tmp_path: Path) -> None:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("there is no ssh-keygen")
    reading = Reading(tmp_path, "vienna-1741", SEATS)
    assert reading.follow((DOCS / name).read_text("utf-8")) > 15


def shown(name: str) -> list[tuple[str, ...]]:
    """Commands on a page, without the messages and in any language, and where others do something."""
    page = (DOCS / name).read_text("utf-8")
    blocks: list[tuple[str, ...]] = [*BLOCK.findall(page), tuple(MEANWHILE.findall(page))]
    free = re.compile(r'--language \w+|(?<=entropy: ).+|(?<=message louis ).+|(?<=agree louis )"[^"]*"')
    return [tuple(free.sub("…", part) for part in block) for block in blocks]


@pytest.mark.parametrize("language", ["de", "es", "it"])
def test_a_tutorial_shows_the_same_in_every_language(language: str) -> None:
    assert shown(f"tutorial-player.{language}.md") == shown("tutorial-player.md")
