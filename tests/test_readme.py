"""Runs every command that the README shows, and compares what it prints with what the README says."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.test_commands import pbem

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def shown() -> list[tuple[str, list[str]]]:
    """The commands of all console blocks with the lines printed below them."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall((ROOT / "README.md").read_text("utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            else:
                found[-1][1].append(line)
    return found


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


def test_the_readme_does_as_it_says(workshop: Path) -> None:
    commands = shown()
    assert len(commands) >= 8
    for command, lines in commands:
        name, *arguments = shlex.split(command)
        assert name == "pbem"
        done = pbem(*arguments, cwd=workshop)
        expected = [line for line in lines if line != "[exit 1]"]
        assert done.returncode == (1 if "[exit 1]" in lines else 0), command
        printed = (done.stdout + done.stderr).splitlines()
        if "…" in expected:
            expected = expected[: expected.index("…")]
            printed = printed[: len(expected)]
        assert printed == expected, command


def test_the_pages_it_names_exist() -> None:
    for page in re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8")):
        assert (ROOT / page).exists(), page
