"""Refusals quote the line of the letter that they refuse, and nothing that may be secret."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.found import FoundLetter
from pbem.post.extract import extract
from tests.cli.correspondence import NAME
from tests.office.post import PostalTable, read_mail
from tests.office.test_receipts_of_round import Evening, said


def refused(table: PostalTable, old: str, new: str, *, is_signed: bool = True) -> str:
    """The receipt of orders of Louis in which something was changed."""
    table.sheet("louis")
    path = table.root / "louis" / "orders.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    if is_signed:
        table.run("sign", "louis/orders.yaml", as_="louis")
    table.post_letter("louis", "louis/orders.yaml")
    (receipt,) = Evening(table).receipts("louis")
    found = [each.letter for each in extract(receipt.as_bytes(), "mail").letters]
    assert [letter.kind for letter in found if letter] == ["receipt"], "a quoted line is no letter"
    assert len(found) == 1
    return said(receipt)


def test_a_receipt_quotes_the_line_of_an_order_that_is_refused(table: PostalTable) -> None:
    told = refused(table, "allot: {Törring: 5}", "allot: {Törring: many}")
    assert re.search(r"\d+:\d+ “allot: {Törring: many}”: E-", told)


@pytest.mark.parametrize("new", ["kind: unheard-of", "kind: [orders]"])
def test_a_receipt_quotes_the_line_of_a_head_that_cannot_be_read(table: PostalTable, new: str) -> None:
    old = "kind: orders"
    told = refused(table, old, new, is_signed=False)
    assert f"“{new}”" in told


@pytest.mark.parametrize("kind", ["join", "reveal", "key-change", "succession"])
def test_a_letter_that_may_hold_secrets_is_not_quoted(kind: str) -> None:
    faults = [Fault.at(12, 1, wrong("E-LETTER-FORM"))]
    text = "pbem: 1\nkind: {}\nsalt: secret\n"
    assert FoundLetter(text.format("orders"), "", 10).quoted(faults) == {12: "salt: secret"}
    assert FoundLetter(text.format(kind), "", 10).quoted(faults) == {}
    assert FoundLetter(text.format("orders"), "", 20).quoted(faults) == {}, "the place is in another part"


def test_a_command_quotes_the_line_of_a_head_that_is_refused(table: PostalTable) -> None:
    path: Path = table.root / "bad.yaml"
    path.write_text(f"pbem: 1\nkind: orders\ncampaign: {NAME}\nfrom: louis\nseq: many\nbody: {{}}\n")
    told = table.run("check", "bad.yaml", as_="louis", code=1).output
    assert "bad.yaml:5:6: E-LETTER-SEQ" in told
    assert "    “seq: many”\n" in told


@pytest.mark.parametrize(("file", "enclosed"), [("hello.yaml", "hello.yaml"), ("grüß dich.yaml", "letter.yaml")])
def test_a_mail_of_an_office_encloses_a_letter_under_the_name_that_the_terminal_prints(
    table: PostalTable, file: str, enclosed: str
) -> None:
    table.open_desk("louis")
    table.bring("louis", *table.mails_to("louis"))
    table.desk("louis")
    said = table.run("message", "all", "Hello", "-o", f"louis/files/{file}", "--campaign", NAME, as_="louis").output
    assert f"{file}: to " in said
    assert "mails sent: 1" in table.desk("louis")
    (mail,) = (read_mail(path.read_bytes()) for path in (table.root / "louis" / "sent").glob("*.eml"))
    assert [part.get_filename() for part in mail.iter_attachments()] == [enclosed]
    body = mail.get_body(("plain",))
    assert body
    assert f"is attached: {enclosed}." in body.get_content()
