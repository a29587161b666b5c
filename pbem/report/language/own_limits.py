"""Limits for own templates of a campaign, which may come from strangers: processor time, memory, and size of numbers.

If a template goes beyond a limit, it is refused, or the system ends the whole command. No file is left half-written.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from jinja2 import TemplateRuntimeError
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

try:
    import resource
except ImportError:  # only Unix systems have this module
    resource = None  # type: ignore[assignment]

SECONDS = 60
"""Processor time that one command may use for letters made by own templates, in seconds."""
PATIENCE = 30
"""Further seconds after `SECONDS`. Then the system ends a command that is in an operation which cannot be
interrupted."""
MEMORY = 768 * 1024 * 1024
"""Memory that own templates may use, besides what the program uses itself, in bytes."""
DIGITS = 4096
"""Largest length of a product, in binary digits."""


class GuardedSandbox(SandboxedEnvironment):
    """Environment for own templates. They can use only the data that they are given, and multiply only numbers of
    ordinary size."""

    intercepted_binops = frozenset(["*", "**"])

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """Multiply two values, or compute a power. Raises `SecurityError` if the result would be too large."""
        if isinstance(left, int) and isinstance(right, int):
            size = left.bit_length() * abs(right) if operator == "**" else left.bit_length() + right.bit_length()
            if size > DIGITS:
                raise SecurityError("this number is too large")
        return super().call_binop(context, operator, left, right)


@contextmanager
def resource_limits() -> Iterator[None]:
    """Limit processor time and memory within a `with` block. This works only in the main thread, and only on systems
    that have such limits. A template that goes beyond a limit causes an error."""
    # Only the main thread gets signals. Another program may call this function in a different thread.
    if resource is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    memory, time = resource.getrlimit(resource.RLIMIT_DATA), resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_SELF)
    # This limit counts the time since the process started. The timer below counts from now.
    end = int(used.ru_utime + used.ru_stime) + SECONDS + PATIENCE
    before = signal.signal(signal.SIGPROF, too_long)
    try:
        resource.setrlimit(resource.RLIMIT_DATA, lower_limit(memory, memory_held() + MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, lower_limit(time, end))
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_DATA, memory)
        resource.setrlimit(resource.RLIMIT_CPU, time)


def memory_held() -> int:
    """Return the memory that this process already uses and that counts for its limit, in bytes. Return 0 if the system
    does not tell."""
    assert resource is not None
    try:
        return int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    except OSError:
        return 0


def lower_limit(limits: tuple[int, int], wanted: int) -> tuple[int, int]:
    """Return the soft and the hard limit to be set. The soft limit is `wanted`, or the present soft limit if that is
    lower. The hard limit stays the same."""
    assert resource is not None
    known = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    return min([wanted, *known]), limits[1]


def too_long(number: int, frame: FrameType | None) -> None:
    """Raise the error that says that too much processor time was used."""
    raise TemplateRuntimeError(f"it takes more than {SECONDS} seconds")
