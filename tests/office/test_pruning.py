"""Reports that were sent can be thrown away, made again from the ledger, and put into a forum."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from tests.cli.correspondence import NAME, SEATS
from tests.office.post import SETTINGS, PostalTable
from tests.office.servers import AT_ONCE

HOOK = Path(__file__).parents[2] / "examples" / "office" / "post-to-forum"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """Three posts by mail; Louis has his sealed."""
    table = PostalTable(tmp_path_factory.mktemp("played"))
    table.open_office(SETTINGS)
    table.join_all()
    for _ in range(3):
        table.now += timedelta(hours=1)
        for seat in table.owing():
            table.order_by_mail(seat)
        table.evening()
    return table


@pytest.fixture
def table(played: PostalTable, tmp_path: Path) -> PostalTable:
    """The same in a folder of its own."""
    found = played.copied(tmp_path / "table")
    assert isinstance(found, PostalTable)
    # Paths in the office's memory are those of the settings, which are relative: they hold here, too.
    return found


def reports(folder: Path) -> dict[str, bytes]:
    """Files that a post has left."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if "-re" not in path.name}


def test_receipts_that_nobody_asks_for_are_thrown_away(table: PostalTable) -> None:
    """A letter that comes once more is not answered again for want of them."""
    before = sorted((table.folder / "outbox").glob("*/*-receipt-*.eml"))
    table.mail("prune")
    assert sorted((table.folder / "outbox").glob("*/*-receipt-*.eml")) == before
    table.now += timedelta(days=40)
    table.mail("prune")
    left = sorted((table.folder / "outbox").glob("*/*-receipt-*.eml"))
    last = max(int(path.stem[:4]) for path in (table.folder / "ledger").glob("*.yaml"))
    assert left != before
    assert all(path in left for path in before if int(path.parent.name) >= last - 2)
    shutil.rmtree(table.root / "state")
    (table.folder / "outbox" / ".office").unlink()
    told = table.run("evening", "--clock-is-right", "--settings", "mail.yaml").output
    assert "letters taken" not in told
    assert "refused" not in told
    assert sorted((table.folder / "outbox").glob("*/*-receipt-*.eml")) == left


def test_what_was_sent_is_thrown_away_and_made_again(table: PostalTable) -> None:
    posts = sorted(path.parent for path in (table.folder / "outbox").glob("*/observer.txt"))
    first = reports(posts[0])
    second = reports(posts[1])
    assert "thrown away: 0 files" in table.mail("prune")
    table.now += timedelta(days=40)
    before = sum(path.stat().st_size for path in table.folder.rglob("*") if path.is_file())
    told = table.mail("prune")
    assert "thrown away: 0" not in told
    after = sum(path.stat().st_size for path in table.folder.rglob("*") if path.is_file())
    assert after < before
    assert not list(posts[0].glob("*.eml"))
    assert list(posts[-1].glob("*.eml"))
    for folder, wanted in ((posts[0], first), (posts[1], second)):
        table.mail("again", NAME, str(int(folder.name)))
        found = reports(folder)
        found.pop(".pruned")
        assert found == wanted
    table.now -= timedelta(days=40)
    assert "mails sent: 0" in table.mail("send")
    assert "E-OFFICE-PRUNED" in table.mail("again", NAME, str(int(posts[-1].name)), code=1)
    assert "E-OFFICE-MODERATOR" in table.mail("prune", "--as", "louis", code=1)


class Forum(BaseHTTPRequestHandler):
    """A small forum with the interface that NodeBB has for posts."""

    posts: ClassVar[list[dict[str, str]]] = []
    mood = 200

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        said = json.loads(self.rfile.read(length))
        is_known = self.headers["Authorization"] == "Bearer secret-of-the-forum"
        code = Forum.mood if is_known else 401
        if code == 200:
            Forum.posts.append({"path": self.path, **said})
        self.send_response(code)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Silence."""


@pytest.fixture
def forum() -> Iterator[ThreadingHTTPServer]:
    """The forum."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Forum)
    threading.Thread(target=server.serve_forever, args=(AT_ONCE,), daemon=True).start()
    Forum.posts.clear()
    Forum.mood = 200
    yield server
    server.shutdown()
    server.server_close()


def test_the_report_for_everybody_goes_into_a_forum_once(
    table: PostalTable, forum: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORUM", f"http://127.0.0.1:{forum.server_port}/api/v3/topics/7")
    monkeypatch.setenv("FORUM_TOKEN_COMMAND", "echo secret-of-the-forum")
    with (table.root / "mail.yaml").open("a") as file:
        file.write(f"pictures: no\npost-command: {sys.executable} {HOOK}\n")
    Forum.mood = 503
    for seat in table.owing():
        table.order_by_mail(seat)
    told = table.evening()
    assert "W-OFFICE-FORUM" in told
    assert "waiting: 1" in told
    Forum.mood = 200
    table.evening()
    table.evening()
    (post,) = Forum.posts
    assert post["path"] == "/api/v3/topics/7"
    assert f"{NAME}, for everybody, entry " in post["content"]
    assert "W-OFFICE-FORUM" not in table.mail("status")
    assert len(SEATS) == 3


def test_the_example_for_forums_needs_its_words(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FORUM")}
    done = subprocess.run([sys.executable, str(HOOK)], input=b"x", capture_output=True, env=environment, cwd=tmp_path)
    assert done.returncode
    assert b"FORUM" in done.stderr
    assert not shutil.which("post-to-forum")
