"""The suite runs a part of the rows that walk the same path; the long run and a file that is named have all of them."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import lines_of, pytest_collection_modifyitems

ROOT = Path(__file__).parents[1]
SHARE, NAME = lines_of("part.txt")[0].split(" ", 1)


def rows_run(*words: str) -> tuple[list[int], list[int]]:
    """Rows of a test of the list, and of one that does not stand there, that run after such a command line."""
    names = (NAME, NAME.replace("::test", "::test_no"))
    items: list[Any] = [
        SimpleNamespace(nodeid=f"{name}[{row}]", path=ROOT / name.split("::")[0]) for row in range(6) for name in names
    ]
    hook = SimpleNamespace(pytest_deselected=lambda items: None)
    config: Any = SimpleNamespace(rootpath=ROOT, args=list(words), hook=hook)
    pytest_collection_modifyitems(config, items)
    first, second = (
        [int(each.nodeid[:-1].split("[")[1]) for each in items if each.nodeid.startswith(f"{name}[")] for name in names
    )
    return first, second


def test_a_part_runs_unless_the_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_TESTS", "default")
    every = list(range(6))
    assert rows_run("tests") == (every[:: int(SHARE)], every)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.conftest.lines_of", lambda name: [f"0 {NAME}"])
        assert rows_run("tests") == ([], every)
    assert rows_run(NAME.split("::")[0]) == rows_run(f"{NAME}[1]") == (every, every)
    monkeypatch.setenv("PBEM_TESTS", "long")
    assert rows_run("tests") == (every, every)


def test_every_test_on_the_list_is_there_and_has_rows() -> None:
    for line in lines_of("part.txt"):
        share, file, name = re.fullmatch(r"(\d) (\S+)::(\w+)", line).groups()  # type: ignore[union-attr]
        assert share != "1", line
        assert re.search(rf"(?m)^def {name}\(", (ROOT / file).read_text("utf-8")), line
