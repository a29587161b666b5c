"""The outbox: what is written for whom, what is sealed, and what happens when a command is killed."""

from __future__ import annotations

import base64
import email
import email.policy
import re
import shutil
import stat
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar
from msgspec.structs import replace
from PIL import Image

from pbem.campaign.briefing import briefings
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.letters.arrived import Reply
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.settings import OBSERVER, Moderator, Seat
from pbem.faults.wrong import wrong
from pbem.paper.letters import check_signature, read_letter, sign_letter
from pbem.post.calendar import Appointment, calendar
from pbem.post.extract import extract
from pbem.post.outbox import Posting, write_outbox
from pbem.post.outgoing import Correspondent
from pbem.post.parcels import Parcel, invitation_parcel, receipt_parcel, reminder_parcel
from pbem.post.reports import pictures_of, report_parcels
from pbem.report.blocks import parsed_blocks
from pbem.report.formats.escaping import JOINER
from pbem.report.picture import MAIL_WIDTH
from pbem.seal.box import unpad, unseal
from tests.report.campaign_table import SEATS, OpenTable, send

SENDER = Correspondent("anna@example.org", "Anna")
ADDRESSES = {seat: f"{seat}@example.org" for seat in SEATS}
SECRET = ("♣", "♦", "♥", "♠", "Törring", "allot")


@pytest.fixture
def table(tmp_path: Path) -> OpenTable:
    """A campaign that has just begun; Louis wants his reports sealed."""
    found = OpenTable(tmp_path, seats={"louis": Seat(reports="sealed")}, scenario="introductory")
    found.join({"louis": "Jean"})
    with found.open() as campaign:
        adjudicating.adjudicate(campaign)
        campaign.save()
    return found


def posted(
    campaign: Campaign, parcels: list[Parcel], number: int = 4, sender: Correspondent = SENDER
) -> dict[str, bytes]:
    """Files of the outbox once these parcels are written."""
    folder = campaign.folder.root / "outbox"
    paths = write_outbox(folder, parcels, Posting(number, sender, campaign.now))
    assert {path.parent for path in paths} == {folder / f"{number:04d}"}
    assert sorted(paths) == sorted((folder / f"{number:04d}").iterdir())
    return {path.name: path.read_bytes() for path in paths}


def opened(data: bytes) -> EmailMessage:
    mail = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


def body_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def test_a_seat_may_have_dark_pictures(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, seats={"louis": Seat(pictures="dark")}, scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        told = briefings(campaign)
        readers = {reader: told[reader] for reader in ("louis", "frederick")}
        maps = pictures_of(readers, told[OBSERVER], campaign.folder.rules, campaign.left_out)
    ground = {reader: Image.open(BytesIO(each.data)).convert("L").getpixel((2, 2)) for reader, each in maps.items()}
    assert ground["louis"] < 100 < ground["frederick"]


def test_everybody_gets_a_report(table: OpenTable) -> None:
    with table.open() as campaign:
        files = posted(campaign, report_parcels(campaign, ADDRESSES))
    assert set(files) == {
        "frederick.eml", "frederick.txt", "frederick.report.yaml", "frederick.orders.yaml",
        "frederick.plan.yaml", "maria-theresa.plan.yaml", "louis.plan.yaml.age",
        "maria-theresa.eml", "maria-theresa.txt", "maria-theresa.report.yaml", "maria-theresa.orders.yaml",
        "louis.eml", "louis.txt", "louis.report.txt.age", "louis.report.yaml.age", "louis.orders.yaml.age",
        "moderator.txt", "moderator.report.yaml", "observer.txt", "observer.report.yaml",
        "forum.bbcode.txt", "forum.md", "forum.map.png", "louis.report.html.age",
        "frederick.html", "maria-theresa.html", "moderator.html", "observer.html",
    }  # fmt: skip
    mail = opened(files["frederick.eml"])
    assert (mail["To"], mail["Subject"]) == (
        "frederick@example.org",
        "[vienna-1741] 0004 Turn 1, set-up: your move, by Tue 24 Nov",
    )
    assert body_of(mail).replace("\r\n", "\n") == files["frederick.txt"].decode()
    attached = {part.get_filename(): part.get_content() for part in mail.iter_attachments()}
    (event,) = Calendar.from_ical(attached.pop("deadline.ics")).events
    assert event["SUMMARY"] == "[vienna-1741] Turn 1, set-up: your move, by Tue 24 Nov"
    with table.open() as campaign:
        assert stamp(event["DTSTART"].dt) == campaign.public.deadline
    page = attached.pop("report.html")
    assert "Turn 1 of 9" in page
    names = ("report.yaml", "plan.yaml", "orders.yaml")
    assert attached == {name: files[f"frederick.{name}"] for name in names}
    check_signature(read_letter(files["frederick.report.yaml"], "report"), table.moderator.public)


@pytest.mark.parametrize("title", ["Zug 1; Österreich, «dein Zug» " * 5, "a\\" * 80, "to\r\nDo: C:\\new\\x", "𝒳" * 60])
def test_an_appointment_is_read_by_calendars(title: str) -> None:
    """Its title may contain any signs; no line of the file is longer than the standard allows."""
    now, until = datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2026, 1, 3, 20, tzinfo=ZoneInfo("Europe/Vienna"))
    data = calendar(Appointment("x@pbem.invalid", title, until), 7, now).data
    assert max(len(line) for line in data.split(b"\r\n")) <= 75
    (event,) = Calendar.from_ical(data).events
    assert (event["SUMMARY"], event["DTSTART"].dt, event["SEQUENCE"]) == (title.replace("\r", ""), until, 7)
    assert event.alarms.times[0].trigger == until - timedelta(hours=24)


