"""Notices to a moderator: clocks, missing addresses, words without a letter, letters that went astray."""

from __future__ import annotations

import base64
import json
import re
import shutil
from copy import copy
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from pbem.office.fetching import MailDates, clock_doubt, newest_time, teller, witnesses
from tests.cli.correspondence import BEGIN, NAME, SEATS
from tests.office.post import ADDRESSES, PLAIN, SETTINGS, PostalTable, copied

DAY = timedelta(days=1)


def answering(table: PostalTable, who: str, text: str, name: str, *head: str) -> bytes:
    """A mail that answers one of ours."""
    thread = str(table.sent_mails()[0]["References"])
    lines = [f"From: {who}", "To: moderator@example.org", f"Message-ID: <{name}@x>", f"References: {thread}", *head]
    return "\n".join([*lines, "", text, ""]).encode()


def to_moderator(table: PostalTable) -> list[str]:
    """The mails to the moderator, by subject."""
    return [str(mail["Subject"]) for mail in table.sent_mails() if mail["To"] == "moderator@example.org"]


def test_a_clock_that_is_ahead_of_all_mails_is_not_believed(table: PostalTable) -> None:
    right = table.now
    table.order_by_mail("louis")
    table.now += 30 * DAY
    told = table.evening()
    assert "W-OFFICE-CLOCK" in told
    assert "letters taken" not in told
    assert "W-OFFICE-CLOCK" in table.evening(), "nothing new has come, and it is as late as it was"
    assert len([each for each in to_moderator(table) if "waits for a decision" in each]) == 1
    # When people write who have the same date, it was a pause.
    table.drop(f"From: a@b.example\nDate: {format_datetime(table.now)}\n\nHello\n".encode(), "9.hello")
    assert "letters taken: 1" in table.evening()
    table.now = right + 31 * DAY
    assert "W-OFFICE-CLOCK" not in table.mail("status")


def test_somebody_may_vouch_for_the_clock(table: PostalTable) -> None:
    table.order_by_mail("louis")
    table.now += 30 * DAY
    assert "W-OFFICE-CLOCK" in table.evening()
    assert "letters taken: 1" in table.run("evening", "--clock-is-right", "--settings", "mail.yaml").output
    assert "W-OFFICE-CLOCK" not in table.evening()


def test_an_office_without_memory_goes_by_the_last_entry(table: PostalTable) -> None:
    shutil.rmtree(table.root / "state")
    shutil.rmtree(table.root / "inbox" / "cur")
    table.order_by_mail("louis")
    table.now += 30 * DAY
    assert "W-OFFICE-CLOCK" in table.evening()


def table_by_deadline(root: Path) -> PostalTable:
    """A table where missing orders are answered by default, and one player has sent nothing."""
    table = PostalTable(root)
    table.open_office(f"{PLAIN}adjudicate: deadline\n", "--at-deadline", "hold")
    table.join_all()
    for seat in SEATS[1:]:
        table.order_by_mail(seat)
    table.evening()
    return table


