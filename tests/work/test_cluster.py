"""A Dask cluster of two workers; where Dask is not installed these are passed over."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.work.executors import WorkFault, executor
from tests.record.test_corpus import corpus, files_in
from tests.work.pieces import deadly, powers_of, refusing, stumbling
from tests.work.test_executor import TASKS, simulated

dask = pytest.importorskip("dask", reason="Dask is not installed (pbem[dask])")
distributed = pytest.importorskip("distributed", reason="Dask is not installed (pbem[dask])")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A cluster of two workers, each a process of its own."""
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "protocol": "tcp"}
    folder = str(tmp_path_factory.mktemp("workers"))
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(**settings, local_directory=folder, silence_logs=50) as cluster,
    ):
        yield cluster


@pytest.fixture
def address(cluster: Any) -> str:
    """Address of the cluster."""
    return str(cluster.scheduler_address)


def test_a_cluster_does_what_one_process_does(address: str) -> None:
    assert list(executor(1, address).results(powers_of, 3, TASKS)) == [3**exponent for exponent in TASKS]
    assert simulated("--games", "6", "--on", address) == simulated("--games", "6", "--jobs", "1")


def test_a_cluster_makes_the_same_corpus(address: str, tmp_path: Path) -> None:
    for name, hands in (("here", ("--jobs", "1")), ("there", ("--on", address))):
        corpus(tmp_path / name / "records", "--games", "3", "--turns", "1", "--records", *hands)
        corpus(tmp_path / name / "archives", "--games", "1", "--turns", "1", *hands)
    for kind in ("records", "archives"):
        assert files_in(tmp_path / "there" / kind) == files_in(tmp_path / "here" / kind)


def test_what_a_lost_worker_leaves_another_does(address: str, tmp_path: Path) -> None:
    """One worker of the two is killed over a task half-way."""
    assert list(executor(1, address).results(stumbling, str(tmp_path), TASKS)) == [2 * number for number in TASKS]
    assert (tmp_path / "stumbled").exists()


def test_work_over_which_too_many_workers_are_lost_is_given_up(
    cluster: Any, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(WorkFault, match=r"the cluster at .* gave the work up"):
        list(executor(1, address).results(deadly, None, TASKS))


def test_where_no_cluster_answers_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.work.executors.PATIENCE", 0.1)
    for nowhere in ("tcp://127.0.0.1:1", "nowhere", "http://127.0.0.1:1"):
        with pytest.raises(WorkFault, match="E-WORK-ADDRESS"):
            list(executor(1, nowhere).results(powers_of, 3, TASKS))


def test_what_goes_wrong_on_a_cluster_comes_back(address: str) -> None:
    with pytest.raises(ValueError, match="three"):
        list(executor(1, address).results(refusing, None, TASKS))


def test_a_worker_of_another_version_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.work.executors.__version__", "0.0.0")
    with pytest.raises(WorkFault, match="E-WORK-VERSION"):
        list(executor(1, address).results(powers_of, 3, TASKS))


def test_work_that_is_refused_can_travel() -> None:
    from pbem.faults.wrong import wrong

    fault = pickle.loads(pickle.dumps(WorkFault(wrong("E-WORK-STOPPED"))))
    assert str(fault) == str(WorkFault(wrong("E-WORK-STOPPED")))
