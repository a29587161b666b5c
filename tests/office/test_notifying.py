"""Short lines by a command or a webhook: once each, whatever a server does, and no secret in them or about them."""

from __future__ import annotations

import json
import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.office import notifying
from pbem.office.settings import read_settings
from pbem.paper.documents.faults import Refused
from tests.cli.correspondence import NAME
from tests.office.post import PLAIN, PostalTable, copied
from tests.office.servers import AT_ONCE, certificate

SECRET = "topic-of-louis-7731"


class Talk(socketserver.StreamRequestHandler):
    """One conversation over HTTP."""

    server: BadWeb

    def handle(self) -> None:
        try:
            self.talk()
        except OSError:
            return

    def talk(self) -> None:
        head = list(iter(self.rfile.readline, b"\r\n"))
        sizes = [int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length")]
        path, body = head[0].split()[1].decode(), self.rfile.read(sum(sizes)).decode()
        self.server.asked.append((path, body))
        answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        match self.server.mood:
            case "301" | "303" | "308" as status:
                answer = f"HTTP/1.1 {status} There\r\nLocation: {self.server.elsewhere}\r\n\r\n".encode()
            case "redirect":
                target = f"http://127.0.0.1:{self.server.port}/elsewhere"
                answer = f"HTTP/1.1 307 There\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()
            case "500":
                answer = b"HTTP/1.1 500 No\r\n\r\n"
            case "garbage":
                answer = b"\x00\xff no answer at all\r\n\r\n"
            case "drop":
                return
            case "hang":
                self.server.stop.wait(20)
                return
            case "continue" | "heads":
                begin, more = {
                    "continue": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
                    "heads": (b"HTTP/1.1 200 OK\r\n", b"X: " + b"y" * 50_000 + b"\r\n"),
                }[self.server.mood]
                self.wfile.write(begin)
                while not self.server.stop.is_set():
                    self.wfile.write(more)
                return
            case "huge":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n")
                for _ in range(200):
                    self.wfile.write(bytes(1_000_000))
                    self.server.given += 1_000_000
                return
            case "drip":
                for byte in b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200:
                    self.wfile.write(bytes([byte]))
                    if self.server.stop.wait(0.1):
                        return
        self.wfile.write(answer)


class BadWeb(socketserver.ThreadingTCPServer):
    """A web server in a mood; it has the paths and bodies of what it was asked."""

    allow_reuse_address = True
    daemon_threads = True
    safe: ssl.SSLContext | None = None

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Talk)
        self.mood = ""
        self.asked: list[tuple[str, str]] = []
        self.elsewhere = ""
        """Address to which the server leads on."""
        self.given = 0
        """Bytes of a huge answer that were taken, or lie in a buffer."""
        self.stop = threading.Event()
        self.port = int(self.server_address[1])
        threading.Thread(target=self.serve_forever, args=(AT_ONCE,), daemon=True).start()

    def get_request(self) -> tuple[socket.socket, object]:
        plain, address = super().get_request()
        return (self.safe.wrap_socket(plain, server_side=True) if self.safe else plain), address

    def end(self) -> None:
        self.stop.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Write nothing to a log."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/{SECRET}"


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[BadWeb]:
    """A server whose mood tests choose, asked by an office that has less patience than usual."""
    monkeypatch.setattr(notifying, "LONGEST", 0.5)
    found = BadWeb()
    yield found
    found.end()


def with_notify(table: PostalTable, **targets: str) -> None:
    """Write the settings, with these targets; `_` stands for the slash."""
    lines = "".join(f"  {who.replace('_', '/')}: {{{target}}}\n" for who, target in targets.items())
    (table.root / "mail.yaml").write_text(f"{PLAIN}notify:\n{lines}")


LOUIS = f"{NAME}/louis"


def test_a_line_goes_once_and_tells_no_more_than_the_subject(table: PostalTable, web: BadWeb) -> None:
    with_notify(table, **{LOUIS: f"ntfy: '{web.address}?a=b'"})
    table.evening()
    ((path, line),) = web.asked
    assert path == f"/{SECRET}?a=b"
    assert line.startswith(f"{NAME}: your move until ")
    assert line.endswith(" 20:00 UTC")
    table.evening()
    assert len(web.asked) == 1
    table.moderate("extend", "48h", "--why", "a holiday")
    table.evening()
    assert len(web.asked) == 2, "another deadline is another line"
    table.order_by_mail("louis")
    table.evening()
    table.now += timedelta(days=20)
    table.evening()
    assert len(web.asked) == 2, "whoever has ordered is left alone"


