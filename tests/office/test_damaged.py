"""Mails and files of a player's office that were damaged: each is told until it, or a newer report, is whole."""

from __future__ import annotations

import base64
import email
import email.policy
import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.post.outgoing import KIND
from pbem.seal.box import pad, seal
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME, SEATS
from tests.office.post import ADDRESSES, PLAIN, PostalTable, copied

UNSURE = "nothing was owed for turn 1 (hussars), but what came later is damaged"
OWED = "orders are owed for turn 1 (stage of France)"
CUT = "W-OFFICE-CUT a mail from moderator@example.org came incomplete or damaged"


@pytest.fixture(scope="module", params=["open", "sealed"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """Three posts by mail, and the office of Louis, which has filed the first two: by the second nothing is owed."""
    table = PostalTable(tmp_path_factory.mktemp("damaged"))
    begin(table, is_sealed=request.param == "sealed")
    table.join_all()
    table.open_desk("louis")
    table.bring("louis", with_number(table, "0005"))
    table.desk("louis")
    for _ in range(2):
        table.now += timedelta(hours=1)
        for seat in table.owing():
            sheet = sheet_of(table, seat)
            table.run("sign", str(sheet), as_=seat)
            table.post_letter(seat, str(sheet))
        table.evening()
    table.bring("louis", with_number(table, "0009"))
    table.desk("louis")
    assert "nothing is owed for turn 1 (hussars)" in table.desk("louis", "mail", "status")
    return table


def begin(table: PostalTable, *, is_sealed: bool) -> None:
    """A moderator's office, and a campaign in which Louis may have his reports sealed."""
    (table.root / "inbox" / "new").mkdir(parents=True)
    (table.root / "mail.yaml").write_text(PLAIN)
    seats = {seat: f"  {seat}: {{name: {seat}, address: {ADDRESSES[seat]}, reports: plain}}\n" for seat in SEATS}
    if is_sealed:
        seats["louis"] = seats["louis"].replace("plain", "sealed")
    moderator = f"moderator: {{name: Max, address: {ADDRESSES['moderator']}}}\n"
    head = f"campaign: {NAME}\ngame: maria\nscenario: introductory\n"
    (table.root / "plan.yaml").write_text(f"{head}{moderator}seats:\n{''.join(seats.values())}")
    table.run("new", NAME, "--from", "plan.yaml", "--delay", "0m", as_="moderator")


@pytest.fixture
def table(played: PostalTable, tmp_path: Path) -> PostalTable:
    """The same in a folder of its own."""
    return copied(played, tmp_path / "table")


def sheet_of(table: PostalTable, seat: str) -> Path:
    """The order sheet that a player has; Louis's lies in his office."""
    if seat == "louis":
        return max((table.root / "louis" / "files" / NAME).glob("*/orders.yaml"))
    return table.root / table.sheet(seat)


def with_number(table: PostalTable, number: str) -> bytes:
    """Louis's mail of an entry."""
    return next(mail.as_bytes() for mail in table.mails_to("louis") if f"] {number} " in mail["Subject"])


def newest(table: PostalTable) -> bytes:
    """Louis's mail with the last report."""
    return with_number(table, "0011")


def report_file(table: PostalTable) -> Path:
    """Place of the last report in Louis's office."""
    return table.root / "louis" / "files" / NAME / "0011" / "report.yaml"


def mail_of(data: bytes) -> EmailMessage:
    """A mail to be changed."""
    mail = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


def stripped(data: bytes, is_gone: Callable[[str], bool]) -> bytes:
    """A mail from which a gateway has taken some of its files."""
    mail = mail_of(data)
    names = [str(part.get_filename()) for part in mail.iter_attachments()]
    assert any(map(is_gone, names))
    mail.set_payload([p for p in mail.get_payload() if not is_gone(str(p.get_filename("")))])  # type: ignore[union-attr]
    return mail.as_bytes()


def changed(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """A mail whose report was changed on the way."""
    mail = mail_of(data)
    (part,) = [each for each in mail.iter_attachments() if str(each.get_filename()).startswith("report.yaml")]
    before = part.get_payload(decode=True)
    assert isinstance(before, bytes)
    assert change(before) != before
    part.set_payload(base64.encodebytes(change(before)).decode())
    del part["Content-Transfer-Encoding"]
    part["Content-Transfer-Encoding"] = "base64"
    return mail.as_bytes()


def one_byte(at: bytes) -> Callable[[bytes], bytes]:
    """Change of the last byte of a piece of a report; of a box, of one in its middle."""

    def change(data: bytes) -> bytes:
        if at in data:
            return data.replace(at, at[:-1] + (b"x" if at[-1:] != b"x" else b"y"), 1)
        middle = len(data) // 2
        return data[:middle] + (b"A" if data[middle : middle + 1] != b"A" else b"B") + data[middle + 1 :]

    return change


STRIPPED: dict[str, Callable[[str], bool]] = {
    "no file left": bool,
    "without the report": lambda name: name.startswith("report.yaml"),
    "without letters": lambda name: ".yaml" in name,
}
CHANGED: dict[str, Callable[[bytes], bytes]] = {
    "seat": one_byte(b"to: louis"),
    "campaign": one_byte(f"campaign: {NAME}".encode()),
    "kind": one_byte(b"kind: report"),
    "content": one_byte(b"1/france"),
    "end of the signature": one_byte(b"-----END SSH"),
    "half": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
}
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    **{name: lambda data, gone=gone: stripped(data, gone) for name, gone in STRIPPED.items()},  # type: ignore[misc]
    **{name: lambda data, change=change: changed(data, change) for name, change in CHANGED.items()},  # type: ignore[misc]
}


def without_kind(data: bytes) -> bytes:
    """A mail as version 0.2 has written it."""
    assert KIND.encode() in data
    return re.sub(rb"(?m)^%b: .*\r?\n" % KIND.encode(), b"", data)


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_mail_without_its_report_is_told_until_it_comes_whole(table: PostalTable, damage: str) -> None:
    table.bring("louis", DAMAGE[damage](newest(table)))
    told = table.desk("louis")
    assert CUT in told
    assert "] 0011 " in told, "it is named by its subject"
    assert "E-GUIDE" not in told
    assert "E-SEAL" not in told
    assert not report_file(table).parent.exists()
    status = table.desk("louis", "mail", "status")
    assert UNSURE in status
    assert "nothing is owed" not in status
    table.bring("louis", newest(table))
    assert OWED in table.desk("louis")
    status = table.desk("louis", "mail", "status")
    assert "W-OFFICE-CUT" not in status
    assert "E-SEAL" not in status


@pytest.mark.parametrize("damage", ["no file left", "seat", "content"])
def test_a_newer_report_settles_a_damaged_one(table: PostalTable, damage: str) -> None:
    older = (
        DAMAGE[damage](newest(table))
        .replace(b"] 0011 ", b"] 0010 ")
        .replace(b"<pbem.vienna-1741.", b"<pbem.vienna-1741.0")
    )
    table.bring("louis", older)
    assert CUT in table.desk("louis")
    table.bring("louis", newest(table))
    table.desk("louis")
    assert "W-OFFICE-CUT" not in table.desk("louis", "mail", "status")


def test_a_box_for_another_key_is_told_until_a_report_comes(table: PostalTable) -> None:
    other = load_private((table.root / "frederick" / "key").read_bytes(), None).public
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = "moderator@example.org", ADDRESSES["louis"], f"<pbem.{NAME}.0@x>"
    mail["Subject"] = f"[{NAME}] 0010 your move"
    mail.set_content("It is sealed.")
    mail.add_attachment(seal([other], pad(b"1")).encode(), "application", "octet-stream", filename="report.yaml.age")
    table.bring("louis", mail)
    assert CUT in table.desk("louis")
    assert UNSURE in table.desk("louis", "mail", "status")
    table.bring("louis", newest(table))
    table.desk("louis")
    assert "W-OFFICE-CUT" not in table.desk("louis", "mail", "status")


@pytest.mark.parametrize("damage", ["no file left", "without the report"])
def test_a_report_of_version_02_that_was_stripped_is_told(table: PostalTable, damage: str) -> None:
    table.bring("louis", DAMAGE[damage](without_kind(newest(table))))
    assert CUT in table.desk("louis")


def test_a_report_sent_by_hand_that_was_stripped_is_told(table: PostalTable) -> None:
    """A mail program has given it a name of its own."""
    mail = mail_of(stripped(without_kind(newest(table)), bool))
    mail.replace_header("Message-ID", "<123@mua.example>")
    table.bring("louis", mail)
    assert CUT in table.desk("louis")


@pytest.mark.parametrize("change", [bytes, without_kind], ids=["now", "version 0.2"])
def test_mails_that_hold_no_report_are_no_damaged_ones(table: PostalTable, change: Callable[[bytes], bytes]) -> None:
    table.now += timedelta(days=3)
    table.evening()
    reminder = next(mail for mail in table.mails_to("louis") if "reminder" in mail["Subject"])
    taken = next(mail for mail in table.mails_to("louis") if "letter taken (Turn" in mail["Subject"])
    receipt = re.sub(rb"\] \d{4} letter", b"] 0098 letter", taken.as_bytes())
    assert b"] 0098 " in receipt
    words = EmailMessage()
    words["From"], words["To"], words["Message-ID"] = "moderator@example.org", ADDRESSES["louis"], "<1@mua.example>"
    words["Subject"] = f"Re: [{NAME}] 0099 your move"
    words.set_content("Are you there?")
    assert mail_of(change(reminder.as_bytes()))["Subject"][:20] > f"[{NAME}] 0009"
    table.bring("louis", change(reminder.as_bytes()), change(receipt), stripped(change(receipt), bool), words)
    told = table.desk("louis")
    assert "W-OFFICE-CUT" not in told
    assert "nothing is owed for turn 1 (hussars)" in table.desk("louis", "mail", "status")


def test_a_whole_report_of_another_seat_is_still_left_alone(table: PostalTable) -> None:
    theirs = next(mail for mail in table.mails_to("frederick") if "] 0011 " in mail["Subject"])
    table.bring("louis", theirs)
    assert "left alone: 1" in table.desk("louis")
    assert "nothing is owed for turn 1 (hussars)" in table.desk("louis", "mail", "status")


def test_a_report_that_another_key_has_signed_is_an_impostors(table: PostalTable) -> None:
    plain = next(mail for mail in table.mails_to("frederick") if "] 0011 " in mail["Subject"])
    (part,) = [each for each in plain.iter_attachments() if each.get_filename() == "report.yaml"]
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    tree = read_letter(data.replace(b"to: frederick", b"to: louis"), "report").tree
    head = {key: str(value) for key, value in tree.items() if key not in ("pbem", "body", "signature")}
    key = load_private((table.root / "frederick" / "key").read_bytes(), None)
    part.set_payload(base64.encodebytes(sign_letter(write_letter(head, tree["body"]), key).encode()).decode())
    part.replace_header("Content-Transfer-Encoding", "base64")
    table.bring("louis", plain)
    told = table.desk("louis")
    assert "E-GUIDE-MODERATOR" in told
    assert "W-OFFICE-CUT" not in told


@pytest.mark.parametrize("loss", ["changed", "deleted", "changed, then deleted"])
@pytest.mark.parametrize("is_seen", [True, False], ids=["a round between", "at once"])
def test_a_filed_report_that_was_lost_is_told_and_brought_back_by_the_same_mail(
    table: PostalTable, loss: str, *, is_seen: bool
) -> None:
    table.bring("louis", newest(table))
    assert OWED in table.desk("louis")
    path = report_file(table)
    whole = path.read_bytes()
    name = str(path.relative_to(table.root))
    if "changed" in loss:
        path.write_bytes(whole[:500])
    if is_seen:
        assert loss == "deleted" or f"W-OFFICE-DAMAGED {name}" in table.desk("louis")
    if "deleted" in loss:
        path.unlink()
    if is_seen:
        assert f"W-OFFICE-DAMAGED {name}" in table.desk("louis")
    status = table.desk("louis", "mail", "status")
    assert f"{name} is gone, empty, damaged or changed" in status
    assert UNSURE in status
    assert "nothing is owed" not in status
    table.bring("louis", newest(table))
    table.desk("louis")
    assert path.read_bytes() == whole
    status = table.desk("louis", "mail", "status")
    assert OWED in status
    assert "W-OFFICE-DAMAGED" not in status


def test_a_campaign_that_was_put_away_is_not_missed(table: PostalTable) -> None:
    table.bring("louis", newest(table))
    table.desk("louis")
    shutil.rmtree(table.root / "louis" / "files" / NAME)
    assert "W-OFFICE-DAMAGED" not in table.desk("louis")


def test_a_report_beside_a_damaged_page_is_filed(table: PostalTable) -> None:
    mail = mail_of(newest(table))
    boxes = [each for each in mail.iter_attachments() if str(each.get_filename()).endswith("html.age")]
    for part in boxes:
        part.set_payload("-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n-----END AGE ENCRYPTED FILE-----\n")
        part.replace_header("Content-Transfer-Encoding", "7bit")
    table.bring("louis", mail)
    assert OWED in table.desk("louis")
    assert "W-OFFICE-CUT" not in table.desk("louis", "mail", "status")
