"""Mailboxes on bad days: they let nobody in, or can be read but not marked."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.correspondence import SEATS
from tests.office.hostile import BadImap, ImapMood
from tests.office.post import PLAIN, PostalTable, copied


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BadImap]:
    """A mailbox whose mood tests choose."""
    found = BadImap(tmp_path)
    yield found
    found.shutdown()
    found.server_close()


@pytest.fixture
def remote(table: PostalTable, server: BadImap) -> PostalTable:
    """A table whose orders lie in a mailbox on the server."""
    (table.root / "mail.yaml").write_text(PLAIN.replace("{maildir: inbox}", server.settings))
    for seat in SEATS:
        table.order_by_mail(seat)
    mails = [path.read_bytes() for path in sorted((table.root / "inbox" / "new").iterdir())]
    server.mails = [mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") for mail in mails]
    return table


def told_by_mail(table: PostalTable, code: str) -> int:
    """Number of mails to the moderator that tell this code."""
    return sum(code in mail.get_content() for mail in table.mails_to("moderator") if not mail.is_multipart())


@pytest.mark.parametrize("mood", ["no marks", "read only"])
def test_letters_of_a_mailbox_that_takes_no_marks_are_taken_once(
    remote: PostalTable, server: BadImap, mood: ImapMood
) -> None:
    server.mood = mood
    told = remote.evening()
    assert "letters taken: 3, on to turn 1 (hussars)" in told
    assert "W-OFFICE-MARKS letters count, but the mailbox does not let their mails be marked" in told
    assert "tried again: over quota" in told
    assert told_by_mail(remote, "W-OFFICE-MARKS") == 1
    told = remote.evening()
    assert "mails read: 0; with letters: 0" in told
    assert "nothing to do" in told
    assert "W-OFFICE-MARKS" in remote.mail("status")
    assert told_by_mail(remote, "W-OFFICE-MARKS") == 1
    server.mood = ""
    server.marks()
    assert "W-OFFICE-MARKS" not in remote.evening()
    assert server.marks() == 3
    remote.evening()
    assert server.marks() == 0
    assert not any("EXPUNGE" in each for each in server.asked), "what somebody wants deleted stays until they say so"


def test_a_mailbox_that_takes_no_marks_is_not_asked_for_all_of_them(remote: PostalTable, server: BadImap) -> None:
    server.mood = "no marks"
    server.mails = [server.mails[0].replace(b"Subject: ", b"Subject: %d " % number) for number in range(30)]
    remote.evening()
    assert server.marks() == 10


def test_letters_of_a_maildir_that_takes_no_marks_are_taken_once(table: PostalTable) -> None:
    for seat in SEATS:
        table.order_by_mail(seat)
    cur = table.root / "inbox" / "cur"
    shutil.rmtree(cur)
    cur.write_text("no folder")
    told = table.evening()
    assert "letters taken: 3, on to turn 1 (hussars)" in told
    assert "W-OFFICE-MARKS" in told
    cur.unlink()
    told = table.evening()
    assert "nothing to do" in told
    assert "W-OFFICE-MARKS" not in told
    assert len(list(cur.iterdir())) == 3


def test_a_mailbox_out_of_reach_is_told_by_status_and_once_by_mail(remote: PostalTable, server: BadImap) -> None:
    server.mood = "no log-in"
    shutil.rmtree(remote.root / "state")
    (remote.folder / "outbox" / ".office").unlink()
    assert "does not let the office in: the password of yesterday" in remote.evening(code=1)
    for _ in range(2):
        remote.mail("run", "--once", code=1)
    assert "W-OFFICE-MAILBOX the mailbox cannot be looked into" in remote.mail("status")
    assert "no round yet" in remote.mail("status")
    assert told_by_mail(remote, "W-OFFICE-MAILBOX") == 1
    server.mood = ""
    assert "letters taken: 3" in remote.evening()
    assert "W-OFFICE-MAILBOX" not in remote.mail("status")
    server.mood = "no log-in"
    remote.mail("fetch", code=1)
    assert "W-OFFICE-MAILBOX" in remote.mail("status")


def test_a_mailbox_out_of_reach_is_told_to_a_player_too(owing: PostalTable, server: BadImap, tmp_path: Path) -> None:
    table = copied(owing, tmp_path / "table")
    path = table.root / "louis.yaml"
    server.mood = "no log-in"
    path.write_text(path.read_text().replace("{maildir: louis/box}", server.settings))
    table.run("evening", "--as", "louis", "--settings", "louis.yaml", code=1)
    assert "W-OFFICE-MAILBOX" in table.desk("louis", "mail", "status")


@pytest.fixture
def swift() -> Iterator[None]:
    """Fail a test that takes as long as a server wants to."""
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < 25


@pytest.mark.usefixtures("swift")
@pytest.mark.parametrize(
    ("mood", "why"),
    [
        ("drip", "no whole answer came within 2 s"),
        ("drip mail", "no whole answer came within 2 s"),
        ("endless search", "answer was longer than 20971520 bytes"),
        ("sluggish", "the conversation took longer than 4 s"),
    ],
)
def test_a_mailbox_that_never_ends_does_not_hold_the_office(
    remote: PostalTable, server: BadImap, monkeypatch: pytest.MonkeyPatch, mood: ImapMood, why: str
) -> None:
    monkeypatch.setattr("pbem.office.limits.LONGEST_CONVERSATION", 4)
    server.mood = mood
    assert why in remote.evening(code=1)
    assert "W-OFFICE-MAILBOX" in remote.mail("status")
    server.mood = ""
    assert "letters taken: 3" in remote.evening()


@pytest.mark.usefixtures("swift")
def test_a_mailbox_that_drips_before_tls_does_not_hold_the_office(remote: PostalTable, server: BadImap) -> None:
    settings = server.settings_as("imap", "user: moderator", "password-command: echo sesame", "tls: starttls")
    (remote.root / "mail.yaml").write_text(PLAIN.replace("{maildir: inbox}", settings))
    server.mood, server.is_plain = "drip", True
    assert "no whole answer came within 2 s" in remote.evening(code=1)


@pytest.mark.usefixtures("swift")
def test_a_conversation_is_as_long_as_its_mails(
    remote: PostalTable, server: BadImap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.office.limits.PACE", 1)
    server.mood = "drip mail"
    server.mails = [b"From: x@example.org\r\n\r\nhi\r\n"]
    assert "mails read: 1" in remote.evening()


@pytest.mark.parametrize("holds", [(), ("tmp",), ("Maildir/new",), ("1.eml",)], ids="-".join)
def test_a_folder_that_is_no_maildir_is_told_and_left_alone(table: PostalTable, holds: tuple[str, ...]) -> None:
    shutil.rmtree(table.root / "inbox")
    for name in holds:
        (table.root / "inbox" / name).mkdir(parents=True)
    (table.root / "inbox").mkdir(exist_ok=True)
    before = sorted(table.root.glob("inbox/**/*"))
    for words in (("evening",), ("mail", "fetch"), ("mail", "run", "--once")):
        told = table.run(*words, "--settings", "mail.yaml", code=1).output
        assert "E-OFFICE-INBOX this folder is no maildir: it has neither `new` nor `cur`" in told
        assert "mails read" not in told
    assert sorted(table.root.glob("inbox/**/*")) == before


@pytest.mark.parametrize("box", ["new", "cur"])
def test_a_maildir_that_lacks_an_empty_folder_is_read(table: PostalTable, box: str) -> None:
    table.order_by_mail("louis")
    (mail,) = (path for path in (table.root / "inbox").glob("*/*louis*") if path.parent.name == "new")
    data = mail.read_bytes()
    shutil.rmtree(table.root / "inbox")
    (table.root / "inbox" / box).mkdir(parents=True)
    (table.root / "inbox" / box / "1").write_bytes(data)
    assert "letters taken: 1" in table.evening()
