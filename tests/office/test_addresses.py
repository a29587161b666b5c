"""Addresses of letters: who may change them, who is told, and attempts of others."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.post.extract import extract
from tests.cli.correspondence import NAME, SEATS
from tests.cli.test_killed import Disk, Stricken
from tests.office.post import ADDRESSES, PLAIN, PostalTable, copied

EVE = "eve@example.net"


def sent_to(table: PostalTable, address: str) -> list[str]:
    """The subjects of the mails that went to an address."""
    return [str(mail["Subject"]) for mail in table.sent_mails() if address in str(mail["To"])]


def copy_of_join(table: PostalTable, seat: str, sender: str, number: int = 0) -> bytes:
    """Somebody's mail with a joining letter that lies in a thread for everybody to read."""
    mail = table.write_mail(seat, f"join-{NAME}-{seat}.yaml").replace(ADDRESSES[seat].encode(), sender.encode())
    return mail.replace(b"Message-ID: <", f"Message-ID: <{number}.".encode())


@pytest.fixture
def forum(tmp_path: Path) -> PostalTable:
    """A table at which louis plays in a forum, without an address."""
    table = PostalTable(tmp_path)
    table.open_office(PLAIN, "--seat", "louis=Louis")
    return table


def test_a_copy_of_a_joining_letter_does_not_say_where_reports_go(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    (table.root / "inbox" / "new").mkdir(parents=True)
    (table.root / "mail.yaml").write_text(PLAIN)
    table.run("new", NAME, "--delay", "0m", "--moderator", "M <moderator@example.org>", as_="moderator")
    table.moderate("invite")
    for seat in SEATS:
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in SEATS[1:]))
    # The last seat is taken by mail, and so its mails go to where that came from.
    table.post_letter("maria-theresa", f"join-{NAME}-maria-theresa.yaml")
    table.drop(copy_of_join(table, "louis", EVE), "1.copy")
    told = table.evening()
    assert "W-OFFICE-SEATS no mails go to frederick, louis" in told
    assert "reports: 2" in told, "her own, and the observer's to the moderator"
    assert sent_to(table, EVE) == []
    assert sent_to(table, ADDRESSES["maria-theresa"])
    table.moderate("substitute", "maria-theresa", "--new-key", "louis/key.pub", "--why", "ill")
    table.drop(copy_of_join(table, "maria-theresa", EVE), "2.copy")
    assert "W-OFFICE-SEATS no mails go to maria-theresa, frederick, louis" in table.evening()
    assert sent_to(table, EVE) == []


def test_a_joining_letter_from_elsewhere_is_told(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN)
    table.moderate("invite")
    table.evening()
    table.run("join", table.sent("louis-invitation.invitation.yaml"), as_="louis")
    table.drop(copy_of_join(table, "louis", EVE), "1.join")
    told = table.evening()
    assert f"W-OFFICE-ELSEWHERE louis joined from {EVE}; letters to louis go on going to louis@example.org" in told
    assert sent_to(table, EVE) == []
    assert any("letter taken" in subject for subject in sent_to(table, "louis@example.org"))


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """A table at which louis joined by a mail of two authors, which gives no address: his report lies there."""
    table = PostalTable(tmp_path_factory.mktemp("dealt"))
    table.open_office(PLAIN, "--seat", "louis=Louis")
    table.moderate("invite")
    table.evening()
    table.join_by_mail(*(seat for seat in SEATS if seat != "louis"))
    table.run("join", table.sent("louis-invitation.invitation.yaml"), as_="louis")
    mail = table.write_mail("louis", f"join-{NAME}-louis.yaml")
    table.drop(mail.replace(b"<louis@example.org>", b"<louis@example.org>, x@example.org", 1), "1.join")
    assert "W-OFFICE-SEATS no mails go to louis" in table.evening()
    return table


