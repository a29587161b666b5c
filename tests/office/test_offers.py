"""Offers of agreements that wait until their reader may get more of them."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from email.message import EmailMessage

import pytest

from tests.cli.correspondence import NAME, SEATS
from tests.office.post import ADDRESSES, PostalTable

EVE = "eve@example.org"


def agree(table: PostalTable, seat: str, partner: str, *texts: str) -> None:
    """Post an agreement of a seat with another one for each text."""
    report = table.sent(f"{seat}.report.yaml")
    for number, text in enumerate(texts):
        path = f"{seat}/a{number}.yaml"
        table.run("agree", partner, text, "--report", report, "-o", path, as_=seat)
        table.post_letter(seat, path)


def offers_to(table: PostalTable, address: str) -> list[EmailMessage]:
    return [mail for mail in table.sent_mails(to=address) if mail["X-Pbem-Kind"] == "offer"]


def kinds_to(table: PostalTable, seat: str) -> Counter[str]:
    """Count the mails to a seat by kind."""
    return Counter(str(mail["X-Pbem-Kind"]) for mail in table.mails_to(seat))


@pytest.fixture
def flooded(table: PostalTable) -> PostalTable:
    """A table where Louis offers more to Frederick than a day has room for: three of five offers wait."""
    with (table.root / "mail.yaml").open("a") as file:
        file.write("per-day: 10\n")
    agree(table, "louis", "frederick", *(f"Word {number}" for number in range(5)))
    told = table.evening()
    assert "letters taken: 5" in told
    assert "waiting: 3; failed: 0" in told
    assert len(offers_to(table, ADDRESSES["frederick"])) == 2
    return table


def test_the_rest_goes_a_day_later(flooded: PostalTable) -> None:
    for waiting in (1, 0):
        flooded.now += timedelta(days=1, minutes=1)
        assert f"waiting: {waiting}" in flooded.evening()
    assert len({str(mail["Message-ID"]) for mail in offers_to(flooded, ADDRESSES["frederick"])}) == 5


def test_another_player_has_a_share_of_the_same_reader(flooded: PostalTable) -> None:
    agree(flooded, "maria-theresa", "frederick", "Leave Saxony alone")
    flooded.evening()
    said = [str(mail) for mail in offers_to(flooded, ADDRESSES["frederick"])]
    assert len(said) == 3
    assert "Leave Saxony alone" in said[-1] + said[-2] + said[-3]


def test_offers_take_no_room_from_reports(table: PostalTable) -> None:
    # An invitation, a receipt and a report have gone out today, and a receipt and a report follow.
    with (table.root / "mail.yaml").open("a") as file:
        file.write("per-day: 5\n")
    for offerer in ("louis", "maria-theresa"):
        agree(table, offerer, "frederick", "One", "Two")
        table.evening()
    assert len(offers_to(table, ADDRESSES["frederick"])) == 2
    for seat in SEATS:
        table.order_by_mail(seat)
    assert "on to turn 1 (hussars)" in table.evening()
    assert kinds_to(table, "frederick") == {"invitation": 1, "receipt": 2, "report": 2, "offer": 2}


@pytest.mark.parametrize("is_over", [True, False])
def test_an_offer_that_outlasts_its_stage_or_the_deadline_is_dropped_without_a_word(
    flooded: PostalTable, *, is_over: bool
) -> None:
    table = flooded
    if is_over:
        for seat in SEATS:
            table.order_by_mail(seat)
        told = table.evening()
        assert "on to turn 1 (hussars)" in told
    else:
        table.now += timedelta(days=6)
        assert table.json("status", NAME)["phase"] == "running"
        told = table.evening()
    assert "waiting: 0; failed: 0" in told
    assert "W-OFFICE-FAILED" not in told
    assert "W-OFFICE-MANY" not in told
    table.now += timedelta(days=1, minutes=1)
    table.evening()
    assert len(offers_to(table, ADDRESSES["frederick"])) == 2


def test_an_offer_that_waits_does_not_go_to_a_player_who_has_lost_the_seat(flooded: PostalTable) -> None:
    table = flooded
    table.run("key", "new", "--no-passphrase", as_="eve")
    new = ("--new-key", "eve/key.pub", "--name", "Eve", "--address", EVE, "--why", "gone")
    table.moderate("substitute", "frederick", *new)
    for _ in range(2):
        table.now += timedelta(days=1, minutes=1)
        told = table.evening()
    assert len(offers_to(table, ADDRESSES["frederick"])) == 2
    assert "failed: 0" in told


def test_an_offer_that_waits_goes_to_a_corrected_address(flooded: PostalTable) -> None:
    table = flooded
    table.moderate("invite", "--address", f"frederick={EVE}")
    for _ in range(2):
        table.evening()
        table.now += timedelta(days=1, minutes=1)
    assert len(offers_to(table, ADDRESSES["frederick"])) == 2
    assert len(offers_to(table, EVE)) == 3


def test_words_that_answer_an_offer_answer_a_mail_of_the_office(flooded: PostalTable) -> None:
    table = flooded
    for number, offer in enumerate([*offers_to(table, ADDRESSES["frederick"])] * 2):
        head = f"From: {ADDRESSES['frederick']}\nMessage-ID: <{number}@x>\nIn-Reply-To: {offer['Message-ID']}\n"
        table.drop(f"{head}\nNo thanks, {number}.\n".encode(), f"{number}.words")
    table.evening()
    said = [str(mail) for mail in table.sent_mails(to="moderator@")]
    assert sum("No thanks" in each for each in said) == 4
