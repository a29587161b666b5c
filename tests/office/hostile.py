"""Servers that do what servers do on bad days: they refuse, are full, are slow, or drop the line."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import BinaryIO, Literal

from tests.office.servers import AT_ONCE, certificate

Mood = Literal["", "452", "550", "421", "drop", "drop behind", "slow", "drip", "endless", "sluggish", "554", "drop one"]


class Talk(socketserver.StreamRequestHandler, ABC):
    """One conversation, which a client may break off."""

    def handle(self) -> None:
        try:
            self.talk()
        except (OSError, ValueError):
            return

    @abstractmethod
    def talk(self) -> None:
        """Greet the client, and answer until the end."""

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class SmtpTalk(Talk):
    """One conversation over SMTP."""

    server: BadSmtp

    def talk(self) -> None:
        greet(self.wfile, self.server.mood)
        self.say("554 gone" if self.server.mood == "554" else "220 here")
        to = ""
        for raw in iter(self.rfile.readline, b""):
            word, _, rest = raw.decode().strip().partition(" ")
            mood = self.server.mood
            if mood == "sluggish":
                time.sleep(1)
            match word.upper():
                case "EHLO":
                    self.say("250 here")
                case "RCPT" if mood in ("452", "550", "421") and self.server.who in rest:
                    self.say(f"{mood} not today")
                case "RCPT":
                    self.say("250 well")
                    to = rest
                case "DATA":
                    if self.data("drop behind" if mood == "drop one" and self.server.who in to else mood):
                        return
                case "QUIT":
                    self.say("221 bye")
                    return
                case _:
                    self.say("250 well")

    def data(self, mood: str) -> bool:
        """The mail itself; whether the line is dropped."""
        self.say("354 go on")
        lines: list[bytes] = []
        for line in self.rfile:
            if line == b".\r\n":
                break
            lines.append(line)
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


def greet(line: BinaryIO, mood: str) -> None:
    """Greet a client without end, byte for byte or line after line, if that is the mood."""
    while mood == "drip":
        line.write(b"x")
        time.sleep(0.2)
    while mood == "endless":
        line.write(b"220-more\r\n" * 1000)


class BadServer(socketserver.ThreadingTCPServer):
    """Server behind TLS, with a certificate of its own."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, folder: Path, talk: type[socketserver.StreamRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), talk)
        self.authority = certificate(folder)
        self.safe = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.safe.load_cert_chain(self.authority, folder / "key.pem")
        self.lock = threading.Lock()
        self.is_plain = False
        threading.Thread(target=self.serve_forever, args=(AT_ONCE,), daemon=True).start()

    def get_request(self) -> tuple[socket.socket, object]:
        plain, address = super().get_request()
        if self.is_plain:
            return plain, address
        return self.safe.wrap_socket(plain, server_side=True), address

    def handle_error(self, request: object, client_address: object) -> None:
        """Write nothing to a log when somebody drops the line."""

    def settings_as(self, kind: str, *more: str) -> str:
        """Settings by which an office finds it, as a server of this kind."""
        where = ("host: 127.0.0.1", f"port: {self.server_address[1]}", f"authority: {self.authority}", "timeout: 2")
        return f"{{{kind}: {{{', '.join((*where, *more))}}}}}"


class BadSmtp(BadServer):
    """An SMTP server in a mood; it has what it took."""

    def __init__(self, folder: Path) -> None:
        self.mood: Mood = ""
        self.who = ""
        self.taken: list[bytes] = []
        super().__init__(folder, SmtpTalk)

    @property
    def settings(self) -> str:
        return self.settings_as("smtp")


ImapMood = Literal["", "no marks", "read only", "no log-in", "drip", "endless search", "sluggish", "drip mail"]


class ImapTalk(Talk):
    """One conversation over IMAP."""

    server: BadImap

    def talk(self) -> None:
        greet(self.wfile, self.server.mood)
        self.say("* OK here")
        for raw in iter(self.rfile.readline, b""):
            tag, _, rest = raw.decode().strip().partition(" ")
            words = rest.upper().replace("UID ", "", 1).split()
            with self.server.lock:
                self.server.asked.append(" ".join(words))
            self.say(f"{tag} {self.answer(words) or 'OK done'}")
            if words[0] == "LOGOUT":
                return

    def answer(self, words: list[str]) -> str:
        """Say the lines of an answer to a command, and return the last one, or nothing if all is well."""
        mood, mails = self.server.mood, self.server.mails
        if mood == "sluggish":
            time.sleep(1)
        match words[0]:
            case "CAPABILITY":
                self.say("* CAPABILITY IMAP4rev1")
            case "LOGIN" if mood == "no log-in":
                return "NO the password of yesterday"
            case "SELECT" if mood == "read only":
                self.say(f"* {len(mails)} EXISTS")
                return "OK [READ-ONLY] done"
            case "STATUS":
                self.say('* STATUS "INBOX" (UIDVALIDITY 7)')
            case "SEARCH" if mood == "endless search":
                while True:
                    self.wfile.write(b"* SEARCH" + b" 1" * 3000 + b"\r\n")
            case "SEARCH":
                self.say(f"* SEARCH {' '.join(str(number + 1) for number in range(len(mails)))}")
            case "FETCH":
                for uid in map(int, words[1].split(",")):
                    self.fetch(uid, mails[uid - 1], is_whole="SIZE" not in words[-1])
            case "STORE" if mood in ("no marks", "read only"):
                return "NO over quota"
        return ""

    def fetch(self, uid: int, mail: bytes, is_whole: bool) -> None:
        if is_whole:
            self.say(f"* {uid} FETCH (UID {uid} BODY[]<0> {{{len(mail)}}}")
            pace = 1 if self.server.mood == "drip mail" else len(mail)
            for at in range(0, len(mail), pace):
                self.wfile.write(mail[at : at + pace])
                time.sleep(0.1 if pace == 1 else 0)
            self.say(")")
        else:
            self.say(f"* {uid} FETCH (UID {uid} RFC822.SIZE {len(mail)})")


class BadImap(BadServer):
    """An IMAP server in a mood, with mails; it notes what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.mood: ImapMood = ""
        self.mails: list[bytes] = []
        self.asked: list[str] = []
        super().__init__(folder, ImapTalk)

    @property
    def settings(self) -> str:
        return self.settings_as("imap", "user: moderator", "password-command: echo sesame")

    def marks(self) -> int:
        """Return how often a mark was asked for since the last time."""
        with self.lock:
            count = sum(each.startswith("STORE") for each in self.asked)
            self.asked.clear()
        return count


class CutLine(socketserver.ThreadingTCPServer):
    """A line to a server that is cut when so many bytes have come back on it."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Relay)
        self.behind = port
        self.most = 10**9
        threading.Thread(target=self.serve_forever, args=(AT_ONCE,), daemon=True).start()

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
