"""Executors of independent pieces of work: this process, several processes, a cluster; results are the same and come
in the same order.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import parent_process
from threading import Thread
from typing import Protocol, TypeVar, cast

from pbem.faults.wrong import WrongError, wrong

KnownT = TypeVar("KnownT")
TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")
GivenT = TypeVar("GivenT", covariant=True)

AHEAD = 4
"""Tasks for each worker that are started before the first result is taken, so that no worker waits."""


class WorkFault(WrongError):
    """Work that was not done for reasons outside of it."""


class Executor(Protocol):
    """Executor of tasks."""

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Results in the order of the tasks; raises `WorkFault`.

        `make` is called once in every worker with `known` and returns the function that does a task. It must be a
        function of a module; `known`, tasks and results must be picklable. Results are made as they are asked for.
        """


class Promised(Protocol[GivenT]):
    """A result in progress."""

    def result(self) -> GivenT:
        """Wait for the result."""


class Alone:
    """Executor in this process, one task after the other."""

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Results, each computed when it is asked for."""
        return map(make(known), tasks)


def in_order(give_out: Callable[[TaskT], Promised[ResultT]], tasks: Iterable[TaskT], workers: int) -> Iterator[ResultT]:
    """Start tasks, some of them ahead, and yield the results in their order."""
    waiting: deque[Promised[ResultT]] = deque()
    for task in tasks:
        waiting.append(give_out(task))
        if len(waiting) > AHEAD * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class Processes:
    """Executor in so many processes."""

    def __init__(self, jobs: int) -> None:
        """Processes are started with the first tasks."""
        self.jobs = jobs

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Results in the order of the tasks; raises `WorkFault` if a process was killed."""
        with ProcessPoolExecutor(self.jobs, initializer=begin, initargs=(make, known)) as pool:

            def give_out(task: TaskT) -> Future[ResultT]:
                return cast("Future[ResultT]", pool.submit(do, task))

            with uninterrupted():
                pool.submit(int)
            try:
                yield from in_order(give_out, tasks, self.jobs)
            except BrokenProcessPool:
                raise WorkFault(wrong("E-WORK-STOPPED")) from None
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back SIGINT until the processes have started: half started, they could not be ended."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_WORK: list[Callable[[object], object]] = []
"""Function of this worker process."""


def begin(make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT) -> None:
    """Start a worker process. SIGINT is ignored: it ends the parent, and the worker ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()
    _WORK[:] = [cast("Callable[[object], object]", make(known))]


def end_with_parent() -> None:
    """End this process when its parent is gone, because nothing else would end it."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def do(task: object) -> object:
    return _WORK[0](task)