def test_the_sheet_in_a_mail_can_be_answered_with(table: OpenTable) -> None:
    """The mail of a player holds the sheet, and at first plans; the signed report is told apart by its kind."""
    with table.open() as campaign:
        files = posted(campaign, report_parcels(campaign, ADDRESSES))
        found = [read_letter(each.text.encode(), "x") for each in extract(files["frederick.eml"]).letters]
        mine = [letter for letter in found if letter.sender == "frederick"]
        assert [letter.kind for letter in mine] == ["plan", "orders"], "the sheet is the attached file"
        signed = sign_letter(mine[1].text, table.players["frederick"].key)
        assert adjudicating.take_letter(campaign, read_letter(signed.encode(), "x")).status == "final"


def test_a_sealed_report_shows_nothing_but_a_cover(table: OpenTable) -> None:
    with table.open() as campaign:
        parcels = report_parcels(campaign, ADDRESSES)
        files = posted(campaign, parcels)
    (mine,) = (parcel for parcel in parcels if parcel.stem == "louis")
    outside = files["louis.txt"].decode() + files["louis.eml"].decode("ascii") + body_of(opened(files["louis.eml"]))
    assert "sealed to your key" in outside
    assert not any(secret in outside for secret in SECRET)
    key = table.players["louis"].key
    text, report, plan, sheet, page = (
        unpad(unseal(key, files[f"louis.{name}.age"].decode())).decode()
        for name in ("report.txt", "report.yaml", "plan.yaml", "orders.yaml", "report.html")
    )
    assert text == mine.text
    assert "Törring" in text
    assert "Törring" in page
    assert [report, plan, sheet] == [each.data.decode() for each in mine.files]
    attached = [part.get_filename() for part in opened(files["louis.eml"]).iter_attachments()]
    names = ["report.txt.age", "report.yaml.age", "plan.yaml.age", "orders.yaml.age", "report.html.age"]
    assert attached == [*names, "deadline.ics"]


def test_lengths_of_sealed_reports_tell_nothing(table: OpenTable) -> None:
    """A report that differs by a few cards and troops has boxes of the same length."""
    lengths = set()
    with table.open() as campaign:
        (mine,) = (parcel for parcel in report_parcels(campaign, ADDRESSES) if parcel.stem == "louis")
        for number, more in enumerate(("", " ♣7/1, ♣8/1, a Reserve" * 3)):
            files = posted(campaign, [replace(mine, blocks=(*mine.blocks, *parsed_blocks(more)))], 4 + number)
            lengths.add(len(unseal(table.players["louis"].key, files["louis.report.txt.age"].decode())))
    assert len(lengths) == 1


