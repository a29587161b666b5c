"""Executor in several processes of this computer. All of them end when the parent process ends, however that ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import parent_process
from threading import Thread
from typing import cast

from pbem.faults.wrong import wrong
from pbem.work.executor import KnownT, ResultT, TaskT, WorkFault, in_order


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
