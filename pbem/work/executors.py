"""Executors of independent tasks: in this process, in several processes, or on a cluster. All return the same results
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
"""Number of tasks for each worker that are started before the caller has taken a result, so that no worker waits."""


class WorkFault(WrongError):
    """Fault of work that fails for a reason outside of the program: a process was killed, or a cluster is missing."""


class Executor(Protocol):
    """Executor of independent tasks, in one of several ways."""

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Yield the results in the order of the tasks. Raises `WorkFault` if a process or the cluster fails.

        `make` is called once in every worker with `known`, and returns the function that does a task. `make` must be a
        function of a module; `known`, tasks and results must be picklable.
        """


class PendingResult(Protocol[GivenT]):
    """A result that is still being computed."""

    def result(self) -> GivenT:
        """Wait for the result, and return it."""


class ThisProcess:
    """Executor in this process, one task after the other."""

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Yield the results in the order of the tasks. Each task is done when the caller takes its result."""
        return map(make(known), tasks)


def ordered_results(
    give_out: Callable[[TaskT], PendingResult[ResultT]], tasks: Iterable[TaskT], workers: int
) -> Iterator[ResultT]:
    """Start tasks by `give_out`, and yield the results in the order of the tasks. At most `AHEAD` tasks for each worker
    are started in advance."""
    waiting: deque[PendingResult[ResultT]] = deque()
    for task in tasks:
        waiting.append(give_out(task))
        if len(waiting) > AHEAD * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class Processes:
    """Executor in several processes of this computer."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Yield the results in the order of the tasks; raises `WorkFault` if a process was killed."""
        # Imported late, as Dask is: the import takes time, and the page in the browser has no processes.
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
    """Return a context that holds back SIGINT."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # A SIGINT before all processes have started would leave some of them running.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_WORK: list[Callable[[object], object]] = []
"""List with one element: the function with which this worker process does its tasks."""


def begin(make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT) -> None:
    """Begin the work of a worker process, which ignores SIGINT and ends with its parent."""
    # SIGINT ends the parent process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()
    _WORK[:] = [cast("Callable[[object], object]", make(known))]


def end_with_parent() -> None:
    """Wait for the end of the parent process, then end this process."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def do(task: object) -> object:
    return _WORK[0](task)


PATIENCE = 10
"""Seconds within which a cluster must answer."""


class DaskClient(Protocol):
    """Methods of Dask's client that are used here."""

    def submit(self, do_sent: Callable[..., object], *given: object, pure: bool) -> PendingResult[object]:
        """Start a task, and return its pending result."""

    def ncores(self) -> dict[str, int]:
        """Return the number of cores of each worker."""

    def close(self) -> None:
        """Close the connection, which stops all tasks."""


class Cluster:
    """Executor on the workers of a Dask cluster, which must have this version of the program. Anybody who may give
    tasks to a cluster can run any code there."""

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at an address. Raises `WorkFault` if the scheduler does not answer."""
        self.address = address
        self.client().close()

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Yield the results in the order of the tasks. Raises `WorkFault` if the cluster is missing or gives up a
        task."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        client = self.client()
        try:
            # Sent as the result of a task, not as data: Dask computes it again if the worker that had it is gone.
            told = client.submit(bytes, pickle.dumps((__version__, make, known)), pure=False)

            def give_out(task: TaskT) -> PendingResult[ResultT]:
                return cast("PendingResult[ResultT]", client.submit(do_sent, told, task, pure=False))

            yield from ordered_results(give_out, tasks, max(1, sum(client.ncores().values())))
        except (KilledWorker, CancelledError):
            raise WorkFault(wrong("E-WORK-STOPPED.cluster", address=self.address)) from None
        finally:
            client.close()

    def client(self) -> DaskClient:
        """Connect to the cluster, and return the client. Raises `WorkFault` if Dask or the cluster is missing."""
        try:
            from distributed import Client
            from distributed.comm import get_address_host_port
        except ImportError:
            raise WorkFault(wrong("E-WORK-DASK")) from None
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            get_address_host_port(self.address)  # Dask's client would complain again when it is deleted
            return cast("DaskClient", Client(self.address, timeout=PATIENCE, set_as_default=False))
        except (OSError, ValueError):
            raise WorkFault(wrong("E-WORK-ADDRESS", address=self.address)) from None


_ONE = Lock()
"""Lock that lets a worker do one task at a time. It may have many threads, but the rules cache values of only one
position."""

_SENT: dict[bytes, Callable[[object], object]] = {}
"""Dict from the hash of `pickled` (`do_sent`) to the function with which this worker does tasks. Only the latest
function is kept."""


def do_sent(pickled: bytes, task: object) -> object:
    """Do a task that was sent to this worker of a cluster, and return its result. `pickled` has the version of the
    program, `make` and `known`. Raises `WorkFault` if the worker has another version."""
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
    """Return the executor with `jobs` processes, or on the cluster at `address` if given. Raises `WorkFault` if the
    cluster does not answer."""
    return Cluster(address) if address else Processes(jobs) if jobs > 1 else ThisProcess()


def cores() -> int:
    """Return the number of processes that this computer can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
