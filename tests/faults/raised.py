"""Wordings of faults that nobody raises: `pytest -p tests.faults.raised` lists them at the end of all tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest

from pbem.faults import wrong as module
from pbem.faults.wrong import Wrong

SEEN: set[str] = set()


def noting(make: Callable[..., Wrong]) -> Callable[..., Wrong]:
    """The same, with every wording noted."""

    @wraps(make)
    def wrong(wording: str, /, *given: Any, **gaps: Any) -> Wrong:
        SEEN.add(wording)
        return make(wording, *given, **gaps)

    return wrong


# Before any other module has taken it by its name: a plugin is the first that is imported.
module.wrong = noting(module.wrong)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Each process says what it has seen."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["wordings"] = sorted(SEEN)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """One of several processes is done."""
    SEEN.update(getattr(node, "workeroutput", {}).get("wordings", ()))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the wordings that nothing raised."""
    from tests.faults.reference import faults

    left = [key for key in faults() if key not in SEEN]
    terminalreporter.write_line(f"{len(left)} wordings of faults were not raised: {', '.join(left)}")
