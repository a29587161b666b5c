"""Work that takes long: in how many processes or on which cluster, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.console.options import Telling, gathered
from pbem.faults.wrong import words

if TYPE_CHECKING:
    from pbem.work.executor import Executor


T = TypeVar("T")


def followed(done: Iterable[T], total: int, telling: Telling) -> Iterator[T]:
    """Games that are played, with a bar on the terminal that shows how far it is.

    The bar has no thread of its own: where processes are begun by copying this one there must be none.
    """
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    hidden = telling.json_wanted or not console.is_terminal
    with Progress(console=console, disable=hidden, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(words("count-playing").told(telling.language), total=total)
        for each in done:
            bar.update(task, advance=1, refresh=True)
            yield each


@dataclass(frozen=True)
class Hands:
    """Who does the work."""

    jobs: int | None
    on: str | None

    def executor(self, tasks: int) -> Executor:
        """They, for so many tasks; raises `WorkFault`. If nothing else is said, all cores of this computer."""
        from pbem.work.choosing import cores, executor

        return executor(self.jobs or min(cores(), tasks), self.on or "")


def work_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say who does the work; a command gets them as `hands`."""
    jobs = "Processes that share the work; left out: as many as there are cores."
    cluster = "The address of a Dask cluster that does it instead (`pbem[dask]`), such as tcp://10.0.0.5:8786."
    command = click.option("--on", metavar="ADDRESS", help=cluster)(gathered("hands", Hands)(command))
    return click.option("--jobs", type=click.IntRange(1, 64), help=jobs)(command)
