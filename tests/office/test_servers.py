"""The office through real servers: Dovecot keeps the mailboxes, Postfix carries the mails, both behind TLS."""

from __future__ import annotations

import imaplib
import os
import re
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.campaign.proof.verifying import verify
from pbem.office import servers as imap_module
from pbem.office.servers import ImapSource
from pbem.office.settings import read_settings
from tests.cli.correspondence import NAME, SEATS, working_in
from tests.office.hostile import CutLine
from tests.office.servers import PASSWORD, TOKEN, Servers, need_servers, safe, served
from tests.office.world import PEOPLE, World

STAGES = int(os.environ.get("PBEM_STAGES", "3"))


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    """Both servers, for the tests of this file."""
    need_servers()
    with served(PEOPLE) as found:
        yield found


def raw_imap(servers: Servers, who: str) -> imaplib.IMAP4_SSL:
    """A mail program without manners."""
    found = imaplib.IMAP4_SSL("127.0.0.1", servers.imaps, ssl_context=safe(servers.authority))
    found.authenticate("PLAIN", lambda _: f"\0{who}@example.org\0{PASSWORD}".encode())
    found.select("INBOX")
    return found


@pytest.fixture(scope="module")
def played(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A campaign by mail alone, some stages long."""
    world = World(tmp_path_factory.mktemp("played"), servers, "--scenario", "advanced")
    world.begin_by_mail()
    box = raw_imap(servers, "moderator")
    box.append("INBOX", "", "", b"From: aunt@example.org\r\nSubject: lunch\r\n\r\nLunch?\r\n")
    told = world.office("moderator", "evening")
    assert "letters: 3; left alone: 1" in told
    assert "letters taken: 3, on to turn 1 (set-up), reports: 4" in told
    for _ in range(STAGES):
        told = world.stage()
        assert "on to" in told, told
        assert "W-" not in told, told
    for who in PEOPLE:
        world.office(who)
    return world


def test_a_campaign_by_mail_alone(played: World, servers: Servers) -> None:
    assert verify(played.folder).is_good
    found = raw_imap(servers, "moderator")
    assert found.search(None, "UNSEEN FROM aunt")[1][0], "the aunt's mail is as unread as it was"
    assert not found.search(None, "UNSEEN FROM louis")[1][0]
    # What a player keeps fits the archive, and no secret stands anywhere outside of the command that tells it.
    report = max((played.root / "louis/files" / NAME).glob("*/report.yaml"))
    played.run("verify", NAME, "--report", str(report))
    for path in played.root.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert PASSWORD.encode() not in data
        assert f"{TOKEN}.".encode() not in data


def test_a_mailbox_whose_numbers_are_all_new_brings_nothing_twice(played: World, servers: Servers) -> None:
    """Copies of all mails, and then another UIDVALIDITY."""
    box = raw_imap(servers, "moderator")
    before = box.response("UIDVALIDITY")[1]
    box.copy(box.search(None, "ALL")[1][0].decode().replace(" ", ","), "INBOX")
    told = played.office("moderator")
    assert "letters: 0" in told
    assert "mails read: 0" not in told
    box.logout()
    for name in ("dovecot-uidlist", "dovecot-uidvalidity", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"):
        (servers.boxes / "moderator" / name).unlink(missing_ok=True)
    assert raw_imap(servers, "moderator").response("UIDVALIDITY")[1] != before
    told = played.office("moderator")
    assert "letters: 0" in told
    assert "mails read: 0" not in told
    assert "nothing to do" in told


def test_a_line_to_the_mailbox_that_is_cut_loses_nothing(played: World, servers: Servers, tmp_path: Path) -> None:
    """At many places; what was taken before is not taken again, and the rest comes later."""
    line = CutLine(servers.imaps)
    path = tmp_path / "cut.yaml"
    played.now += timedelta(hours=1)
    seats = played.owing()
    for seat in seats:
        played.office(seat)
        played.run("sign", str(played.newest(seat)), as_=seat)
        played.office(seat)
    for most in (100, 2500, 3200, 4500, 6000, 10**9):
        line.most = most
        path.write_text(played.settings_of("moderator").read_text().replace(f"{servers.imaps}", f"{line.port}"))
        with working_in(played.root):
            told = played.run("evening", "--settings", str(path), code=None).output
    assert "on to" in told
    assert f"letters: {len(seats)}" in told
    assert played.json("status", NAME)["entry"] == len(list((played.folder / "ledger").iterdir()))
    line.shutdown()


def test_a_bounce_of_the_real_server(servers: Servers, tmp_path: Path) -> None:
    world = World(tmp_path, servers)
    world.office("moderator")
    host = ("--moderator", "Max <moderator@example.org>")
    others = [word for seat in SEATS[:2] for word in ("--seat", f"{seat}={seat} <{seat}@example.org>")]
    world.run("new", "bern-1741", *host, *others, "--seat", "louis=Lou <nobody@example.org>", as_="moderator")
    world.run("invite", "-C", "bern-1741", as_="moderator")
    assert "mails sent: 3" in world.office("moderator")
    assert "come back: 1" in world.office("moderator")
    assert "came back: nobody@example.org (bern-1741)" in world.office("moderator", "mail", "status")


@pytest.mark.parametrize("part", ["imap", "smtp"])
def test_a_certificate_of_somebody_else_is_not_believed(servers: Servers, tmp_path: Path, part: str) -> None:
    world = World(tmp_path, servers)
    path = world.settings_of("moderator")
    lines = path.read_text().splitlines()
    doubted = [
        line.replace(f"authority: {servers.authority}, ", "") if f"  {part}:" in line else line for line in lines
    ]
    path.write_text("\n".join(doubted) + "\n")
    people = ("--moderator", "Max <moderator@example.org>", "--seat", "louis=L <louis@example.org>")
    world.run("new", "bern-1741", *people, as_="moderator")
    if part == "imap":
        result = world.run("evening", "--settings", "moderator.yaml", code=1)
        assert "E-OFFICE-SERVER" in result.output
        assert "certificate verify failed" in result.output
        return
    world.run("mail", "status", "--settings", "moderator.yaml")
    world.run("invite", "-C", "bern-1741", as_="moderator")
    world.run("mail", "release", "--held", "--settings", "moderator.yaml")
    result = world.run("evening", "--settings", "moderator.yaml")
    assert "waiting: 2" in result.output
    assert "certificate verify failed" in result.output


def test_a_wrong_password_is_one_answer_that_does_not_tell_it(servers: Servers, tmp_path: Path) -> None:
    world = World(tmp_path, servers)
    text = world.settings_of("moderator").read_text()
    world.settings_of("moderator").write_text(
        re.sub(r"password-command: cat [^,]*", "password-command: echo sesame9", text)
    )
    result = world.run("evening", "--settings", "moderator.yaml", code=1)
    assert "E-OFFICE-SERVER" in result.output
    assert "sesame9" not in result.output


def test_letters_can_be_moved_and_new_mail_is_listened_for(
    servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap_module, "SLICE", 1)
    path = tmp_path / "mail.yaml"
    ways = servers.settings("frederick").replace("timeout: 10}", "timeout: 10, done: pbem}", 1)
    path.write_text(f"campaigns: .\n{ways}")
    imap = read_settings(path).inbox.imap
    assert imap
    box = raw_imap(servers, "frederick")
    threading.Timer(0.3, lambda: box.append("INBOX", "", "", b"From: x@example.org\r\n\r\nnew\r\n")).start()
    source = ImapSource(imap)
    before = time.monotonic()
    source.wait(60, threading.Event())
    assert time.monotonic() - before < 30
    last = source.hints()[-1]
    source.settle(last)
    assert last not in source.hints()
    source.settle(last)
    source.settle("1/1")
    source.close()
    assert box.select("pbem")[1] == [b"1"]
