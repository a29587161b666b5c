"""Offers of agreements at a player's office: signed by the moderator and by whoever offers them, else refused."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.paper.letters import read_letter, sign_letter
from pbem.seal.keys import load_private
from tests.cli.correspondence import NAME, SEATS
from tests.office.post import ADDRESSES, PostalTable
from tests.office.test_offers import agree, offers_to
from tests.office.test_players import enclosed, mail_with, with_reports

WORDS = "Leave Saxony alone until the winter"


@pytest.fixture
def offered(table: PostalTable) -> EmailMessage:
    """The offer to Louis of an agreement that Frederick has signed. The office of Louis has filed his report."""
    table.open_desk("louis")
    agree(table, "frederick", "louis", WORDS)
    table.evening()
    table.bring("louis", with_reports(table, "louis"))
    table.desk("louis")
    (mail,) = offers_to(table, ADDRESSES["louis"])
    return mail


def filed(table: PostalTable) -> Path:
    """The file by which Louis agrees, in the folder of his office."""
    (path,) = (table.root / "louis" / "files" / NAME).glob("*/agreement.yaml")
    return path


def status(table: PostalTable) -> str:
    return table.desk("louis", "mail", "status")


def test_an_offer_is_filed_and_signed_where_it_lies(table: PostalTable, offered: EmailMessage) -> None:
    table.bring("louis", offered)
    told = table.desk("louis")
    assert "W-OFFICE-UNSIGNED" not in told
    assert filed(table).read_bytes() == enclosed(offered, "agreement.yaml")
    assert "Frederick offers you an agreement, until 20" in told
    assert f"pbem sign louis/files/{NAME}/" in told
    assert "offers you an agreement" in status(table)
    table.run("sign", str(filed(table)), as_="louis")
    assert "mails sent: 1" in table.desk("louis")
    assert "your letter agrees to what Frederick offers" in status(table)
    assert "offers you an agreement" not in status(table)
    (letter,) = (path for path in (table.root / "louis" / "sent").glob("*.eml") if b"agreement" in path.read_bytes())
    table.drop(letter.read_bytes(), "louis.agreement")
    table.evening()
    assert "agreement" in [each["kind"] for each in table.json("log", NAME)]


def test_an_offer_lapses_when_orders_are_carried_out(table: PostalTable, offered: EmailMessage) -> None:
    table.bring("louis", offered)
    table.desk("louis")
    for seat in SEATS:
        table.order_by_mail(seat)
    table.evening()
    table.bring("louis", *table.mails_to("louis"))
    assert "the agreement that Frederick offered (entry" in table.desk("louis")
    assert "has lapsed" in status(table)
    assert "offers you an agreement" not in status(table)


def test_an_offer_lapses_at_the_deadline(table: PostalTable, offered: EmailMessage) -> None:
    table.bring("louis", offered)
    table.desk("louis")
    table.now += timedelta(days=30)
    assert "has lapsed" in status(table)


def changed(offer: bytes, key: bytes, old: str, new: str) -> bytes:
    """An offer in which something was changed, signed with this key."""
    letter = read_letter(offer, "offer.yaml")
    text = letter.text.partition("\nsignature:")[0] + "\n"
    assert old in text
    return sign_letter(text.replace(old, new), load_private(key, None)).encode()


def key_of(table: PostalTable, who: str) -> bytes:
    paths = [table.root / who / "key", table.root / "keys" / who, table.root / "moderator" / "key"]
    return next(path.read_bytes() for path in paths if path.is_file())


def bare(table: PostalTable, offer: EmailMessage) -> EmailMessage:
    """A mail with the letter that agrees, and nothing that the moderator has signed."""
    return mail_with("Eve <eve@example.org>", offer["Message-ID"], agreement=enclosed(offer, "agreement.yaml"))


def by_another(table: PostalTable, offer: EmailMessage) -> EmailMessage:
    """The same offer with other words, signed by a player."""
    forged = changed(enclosed(offer, "offer.yaml"), key_of(table, "frederick"), "Saxony", "Prague")
    return mail_with("Eve <eve@example.org>", offer["Message-ID"], offer=forged)


def altered(table: PostalTable, offer: EmailMessage) -> EmailMessage:
    """The offer with other words behind the moderator's signature."""
    forged = enclosed(offer, "offer.yaml").replace(b"Saxony", b"Prague")
    return mail_with("Eve <eve@example.org>", offer["Message-ID"], offer=forged)


def by_the_moderator(table: PostalTable, offer: EmailMessage) -> EmailMessage:
    """Other words than Frederick has signed, signed by the moderator."""
    forged = changed(enclosed(offer, "offer.yaml"), key_of(table, "moderator"), "Saxony", "Prague")
    return mail_with("moderator@example.org", offer["Message-ID"], offer=forged)


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        (bare, "E-OFFER-UNSIGNED"),
        (by_another, "E-OFFER-UNSIGNED"),
        (altered, "E-OFFER-UNSIGNED"),
        (by_the_moderator, "E-OFFER-WORDS"),
    ],
    ids=["bare", "by another", "altered", "by the moderator"],
)
def test_a_forged_offer_is_refused_once_and_listed_nowhere(
    table: PostalTable, offered: EmailMessage, written: object, fault: str
) -> None:
    assert callable(written)
    table.bring("louis", written(table, offered))
    told = table.desk("louis")
    assert told.count(fault) == 1
    assert "offers you an agreement" not in told + status(table)
    assert not [*(table.root / "louis" / "files" / NAME).glob("*/*agreement*")]
    assert not [*(table.root / "louis" / "files" / NAME).glob("*/*offer*")]
    table.bring("louis", offered)
    assert "offers you an agreement" in table.desk("louis"), "the true one comes later"


def test_an_offer_to_somebody_else_is_left_alone(table: PostalTable, offered: EmailMessage) -> None:
    agree(table, "louis", "maria-theresa", "Something else")
    table.evening()
    table.bring("louis", *offers_to(table, ADDRESSES["maria-theresa"]))
    assert "left alone: 1" in table.desk("louis")
    assert "offers you" not in status(table)


def test_a_sheet_beside_an_offer_that_says_something_else_is_not_filed(
    table: PostalTable, offered: EmailMessage
) -> None:
    other = enclosed(offered, "agreement.yaml").replace(b"Saxony", b"Prague")
    offer = enclosed(offered, "offer.yaml")
    table.bring("louis", mail_with("Eve <eve@example.org>", offered["Message-ID"], offer=offer, agreement=other))
    assert "W-OFFICE-UNSIGNED agreement.yaml" in table.desk("louis")
    assert filed(table).read_bytes() == enclosed(offered, "agreement.yaml")


def test_a_file_with_an_offer_is_explained(table: PostalTable, offered: EmailMessage) -> None:
    (table.root / "offer.yaml").write_bytes(enclosed(offered, "offer.yaml"))
    told = table.run("offer.yaml", as_="louis").output
    assert WORDS in told
    assert "pbem sign agreement.yaml" in told