@pytest.mark.parametrize("mood", ["500", "garbage", "drop", "redirect", "hang", "drip", "continue", "heads"])
def test_a_server_that_fails_is_tried_again_within_bounds(table: PostalTable, web: BadWeb, mood: str) -> None:
    with_notify(table, **{LOUIS: f"ntfy: {web.address}"})
    web.mood = mood
    begun = time.monotonic()
    told = table.evening()
    assert time.monotonic() - begun < 8
    assert f"to know: W-OFFICE-NOTIFY a short line to {LOUIS} was not taken" in told
    table.evening()
    assert len(web.asked) == 1, "not before its time"
    for _ in range(notifying.MOST_TRIES + 2):
        table.now += timedelta(hours=2)
        told = table.evening()
    assert len(web.asked) == notifying.MOST_TRIES
    assert f"waits for a person: W-OFFICE-NOTIFY a short line to {LOUIS} was not taken" in told
    assert not [path for path, _ in web.asked if path == "/elsewhere"]
    memory = b"".join(path.read_bytes() for path in (table.root / "state").rglob("*") if path.is_file())
    mails = b"".join(path.read_bytes() for path in (table.root / "sent").glob("*.eml"))
    assert b"W-OFFICE-NOTIFY" in mails, "given up, it is told by mail"
    for text in (told, table.mail("status"), memory.decode("utf-8", "replace"), mails.decode()):
        assert SECRET not in text
    web.mood = ""
    table.moderate("extend", "480h", "--why", "the next line")
    assert "W-OFFICE-NOTIFY" not in table.evening(), "what goes again is over"


def test_a_huge_answer_is_not_read(table: PostalTable, web: BadWeb) -> None:
    with_notify(table, **{LOUIS: f"ntfy: {web.address}"})
    web.mood = "huge"
    begun = time.monotonic()
    assert "W-OFFICE-NOTIFY" not in table.evening()
    assert time.monotonic() - begun < 8
    table.evening()
    assert len(web.asked) == 1
    assert web.given < 100_000_000


def test_a_redirect_leads_to_no_other_host(table: PostalTable, web: BadWeb) -> None:
    other = BadWeb()
    web.elsewhere = f"http://localhost:{other.port}/{SECRET}"
    with_notify(table, **{LOUIS: f"ntfy: {web.address}"})
    for mood in ("301", "303", "308"):
        web.mood = mood
        assert f"({mood})" in table.evening()
        table.now += timedelta(hours=2)
    assert (len(web.asked), other.asked) == (3, [])
    other.end()