def test_what_lay_in_the_outbox_goes_to_an_address_that_is_told_later(dealt: PostalTable, tmp_path: Path) -> None:
    table = copied(dealt, tmp_path / "table")
    table.now += timedelta(hours=5)
    assert sent_to(table, "louis@example.org") == []
    table.moderate("invite", "--address", "louis=louis@example.org")
    told = table.evening()
    assert "mails sent: 2; waiting: 0" in told
    assert "W-OFFICE-SEATS" not in told
    subjects = sent_to(table, "louis@example.org")
    assert len(subjects) == 2
    assert any("Turn 1" in each for each in subjects), "the report"
    (receipt,) = [mail for mail in table.mails_to("louis") if "your letter is in" in str(mail["Subject"])]
    assert [part.get_filename() for part in receipt.iter_attachments()] == ["receipt.yaml"]
    (report,) = [mail for mail in table.mails_to("louis") if "Turn 1" in str(mail["Subject"])]
    names = {part.get_filename() for part in report.iter_attachments()}
    assert {"report.yaml", "orders.yaml", "deadline.ics"} <= names
    table.open_desk("louis")
    table.bring("louis", *table.mails_to("louis"))
    assert "orders" in table.desk("louis")
    table.moderate("invite", "--address", "louis=louis@example.org")
    assert "mails sent: 0" in table.evening(), "everything is sent once"


