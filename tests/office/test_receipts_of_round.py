"""Receipts of one round: each tells the state of the game at the round's end, and each goes once."""

from __future__ import annotations

from datetime import date, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.cli.correspondence import SEATS, Correspondence
from tests.office.post import PLAIN, PostalTable, copied
from tests.office.test_waiting import order_again, order_badly

GONE_ON = "your orders have been carried out"


@pytest.fixture(scope="module")
def agreed(tmp_path_factory: pytest.TempPathFactory) -> PostalTable:
    """A campaign with votes and with half an hour to change orders; only copies of it are played on."""
    found = PostalTable(tmp_path_factory.mktemp("agreed"))
    found.open_office(PLAIN, "--votes", "majority", "--delay", "30m")
    found.join_all()
    return found


@pytest.fixture
def voting(agreed: PostalTable, tmp_path: Path) -> PostalTable:
    return copied(agreed, tmp_path / "table")


class Evening:
    """An evening of the office, and the mails that it has sent."""

    def __init__(self, table: PostalTable) -> None:
        before = {str(mail["Message-ID"]) for mail in table.sent_mails()}
        self.told = table.evening()
        self.new = {
            seat: [mail for mail in table.mails_to(seat) if str(mail["Message-ID"]) not in before] for seat in SEATS
        }

    def receipts(self, seat: str) -> list[EmailMessage]:
        return [mail for mail in self.new[seat] if mail["X-Pbem-Kind"] == "receipt"]


