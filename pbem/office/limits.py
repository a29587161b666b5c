"""Limits of a conversation with a mail server: limits of time, and of the bytes in an answer."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.faults.wrong import Words, words

LONGEST_CONVERSATION = 300
"""Seconds that the office waits for a server in one conversation. Time in which the content of mails is transferred
with at least the speed `PACE` does not count."""

PACE = 20_000
"""Bytes per second. The time in which mails are transferred at least so fast is not counted."""

FOR_A_MAIL = 10
"""Seconds that are added to the conversation's limit for each mail that the server takes."""


class LimitReached(OSError):
    """Raised when the office reads or writes after a limit was exceeded. The reason is in `Limits.over`."""


class Limits:
    """Limits of one conversation. Only the time in which the office waits for the server is counted."""

    def __init__(self, timeout: int, most_bytes: int) -> None:
        """Begin a conversation. One answer may take `timeout` seconds and have `most_bytes` bytes. The content of mails
        is not included in these numbers."""
        self.timeout = timeout
        self.most_bytes = most_bytes
        self.longest = max(LONGEST_CONVERSATION, timeout)
        self.seconds = float(self.longest)
        """Seconds that the conversation may still take."""
        self.expected = 0
        self.over: Words | None = None
        """Reason why the conversation must end; None if it may go on."""
        self.begin_answer()

    def begin_answer(self) -> None:
        """Begin to count the seconds and bytes of a new answer."""
        self.answer_seconds = self.timeout + self.expected / PACE
        self.answer_bytes = self.most_bytes + 2 * self.expected

    @contextmanager
    def contents(self, size: int) -> Iterator[None]:
        """Return a context for one request for mails, which have about `size` bytes together. In this context an answer
        may take more time and have more bytes, as these mails need."""
        self.expected = size
        try:
            yield
        finally:
            self.expected = 0

    @contextmanager
    def waiting(self, line: socket.socket, *, is_answer: bool) -> Iterator[None]:
        """Return a context for reading from a socket, if `is_answer` is true, or for writing to it. Raises
        `LimitReached` if the conversation must end."""
        if self.over:
            raise LimitReached(str(self.over))
        left = min(self.seconds, self.answer_seconds) if is_answer else self.seconds
        usual = line.gettimeout()
        is_shorter = usual is None or usual > left
        if is_shorter:
            line.settimeout(left)
        begun = time.monotonic()
        try:
            yield
        except TimeoutError:
            if is_shorter:
                self.use_time(left, is_answer=is_answer)
            raise
        finally:
            self.use_time(time.monotonic() - begun, is_answer=is_answer)
            if is_shorter:
                line.settimeout(usual)

    def use_time(self, seconds: float, *, is_answer: bool) -> None:
        """Subtract seconds of waiting from the time that is left. If `is_answer` is true, subtract them from the time
        of the answer as well. If no time is left, store the reason in `over`, so that the conversation ends."""
        self.seconds -= seconds
        self.answer_seconds -= seconds if is_answer else 0
        if self.seconds <= 0:
            self.over = self.over or words("office-limit.conversation", seconds=self.longest)
        elif self.answer_seconds <= 0:
            self.over = self.over or words("office-limit.answer", seconds=self.timeout)

    def prolong(self, seconds: float) -> None:
        self.seconds += seconds

    def receive(self, size: int) -> None:
        """Subtract the bytes that were received from the bytes that the answer may still have. If there were too many,
        the conversation ends. While mails are fetched, each received byte gives the conversation more time."""
        self.answer_bytes -= size
        if self.expected:
            self.prolong(size / PACE)
        if self.answer_bytes < 0:
            self.over = self.over or words("office-limit.bytes", number=self.most_bytes)


class LimitedSocket(socket.socket):
    """Socket of a conversation that has limits."""

    limits: Limits

    def recv_into(self, buffer: object, nbytes: int | None = None, flags: int = 0) -> int:
        assert isinstance(buffer, bytearray | memoryview)
        with self.limits.waiting(self, is_answer=True):
            count = super().recv_into(buffer, nbytes or len(buffer), flags)
        self.limits.receive(count)
        return count

    def send(self, data: object, flags: int = 0) -> int:
        assert isinstance(data, bytes | bytearray | memoryview)
        with self.limits.waiting(self, is_answer=False):
            count = super().send(data, flags)
        self.limits.prolong(count / PACE)
        return count

    def sendall(self, data: object, flags: int = 0) -> None:
        """Send a command or a mail, and begin to count the next answer."""
        assert isinstance(data, bytes | bytearray | memoryview)
        super().sendall(data, flags)
        self.limits.begin_answer()


def limited(line: socket.socket, limits: Limits) -> LimitedSocket:
    """Return a socket with limits that continues the connection of `line`. `line` itself cannot be used any more."""
    seconds = line.gettimeout()
    found = LimitedSocket(line.family, line.type, line.proto, fileno=line.detach())
    found.limits = limits
    found.settimeout(seconds)
    return found


def limited_tls(limits: Limits) -> type[ssl.SSLSocket]:
    """Return a class of TLS sockets for a conversation with these limits."""

    class LimitedTls(LimitedSocket, ssl.SSLSocket):
        """TLS socket with limits."""

    LimitedTls.limits = limits
    return LimitedTls
