"""Limits of processor time, memory and size of numbers for a campaign's own templates, which may be foreign code.

A template beyond a limit is refused, or the system ends the whole command; files stay whole.
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
except ImportError:  # only Unix systems have it
    resource = None  # type: ignore[assignment]

SECONDS = 60
"""Processor time, in seconds, that one command may spend on letters made by own templates."""
PATIENCE = 30
"""Seconds after `SECONDS` at which the system ends a command whose operation cannot be interrupted."""
MEMORY = 768 * 1024 * 1024
"""Memory, in bytes, that own templates may take in addition to that of the program."""
DIGITS = 4096
"""Greatest length of a product, in binary digits."""


class GuardedSandbox(SandboxedEnvironment):
    """Environment of own templates. They can use nothing but their data, and multiply only numbers of ordinary size."""

    intercepted_binops = frozenset(["*", "**"])

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """Multiply two values, or raise one to the power of the other. Raises `SecurityError` if the result would be
        too large."""
        if isinstance(left, int) and isinstance(right, int):
            size = left.bit_length() * abs(right) if operator == "**" else left.bit_length() + right.bit_length()
            if size > DIGITS:
                raise SecurityError("this number is too large")
        return super().call_binop(context, operator, left, right)


@contextmanager
def resource_limits() -> Iterator[None]:
    """Limit processor time and memory within a `with` block, in the main thread and where the system can. A template
    beyond the limits causes an error."""
    # Only the main thread receives signals, and another program may call us from another thread.
    if resource is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    memory, time = resource.getrlimit(resource.RLIMIT_DATA), resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_SELF)
    # This limit counts from the start of the process, the timer below from now.
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
    """Return the bytes of memory that this process already uses and that count for its limit. Return 0 if the system
    does not tell."""
    assert resource is not None
    try:
        return int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    except OSError:
        return 0


def lower_limit(limits: tuple[int, int], wanted: int) -> tuple[int, int]:
    """Return the soft and the hard limit to set. The soft limit is `wanted` or a lower present limit; the hard limit is
    unchanged."""
    assert resource is not None
    known = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    return min([wanted, *known]), limits[1]


def too_long(number: int, frame: FrameType | None) -> None:
    """Raise the error for too much processor time."""
    raise TemplateRuntimeError(f"it takes more than {SECONDS} seconds")
