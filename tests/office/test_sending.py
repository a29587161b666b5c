"""Mails go out once, whatever a server does."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.correspondence import NAME, SEATS
from tests.office.hostile import BadSmtp, Mood
from tests.office.post import SETTINGS, PostalTable


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BadSmtp]:
    """A server whose mood tests choose."""
    found = BadSmtp(tmp_path)
    yield found
    found.shutdown()
    found.server_close()


@pytest.fixture
def table(invited: PostalTable, tmp_path: Path, server: BadSmtp) -> PostalTable:
    """The same in a place of its own, to be sent by the server."""
    found = invited.copied(tmp_path / "table")
    assert isinstance(found, PostalTable)
    (found.root / "mail.yaml").write_text(SETTINGS.replace("{files: sent}", server.settings))
    return found


def taken(server: BadSmtp) -> Counter[str]:
    """Mails that a server has taken, by their names."""
    return Counter(re.findall(r"(?m)^Message-ID: (\S+)", b"".join(server.taken).decode().replace("\r", "")))


@pytest.mark.parametrize(
    ("mood", "first", "later"),
    [
        ("", "mails sent: 3; waiting: 0; failed: 0", "mails sent: 0"),
        ("452", "mails sent: 2; waiting: 1; failed: 0", "mails sent: 1; waiting: 0"),
        ("550", "mails sent: 2; waiting: 0; failed: 1", "mails sent: 1; waiting: 0"),
        ("421", "mails sent: 1; waiting: 2; failed: 0", "mails sent: 2; waiting: 0"),
        ("drop", "mails sent: 0; waiting: 3; failed: 0", "mails sent: 3; waiting: 0"),
        ("slow", "mails sent: 0; waiting: 3; failed: 0", "mails sent: 3; waiting: 0"),
        ("drop behind", "mails sent: 0; waiting: 3; failed: 0", "mails sent: 3; waiting: 0"),
    ],
)
def test_a_server_on_a_bad_day(table: PostalTable, server: BadSmtp, mood: Mood, first: str, later: str) -> None:
    server.mood, server.who = mood, "louis"
    told = table.evening()
    assert first in told
    assert ("W-OFFICE-FAILED" in told) == (mood == "550")
    assert ("W-OFFICE-CARRIER" in told) == (mood in ("421", "drop", "slow", "drop behind"))
    server.mood = ""
    told = table.evening()
    assert later in told
    assert "W-OFFICE-CARRIER" not in told
    assert "nothing to do" in table.evening()
    names = taken(server)
    assert len(names) == 3
    # Whether a mail was taken when the line broke nobody can know: it is the same mail then, byte for byte.
    assert len(set(server.taken)) == len(names)


@pytest.mark.parametrize(
    ("mood", "why"),
    [
        ("drip", "no whole answer came within 2 s"),
        ("endless", "an answer was longer than 1048576 bytes"),
        ("sluggish", "the conversation took longer than 3 s"),
        ("554", "554 gone"),
    ],
)
def test_a_server_that_never_ends_does_not_hold_the_round(
    table: PostalTable, server: BadSmtp, monkeypatch: pytest.MonkeyPatch, mood: Mood, why: str
) -> None:
    monkeypatch.setattr("pbem.office.limits.LONGEST_CONVERSATION", 3)
    monkeypatch.setattr("pbem.office.limits.FOR_A_MAIL", 0)
    server.mood = mood
    begun = time.monotonic()
    told = table.evening()
    assert "W-OFFICE-CARRIER nothing can be sent: " in told
    assert why in told
    assert "waiting: 3; failed: 0" in told
    assert time.monotonic() - begun < 15
    server.mood = ""
    assert "mails sent: 3; waiting: 0" in table.evening()


def test_a_server_that_drips_before_tls_does_not_hold_the_round(table: PostalTable, server: BadSmtp) -> None:
    settings = server.settings_as("smtp", "tls: starttls")
    (table.root / "mail.yaml").write_text(SETTINGS.replace("{files: sent}", settings))
    server.mood, server.is_plain = "drip", True
    begun = time.monotonic()
    assert "no whole answer came within 2 s" in table.evening()
    assert time.monotonic() - begun < 15


def test_a_conversation_is_as_long_as_its_mails(
    table: PostalTable, server: BadSmtp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mail that a sluggish server takes gives it more time."""
    monkeypatch.setattr("pbem.office.limits.LONGEST_CONVERSATION", 6)
    server.mood = "sluggish"
    assert "mails sent: 3; waiting: 0" in table.evening()