def test_killed_behind_sending_it_goes_once_more(
    table: PostalTable, web: BadWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_notify(table, **{LOUIS: f"ntfy: {web.address}"})
    whole = notifying.send

    def killed(*values: object) -> None:
        whole(*values)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(notifying, "send", killed)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            notify_alone(table)
        table.now += timedelta(hours=2)
    monkeypatch.setattr(notifying, "send", whole)
    notify_alone(table)
    notify_alone(table)
    assert len(web.asked) == 4, "once for each kill, and once to its end"


def notify_alone(table: PostalTable) -> None:
    """The last part of a round."""
    from pbem.office.running import office_at_work
    from tests.cli.correspondence import working_in

    with (
        working_in(table.root),
        office_at_work(read_settings(Path("mail.yaml")), lambda: table.now) as office,
    ):
        office.notify()


def test_an_authority_that_nobody_knows_is_not_believed(table: PostalTable, web: BadWeb, tmp_path: Path) -> None:
    certificate(tmp_path)
    web.safe = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    web.safe.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with_notify(table, **{LOUIS: f"ntfy: {web.address.replace('http', 'https')}"})
    assert "(SSLCertVerificationError)" in table.evening()
    assert web.asked == []


def test_each_kind_of_webhook_gets_the_body_that_it_takes(web: BadWeb) -> None:
    from pbem.office.settings import NotifySettings

    for kind in notifying.BODIES:
        notifying.send(NotifySettings(**{kind: web.address}), NAME, "ä line")
    bodies = [body for _, body in web.asked]
    assert bodies[0] == "ä line"
    assert [json.loads(body).get("content", json.loads(body).get("text")) for body in bodies[1:]] == ["ä line"] * 3


def test_a_command_reads_the_line_and_its_failure_names_no_word_of_it(table: PostalTable) -> None:
    with_notify(table, **{LOUIS: f"command: \"sh -c 'cat > told' {SECRET}\"", "me": f"command: 'false {SECRET}'"})
    table.drop(b"From: x@example.org\nSubject: letter\n\ncampaign: vienna-1741\n", "1.odd")
    told = table.evening() + table.mail("ping", "me")
    assert (table.root / "told").read_text().startswith(f"{NAME}: your move until ")
    assert "me: the test was not taken (1)" in told
    assert SECRET not in told


def test_a_test_is_answered_by_its_number(table: PostalTable, web: BadWeb) -> None:
    with_notify(table, **{LOUIS: f"json: {web.address}"})
    assert f"told at once: {LOUIS}; never tested" in table.mail("status")
    assert f"{LOUIS}: the test was taken" in table.mail("ping")
    assert "nobody has told its number" in table.mail("status")
    (number,) = [word for word in json.loads(web.asked[0][1])["text"].split() if word.isdecimal()]
    assert "E-OFFICE-PING" in table.mail("ping", "--heard", "0000", code=1)
    assert f"{LOUIS}: the test has arrived" in table.mail("ping", "--heard", number)
    assert "a test has arrived" in table.mail("status")
    assert "E-OFFICE-PING" in table.mail("ping", "nobody", code=1)


def test_a_substitute_is_not_told_where_the_former_player_was(table: PostalTable, web: BadWeb) -> None:
    with_notify(table, **{LOUIS: f"ntfy: {web.address}", f"{NAME}/nobody": f"ntfy: {web.address}"})
    assert f"W-OFFICE-NOTIFY-SEAT `notify` has {NAME}/nobody" in table.evening()
    table.run("key", "new", "--no-passphrase", as_="eve")
    table.moderate("substitute", "louis", "--new-key", "eve/key.pub", "--name", "Eve", "--why", "gone")
    asked = len(web.asked)
    assert f"W-OFFICE-NOTIFY-SEAT {LOUIS} has another player now" in table.evening()
    assert len(web.asked) == asked == 1
    with_notify(table, **{LOUIS: f"ntfy: {web.address}2"})
    assert "W-OFFICE-NOTIFY-SEAT" not in table.evening()
    assert [path for path, _ in web.asked][1:] == [f"/{SECRET}2"]


def test_a_players_own_office_tells_its_owner(owing: PostalTable, tmp_path: Path, web: BadWeb) -> None:
    table = copied(owing, tmp_path / "table")
    with (table.root / "louis.yaml").open("a") as file:
        file.write(f"notify: {{me: {{discord: {web.address}}}}}\nlanguage: de\n")
    table.desk("louis")
    table.desk("louis")
    ((_, body),) = web.asked
    assert json.loads(body)["content"].startswith(f"{NAME}: dein Zug bis ")


@pytest.mark.parametrize(
    ("written", "code"),
    [
        (f"me: {{ntfy: 'http://ntfy.example/{SECRET}'}}", "E-OFFICE-NOTIFY"),
        (f"me: {{ntfy: 'https://me:{SECRET}@ntfy.example/'}}", "E-OFFICE-NOTIFY"),
        (f"me: {{json: 'file:///{SECRET}'}}", "E-OFFICE-NOTIFY"),
        (f"me: {{json: 'https://x/ {SECRET}'}}", "E-OFFICE-NOTIFY"),
        (f"'https://x/{SECRET}': {{ntfy: 'https://x/'}}", "E-OFFICE-NOTIFY"),
        (f"me: {{ntfy: 'https://x/{SECRET}', json: 'https://x/'}}", "E-OFFICE-WAY"),
        (f"me: 'https://x/{SECRET}'", "E-OFFICE-NOTIFY"),
        (f"me: {{ntfy: ['https://x/{SECRET}']}}", "E-OFFICE-NOTIFY"),
    ],
)
def test_an_address_that_is_refused_is_not_repeated(tmp_path: Path, written: str, code: str) -> None:
    path = tmp_path / "mail.yaml"
    path.write_text(f"campaigns: .\nin: {{maildir: box}}\nout: {{files: sent}}\nnotify: {{{written}}}\n")
    with pytest.raises(Refused) as refused:
        read_settings(path)
    assert [fault.code for fault in refused.value.faults] == [code]
    assert SECRET not in str(refused.value)