@pytest.fixture(scope="module")
def one_silent(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """The same for all tests of this file; only copies of it are played on."""
    return table_by_deadline(tmp_path_factory.mktemp("silent"))


@pytest.fixture(scope="module")
def before_loss(tmp_path_factory: pytest.TempPathFactory) -> tuple[PostalTable, Path]:
    """The same table, and a copy of its folder: without its memory an office takes a folder in another place for one of
    another office, so the copy is put back in the same place."""
    table = table_by_deadline(tmp_path_factory.mktemp("by deadline"))
    return table, Path(shutil.copytree(table.root, tmp_path_factory.mktemp("before loss") / "table"))


@pytest.fixture
def without_memory(before_loss: tuple[PostalTable, Path]) -> PostalTable:
    """The same for one test; its office has lost its memory."""
    table, kept = copy(before_loss[0]), before_loss[1]
    shutil.rmtree(table.root)
    shutil.copytree(kept, table.root)
    shutil.rmtree(table.root / "state")
    shutil.rmtree(table.root / "inbox" / "cur")
    return table


@pytest.fixture
def by_deadline(one_silent: PostalTable, tmp_path: Path) -> PostalTable:
    """The same for one test."""
    return copied(one_silent, tmp_path / "silent")


def entries(table: PostalTable) -> int:
    return len(list((table.folder / "ledger").iterdir()))


def test_a_deadline_that_passed_while_nothing_showed_the_time_is_no_deadline_before_a_person_says_so(
    by_deadline: PostalTable,
) -> None:
    right, before = by_deadline.now, entries(by_deadline)
    by_deadline.now += 6 * DAY
    for _ in range(3):
        told = " ".join(by_deadline.evening().split())
        assert "W-OFFICE-CLOCK the clock of this computer says" in told
        assert "has neither worked nor seen a mail, and meanwhile the deadline has passed:" in told
        by_deadline.now += timedelta(minutes=10)
    assert entries(by_deadline) == before
    assert len([each for each in to_moderator(by_deadline) if "waits for a decision" in each]) == 1
    by_deadline.now = right + DAY
    assert "W-OFFICE-CLOCK" not in by_deadline.evening() + by_deadline.mail("status"), "the clock is set"
    assert entries(by_deadline) == before


BY_HAND = {
    "remind": ("remind",),
    "rule": ("rule", "Go on."),
    "absent": ("absent", SEATS[0], "2026-11-28", "2026-12-05"),
    "extend": ("extend", "72h", "--why", "a feast"),
}


@pytest.mark.parametrize(
    ("command", "is_known", "is_first"),
    [
        *((command, True, True) for command in ("remind", "rule", "absent")),
        *((command, is_known, False) for command in BY_HAND for is_known in (True, False)),
    ],
)
def test_a_command_by_hand_does_not_vouch_for_a_deadline(
    request: pytest.FixtureRequest, command: str, *, is_known: bool, is_first: bool
) -> None:
    """The office has a memory or has none; the command comes before the doubt is told, or behind it."""
    table: PostalTable = request.getfixturevalue("by_deadline" if is_known else "without_memory")
    table.now += 6 * DAY
    if is_first:
        table.moderate(*BY_HAND[command])
    assert "W-OFFICE-CLOCK the clock of this computer says" in table.evening()
    if not is_first:
        table.moderate(*BY_HAND[command])
    for _ in range(4):
        before = entries(table)
        assert "W-OFFICE-CLOCK the clock of this computer says" in table.evening()
        assert entries(table) == before
        table.now += timedelta(hours=9)
    told = table.run("evening", "--clock-is-right", "--settings", "mail.yaml").output
    assert "W-OFFICE-CLOCK" not in told


def test_a_person_vouches_for_a_deadline(by_deadline: PostalTable) -> None:
    by_deadline.now += 6 * DAY
    by_deadline.evening()
    told = by_deadline.run("evening", "--clock-is-right", "--settings", "mail.yaml").output
    assert "on to turn 1 (hussars)" in told
    assert "W-OFFICE-CLOCK" not in by_deadline.evening()


def test_a_deadline_passes_where_rounds_or_mails_show_the_time(by_deadline: PostalTable, tmp_path: Path) -> None:
    other = copied(by_deadline, tmp_path / "other")
    for _ in range(3):
        by_deadline.now += 2 * DAY
        told = by_deadline.evening()
        assert "W-OFFICE-CLOCK" not in told
    assert "hussars" in "".join(str(mail["Subject"]) for mail in by_deadline.mails_to("louis"))
    other.now += 6 * DAY
    other.drop(f"From: a@b.example\nDate: {format_datetime(other.now - DAY)}\n\nHello\n".encode(), "9.hello")
    assert "on to turn 1 (hussars)" in other.evening()


def test_letters_of_a_pause_wait_and_count_before_any_default(by_deadline: PostalTable) -> None:
    before = entries(by_deadline)
    by_deadline.order_by_mail(SEATS[0])
    by_deadline.now += 6 * DAY
    assert "W-OFFICE-CLOCK" in by_deadline.evening()
    assert entries(by_deadline) == before
    told = by_deadline.run("evening", "--clock-is-right", "--settings", "mail.yaml").output
    assert "letters taken: 1, on to turn 1 (hussars)" in told
    entry = sorted((by_deadline.folder / "ledger").glob("*-adjudication.yaml"))[-1]
    assert "no orders by the deadline" not in entry.read_text()


def test_a_clock_that_is_behind_an_entry_is_told_although_nothing_came(table: PostalTable) -> None:
    right = table.now
    table.now += 3 * DAY
    table.moderate("extend", "24h", "--why", "a feast")
    table.now = right + timedelta(minutes=1)
    assert f"{NAME}: W-OFFICE-CLOCK" in table.evening()
    table.now = right + 3 * DAY
    assert "W-OFFICE-CLOCK" not in table.evening()


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(30, ("2026-12-01 18:00:00", "2026-12-01 18:00:30")), (90, ("2026-12-01 18:00", "2026-12-01 18:01"))],
)
def test_two_moments_within_a_minute_are_told_with_seconds(seconds: int, told: tuple[str, str]) -> None:
    now = datetime(2026, 12, 1, 18, tzinfo=UTC)
    doubt = clock_doubt(now + timedelta(seconds=seconds), now)
    assert doubt
    assert f"says {told[0]}, but {told[1]} has been already" in doubt.message.text("en")


