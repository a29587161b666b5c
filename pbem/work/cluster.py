"""Work on the computers of a Dask cluster. Work that a worker leaves undone is done by another.

Its workers must have the same version of this program. Anybody who may give work to a cluster may run any code on it.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from hashlib import sha256
from threading import Lock
from typing import Protocol, cast

from distributed import Client, KilledWorker
from distributed.comm import get_address_host_port

from pbem import __version__
from pbem.faults.wrong import wrong
from pbem.work.executor import KnownT, Promised, ResultT, TaskT, WorkFault, in_order

PATIENCE = 10
"""Seconds within which a cluster must answer."""


class DaskClient(Protocol):
    """The part of Dask's client that is used."""

    def submit(self, do: Callable[..., object], *given: object, pure: bool) -> Promised[object]:
        """Start a task."""

    def ncores(self) -> dict[str, int]:
        """Workers, each with the number of its cores."""

    def close(self) -> None:
        """Stop all tasks."""


class Cluster:
    """Executor on the workers of a cluster."""

    def __init__(self, address: str) -> None:
        """Take the address of the scheduler. Raises `WorkFault` at once if it does not answer."""
        self.address = address
        self.client().close()

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """Results in the order of the tasks; raises `WorkFault`."""
        client = self.client()
        try:
            # Sent as the result of a task, not as data: Dask computes it again if the worker that had it is gone.
            told = client.submit(bytes, pickle.dumps((__version__, make, known)), pure=False)

            def give_out(task: TaskT) -> Promised[ResultT]:
                return cast("Promised[ResultT]", client.submit(do, told, task, pure=False))

            yield from in_order(give_out, tasks, max(1, sum(client.ncores().values())))
        except (KilledWorker, CancelledError):
            raise WorkFault(wrong("E-WORK-STOPPED.cluster", address=self.address)) from None
        finally:
            client.close()

    def client(self) -> DaskClient:
        """Connect to the cluster. Dask's own messages about a missing one are replaced by our fault."""
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            get_address_host_port(
                self.address
            )  # Dask's client would complain about a bad address once more when it is deleted
            return cast("DaskClient", Client(self.address, timeout=PATIENCE, set_as_default=False))
        except (OSError, ValueError):
            raise WorkFault(wrong("E-WORK-ADDRESS", address=self.address)) from None


_ONE = Lock()
"""Lock for one task at a time: a worker may have many threads, and rules cache values of a position."""

_WORK: dict[bytes, Callable[[object], object]] = {}
"""Latest work of this worker, by the hash of its description."""


def do(told: bytes, task: object) -> object:
    """Do one task as a worker of a cluster."""
    name = sha256(told).digest()
    with _ONE:
        if name not in _WORK:
            version, make, known = pickle.loads(told)  # noqa: S301 - anybody who gives work to a cluster may run code there
            if version != __version__:
                raise WorkFault(wrong("E-WORK-VERSION", own=version, other=__version__))
            _WORK.clear()
            _WORK[name] = make(known)
        return _WORK[name](task)