def test_a_moderator_who_plays_is_shown_no_hands(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, moderator=Moderator("Anna", seat="louis"), scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        files = posted(campaign, report_parcels(campaign, {}))
    assert not [name for name in files if name.startswith("moderator") or name.endswith(".eml")]


def test_private_files_are_private_and_the_thread_is_not(table: OpenTable) -> None:
    with table.open() as campaign:
        posted(campaign, report_parcels(campaign, ADDRESSES))
        paths = list((campaign.folder.root / "outbox" / "0004").iterdir())
    assert {path.name for path in paths if stat.S_IMODE(path.stat().st_mode) & 0o077} == {
        "forum.bbcode.txt",
        "forum.md",
        "forum.map.png",
    }


def test_the_thread_holds_the_observers_report(table: OpenTable) -> None:
    with table.open() as campaign:
        send(table, campaign, "louis", "message", {"to": "all", "text": "[/code] [CODE]\n```\n````\n[url]x[/url]"})
        files = posted(campaign, report_parcels(campaign, ADDRESSES))
    bbcode, markdown = files["forum.bbcode.txt"].decode(), files["forum.md"].decode()
    assert bbcode.count("[code]") == bbcode.count("[/code]") > 2
    assert f"[{JOINER}/code] [{JOINER}CODE]" in bbcode
    assert markdown.startswith("# Turn 1 of 9, set-up")
    for post in (bbcode, markdown):
        letters = [read_letter(each.text.encode(), "x") for each in extract(post.encode()).letters]
        assert [letter.kind for letter in letters] == ["report"]
        check_signature(letters[0], table.moderator.public)


def test_writing_again_gives_the_same(table: OpenTable) -> None:
    with table.open() as campaign:
        first = posted(campaign, report_parcels(campaign, ADDRESSES))
        again = posted(campaign, report_parcels(campaign, ADDRESSES))
    boxes = {name for name in first if name.endswith(".age")} | {"louis.eml"}
    assert {name: data for name, data in first.items() if name not in boxes} == {
        name: data for name, data in again.items() if name not in boxes
    }


def test_a_bad_address_costs_its_reader_the_mail_and_nobody_else_anything(table: OpenTable) -> None:
    bad = "louis@example.org\nBcc: eve@example.org"
    posting = Posting(4, SENDER, table.now)
    with table.open() as campaign:
        good = posted(campaign, report_parcels(campaign, ADDRESSES))
        shutil.rmtree(campaign.folder.root / "outbox" / "0004")
        paths = write_outbox(campaign.folder.outbox, report_parcels(campaign, ADDRESSES | {"louis": bad}), posting)
    assert set(good) - {path.name for path in paths} == {"louis.eml"}
    (told,) = posting.left_out
    assert told.code == "E-POST-LEFT"
    assert "louis.eml" in told.sentence()


def test_names_of_people_do_no_harm_in_a_mail(tmp_path: Path) -> None:
    seats = {"louis": Seat(name="Jean\nX-Evil: 1")}
    table = OpenTable(tmp_path, seats=seats, moderator=Moderator("Anna\nBcc: eve@example.org"), scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        sender = Correspondent("a@b.org", "A\r\nBcc: e@x.org")
        files = posted(campaign, report_parcels(campaign, ADDRESSES), sender=sender)
    mail = opened(files["louis.eml"])
    assert mail["Bcc"] is None
    assert mail["X-Evil"] is None


def test_receipts_answer_the_mail_and_are_sealed_where_reports_are(table: OpenTable) -> None:
    with table.open() as campaign:
        parcels = []
        for player in ("louis", "frederick"):
            text = table.players[player].orders(campaign.state)
            receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "x"))
            parcels.append(receipt_parcel(campaign, Reply(receipt, message_id="<1@example.org>"), ADDRESSES))
        nobody = adjudicating.refuse_raw(campaign, "ab" * 32, [wrong("E-LETTER-FORM")])
        parcels.append(receipt_parcel(campaign, Reply(nobody), {"": "stranger@example.org"}))
        files = posted(campaign, parcels)
    names = {name.partition("-receipt-")[0] for name in files}
    assert names == {"louis", "frederick", "unknown"}
    (sealed,) = (name for name in files if name.startswith("louis") and name.endswith("receipt.txt.age"))
    assert "Törring" in unpad(unseal(table.players["louis"].key, files[sealed].decode())).decode()
    assert not any("Törring".encode() in data for data in files.values())
    mails = {name.partition("-")[0]: opened(data) for name, data in files.items() if name.endswith(".eml")}
    assert mails["frederick"]["In-Reply-To"] == "<1@example.org>"
    assert mails["unknown"]["To"] == "stranger@example.org"


