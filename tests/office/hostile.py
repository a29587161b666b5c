"""Servers that do what servers do on bad days: they refuse, are full, are slow, or drop the line."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
import time
from pathlib import Path
from typing import Literal

from tests.office.servers import certificate

Mood = Literal["", "452", "550", "421", "drop", "drop behind", "slow"]


class Talk(socketserver.StreamRequestHandler):
    """One conversation over SMTP."""

    server: BadSmtp

    def handle(self) -> None:
        try:
            self.talk()
        except (OSError, ValueError):
            return

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def talk(self) -> None:
        self.say("220 here")
        for raw in iter(self.rfile.readline, b""):
            word, _, rest = raw.decode().strip().partition(" ")
            mood = self.server.mood
            match word.upper():
                case "EHLO":
                    self.say("250 here")
                case "RCPT" if mood in ("452", "550", "421") and self.server.who in rest:
                    self.say(f"{mood} not today")
                case "DATA":
                    if self.data(mood):
                        return
                case "QUIT":
                    self.say("221 bye")
                    return
                case _:
                    self.say("250 well")

    def data(self, mood: str) -> bool:
        """The mail itself; whether the line is dropped."""
        self.say("354 go on")
        lines = list(iter(self.rfile.readline, b".\r\n"))
        if mood == "drop":
            return True
        if mood == "slow":
            time.sleep(4)
        with self.server.lock:
            self.server.taken.append(b"".join(lines))
        if mood == "drop behind":
            return True
        self.say("250 taken")
        return False


class BadSmtp(socketserver.ThreadingTCPServer):
    """An SMTP server in a mood; it has what it took."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Talk)
        self.authority = certificate(folder)
        self.safe = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.safe.load_cert_chain(self.authority, folder / "key.pem")
        self.mood: Mood = ""
        self.who = ""
        self.taken: list[bytes] = []
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self) -> tuple[socket.socket, object]:
        plain, address = super().get_request()
        return self.safe.wrap_socket(plain, server_side=True), address

    def handle_error(self, request: object, client_address: object) -> None:
        """Write nothing to a log when somebody drops the line."""

    @property
    def settings(self) -> str:
        """Settings by which an office finds it."""
        return f"{{smtp: {{host: 127.0.0.1, port: {self.server_address[1]}, authority: {self.authority}, timeout: 2}}}}"


class CutLine(socketserver.ThreadingTCPServer):
    """A line to a server that is cut when so many bytes have come back on it."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Relay)
        self.behind = port
        self.most = 10**9
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class Relay(socketserver.BaseRequestHandler):
    """One conversation, as long as it lasts."""

    server: CutLine

    def handle(self) -> None:
        behind = socket.create_connection(("127.0.0.1", self.server.behind))
        threading.Thread(target=self.pass_on, args=(self.request, behind, 10**9), daemon=True).start()
        self.pass_on(behind, self.request, self.server.most)

    def pass_on(self, source: socket.socket, target: socket.socket, most: int) -> None:
        try:
            while most > 0 and (data := source.recv(min(most, 65536))):
                most -= len(data)
                target.sendall(data)
        except OSError:
            pass
        for each in (source, target):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