def test_late_mails_are_sent_once_if_the_command_that_makes_them_is_killed(
    dealt: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("invite", "--address", "louis=louis@example.org")
    clean, counted, stricken = copied(dealt, tmp_path / "clean"), Disk(), Stricken(monkeypatch)
    stricken.run(clean, words, counted)
    clean.evening()
    expected = sorted(str(mail["Message-ID"]) for mail in clean.mails_to("louis"))
    until = counted.count - 2
    for at in range(0, until, int(os.environ.get("PBEM_STRIDE", 1 + until // 6))):
        struck = copied(dealt, tmp_path / f"{at}")
        stricken.killed(struck, words, at)
        struck.evening()
        struck.now += timedelta(minutes=7)
        struck.moderate(*words, code=None)
        struck.evening()
        assert sorted(str(mail["Message-ID"]) for mail in struck.mails_to("louis")) == expected, at


NEW = "new@example.org"


def names_to(table: PostalTable, address: str) -> list[str]:
    """The names of the mails that went to an address."""
    return sorted(str(mail["Message-ID"]) for mail in table.sent_mails() if address in str(mail["To"]))


def wait_for_carrier(table: PostalTable) -> None:
    """Nothing can be sent for a while."""
    (table.root / "mail.yaml").write_text(PLAIN.replace("{files: sent}", '{sendmail: "false"}'))


def send_what_waits(table: PostalTable) -> str:
    """Mails can be sent again."""
    (table.root / "mail.yaml").write_text(PLAIN)
    table.now += timedelta(hours=5)
    return table.evening()


def test_mails_that_wait_go_to_the_address_that_is_told_meanwhile(table: PostalTable) -> None:
    before = names_to(table, "louis@example.org")
    wait_for_carrier(table)
    for seat in SEATS:
        table.order_by_mail(seat)
    table.evening(code=None)
    table.now += timedelta(hours=1)
    said = table.moderate("invite", "--address", f"louis={NEW}").output
    assert "louis-receipt-" in said, "the moderator is told of all mails that are for the new address"
    send_what_waits(table)
    new = set(names_to(table, "louis@example.org")).difference(before)
    (old,) = [mail for mail in table.mails_to("louis") if mail["Message-ID"] in new]
    assert "letters go elsewhere" in old["Subject"]
    got = sent_to(table, NEW)
    assert len([each for each in got if "hussars" in each]) == 1
    assert len([each for each in got if "letter taken" in each]) == 1
    assert len(names_to(table, NEW)) == len(set(names_to(table, NEW)))
    before = len(table.sent_mails())
    table.moderate("invite", "--address", f"louis={NEW}")
    assert "mails sent: 0; waiting: 0" in table.evening()
    assert len(table.sent_mails()) == before


def test_one_who_waits_for_an_older_report_gets_it_at_the_new_address(table: PostalTable) -> None:
    wait_for_carrier(table)
    for day in ("1d", "2d", "3d"):
        table.moderate("extend", day, "--why", "a feast")
        table.evening(code=None)
    table.moderate("invite", "--address", f"louis={NEW}")
    send_what_waits(table)
    assert len([each for each in sent_to(table, NEW) if "Turn 1" in each]) == 3
    assert len([each for each in sent_to(table, "louis@example.org") if "Turn 1" in each]) == 1, "sent before"


def test_mails_that_went_to_a_wrong_address_go_to_the_right_one_too(table: PostalTable) -> None:
    table.moderate("invite", "--address", f"louis={EVE}")
    table.evening()
    table.moderate("extend", "1d", "--why", "a feast")
    table.evening()
    table.moderate("invite", "--address", f"louis={NEW}")
    table.evening()
    table.evening()
    (report,) = [mail for mail in table.sent_mails() if NEW in str(mail["To"]) and "Turn 1" in str(mail["Subject"])]
    assert report["X-Pbem-Kind"] == "report"
    assert {"report.yaml", "orders.yaml"} <= {part.get_filename() for part in report.iter_attachments()}
    assert len([each for each in sent_to(table, EVE) if "letters go elsewhere" in each]) == 1
    count = len(sent_to(table, NEW))
    for address in (EVE, NEW, EVE, NEW):
        table.moderate("invite", "--address", f"louis={address}")
        table.evening()
    assert len([each for each in sent_to(table, NEW) if "letters go elsewhere" not in each]) == count, "it has them"


def test_what_an_older_program_left_without_a_mail_is_made_when_the_address_is_told_again(
    table: PostalTable, tmp_path: Path
) -> None:
    table.moderate("extend", "1d", "--why", "a feast")
    table.moderate("post")
    (mail,) = [max((table.folder / "outbox").glob("*/louis.eml"))]
    mail.unlink()
    before = len(sent_to(table, "louis@example.org"))
    by_itself = copied(table, tmp_path / "by itself")
    for _ in range(2):
        table.moderate("invite", "--address", "louis=louis@example.org")
        table.evening()
        assert len(sent_to(table, "louis@example.org")) == before + 1
    by_itself.evening()
    assert len(sent_to(by_itself, "louis@example.org")) == before + 1, "the office finds what is owed, too"


def test_an_invitation_goes_to_the_address_that_is_told_behind_it(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN)
    table.moderate("invite")
    table.evening()
    for _ in range(2):
        table.moderate("invite", "--address", f"louis={NEW}")
        table.evening()
        assert len([each for each in sent_to(table, NEW) if "letters go elsewhere" not in each]) == 1
    table.moderate("invite")
    table.evening()
    assert len(sent_to(table, NEW)) == 1


def test_a_changed_address_gets_all_once_if_the_command_that_changes_it_is_killed(
    settled: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = copied(settled, tmp_path / "start")
    wait_for_carrier(start)
    for seat in SEATS:
        start.order_by_mail(seat)
    start.evening(code=None)
    start.now += timedelta(hours=1)
    words = ("invite", "--address", f"louis={NEW}")
    clean, counted, stricken = copied(start, tmp_path / "clean"), Disk(), Stricken(monkeypatch)
    stricken.run(clean, words, counted)
    send_what_waits(clean)
    expected = names_to(clean, NEW)
    until = counted.count - 2
    for at in range(0, until, int(os.environ.get("PBEM_STRIDE", 1 + until // 6))):
        struck = copied(start, tmp_path / f"{at}")
        stricken.killed(struck, words, at)
        alone = copied(struck, tmp_path / f"{at} alone")
        struck.evening(code=None)
        struck.now += timedelta(minutes=7)
        struck.moderate(*words, code=None)
        send_what_waits(struck)
        assert names_to(struck, NEW) == expected, at
        assert len([each for each in sent_to(struck, "louis@example.org") if "elsewhere" in each]) == 1, at
        send_what_waits(alone)
        got = names_to(alone, NEW), names_to(alone, "louis@example.org")
        assert got[0] in ([], expected), "all goes to the one or to the other"


def test_an_address_can_be_told_when_every_seat_is_taken(table: PostalTable) -> None:
    new = "new@example.org"
    said = table.moderate("invite", "--address", f"louis={new}").output
    assert f"letters from now on: louis={new}" in said
    for seat in SEATS:
        table.order_by_mail(seat)
    table.evening()
    assert any("Turn 1" in subject for subject in sent_to(table, new))
    (moved,) = [mail for mail in table.sent_mails() if "letters go elsewhere" in str(mail["Subject"])]
    assert "louis@example.org" in str(moved["To"])
    assert "another address for louis in vienna-1741" in str(moved)
    assert new not in str(moved), "it is no business of whoever reads there"
    before = len(table.sent_mails())
    table.moderate("invite", "--address", f"louis={new}")
    table.evening()
    assert len(table.sent_mails()) == before, "nothing has changed"
    assert "E-INVITE-FULL" in table.moderate("invite", code=1).output


def test_the_moderators_address_can_be_told_later(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    people = [word for seat in SEATS for word in ("--seat", f"{seat}={seat} <{ADDRESSES[seat]}>")]
    table.begin(*people)
    table.join()
    said = table.moderate("extend", "1d", "--why", "a feast").output + table.moderate("post").output
    assert "W-MAIL-SENDER" in said
    table.moderate("invite", "--address", "moderator=moderator@example.org")
    table.now += timedelta(hours=1)
    table.moderate("extend", "2d", "--why", "two feasts")
    said = table.moderate("post").output
    assert "W-MAIL-SENDER" not in said
    assert "of them mails" in said
    assert "0 of them mails" not in said


def test_whose_seat_somebody_takes_over_is_told(table: PostalTable) -> None:
    table.moderate("substitute", "louis", "--new-key", "frederick/key.pub", "--why", "ill", "--address", EVE)
    table.evening()
    assert any("played by somebody else" in subject for subject in sent_to(table, "louis@example.org"))


def test_copies_of_a_joining_letter_hold_nothing_back(table: PostalTable) -> None:
    for number in range(60):
        sender = EVE if number % 2 else ADDRESSES["louis"]
        table.drop(copy_of_join(table, "louis", sender, number), f"1.{number:02}")
    for seat in SEATS:
        table.order_by_mail(seat)
    before = len(sent_to(table, "louis@example.org"))
    told = table.evening()
    assert "on to turn 1 (hussars), reports: 4" in told
    got = sent_to(table, "louis@example.org")
    assert len(got) <= before + 2 + 3, "the report, the receipt, and three of those that anybody can cause"
    assert any("Turn 1, hussars" in subject for subject in got)
    assert sent_to(table, EVE) == []
    receipts = list((table.folder / "outbox").glob("*/louis-receipt-*.eml"))
    assert len(receipts) <= 33, "a stranger's copies get none"


LIST = "pbem-list@lists.example"

SHARED = {
    "a list": (f"Lou via pbem-list <{LIST}>", "List-Id: <pbem-list.lists.example>\nList-Post: <mailto:x@y>\n"),
    "a list that names itself only": (f"Lou <{LIST}>", "list-id: pbem <pbem-list.lists.example>\n"),
    "a list of old": (LIST, "Precedence: list\n"),
    "bulk": (LIST, "Precedence: bulk\n"),
    "a list to leave": (LIST, "List-Unsubscribe: <mailto:x@y>\n"),
    "several authors": (f"{LIST}, Lou <louis@example.org>", ""),
    "two headers": (LIST, "From: Lou <louis@example.org>\n"),
    "one behind what is read": (LIST, "X: y\nFrom: " + "a" * 2000 + "@example.org, Lou <louis@example.org>\n"),
}


def shared(mail: bytes, sender: str, head: str) -> bytes:
    """A mail as a list sends it on."""
    old = next(line for line in mail.splitlines(keepends=True) if line.startswith(b"From: "))
    return head.encode() + mail.replace(old, f"From: {sender}\n".encode())


@pytest.mark.parametrize("how", SHARED)
def test_what_others_read_gives_no_address(how: str) -> None:
    sender, head = SHARED[how]
    envelope = extract(shared(b"From: x\nSubject: y\n\nz\n", sender, head), "1").envelope
    assert envelope.is_shared
    assert envelope.own_address == ""


@pytest.mark.parametrize(
    ("sender", "head"),
    [
        ("Lou <louis@example.org>", ""),
        ('"Doe, Lou" <louis@example.org>', "List-Id: <vienna-1741.pbem.example.org>\n"),
        ("louis@example.org <Louis@example.org>", "Precedence: first-class\n"),
    ],
)
def test_mails_of_one_person_give_an_address(sender: str, head: str) -> None:
    envelope = extract(shared(b"From: x\nSubject: y\n\nz\n", sender, head), "1").envelope
    assert envelope.own_address.casefold() == "louis@example.org"


@pytest.mark.parametrize("how", ["a list", "bulk", "several authors", "two headers"])
def test_a_joining_letter_by_a_list_does_not_send_reports_to_the_list(tmp_path: Path, how: str) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN, "--seat", "louis=Louis")
    table.moderate("invite")
    table.evening()
    for seat in SEATS:
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
        mail = table.write_mail(seat, f"join-{NAME}-{seat}.yaml")
        table.drop(shared(mail, *SHARED[how]) if seat == "louis" else mail, f"1.{seat}")
    told = table.evening()
    assert "letters taken: 3, on to turn 1 (set-up)" in told
    assert "W-OFFICE-SEATS no mails go to louis" in told
    assert sent_to(table, LIST) == []
    table.moderate("invite", "--address", "louis=louis@example.org")
    assert "W-OFFICE-SEATS" not in table.evening()


def test_a_players_office_does_not_learn_the_address_of_a_list(table: PostalTable) -> None:
    table.open_desk("louis")
    begun = [mail.as_bytes() for mail in table.mails_to("louis")]
    table.bring("louis", *(shared(mail, *SHARED["a list"]) for mail in begun[:1]))
    table.desk("louis")
    table.bring("louis", *begun[1:])
    assert "W-OFFICE-MOVED" not in table.desk("louis")
    sheet = max((table.root / "louis" / "files" / NAME).glob("*/orders.yaml"))
    table.run("sign", str(sheet), "-o", str(sheet.with_name("letter.yaml")), as_="louis")
    table.desk("louis")
    mails = [path.read_text() for path in (table.root / "louis" / "sent").glob("*.eml")]
    assert any("To: moderator@example.org" in mail for mail in mails)
    assert not any(LIST in mail for mail in mails)


def test_a_former_address_is_told_only_of_a_change_that_was_made(
    table: PostalTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("invite", "--address", f"louis={NEW}")
    clean, counted, stricken = copied(table, tmp_path / "clean"), Disk(), Stricken(monkeypatch)
    stricken.run(clean, words, counted)
    clean.evening()
    expected = names_to(clean, "louis@example.org"), names_to(clean, NEW)
    was_done = set()
    for at in range(0, counted.count, int(os.environ.get("PBEM_STRIDE", 1 + counted.count // 7))):
        struck = copied(table, tmp_path / f"{at}")
        stricken.killed(struck, words, at)
        struck.evening()
        is_told = any("letters go elsewhere" in each for each in sent_to(struck, "louis@example.org"))
        assert is_told == bool(sent_to(struck, NEW)), at
        was_done.add(is_told)
        struck.now += timedelta(minutes=7)
        struck.moderate(*words, code=None)
        struck.evening()
        assert (names_to(struck, "louis@example.org"), names_to(struck, NEW)) == expected, at
    assert was_done == {False, True}


def test_an_office_keeps_letters_that_ask_for_a_seat_until_somebody_is_chosen(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN)
    table.moderate("invite", "--open", "louis", "--choose")
    offer = table.sent("everybody-louis-invitation.invitation.yaml")
    for who in ("ada", "ben"):
        table.run("key", "new", "--no-passphrase", as_=who)
        table.run("join", offer, "--name", who.title(), "-o", f"{who}.yaml", as_=who)
        mail = table.write_mail("louis", f"{who}.yaml").replace(b"louis@example.org", f"{who}@example.org".encode())
        table.drop(mail.replace(b"Message-ID: <", f"Message-ID: <{who}.".encode()), f"1.{who}")
    told = table.evening()
    assert "W-OFFICE-ASKED people who ask for louis: 2" in told
    assert "W-OFFICE-ELSEWHERE" not in told
    assert [len(sent_to(table, f"{who}@example.org")) for who in ("ada", "ben")] == [1, 1]
    table.moderate("choose", "louis", "Ben")
    assert "W-OFFICE-ASKED" not in table.evening()
    asked, answered = sorted(sent_to(table, "ada@example.org"))
    assert asked.endswith("seat asked for")
    assert answered.endswith("seat not given")
    assert sorted(sent_to(table, "ben@example.org"))[1].endswith("letter taken")
    told = " ".join(sent_to(table, "louis@example.org"))
    assert "letters go elsewhere" in told, "the seat was meant for another one before"
    assert "letter taken" not in told
