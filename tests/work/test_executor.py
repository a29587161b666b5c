"""Work is done alike by one process, by several, and by a cluster that loses a worker on the way."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import count, islice
from multiprocessing import active_children
from pathlib import Path
from time import monotonic, sleep

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.work.executors import AHEAD, WorkFault, executor
from tests.work.pieces import powers_of, refusing, stumbling

TASKS = range(25)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_the_order_of_their_tasks(jobs: int) -> None:
    assert list(executor(jobs).results(powers_of, 3, TASKS)) == [3**exponent for exponent in TASKS]


@pytest.mark.parametrize("jobs", [1, 2])
def test_whoever_has_enough_stops_asking(jobs: int) -> None:
    """Of tasks without end no more are given out than workers need to have something to do."""
    given: list[int] = []

    def tasks() -> Iterator[int]:
        for number in count():
            given.append(number)
            yield number

    results = executor(jobs).results(powers_of, 2, tasks())
    assert list(islice(results, 5)) == [1, 2, 4, 8, 16]
    assert len(given) <= 5 + AHEAD * jobs
    del results
    assert ended()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_goes_wrong_in_a_task_is_told_where_its_result_is_asked_for(jobs: int) -> None:
    results = executor(jobs).results(refusing, None, TASKS)
    assert list(islice(results, 3)) == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(results)


def test_a_process_that_is_killed_ends_the_work(tmp_path: Path) -> None:
    with pytest.raises(WorkFault, match="E-WORK-STOPPED"):
        list(executor(2).results(stumbling, str(tmp_path), TASKS))
    assert ended()


def ended() -> bool:
    """True if all processes end that were begun."""
    until = monotonic() + 20
    while active_children() and monotonic() < until:
        sleep(0.01)
    return not active_children()


@pytest.mark.parametrize(
    "what", [("--games", "2"), ("--letters", "--players", "2"), ("--preset", "away", "--players", "2")]
)
def test_simulated_games_are_the_same_whoever_plays_them(what: tuple[str, ...]) -> None:
    alone, together = (simulated("--jobs", jobs, *what) for jobs in ("1", "2"))
    assert alone == together


def simulated(*options: str) -> dict[str, object]:
    """Counts of `pbem simulate`, without its times; of one game if nothing else is said."""
    done = CliRunner().invoke(main, ["simulate", "--json", "--games", "1", *options])
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_where_dask_is_not_installed_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    found = CliRunner().invoke(main, ["simulate", "--games", "1", "--on", "tcp://127.0.0.1:1"])
    assert found.exit_code == 1
    assert "E-WORK-DASK" in found.stderr