def test_a_mail_that_may_have_arrived_is_not_sent_again_and_again(table: PostalTable, server: BadSmtp) -> None:
    """The connection ends behind one mail, each time."""
    server.mood, server.who = "drop one", "louis"
    told = table.evening()
    assert "mails sent: 2; waiting: 1; failed: 0" in told
    assert f"{NAME}: W-OFFICE-FAILED the connection ended behind 0001/louis-invitation.eml to louis@example.org" in told
    assert "W-OFFICE-CARRIER" not in told
    for _ in range(3):
        assert "sent: 0; waiting: 1; failed: 0" in table.evening() + table.mail("run", "--once")
    assert sorted(taken(server).values()) == [1, 1, 2]
    table.now += timedelta(minutes=11)
    table.evening()
    assert sorted(taken(server).values()) == [1, 1, 3]
    server.mood = ""
    assert "sent: 0; waiting: 1" in table.mail("send")
    table.now += timedelta(minutes=21)
    told = table.evening()
    assert "mails sent: 1; waiting: 0" in told
    assert "W-OFFICE-FAILED" not in told


def test_a_server_that_ends_behind_every_mail_gets_no_more_of_them(table: PostalTable, server: BadSmtp) -> None:
    server.mood = "drop behind"
    mail = (table.folder / "outbox" / "0001" / f"{SEATS[0]}-invitation.eml").read_bytes()
    for number in range(5):
        to = mail.replace(f"{SEATS[0]}@example.org".encode(), f"p{number}@example.org".encode())
        path = table.folder / "outbox" / "0001" / f"zoe-{number}.eml"
        path.write_bytes(to.replace(b"Message-ID: <", f"Message-ID: <{number}".encode()))
    assert "W-OFFICE-CARRIER nothing can be sent: 127.0.0.1:" in table.evening()
    assert len(server.taken) == 3


def test_what_cannot_be_sent_is_not_tried_all_the_time(table: PostalTable, server: BadSmtp) -> None:
    server.mood, server.who = "452", "example.org"
    table.evening()
    assert "mails sent: 0; waiting: 3" in table.mail("run", "--once")
    server.mood = ""
    assert "mails sent: 3" in table.mail("send")


@pytest.mark.parametrize(("command", "first"), [("false", "W-OFFICE-CARRIER"), ("sh -c 'exit 75'", "waiting: 3")])
def test_a_program_that_fails(table: PostalTable, command: str, first: str) -> None:
    text = re.sub(r"out: .*", f'out: {{sendmail: "{command}"}}', (table.root / "mail.yaml").read_text())
    (table.root / "mail.yaml").write_text(text)
    told = table.evening()
    assert first in told
    assert "waiting: 3" in told
    (table.root / "mail.yaml").write_text(re.sub(r"out: .*", 'out: {sendmail: "tee -a sent.mbox"}', text))
    assert "waiting: 0; failed: 0" in table.evening()
    sent = (table.root / "sent.mbox").read_text()
    assert {f"To: {seat} <{seat}@example.org>" in sent for seat in SEATS} == {True}
    assert "X-Unsent" not in sent


REFUSED = "W-OFFICE-FAILED mails to {}@example.org were refused, and are tried again"
GIVEN_UP = "W-OFFICE-FAILED mails to {}@example.org were refused for good"

