"""Choice of the executor of work."""

from __future__ import annotations

import os

from pbem.faults.wrong import wrong
from pbem.work.executor import Alone, Executor, WorkFault


def executor(jobs: int, address: str = "") -> Executor:
    """Executor with so many processes, or on the cluster at this address. Raises `WorkFault` if it is not available."""
    if address:
        try:
            from pbem.work.cluster import Cluster
        except ImportError:
            raise WorkFault(wrong("E-WORK-DASK")) from None
        return Cluster(address)
    if jobs > 1:
        from pbem.work.processes import Processes  # imported late: it loads the modules that start processes

        return Processes(jobs)
    return Alone()


def cores() -> int:
    """Number of processes that this computer can run at once for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