def received_at(moment: datetime, mail: bytes) -> bytes:
    """The mail with a server's mark."""
    return f"Received: from x by mail.example.org;\n {format_datetime(moment)}\n".encode() + mail


def test_a_clock_that_is_behind_is_told_by_servers_and_not_by_one_sender(table: PostalTable) -> None:
    ahead = table.now + 30 * DAY
    table.drop(f"From: a@b.example\nDate: {format_datetime(ahead)}\n\nBuy!\n".encode(), "1.spam")
    assert "W-OFFICE-CLOCK" not in table.evening()
    table.drop(
        received_at(ahead, answering(table, "Louis <louis@example.org>", "Thanks", "t1", "Subject: Ah")), "2.mail"
    )
    assert "W-OFFICE-CLOCK" not in table.evening(), "it is alone"
    table.drop(received_at(ahead, answering(table, "Fritz <f@example.org>", "Me too", "t2", "Subject: Hi")), "3.mail")
    told = table.evening()
    assert "a mail from louis@example.org (Ah), which others bear out" in told
    assert "pbem evening --clock-is-right" in told
    table.now += 30 * DAY
    assert "W-OFFICE-CLOCK" not in table.evening()


def test_dates_in_the_mails_of_one_campaign_stop_no_other(table: PostalTable) -> None:
    host = ("--moderator", "Max <moderator@example.org>")
    table.run("new", "club", "--delay", "0m", *host, "--seat", "louis=Louis <louis@example.org>", as_="moderator")
    table.run("invite", "-C", "club", as_="moderator")
    table.evening()
    far = table.now + 300 * DAY
    for number, who in enumerate(("Eve <eve@example.net>", "Mal <mal@example.net>")):
        sheet = Path(table.root / table.sheet("louis")).read_text().replace(NAME, "club")
        mail = f"From: {who}\nMessage-ID: <{number}@b>\n\n{sheet}".encode()
        table.drop(received_at(far, mail), f"{number}.eml")
    table.order_by_mail("louis")
    told = table.evening()
    assert "vienna-1741: letters taken: 1" in told
    assert "club: W-OFFICE-CLOCK" in told
    assert "which others bear out" in told
    told = table.run("evening", "--clock-is-right", "--settings", "mail.yaml").output
    assert "W-OFFICE-CLOCK" not in told + table.evening()


@pytest.mark.parametrize("inbox", ["maildir: inbox", "files: inbox/new"])
def test_mails_about_something_else_do_not_stop_an_office_by_their_dates(table: PostalTable, inbox: str) -> None:
    settings = table.root / "mail.yaml"
    settings.write_text(settings.read_text().replace("maildir: inbox", inbox))
    far = datetime(9900, 1, 1, tzinfo=UTC)
    for number in range(3):
        spam = f"From: a@b.example\nMessage-ID: <{number}@b>\n\nBuy!\n".encode()
        table.drop(received_at(far, spam), f"{number}.eml")
    table.run("sign", table.sheet("louis"), as_="louis")
    table.drop(received_at(table.now, table.write_mail("louis", "louis/orders.yaml")), "4.eml")
    told = table.evening()
    assert "letters taken: 1" in told
    assert "W-OFFICE-CLOCK" not in told


def test_one_date_against_all_others_does_not_stop_an_office(table: PostalTable) -> None:
    for seat in SEATS:
        table.run("sign", table.sheet(seat), as_=seat)
        moment = datetime(9900, 1, 1, tzinfo=UTC) if seat == "louis" else table.now
        table.drop(received_at(moment, table.write_mail(seat, f"{seat}/orders.yaml")), f"1.{seat}")
    assert "letters taken: 3" in table.evening()


