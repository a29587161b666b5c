"""Who does pieces of work: the results are the same, and come in the same order, whoever does them."""

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
"""The pieces for each worker that are given out before the first result is taken: enough that nobody waits."""


class WorkFault(WrongError):
    """Work that was not done, through no fault of its own."""


class Executor(Protocol):
    """Does pieces of work."""

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """The results in the order of the tasks; raises `WorkFault`.

        `make` is called wherever work is done, once, with what is known to all of it, and makes what does each task.
        It stands in a module, and what is known, tasks and results can be pickled. Whoever has enough stops asking.
        """


class Promised(Protocol[GivenT]):
    """A result that somebody is working on."""

    def result(self) -> GivenT:
        """It, as soon as it is there."""


class Alone:
    """This process does everything, one after the other."""

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Each result when it is asked for."""
        return map(make(known), tasks)


def in_order(give_out: Callable[[TaskT], Promised[ResultT]], tasks: Iterable[TaskT], workers: int) -> Iterator[ResultT]:
    """Give tasks out, some of them ahead, and take the results in their order."""
    waiting: deque[Promised[ResultT]] = deque()
    for task in tasks:
        waiting.append(give_out(task))
        if len(waiting) > AHEAD * workers:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