REFUSING = """\
import re, sys, time
mail = sys.stdin.read()
to = re.search(r"(?m)^To: .*?([\\w.-]+)@", mail)[1]
refused = open("refused").read().split()
if to in refused:
    code = int(open("code").read())
    time.sleep(9 if code < 0 else 0)
    sys.stderr.write("550 no such user")
    sys.exit(code)
open("sent.mbox", "a").write(mail)
"""


def refuse(table: PostalTable, code: int, *seats: str) -> None:
    """From now on the moderator's mails go out by a program that refuses the mails to these seats, or
    hangs at them (-1)."""
    (table.root / "send.py").write_text(REFUSING)
    (table.root / "code").write_text(str(code))
    (table.root / "refused").write_text(" ".join(seats))
    text = (table.root / "mail.yaml").read_text()
    (table.root / "mail.yaml").write_text(re.sub(r"out: .*", f'out: {{sendmail: "{sys.executable} send.py"}}', text))


@pytest.mark.parametrize("code", [1, 65, 67, 68, 69])
def test_one_mail_that_a_program_refuses_holds_up_no_other(table: PostalTable, code: int) -> None:
    refuse(table, code, SEATS[0])
    told = table.evening()
    assert "mails sent: 2; waiting: 1; failed: 0" in told
    assert f"{NAME}: {REFUSED.format(SEATS[0])}" in told
    assert "550 no such user" in told
    assert "W-OFFICE-CARRIER" not in told
    assert "mails sent: 0; waiting: 1" in table.mail("run", "--once"), "it is not yet time for it"
    table.now += timedelta(days=3)
    assert "waiting: 1; failed: 0" in table.evening()
    table.now += timedelta(days=3)
    told = table.evening()
    assert "waiting: 0; failed: 1" in told
    assert f"{NAME}: {GIVEN_UP.format(SEATS[0])} (1): " in told
    assert "tried again" not in table.mail("status")


