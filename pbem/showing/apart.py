"""A long step as a process of its own: what it took in memory goes when it has come to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Generic, TypeVar

from pbem.work.processes import Processes

KnownT = TypeVar("KnownT")
MadeT = TypeVar("MadeT")

Watch = Callable[[str, int], None]
"""Is told what is being done, and how many turns are over."""


@dataclass(frozen=True)
class Doing:
    """What is being done, and how many turns are over."""

    what: str
    over: int


@dataclass(frozen=True)
class Done(Generic[MadeT]):
    """What a step has come to."""

    made: MadeT


Step = Callable[[KnownT], Iterator[Doing | Done[MadeT]]]
"""A step, which tells what it is doing and at last what it has come to; it stands in a module."""


def apart(step: Step[KnownT, MadeT], known: KnownT, watch: Watch) -> MadeT:
    """What a step comes to; raises what it raises, and `WorkFault` if its process was killed."""
    told = Processes(1).results(begun, (step, known), repeat(None))
    for each in told:
        if isinstance(each, Done):
            return each.made
        if each:
            watch(each.what, each.over)
    raise AssertionError("a step tells what it has come to")


def begun(what: tuple[Step[KnownT, MadeT], KnownT]) -> Callable[[None], Doing | Done[MadeT] | None]:
    """A step that goes on to the next thing it tells whenever it is asked, and tells nothing after its end."""
    step, known = what
    going = step(known)
    return lambda _: next(going, None)