def test_behind_a_repaired_clock_the_office_names_the_way_on(table: PostalTable) -> None:
    right = table.now
    table.now += 30 * DAY
    table.order_by_mail("louis")
    table.run("evening", "--clock-is-right", "--settings", "mail.yaml")
    table.now = right + timedelta(hours=1)
    table.moderate("repair-clock", "--why", "a wrong clock", "--clock-is-right")
    told = table.evening()
    assert "W-OFFICE-CLOCK" in told
    assert "pbem evening --clock-is-right" in told
    assert "reports: 4" in table.run("evening", "--clock-is-right", "--settings", "mail.yaml").output
    assert "W-OFFICE-CLOCK" not in table.evening()


def test_how_late_it_is_by_mails() -> None:
    far, early, late = BEGIN + 99 * DAY, BEGIN - DAY, BEGIN + timedelta(minutes=5)
    assert newest_time([], BEGIN) is None
    assert newest_time([MailDates(far, None), MailDates(early, None)], BEGIN) == early
    assert newest_time([MailDates(far, early), MailDates(None, None)], BEGIN) == early, (
        "servers know better than senders"
    )
    assert newest_time([MailDates(None, late)], BEGIN) == BEGIN, "a sender's clock may be a little fast"
    ours = [MailDates(None, when, "vienna", who) for when, who in ((far, "a"), (early, "b"), (far, "c"))]
    assert teller(witnesses(ours, BEGIN), BEGIN) == ours[0]
    assert teller(witnesses([*ours[:2], MailDates(None, far)], BEGIN), BEGIN) is None
    assert teller(witnesses([ours[0]] * 3, BEGIN), BEGIN) is None, "one sender is one voice"