def test_a_program_that_hangs_at_one_address_holds_up_no_other(
    table: PostalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.office.carriers.PATIENCE", 2)
    refuse(table, -1, SEATS[0])
    told = table.evening()
    assert "mails sent: 2; waiting: 1; failed: 0" in told
    assert f"{NAME}: {REFUSED.format(SEATS[0])}" in told
    assert "W-OFFICE-CARRIER" not in told


def test_a_mail_that_was_refused_once_is_told_until_it_is_sent(table: PostalTable) -> None:
    refuse(table, 69, SEATS[1])
    assert "W-OFFICE-FAILED" in table.evening()
    refuse(table, 69)
    assert "mails sent: 1; waiting: 0; failed: 0" in table.evening()
    assert "W-OFFICE-FAILED" not in table.mail("status")


def test_dead_addresses_hold_up_nobody(table: PostalTable) -> None:
    """Mails to several dead addresses are the first ones, and the only ones that wait."""
    refuse(table, 67, *SEATS)
    table.moderate("invite", "--address", "moderator=max@example.org")
    (table.folder / "outbox" / "0001" / "zoe.eml").write_bytes(
        (table.folder / "outbox" / "0001" / f"{SEATS[0]}-invitation.eml")
        .read_bytes()
        .replace(f"{SEATS[0]}@example.org".encode(), b"zoe@example.org")
        .replace(b"Message-ID: <", b"Message-ID: <z")
    )
    told = table.evening()
    assert "mails sent: 1; waiting: 3; failed: 0" in told
    assert "W-OFFICE-CARRIER" not in told
    for seat in SEATS:
        assert REFUSED.format(seat) in told


def test_a_program_that_refuses_everybody_is_told_as_such(table: PostalTable) -> None:
    refuse(table, 67, *SEATS)
    told = table.evening()
    assert "W-OFFICE-CARRIER nothing can be sent" in told
    assert "W-OFFICE-FAILED" not in told
    assert "waiting: 3" in told


def test_addresses_that_all_refuse_alike_are_told_once_and_given_up(table: PostalTable) -> None:
    """Nothing else is to be sent, so that the program itself might be down; it is not, for days."""
    refuse(table, 67, *SEATS)
    table.evening()
    for _ in range(3):
        table.now += timedelta(days=1)
        assert "waiting: 3; failed: 0" in table.evening()
    table.now += timedelta(days=3)
    told = table.evening()
    assert "waiting: 0; failed: 3" in told
    for seat in SEATS:
        assert f"{GIVEN_UP.format(seat)} (1): " in told
    table.now += timedelta(days=1)
    assert "failed: 0" in table.evening()
    refuse(table, 67)
    assert "done: 3" in table.mail("release", "--failed")
    # And what the moderator could not be told before.
    assert "waiting: 0; failed: 0" in table.evening()


def test_a_program_that_is_down_behind_a_pause_gives_nothing_up(table: PostalTable) -> None:
    refuse(table, 67, *SEATS)
    table.evening()
    table.now += timedelta(days=8)
    assert "waiting: 3; failed: 0" in table.evening()


def test_a_program_that_hangs_at_everybody_does_not_take_the_whole_evening(
    table: PostalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.office.carriers.PATIENCE", 1)
    monkeypatch.setattr("pbem.office.sending.LONGEST_REFUSALS", 2)
    mail = (table.folder / "outbox" / "0001" / f"{SEATS[0]}-invitation.eml").read_bytes()
    for number in range(20):
        to = mail.replace(f"{SEATS[0]}@example.org".encode(), f"p{number}@example.org".encode())
        path = table.folder / "outbox" / "0001" / f"zoe-{number}.eml"
        path.write_bytes(to.replace(b"Message-ID: <", f"Message-ID: <{number}".encode()))
    refuse(table, -1, *SEATS, *(f"p{number}" for number in range(20)))
    begun = time.monotonic()
    assert "W-OFFICE-CARRIER nothing can be sent" in table.evening()
    assert time.monotonic() - begun < 12


def test_mails_that_were_given_up_go_again_when_a_person_says_so(table: PostalTable, server: BadSmtp) -> None:
    server.mood, server.who = "550", "louis"
    assert f"{GIVEN_UP.format('louis')} (1): " in table.evening()
    server.mood = ""
    table.moderate("invite", "--address", "louis=louis@example.org")
    table.evening()
    told = table.mail("status")
    assert "mails refused for good or come back: 1; `pbem mail release --failed` sends them again" in told
    assert "done: 1" in table.mail("release", "--failed")
    assert "W-OFFICE-FAILED" not in table.mail("status")
    assert "waiting: 0; failed: 0" in table.evening()
    assert b"To: louis <louis@example.org>" in b"".join(server.taken)
    assert "refused for good" not in table.mail("status")
    assert "done: 0" in table.mail("release", "--failed")


def test_mails_that_were_given_up_can_be_forgotten(table: PostalTable, server: BadSmtp) -> None:
    server.mood, server.who = "550", "louis"
    table.evening()
    assert "done: 1" in table.mail("drop", "--failed")
    assert "refused for good" not in table.mail("status")
    server.mood = ""
    table.evening()
    assert b"To: louis" not in b"".join(server.taken)


def test_what_went_to_a_new_address_is_no_longer_told_as_refused(table: PostalTable, server: BadSmtp) -> None:
    server.mood, server.who = "550", "louis@"
    assert GIVEN_UP.format("louis") in table.evening()
    table.moderate("invite", "--address", "louis=lou@example.org")
    told = table.evening()
    assert "W-OFFICE-FAILED" not in told, "neither the invitation nor the note to the former address"
    assert b"<lou@example.org>" in b"".join(server.taken)
    status = table.mail("status")
    assert "W-OFFICE-FAILED" not in status
    assert "refused for good" not in status
    assert "done: 0" in table.mail("release", "--failed")


def test_a_refusal_is_no_longer_told_when_the_mail_waits_for_a_new_address(table: PostalTable) -> None:
    refuse(table, 67, "louis")
    assert REFUSED.format("louis") in table.evening()
    table.moderate("invite", "--address", "louis=lou@example.org")
    assert "W-OFFICE-FAILED" not in table.evening()
    assert "lou@example.org" in (table.root / "sent.mbox").read_text()


def test_each_address_is_told_once(table: PostalTable) -> None:
    """The number of its mails stands there; the moderator gets one mail about it."""
    refuse(table, 67, "louis")
    table.evening()
    table.now += timedelta(hours=1)
    table.moderate("invite", "--address", "frederick=fred@example.org")
    mail = (table.folder / "outbox" / "0001" / "louis-invitation.eml").read_bytes()
    (table.folder / "outbox" / "0001" / "louis-later.eml").write_bytes(
        mail.replace(b"Message-ID: <", b"Message-ID: <z")
    )
    told = table.evening()
    assert told.count("W-OFFICE-FAILED") == 1
    assert f"{REFUSED.format('louis')} for five days (2): " in told
    table.now += timedelta(days=6)
    told = table.evening()
    assert told.count("W-OFFICE-FAILED") == 1
    assert f"{GIVEN_UP.format('louis')} (2): " in told
    table.evening()
    sent = (table.root / "sent.mbox").read_text()
    assert sent.count("W-OFFICE-FAILED") == 1


def test_a_file_that_cannot_be_read_holds_up_nobody(table: PostalTable, server: BadSmtp) -> None:
    path = table.folder / "outbox" / "0001" / f"{SEATS[0]}-invitation.eml"
    mail = path.read_bytes()
    path.unlink()
    path.mkdir()
    table.mail("send")
    assert {f"<{seat}@example.org>".encode() in b"".join(server.taken) for seat in SEATS[1:]} == {True}
    assert f"E-DISK-KIND cannot read 0001/{path.name}" in table.mail("status")
    path.rmdir()
    path.write_bytes(mail)
    table.evening()
    assert f"<{SEATS[0]}@example.org>".encode() in b"".join(server.taken)
    assert "E-DISK" not in table.mail("status")


def test_a_waiting_mail_whose_file_cannot_be_read_holds_up_nobody(table: PostalTable, server: BadSmtp) -> None:
    server.mood, server.who = "452", "example.org"
    table.evening()
    server.mood = ""
    path = table.folder / "outbox" / "0001" / f"{SEATS[0]}-invitation.eml"
    path.unlink()
    path.mkdir()
    assert "waiting: 1; failed: 0" in table.mail("send")
    assert REFUSED.format(SEATS[0]) in table.mail("status")
    assert {f"<{seat}@example.org>".encode() in b"".join(server.taken) for seat in SEATS[1:]} == {True}


@pytest.mark.parametrize("command", ["no-such-program", "sh -c 'exit 78'", "sh -c no-such-program"])
def test_a_program_that_cannot_run_is_told_as_such(table: PostalTable, command: str) -> None:
    text = (table.root / "mail.yaml").read_text()
    (table.root / "mail.yaml").write_text(re.sub(r"out: .*", f'out: {{sendmail: "{command}"}}', text))
    told = table.evening()
    assert "W-OFFICE-CARRIER" in told
    assert "waiting: 3; failed: 0" in told


def test_a_loop_between_two_offices_dies_out(table: PostalTable, server: BadSmtp) -> None:
    """Mails of one office come into the mailbox of another, which has a campaign of the same name."""
    table.evening()
    other = table.copied(table.root.parent / "other")
    assert isinstance(other, PostalTable)
    (other.root / "mail.yaml").write_text(SETTINGS)
    for number, data in enumerate(server.taken):
        other.drop(data, f"1.{number}")
    told = other.evening()
    assert "letters: 0; left alone: 0" in told
    assert "mails sent: 0" in told
    assert other.json("status", NAME)["entry"] == 1
