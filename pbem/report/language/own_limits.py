"""What templates of somebody else's may cost: so much time of the processor, so much memory, and no endless numbers.

A template that goes beyond is refused as any that fails. One operation that cannot be interrupted is ended by the
system, with the whole command: what is written whole or not at all is then as it was.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from jinja2 import TemplateRuntimeError
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

try:
    import resource
except ImportError:  # only systems of the Unix family have it
    resource = None  # type: ignore[assignment]

SECONDS = 60
"""How much time of the processor one command may spend on letters by such templates."""
PATIENCE = 30
"""After so many more an operation that cannot be interrupted ends the program."""
MEMORY = 1024 * 1024 * 1024
"""How many bytes of memory the program may then have in all."""
DIGITS = 4096
"""How many binary digits a number may get by one multiplication."""


class Guarded(SandboxedEnvironment):
    """An environment in which templates reach nothing but their data, and count in numbers that people use."""

    intercepted_binops = frozenset(["*", "**"])

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """Multiply, unless the product would keep the computer busy for longer than anybody waits."""
        if isinstance(left, int) and isinstance(right, int):
            size = left.bit_length() * abs(right) if operator == "**" else left.bit_length() + right.bit_length()
            if size > DIGITS:
                raise SecurityError("this number is too large")
        return super().call_binop(context, operator, left, right)


@contextmanager
def bounded() -> Iterator[None]:
    """Within this, what takes too much time or memory is an error."""
    # Signals reach the main thread alone; within a program of somebody else there may be others.
    if resource is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    memory, time = resource.getrlimit(resource.RLIMIT_DATA), resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_SELF)
    # This limit counts from where the process began, the timer below from now.
    end = int(used.ru_utime + used.ru_stime) + SECONDS + PATIENCE
    before = signal.signal(signal.SIGPROF, too_long)
    try:
        resource.setrlimit(resource.RLIMIT_DATA, lowered(memory, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, lowered(time, end))
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_DATA, memory)
        resource.setrlimit(resource.RLIMIT_CPU, time)


def lowered(limits: tuple[int, int], wanted: int) -> tuple[int, int]:
    """A limit that is not above those that there are, and that can be taken back."""
    assert resource is not None
    known = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    return min([wanted, *known]), limits[1]


def too_long(number: int, frame: FrameType | None) -> None:
    """The time is over."""
    raise TemplateRuntimeError(f"it takes more than {SECONDS} seconds")