def test_seats_without_an_address_are_named(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office()
    people = ("--moderator", "M <m@example.org>", "--seat", "louis=L <l@example.org>", "--seat", "frederick=Fritz")
    table.run("new", "club", *people, as_="moderator")
    table.run("invite", "-C", "club", as_="moderator")
    told = table.evening()
    assert "club: W-OFFICE-SEATS no mails go to maria-theresa, frederick" in told
    assert f"{NAME}: W-OFFICE-SEATS" not in told
    assert "W-OFFICE-SEATS" in table.mail("status")
    given = [f"--address={seat}={seat}@example.org" for seat in ("maria-theresa", "frederick")]
    table.run("invite", "-C", "club", *given, as_="moderator")
    told = table.evening()
    assert "W-OFFICE-SEATS" not in told
    assert "mails sent: 2" in told


def test_words_without_a_letter_go_to_the_moderator_once(table: PostalTable) -> None:
    mail = answering(table, "Louis <louis@example.org>", "Thanks!\n> your report\n", "t", "Subject: Re: your report")
    table.drop(mail, "1.thanks")
    told = table.evening()
    assert "answers without a letter, forwarded to the moderator: 1" in told
    assert "refused" not in told
    (note,) = [each for each in table.sent_mails() if "writes" in each["Subject"]]
    assert note["Subject"] == f"[pbem] {NAME}: louis@example.org writes: Re: your report"
    assert (note["To"], note["Reply-To"]) == ("moderator@example.org", "louis@example.org")
    assert "> Thanks!" in note.get_content()
    answers = [str(each["To"]) for each in table.sent_mails() if each["In-Reply-To"] == "<t@x>"]
    assert sorted(answers) == ["louis <louis@example.org>", "moderator@example.org"], "nobody else is answered"
    # Neither the same mail again nor our own, which lies in the same mailbox, is anything new.
    before = len(table.sent_mails())
    table.drop(b"Received: again\n" + mail, "2.thanks")
    table.drop(note.as_bytes(), "3.note")
    table.drop(answering(table, "moderator@example.org", "You are welcome.", "w"), "4.mine")
    table.evening()
    assert len(table.sent_mails()) == before
    assert not (table.root / "inbox" / "new" / "1.thanks").exists()
    assert (table.root / "inbox" / "new" / "4.mine").exists()
    table.now += 40 * DAY
    assert list((table.root / "state" / "notes").iterdir())
    table.mail("prune")
    assert not list((table.root / "state" / "notes").iterdir())


def test_words_of_strangers_hold_back_nothing_that_the_moderator_is_to_have(table: PostalTable) -> None:
    table.evening()
    for number in range(60):
        sender = f"eve{number}@example.net" if number % 3 else "louis@example.org"
        table.drop(answering(table, sender, "Hello", f"w{number}", "Subject: Re: report"), f"1.{number:02}")
    table.moderate("rule", "a word to all")
    with (table.root / "mail.yaml").open("a") as file:
        file.write("per-day: 20\n")
    table.evening()
    got = to_moderator(table)
    assert sum("louis@example.org writes" in each for each in got) == 2, "anybody can write that address"
    assert sum("@example.net writes" in each for each in got) == 3, "strangers' words are last, three a day"
    # What comes now is queued behind all that, and goes at once nevertheless.
    table.moderate("rule", "another word")
    letter = (table.root / f"join-{NAME}-louis.yaml").read_text().replace(NAME, "vienna-1742")
    table.drop(f"From: louis@example.org\nMessage-ID: <u@x>\n\n{letter}".encode(), "2.unknown")
    told = table.evening()
    assert "W-OFFICE-UNKNOWN" in told
    mails = [mail for mail in table.sent_mails() if "moderator@example.org" in mail["To"]]
    assert any("vienna-1742" in mail.get_content() for mail in mails if not mail.is_multipart()), "a decision"
    assert any(NAME in mail["Subject"] and mail.is_multipart() for mail in mails), "a report"


def test_thanks_above_a_report_with_its_sheet_are_words_and_a_sheet_that_is_filled_in_there_is_a_letter(
    table: PostalTable,
) -> None:
    quoted = "".join(f"> {line}\n" for line in Path(table.sheet("louis")).read_text().splitlines())
    table.drop(answering(table, "louis@example.org", f"Thanks!\n\n{quoted}", "t", "Subject: Re: report"), "1.thanks")
    told = table.evening()
    assert "answers without a letter, forwarded to the moderator: 1" in told
    assert "refused" not in told
    changed = re.sub(r"(?m)^(>  +[A-Z].*: )\d+$", r"\g<1>1", quoted)
    assert changed != quoted
    table.drop(answering(table, "louis@example.org", f"So be it.\n\n{changed}", "u", "Subject: Re: report"), "2.filled")
    assert "refused: 1" in table.evening()


@pytest.mark.parametrize("encoding", ["7bit", "base64"])
def test_a_question_with_the_whole_report_attached_is_forwarded(table: PostalTable, encoding: str) -> None:
    report = next(
        mail
        for mail in table.sent_mails()
        if mail["To"] and b"report.yaml" in mail.as_bytes() and "louis@" in mail["To"]
    )
    question = ["From: louis@example.org", "Message-ID: <q@x>", "Subject: a question", "MIME-Version: 1.0"]
    question += ['Content-Type: multipart/mixed; boundary="outer"', "", "--outer", "Content-Type: text/plain", ""]
    question += ["May I retreat to Metz?", "", "--outer", "Content-Type: message/rfc822"]
    question += [f"Content-Transfer-Encoding: {encoding}", ""]
    data = report.as_bytes() if encoding == "7bit" else base64.encodebytes(report.as_bytes())
    table.drop("\n".join([*question, ""]).encode() + data + b"\n--outer--\n", "1.question")
    told = table.evening()
    assert "answers without a letter, forwarded to the moderator: 1" in told
    assert "refused" not in told
    (note,) = [each for each in table.sent_mails() if "writes" in each["Subject"]]
    assert "> May I retreat to Metz?" in note.get_content()


def with_file(sender: str, name: str, *head: str) -> bytes:
    """A mail with a file in which nobody looks for a letter."""
    lines = [f"From: {sender}", f"Message-ID: <{name}.{len(head)}@x>", f"Subject: {name}", "MIME-Version: 1.0", *head]
    lines += [
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "My orders.",
        "",
    ]
    lines += ["--b", f'Content-Type: application/octet-stream; name="{name}"', "Content-Transfer-Encoding: base64"]
    return "\n".join([*lines, "", "UEs=", "", "--b--", ""]).encode()


def test_files_that_were_not_read_are_told(table: PostalTable) -> None:
    table.drop(with_file("louis@example.org", "orders.zip"), "1.zip")
    told = table.evening()
    assert "with letters: 0; left alone: 1" in told
    assert "W-OFFICE-ATTACHMENT a mail from louis@example.org (orders.zip) has files" in told
    assert f"{NAME}: W-OFFICE-ATTACHMENT" not in told, "it says of no campaign that it is for it"
    assert "attachment 'orders.zip'" in told
    assert (table.root / "inbox" / "new" / "1.zip").exists(), "it may be about something else"
    table.drop(with_file("frederick@example.org", "winmail.dat", f"References: {thread_of(table)}"), "2.dat")
    table.drop(with_file("aunt@example.org", "holidays.zip"), "3.zip")
    told = table.evening()
    assert f"{NAME}: W-OFFICE-ATTACHMENT a mail from frederick@example.org" in told
    assert "attachment 'winmail.dat'" in told
    assert "holidays.zip" not in told + table.mail("status").partition("to know")[2]
    (answer,) = [mail for mail in table.sent_mails() if mail["In-Reply-To"] == "<winmail.dat.1@x>"]
    assert "the attachment 'winmail.dat' was not read" in " ".join(answer.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]


def test_every_mail_with_a_file_that_is_not_read_is_told(table: PostalTable) -> None:
    for name in ("first.zip", "second.zip"):
        table.drop(with_file("louis@example.org", name), name)
        table.evening()
    told = table.mail("status")
    assert "first.zip" in told
    assert "second.zip" in told
    for number in range(20):
        table.drop(with_file("louis@example.org", f"{number}.zip"), f"{number}.zip")
    table.evening()
    assert table.mail("status").count("W-OFFICE-ATTACHMENT") == 6


def thread_of(table: PostalTable) -> str:
    """The thread of the campaign's mails."""
    return str(table.sent_mails()[0]["References"])


def test_counts_mean_what_they_say(table: PostalTable) -> None:
    table.drop(answering(table, "louis@example.org", "Thanks!", "t", "Subject: Re: report"), "1.thanks")
    table.drop(b"From: aunt@example.org\nSubject: lunch\n\nLunch?\n", "2.aunt")
    for name in ("3", "4"):
        table.drop(
            table.write_mail("louis", f"join-{NAME}-louis.yaml").replace(
                b"Message-ID: <", b"Message-ID: <" + name.encode()
            ),
            name,
        )
    for seat in ("frederick", "maria-theresa"):
        table.order_by_mail(seat)
    mails = [path.read_bytes() for path in (table.root / "inbox" / "new").iterdir() if "frederick" in path.name]
    table.drop(b"Received: again\n" + mails[0], "5.again")
    sheet = Path(table.sheet("louis"))
    sheet.write_text(sheet.read_text() + "# unsigned\n")
    table.post_letter("louis", "louis/orders.yaml")
    told = table.evening()
    assert "mails read: 8; with letters: 5; left alone: 1; come back: 0; others: 2" in told
    assert f"{NAME}: letters taken: 2, refused: 1, copies: 2" in told


def test_words_stay_where_nobody_says_who_reads_them(table: PostalTable) -> None:
    text = (table.root / "mail.yaml").read_text()
    (table.root / "mail.yaml").write_text(text.replace("address: moderator@example.org\n", ""))
    table.drop(answering(table, "louis@example.org", "Thanks!", "t", "Subject: Re: report"), "1.thanks")
    assert "left alone: 1" in table.evening()
    assert "left alone: louis@example.org, Re: report" in table.mail("status")
    assert (table.root / "inbox" / "new" / "1.thanks").exists()


def test_a_stranger_is_answered_once(table: PostalTable) -> None:
    for number in range(3):
        letter = f"pbem: 1\nkind: orders\ncampaign: {NAME}\nfrom: nobody\nseq: {number}\n"
        table.drop(f"From: eve@example.net\nMessage-ID: <{number}@eve>\n\n{letter}".encode(), f"0.{number}")
        table.evening()
    assert [mail["To"] for mail in table.sent_mails()].count("eve@example.net") == 1
    table.now += 2 * DAY
    assert "waiting: 0" in table.evening()
    assert [mail["To"] for mail in table.sent_mails()].count("eve@example.net") == 1


def test_a_player_who_writes_the_seat_in_another_way_is_answered(table: PostalTable) -> None:
    letter = Path(table.sheet("louis")).read_text().replace("from: louis", "from: ludwig")
    table.drop(answering(table, "Louis <Louis@example.org>", letter, "other-name"), "1.other")
    assert f"{NAME}: refused: 1" in table.evening()
    (answer,) = [mail for mail in table.sent_mails() if mail["In-Reply-To"] == "<other-name@x>"]
    assert answer["To"] == "louis <louis@example.org>"
    text = " ".join(answer.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert "“from: ludwig”: E-LETTER-FROM" in text


def test_a_letter_in_the_thread_of_another_campaign_goes_where_it_says(table: PostalTable) -> None:
    sitting = [word for seat in SEATS for word in ("--seat", f"{seat}={seat} <{ADDRESSES[seat]}>")]
    host = ("--moderator", "Max <moderator@example.org>")
    table.run("new", "other", *host, *sitting, as_="moderator")
    table.run("invite", "-C", "other", as_="moderator")
    table.evening()
    thread = next(str(mail["References"]) for mail in table.sent_mails() if "[other]" in mail["Subject"])
    table.run("sign", table.sheet("louis"), as_="louis")
    table.drop(f"References: {thread}\n".encode() + table.write_mail("louis", "louis/orders.yaml"), "1.astray")
    told = table.evening()
    assert f"{NAME}: letters taken: 1" in told
    assert "refused" not in told
    assert f"{NAME}: W-OFFICE-THREAD" in told
    assert "W-OFFICE-THREAD" in table.mail("status")
    table.now += 8 * DAY
    table.evening()
    assert "W-OFFICE-THREAD" not in table.mail("status"), "it is known by now"


def test_a_letter_for_no_campaign_of_ours_is_told(table: PostalTable) -> None:
    table.run("sign", table.sheet("louis"), as_="louis")
    letter = table.root / "louis" / "orders.yaml"
    letter.write_text(letter.read_text().replace(NAME, "atlantis"))
    data = table.write_mail("louis", "louis/orders.yaml")
    table.drop(data, "1.unknown")
    told = table.evening()
    assert "W-OFFICE-UNKNOWN a letter from louis@example.org (my letter) is for atlantis" in told
    assert (table.root / "inbox" / "new" / "1.unknown").exists()
    for number in range(7):
        table.drop(data.replace(b"louis", b"eve%d" % number), f"2.unknown.{number}")
    told = table.evening()
    assert told.count("W-OFFICE-UNKNOWN") == 1
    assert "W-OFFICE-UNKNOWN letters for campaigns that are none of this office: 8; the last from eve" in told
    told = table.mail("status")
    assert told.count("left alone: ") == 5
    assert "left alone, and not named here: 3; `pbem mail status --all` names all" in told
    told = table.mail("status", "--all")
    assert told.count("left alone: ") == 8
    assert "not named here" not in told
    assert len(json.loads(table.mail("status", "--json"))["left"]) == 8
    table.mail("drop")
    table.drop(data.replace(b"louis", b"adam"), "3.unknown")
    assert "a letter from adam@example.org (my letter) is for atlantis" in table.evening()


def test_letters_that_come_too_late_or_are_refused_are_told_until_a_good_one_comes(table: PostalTable) -> None:
    table.now += timedelta(hours=1)
    late = table.sheet("louis", "late.yaml")
    for seat in SEATS:
        table.order_by_mail(seat)
    table.evening()
    Path(late).write_text(re.sub(r"(?m)^seq: \d+", "seq: 3", Path(late).read_text()))
    table.run("sign", late, as_="louis")
    table.post_letter("louis", "louis/late.yaml")
    told = table.evening()
    assert "W-OFFICE-LATE too late from louis: orders (E-LETTER-STAGE: " in told
    assert "W-OFFICE-LATE" in table.mail("status")
    assert json.loads(table.mail("status", "--json"))["waits"] == [], "nothing is to be decided"
    assert not to_moderator(table)
    table.now += timedelta(hours=1)
    message = table.root / "louis" / "hello.yaml"
    table.run("message", "all", "Hello", "-o", str(message), "--campaign", NAME, as_="louis")
    table.post_letter("louis", "louis/hello.yaml")
    assert "W-OFFICE-LATE" not in table.evening()


def test_a_number_that_jumps_is_told(table: PostalTable) -> None:
    sheet = Path(table.sheet("louis"))
    sheet.write_text(re.sub(r"(?m)^seq: \d+", "seq: 9", sheet.read_text()))
    table.run("sign", str(sheet), as_="louis")
    table.post_letter("louis", "louis/orders.yaml")
    assert "W-OFFICE-JUMP a letter of louis has number 9, though the last one that came had" in table.evening()


def test_a_plan_that_is_renumbered_leaves_out_no_number_for_a_message_that_is_not_sent(table: PostalTable) -> None:
    plan = table.root / "plan.yaml"
    plan.write_bytes(Path(table.sent("louis.plan.yaml")).read_bytes())
    table.run("message", "all", "Perhaps", "-o", "unsent.yaml", "--campaign", NAME, as_="louis")
    table.run("sign", "--renumber", "plan.yaml", as_="louis")
    table.post_letter("louis", "plan.yaml")
    told = table.evening()
    assert "letters taken: 1" in told
    assert "W-OFFICE-JUMP" not in told


def test_what_the_office_sends_to_its_own_mailbox_is_nothing_left_alone(table: PostalTable) -> None:
    """The moderator has reports, and notes of what waits, where letters come in."""
    for number, mail in enumerate(table.sent_mails()):
        if mail["To"] == "Max <moderator@example.org>":
            table.drop(mail.as_bytes(), f"9.{number}")
    told = table.evening()
    assert "mails read: 1; with letters: 0; left alone: 0" in told
    assert "left alone: m" not in table.mail("status")


def test_status_tells_for_whom_campaigns_wait(table: PostalTable) -> None:
    deadline = "until Tue 2026-11-24 20:00 UTC"
    table.order_by_mail("louis")
    table.evening()
    assert f"{NAME}: turn 1 (set-up): owed by frederick, maria-theresa, {deadline}" in table.mail("status")
    table.moderate("close", "--why", "far enough")
    table.run("new", "club", "--seat", "louis=L <l@example.org>", as_="moderator")
    table.evening()
    told = table.mail("status")
    assert "club: seats still free: frederick, louis, maria-theresa" in told
    assert "turn 1 (set-up)" not in told


def test_a_players_office_tells_for_what_it_waits(table: PostalTable) -> None:
    box = table.root / "louis" / "box" / "new"
    box.mkdir(parents=True)
    (table.root / "louis.yaml").write_text(
        SETTINGS.replace("campaigns: .", "campaigns: louis/files")
        .replace("inbox", "louis/box")
        .replace("files: sent", "files: louis/sent")
        .replace("moderator", "louis")
        .replace("state: state", "state: louis/state")
    )

    def status() -> str:
        return table.run("mail", "status", "--as", "louis", "--settings", "louis.yaml").output

    def desk() -> str:
        return table.run("evening", "--as", "louis", "--settings", "louis.yaml").output

    assert f"no round yet\nmails sent: 0; waiting: 0; failed: 0\n{NAME}: waits for the first report" in status()
    mine = [mail for mail in table.sent_mails() if "louis" in mail["To"]]
    notes = (table.root / "louis" / "key.campaigns").rename(table.root / "notes")
    assert status().endswith("waits for an invitation\n")
    (box / "0.invitation").write_bytes(next(mail for mail in mine if "invitation" in mail["Subject"]).as_bytes())
    for told in (desk(), status()):
        assert f"{NAME}: you are invited: `pbem join louis/files/{NAME}/0001/invitation.yaml -o louis/files/" in told
    notes.rename(table.root / "louis" / "key.campaigns")
    for mail in mine:
        if "invitation" not in mail["Subject"]:
            (box / f"1.{len(list(box.iterdir()))}").write_bytes(mail.as_bytes())
    desk()
    assert f"{NAME}: orders are owed for turn 1 (set-up): " in status()
    (sheet,) = (table.root / "louis/files" / NAME).glob("*/orders.yaml")
    table.run("sign", str(sheet), as_="louis")
    assert f"{NAME}: waits for the next report; the orders for turn 1 (set-up) are signed" in status()
    assert "last round" in status()


@pytest.mark.parametrize("language", ["de", "es", "it"])
def test_what_is_told_is_told_in_every_language(table: PostalTable, language: str) -> None:
    with (table.root / "mail.yaml").open("a") as file:
        file.write(f"language: {language}\n")
    table.drop(answering(table, "louis@example.org", "Danke!", "t", "Subject: Re: x"), "1.thanks")
    told = table.evening()
    assert "{" not in told
    assert "answers without" not in told


def test_a_letter_with_a_wrong_signature_is_refused_once_however_many_mails_bring_it(table: PostalTable) -> None:
    table.run("key", "new", "--no-passphrase", as_="gus")
    table.run("sign", table.sheet("louis"), as_="gus")
    table.post_letter("louis", "louis/orders.yaml")
    assert "refused: 1" in table.evening()
    for _ in range(2):
        table.now += timedelta(minutes=1)
        for _ in range(2):
            table.now += timedelta(minutes=1)
            table.post_letter("louis", "louis/orders.yaml")
        told = table.evening()
        assert "refused: " not in told
        assert "W-OFFICE-REFUSED" not in told
    assert len([*(table.folder / "ledger").glob("*refused*")]) == 1
    table.run("sign", str(table.root / "louis" / "orders.yaml"), as_="louis")
    table.post_letter("louis", "louis/orders.yaml")
    assert "letters taken: 1" in table.evening(), "the same letter, signed by its player"
