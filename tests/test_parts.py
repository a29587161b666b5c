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


def item_of(nodeid: str, *fixtures: str) -> Any:
    """A test with these fixtures."""
    path = ROOT / nodeid.split("::")[0]
    return SimpleNamespace(nodeid=nodeid, path=path, fixturenames=fixtures, get_closest_marker=lambda name: None)


def run_of(items: list[Any], *words: str, real: bool = False) -> list[str]:
    """Leave out what does not run after such a command line; return the ids of what runs."""
    source = pytest.Config.ArgsSource.ARGS if words else pytest.Config.ArgsSource.TESTPATHS
    config: Any = SimpleNamespace(
        rootpath=ROOT,
        args=list(words) or ["tests"],
        args_source=source,
        hook=SimpleNamespace(pytest_deselected=lambda items: None),
        getoption=lambda name: real and name == "real",
    )
    pytest_collection_modifyitems(config, items)
    return [each.nodeid for each in items]


def rows_run(*words: str) -> tuple[list[int], list[int]]:
    """Rows of a test of the list, and of one that does not stand there, that run after such a command line."""
    names = (NAME, NAME.replace("::test", "::test_no"))
    items = [item_of(f"{name}[{row}]") for row in range(6) for name in names]
    run_of(items, *words)
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


def test_real_browsers_and_servers_run_where_they_are_asked_for() -> None:
    ids = ("tests/desk/test_bar.py::one", "tests/office/test_servers.py::two", "tests/test_bots.py::three")

    def items() -> list[Any]:
        return [item_of(each, *with_it) for each, with_it in zip(ids, (["page_file"], ["servers"], []), strict=True)]

    assert run_of(items()) == [ids[2]]
    assert run_of(items(), real=True) == [ids[0], ids[1]]
    assert run_of(items(), "tests/desk") == [ids[0], ids[2]]
    assert run_of(items(), "tests") == list(ids)


def test_every_test_on_the_list_is_there_and_has_rows() -> None:
    for line in lines_of("part.txt"):
        share, file, name = re.fullmatch(r"(\d) (\S+)::(\w+)", line).groups()  # type: ignore[union-attr]
        assert share != "1", line
        assert re.search(rf"(?m)^def {name}\(", (ROOT / file).read_text("utf-8")), line