def test_invitations_and_reminders(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, seats={"louis": Seat("Jean", reports="sealed")}, scenario="introductory")
    with table.open() as campaign:
        invitations = [invitation_parcel(campaign, seat, campaign.rules.seats, ADDRESSES) for seat in SEATS]
        files = posted(campaign, invitations, 1)
    assert {"louis-invitation.eml", "louis-invitation.invitation.yaml", "louis-invitation.join.yaml"} <= set(files)
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        campaign.now = campaign.now.replace(day=campaign.now.day + 3)
        due = rulings.remind(campaign)
        reminders = [reminder_parcel(campaign, reminder, ADDRESSES) for reminder in due]
        files = posted(campaign, reminders, 7)
        assert reminder_parcel(campaign, replace(due[0], why="wait"), ADDRESSES).appointment is None
        now = campaign.state.stage
    assert {name for name in files if name.endswith(".eml")} == {f"{seat}-reminder.eml" for seat in SEATS}
    assert "are not in yet" in files["louis-reminder.txt"].decode()
    assert "orders:" not in files["louis-reminder.txt"].decode(), "a sheet shows cards of the hand"
    mail = opened(files["frederick-reminder.eml"])
    (found,) = extract(files["frederick-reminder.eml"], "frederick-reminder.eml").letters
    assert found.letter
    assert (found.letter.kind, found.letter.sender, found.letter.stage) == ("orders", "frederick", now)
    assert "orders.yaml of the last report" in mail.get_body(("plain",)).get_content().replace("\r\n# ", " ")
    assert [part.get_filename() for part in mail.iter_attachments()] == ["deadline.ics"]


def test_a_mail_holds_the_same_as_a_page_with_its_picture(table: OpenTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.report.maps.MAIL_WIDTH", MAIL_WIDTH)
    with table.open() as campaign:
        files = posted(campaign, report_parcels(campaign, ADDRESSES))
    mail = opened(files["frederick.eml"])
    page = mail.get_body(("html",))
    assert page is not None
    (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert f'src="cid:{str(picture["Content-ID"]).strip("<>")}"' in page.get_content()
    assert picture.get_content() == picture_in(files["frederick.html"])
    assert len(picture.get_content()) < 450_000


def picture_in(page: bytes) -> bytes:
    """The picture that stands in a page."""
    found = re.search(rb'src="data:image/png;base64,([^"]+)"', page)
    assert found
    return base64.b64decode(found.group(1))


def test_reports_without_pictures(table: OpenTable) -> None:
    with table.open() as campaign:
        files = posted(campaign, report_parcels(campaign, ADDRESSES, with_pictures=False))
    assert not [name for name in files if "png" in name]
    assert not [name for name in files if b"<img" in files[name]]
    assert not [part for part in opened(files["frederick.eml"]).walk() if part.get_content_maintype() == "image"]


def test_a_report_without_orders_has_no_sheet(table: OpenTable) -> None:
    with table.open() as campaign:
        parcels: dict[str, Any] = {parcel.stem: parcel for parcel in report_parcels(campaign, ADDRESSES)}
    assert [each.name for each in parcels["observer"].files] == ["report.yaml"]
