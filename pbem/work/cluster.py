"""The computers of a Dask cluster: what a worker of it leaves undone, another does again.

Its workers must have the same version of this program; whoever may give work to a cluster may run anything on it.
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
"""Seconds in which a cluster must answer."""


class DaskClient(Protocol):
    """What is used of Dask's own."""

    def submit(self, do: Callable[..., object], *given: object, pure: bool) -> Promised[object]:
        """Have something done."""

    def ncores(self) -> dict[str, int]:
        """The workers, each with how much it does at a time."""

    def close(self) -> None:
        """Have nothing done any more."""


class Cluster:
    """The workers of a cluster do the work."""

    def __init__(self, address: str) -> None:
        """Take the address of its scheduler; raises `WorkFault` if there is none, before anything else is begun."""
        self.address = address
        self.client().close()

    def results(
        self, make: Callable[[KnownT], Callable[[TaskT], ResultT]], known: KnownT, tasks: Iterable[TaskT]
    ) -> Iterator[ResultT]:
        """The results in the order of the tasks; raises `WorkFault`."""
        client = self.client()
        try:
            # As a result, and not as data that was sent, it is made again where a worker that had it is gone.
            told = client.submit(bytes, pickle.dumps((__version__, make, known)), pure=False)

            def give_out(task: TaskT) -> Promised[ResultT]:
                return cast("Promised[ResultT]", client.submit(do, told, task, pure=False))

            yield from in_order(give_out, tasks, max(1, sum(client.ncores().values())))
        except (KilledWorker, CancelledError):
            raise WorkFault(wrong("E-WORK-STOPPED.cluster", address=self.address)) from None
        finally:
            client.close()

    def client(self) -> DaskClient:
        """The cluster, if there is one; what Dask would say of one that is gone is said in our words."""
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            get_address_host_port(self.address)  # of what is no address, Dask complains as it is thrown away, too
            return cast("DaskClient", Client(self.address, timeout=PATIENCE, set_as_default=False))
        except (OSError, ValueError):
            raise WorkFault(wrong("E-WORK-ADDRESS", address=self.address)) from None


_ONE = Lock()
"""A worker may have many threads, and rules keep what was worked out of a position: one piece is done at a time."""

_WORK: dict[bytes, Callable[[object], object]] = {}
"""What this worker does last, by the hash of what it was told."""


def do(told: bytes, task: object) -> object:
    """Do one piece of work as a worker of a cluster."""
    name = sha256(told).digest()
    with _ONE:
        if name not in _WORK:
            version, make, known = pickle.loads(told)  # noqa: S301 - who gives work to a cluster may run anything there
            if version != __version__:
                raise WorkFault(wrong("E-WORK-VERSION", own=version, other=__version__))
            _WORK.clear()
            _WORK[name] = make(known)
        return _WORK[name](task)
