"""The suite runs a part of the slow tests; `--all`, the long run and a named file or folder have all of them."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import lines_of, pytest_collection_modifyitems

ROOT = Path(__file__).parents[1]
FILE = "tests/paper/test_paper.py"


def item_of(nodeid: str, *fixtures: str) -> Any:
    """A test with these fixtures."""
    path = ROOT / nodeid.split("::")[0]
    return SimpleNamespace(nodeid=nodeid, path=path, fixturenames=fixtures, get_closest_marker=lambda name: None)


def run_of(items: list[Any], *words: str, wanted: str = "") -> list[str]:
    """Leave out what does not run after such a command line; return the ids of what runs."""
    source = pytest.Config.ArgsSource.ARGS if words else pytest.Config.ArgsSource.TESTPATHS
    config: Any = SimpleNamespace(
        rootpath=ROOT,
        args=list(words) or ["tests"],
        args_source=source,
        hook=SimpleNamespace(pytest_deselected=lambda items: None),
        getoption=lambda name: name == wanted,
    )
    pytest_collection_modifyitems(config, items)
    return [each.nodeid for each in items]


EVERY = [0, 1, 2, 3, 4, 4, 5]


def numbers_run(*words: str, wanted: str = "") -> tuple[list[int], list[int]]:
    """Tests of a file of the list, and of one that does not stand there, that run after such a command line."""
    files = (FILE, "tests/test_of_no_list.py")
    items = [item_of(f"{file}::test_{number}[row {at}]") for at, number in enumerate(EVERY) for file in files]
    run = [each.split("::test_") for each in run_of(items, *words, wanted=wanted)]
    first, second = ([int(test[0]) for file, test in run if file == each] for each in files)
    return first, second


def test_a_part_runs_unless_the_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_TESTS", "default")
    monkeypatch.setattr("tests.conftest.lines_of", lambda name: [f"0 {FILE}::test_3", f"2 {FILE}::test_4"])
    assert numbers_run() == numbers_run("tests") == ([0, 1, 2, 4, 5], EVERY)
    assert numbers_run(wanted="quick") == ([0, 1, 2, 5], EVERY)
    assert numbers_run(FILE) == numbers_run(f"{FILE}::test_1") == numbers_run(str(Path(FILE).parent)) == (EVERY, EVERY)
    assert numbers_run(FILE, wanted="quick") == numbers_run(wanted="all") == (EVERY, EVERY)
    monkeypatch.setenv("PBEM_TESTS", "long")
    assert numbers_run() == (EVERY, EVERY)


def test_real_browsers_and_servers_run_where_they_are_asked_for() -> None:
    ids = ("tests/desk/test_bar.py::one", "tests/office/test_servers.py::two", "tests/test_bots.py::three")

    def items() -> list[Any]:
        return [item_of(each, *with_it) for each, with_it in zip(ids, (["page_file"], ["servers"], []), strict=True)]

    assert run_of(items()) == [ids[2]]
    assert run_of(items(), wanted="real") == [ids[0], ids[1]]
    assert run_of(items(), "tests/desk") == [ids[0], ids[2]]
    assert run_of(items(), "tests") == list(ids)


def test_all_that_is_on_the_list_is_there() -> None:
    for line in lines_of("part.txt"):
        share, file, _, name = re.fullmatch(r"(\d+) (\S+?\.py)(::(\w+))?", line).groups()  # type: ignore[union-attr]
        assert share != "1", line
        assert name or share == "0", "only a whole file that never runs in part stands without a test"
        text = (ROOT / file).read_text("utf-8")
        assert not name or re.search(rf"(?m)^(def|class) {name}\b", text), line
