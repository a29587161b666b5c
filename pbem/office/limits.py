"""Limits of a conversation with a mail server: its time, and the bytes of answers."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.faults.wrong import Words, words

LONGEST_CONVERSATION = 300
"""Seconds that the office waits for a server in one conversation. Time in which mails come or go at least as fast as
`PACE` does not count."""

PACE = 20_000
"""Bytes a second. Contents of mails that come or go slower than this use up the time of the conversation."""

FOR_A_MAIL = 10
"""Seconds by which each mail that the server takes makes the conversation's limit longer."""


class LimitReached(OSError):
    """Error for reading or writing after a limit was exceeded. `Limits.over` has the reason."""


class Limits:
    """Limits of one conversation. Time counts only while the office waits for the server."""

    def __init__(self, timeout: int, most_bytes: int) -> None:
        """Begin a conversation. One answer may take `timeout` seconds and have `most_bytes` bytes, besides contents of
        mails."""
        self.timeout = timeout
        self.most_bytes = most_bytes
        self.longest = max(LONGEST_CONVERSATION, timeout)
        self.seconds = float(self.longest)
        """Seconds that are left of the conversation."""
        self.expected = 0
        self.over: Words | None = None
        """Reason why the conversation is over."""
        self.begin_answer()

    def begin_answer(self) -> None:
        """Begin to count seconds and bytes of a new answer."""
        self.answer_seconds = self.timeout + self.expected / PACE
        self.answer_bytes = self.most_bytes + 2 * self.expected

    @contextmanager
    def contents(self, size: int) -> Iterator[None]:
        """Run a block that sends one request for mails of about `size` bytes in all. The answer gets more time and more
        bytes for these mails."""
        self.expected = size
        try:
            yield
        finally:
            self.expected = 0

    @contextmanager
    def waiting(self, line: socket.socket, *, is_answer: bool) -> Iterator[None]:
        """Run a block that reads from a socket (`is_answer`) or writes to it. Raises `LimitReached` if the conversation
        is over."""
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
        """Count seconds of waiting. If none are left for the conversation, or for the answer (`is_answer`), note in
        `over` that the conversation ends."""
        self.seconds -= seconds
        self.answer_seconds -= seconds if is_answer else 0
        if self.seconds <= 0:
            self.over = self.over or words("office-limit.conversation", seconds=self.longest)
        elif self.answer_seconds <= 0:
            self.over = self.over or words("office-limit.answer", seconds=self.timeout)

    def prolong(self, seconds: float) -> None:
        self.seconds += seconds

    def receive(self, size: int) -> None:
        """Count received bytes of an answer. Too many bytes end the conversation. While mails are fetched, received
        bytes prolong the conversation."""
        self.answer_bytes -= size
        if self.expected:
            self.prolong(size / PACE)
        if self.answer_bytes < 0:
            self.over = self.over or words("office-limit.bytes", number=self.most_bytes)


class LimitedSocket(socket.socket):
    """Socket of a conversation with limits."""

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
    """Return a socket with limits that takes over the connection of `line`, which is closed."""
    seconds = line.gettimeout()
    found = LimitedSocket(line.family, line.type, line.proto, fileno=line.detach())
    found.limits = limits
    found.settimeout(seconds)
    return found


def limited_tls(limits: Limits) -> type[ssl.SSLSocket]:
    """Return the class of sockets over TLS with these limits."""

    class LimitedTls(LimitedSocket, ssl.SSLSocket):
        """Socket over TLS with limits."""

    LimitedTls.limits = limits
    return LimitedTls
