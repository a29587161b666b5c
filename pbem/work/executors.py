"""Executors of independent tasks. They use this process, several processes, or a cluster. All return the same results
in the same order."""

from __future__ import annotations

import logging
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from threading import Lock, Thread
from typing import Protocol, TypeVar, cast

from pbem import __version__
from pbem.faults.wrong import WrongError, wrong

KnownT = TypeVar("KnownT")
TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")
GivenT = TypeVar("GivenT", covariant=True)

AHEAD = 4
"""Number of tasks for each worker that are started before the caller takes a result. With it, no worker has to wait for
the caller."""


class WorkFault(WrongError):
    """Fault of work that fails for a reason outside of the program. For example, a process was killed, or there is no
    cluster."""


class Executor(Protocol):
    """Executor of independent tasks. Each class has its own way to do them."""

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Yield the results in the order of the tasks. Raises `WorkFault` if a process or the cluster fails.

        Every worker calls `make` once with `known`. `make` returns the function that does a task. `make` must be a
        function of a module. `known`, tasks and results must be picklable.
        """


class PendingResult(Protocol[GivenT]):
    """Result that may still have to be computed."""

    def result(self) -> GivenT:
        """Wait until the result is there, and return it."""


class ThisProcess:
    """Executor that does the tasks in this process, one after the other."""

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Yield the results in the order of the tasks. A task is done only when the caller takes its result."""
        return map(make(known), tasks)


def ordered_results(
    give_out: Callable[[TaskT], PendingResult[ResultT]], tasks: Iterable[TaskT], workers: int
) -> Iterator[ResultT]:
    """Start tasks with `give_out`, and yield the results in the order of the tasks. For each worker, no more than
    `AHEAD` tasks are started in advance."""
    waiting: deque[PendingResult[ResultT]] = deque()
    for task in tasks:
        waiting.append(give_out(task))
        if len(waiting) > AHEAD * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class Processes:
    """Executor that does the tasks in several processes of this computer."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Yield the results in the order of the tasks. Raises `WorkFault` if a process was killed."""
        # These modules are imported late because the import takes time, and because there are no processes when the
        # program runs in a browser. Dask is imported late as well.
        from concurrent.futures import Future, ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool

        with ProcessPoolExecutor(self.jobs, initializer=begin, initargs=(make, known)) as pool:

            def give_out(task: TaskT) -> Future[ResultT]:
                return cast("Future[ResultT]", pool.submit(do, task))

            with sigint_delay():
                pool.submit(int)
            try:
                yield from ordered_results(give_out, tasks, self.jobs)
            except BrokenProcessPool:
                raise WorkFault(wrong("E-WORK-STOPPED")) from None
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


@contextmanager
def sigint_delay() -> Iterator[None]:
    """Return a context in which the signal SIGINT is held back until the end."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # If a SIGINT came before all processes have started, some of them would go on running.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_WORK: list[Callable[[object], object]] = []
"""List with one element: the function with which this worker process does tasks."""


def begin(make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT) -> None:
    """Prepare a worker process for its tasks. It ignores SIGINT, and ends when its parent process ends."""
    # SIGINT ends the parent process, and this process ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()
    _WORK[:] = [cast("Callable[[object], object]", make(known))]


def end_with_parent() -> None:
    """Wait for the end of the parent process. Then end this process."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def do(task: object) -> object:
    return _WORK[0](task)


PATIENCE = 10
"""Time within which a cluster must answer, in seconds."""


class DaskClient(Protocol):
    """Methods of Dask's client that this program uses."""

    def submit(self, do_sent: Callable[..., object], *given: object, pure: bool) -> PendingResult[object]:
        """Start a task, and return its result, which may still have to be computed."""

    def ncores(self) -> dict[str, int]:
        """Return the number of cores of each worker."""

    def close(self) -> None:
        """Close the connection. All tasks are stopped."""


class Cluster:
    """Executor that does the tasks on the workers of a Dask cluster. The workers must have this version of the program.
    Anybody who may give tasks to a cluster can run any code there."""

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at the address. Raises `WorkFault` if the scheduler does not answer."""
        self.address = address
        self.client().close()

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Yield the results in the order of the tasks. Raises `WorkFault` if there is no cluster, or if it gives up a
        task."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        client = self.client()
        try:
            # This is sent as the result of a task, and not as data. Dask computes such a result again if the worker
            # that had it is gone.
            told = client.submit(bytes, pickle.dumps((__version__, make, known)), pure=False)

            def give_out(task: TaskT) -> PendingResult[ResultT]:
                return cast("PendingResult[ResultT]", client.submit(do_sent, told, task, pure=False))

            yield from ordered_results(give_out, tasks, max(1, sum(client.ncores().values())))
        except (KilledWorker, CancelledError):
            raise WorkFault(wrong("E-WORK-STOPPED.cluster", address=self.address)) from None
        finally:
            client.close()

    def client(self) -> DaskClient:
        """Connect to the cluster, and return the client. Raises `WorkFault` if Dask is not installed, or if there is no
        cluster."""
        try:
            from distributed import Client
            from distributed.comm import get_address_host_port
        except ImportError:
            raise WorkFault(wrong("E-WORK-DASK")) from None
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            get_address_host_port(self.address)  # with a wrong address, a client complains twice
            return cast("DaskClient", Client(self.address, timeout=PATIENCE, set_as_default=False))
        except (OSError, ValueError):
            raise WorkFault(wrong("E-WORK-ADDRESS", address=self.address)) from None


_ONE = Lock()
"""Lock that makes a worker do its tasks one after the other. A worker can have many threads, but the rules cache values
for only one position."""

_SENT: dict[bytes, Callable[[object], object]] = {}
"""Function with which this worker does tasks. The key is the hash of `pickled` (see `do_sent`). Only the latest
function is stored."""


def do_sent(pickled: bytes, task: object) -> object:
    """Do a task that was sent to this worker of a cluster, and return its result. `pickled` has the version of the
    program, `make` and `known`. Raises `WorkFault` if the worker has another version of the program."""
    name = sha256(pickled).digest()
    with _ONE:
        if name not in _SENT:
            version, make, known = pickle.loads(pickled)  # noqa: S301 - anybody who gives work to a cluster may run code there
            if version != __version__:
                raise WorkFault(wrong("E-WORK-VERSION", own=version, other=__version__))
            _SENT.clear()
            _SENT[name] = make(known)
        return _SENT[name](task)


def executor(jobs: int, address: str = "") -> Executor:
    """Return an executor with `jobs` processes. If `address` is given, return one on the cluster at this address.
    Raises `WorkFault` if the cluster does not answer."""
    return Cluster(address) if address else Processes(jobs) if jobs > 1 else ThisProcess()


def cores() -> int:
    """Return the number of processes that this computer can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
