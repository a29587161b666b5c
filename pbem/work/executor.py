"""Executors of independent tasks. The results and their order are the same for all executors."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from pbem.faults.wrong import WrongError

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