def said(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


def deadline_of(table: PostalTable) -> str:
    """Return the day of the deadline as receipts tell it."""
    day = date.fromisoformat(table.json("status", table.folder.name)["deadline"].split()[1])
    return f"{day.day} {day:%B %Y}"


def test_orders_that_are_carried_out_in_the_same_round_say_so(table: PostalTable) -> None:
    for seat in SEATS:
        table.order_by_mail(seat)
    words = f"From: louis@example.org\nMessage-ID: <w@x>\nReferences: {table.sent_mails()[0]['References']}\n\nHello!\n"
    table.drop(words.encode(), "9.words")
    evening = Evening(table)
    assert "on to turn 1 (hussars)" in evening.told
    for seat in SEATS:
        (receipt,) = [mail for mail in evening.receipts(seat) if mail["In-Reply-To"] != "<w@x>"]
        assert GONE_ON in said(receipt)
        assert "Deadline" not in said(receipt)
        assert "(Turn 1, set-up)" in str(receipt["Subject"])
    (answer,) = [mail for mail in evening.receipts("louis") if mail["In-Reply-To"] == "<w@x>"]
    assert "(Turn 1, hussars)" in str(answer["Subject"])
    assert "Nothing is asked of you now." in said(answer)


def test_a_deadline_that_a_vote_has_moved_is_told_by_all_receipts_of_the_round(voting: PostalTable) -> None:
    table, report = voting, voting.sent("louis.report.yaml")
    old = deadline_of(table)
    table.run("propose", "time", "2", "--report", report, "-o", "louis/p.yaml", as_="louis")
    table.post_letter("louis", "louis/p.yaml")
    (proposed,) = Evening(table).receipts("louis")
    assert "proposal put to the vote" in str(proposed["Subject"])
    assert f"{old}, 20:00" in said(proposed)
    name = table.sent("frederick.report.yaml")
    table.run("message", "all", "Take your time", "-o", "maria-theresa/m.yaml", as_="maria-theresa")
    table.post_letter("maria-theresa", "maria-theresa/m.yaml")
    table.run("vote", proposal_in(table), "yes", "--report", name, "-o", "frederick/v.yaml", as_="frederick")
    table.post_letter("frederick", "frederick/v.yaml")
    evening, new = Evening(table), deadline_of(table)
    assert new != old
    for seat in ("maria-theresa", "frederick"):
        (receipt,) = evening.receipts(seat)
        text = said(receipt)
        assert f"{new}, 20:00" in text
        assert old not in text


def proposal_in(table: PostalTable) -> str:
    """Return the number of the entry of the open proposal."""
    kinds = [path for path in sorted((table.folder / "ledger").glob("*.yaml")) if "kind: proposal" in path.read_text()]
    return str(int(kinds[-1].name.partition("-")[0]))


def test_orders_say_until_when_they_can_be_changed_and_no_report_promises_more(voting: PostalTable) -> None:
    table = voting
    for seat in SEATS:
        table.order_by_mail(seat)
    evening = Evening(table)
    until = f"{table.now + timedelta(minutes=30):%H:%M}"
    for seat in SEATS:
        (receipt,) = evening.receipts(seat)
        text = said(receipt)
        assert "All orders are in. You can replace these until" in text, "the first letter was taken before the others"
        assert f", {until} (UTC)" in text
        assert GONE_ON not in text
    table.now += timedelta(minutes=31)
    first = (table.now + timedelta(days=9)).date()
    table.moderate("absent", "louis", str(first), str(first), "--why", "travels")
    evening = Evening(table)
    assert "on to turn 1 (hussars), reports: 4" in evening.told
    for seat in SEATS:
        (report,) = evening.new[seat]
        assert "hussars" in str(report["Subject"])
        assert "travels" in said(report)


def test_an_absence_and_the_orders_of_one_round_are_told_by_one_report(table: PostalTable) -> None:
    for seat in SEATS[:2]:
        table.order_by_mail(seat)
    Evening(table)
    table.order_by_mail(SEATS[2])
    first = (table.now + timedelta(days=9)).date()
    table.moderate("absent", "louis", str(first), str(first), "--why", "travels")
    evening = Evening(table)
    assert "on to turn 1 (hussars), reports: 4" in evening.told
    for seat in SEATS:
        (report,) = (mail for mail in evening.new[seat] if mail["X-Pbem-Kind"] == "report")
        assert "hussars" in str(report["Subject"])
        assert "travels" in said(report)


def test_letters_that_are_taken_by_hand_tell_what_all_of_them_led_to(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--delay", "30m")
    table.join()
    files = []
    for seat in SEATS:
        files.append(table.sheet(seat))
        table.run("sign", files[-1], as_=seat)
    answers = table.accept(*files)
    for answer in answers:
        (path,) = [table.root / name for name in answer["files"] if name.endswith(".txt")]
        assert "All orders are in. You can replace these until" in " ".join(path.read_text().split())


def test_an_agreement_that_not_all_sign_before_the_game_goes_on_does_not_count(table: PostalTable) -> None:
    agree(table)
    for seat in SEATS:
        table.order_by_mail(seat)
    evening = Evening(table)
    assert "on to turn 1 (hussars)" in evening.told
    (agreed,) = [text for mail in evening.receipts("louis") if "an agreement" in (text := said(mail))]
    assert "Not all have signed the same before the game went on, so it does not count." in agreed
    assert "It counts once" not in agreed


def offers_in(evening: Evening) -> list[EmailMessage]:
    return [mail for mails in evening.new.values() for mail in mails if mail["X-Pbem-Kind"] == "offer"]


def test_an_offer_is_made_with_the_deadline_that_the_round_has_moved(voting: PostalTable) -> None:
    table, old = voting, deadline_of(voting)
    table.run("propose", "time", "2", "--report", table.sent("louis.report.yaml"), "-o", "louis/p.yaml", as_="louis")
    table.post_letter("louis", "louis/p.yaml")
    table.evening()
    for seat in ("frederick", "maria-theresa"):
        name = table.sent(f"{seat}.report.yaml")
        table.run("vote", proposal_in(table), "yes", "--report", name, "-o", f"{seat}/v.yaml", as_=seat)
        table.post_letter(seat, f"{seat}/v.yaml")
    agree(table)
    offers, new = offers_in(Evening(table)), deadline_of(table)
    assert new != old
    assert offers
    assert all(new in said(offer) and old not in said(offer) for offer in offers)


def agree(table: PostalTable) -> None:
    """Louis signs an agreement with Frederick, and mails it."""
    table.run(
        "agree", "frederick", "Saxony stays neutral", "--until", "2", "-o", "louis/a.yaml",
        "--report", table.sent("louis.report.yaml"), as_="louis",
    )  # fmt: skip
    table.post_letter("louis", "louis/a.yaml")


def test_one_mail_in_place_of_two_answers_tells_the_state_at_the_end_as_well(table: PostalTable) -> None:
    order_badly(table)
    order_again(table)
    for seat in ("frederick", "maria-theresa"):
        table.order_by_mail(seat)
    evening = Evening(table)
    assert "on to turn 1 (hussars)" in evening.told
    (joint,) = evening.receipts("louis")
    assert "1 taken, 1 refused" in str(joint["Subject"])
    assert GONE_ON in said(joint)
    assert "send it again" not in said(joint)


def number_of_report(table: PostalTable, seat: str) -> str:
    """The number in the subject of the newest report to a player."""
    subjects = [str(mail["Subject"]) for mail in table.mails_to(seat) if mail["X-Pbem-Kind"] == "report"]
    return max(subject.split()[1] for subject in subjects)


def test_receipts_name_the_report_that_tells_how_the_game_stands(table: PostalTable) -> None:
    sheets = {seat: Path(table.sheet(seat)).read_text() for seat in SEATS}
    for seat in SEATS:
        table.order_by_mail(seat)
    evening, (asked, *_) = Evening(table), table.owing()
    newest = number_of_report(table, asked)
    (taken,) = evening.receipts(asked)
    assert said(taken).count(f"Your newest report ({newest})") == 1
    (table.root / asked / "old.yaml").write_text(sheets[asked])
    table.run("sign", "--renumber", f"{asked}/old.yaml", as_=asked)
    table.post_letter(asked, f"{asked}/old.yaml")
    (refused,) = Evening(table).receipts(asked)
    assert number_of_report(table, asked) == newest
    assert said(refused).count(f"the sheet of your newest report ({newest})") == 1
