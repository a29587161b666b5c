"""Mails that we write: always the same bytes, safe in every line, and read back as they were meant."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from pbem.paper.documents.faults import Refused
from pbem.paper.found import is_address
from pbem.paper.letters import check_signature, read_letter, write_signed
from pbem.post.calendar import bbcode_block, markdown_block
from pbem.post.extract import extract
from pbem.post.mailbox import split_mailbox
from pbem.post.outgoing import Correspondent, Enclosure, OutgoingMail, as_sent, eml, message_id
from tests.campaign.simulated import new_key
from tests.post.copies import LETTERS
from tests.trying import tries

SIGNED = LETTERS["signed"]
PLAIN = OutgoingMail(
    sender=Correspondent("moderator@example.org", "Vienna 1741"),
    to=Correspondent("louis@example.org", "Louis"),
    subject="Vienna 1741: stage 3, France",
    date=datetime(2026, 11, 2, 18, tzinfo=UTC),
    message_id=message_id("example.org", "vienna-1741", "42", "louis"),
    text=f"Your sheet.\nFrom Berlin to Prague.\n.\n{SIGNED}",
)
THREAD = message_id("example.org", "vienna-1741", "thread")
FULL = structs.replace(
    PLAIN,
    html="<p>Your sheet – <img src='cid:map.png'>\nFrom Berlin",
    pictures=(Enclosure("map.png", "image/png", b"\x89PNG" + bytes(300)),),
    attachments=(
        Enclosure("orders.yaml", "application/yaml", SIGNED.encode()),
        Enclosure("sheet.txt", "text/plain", SIGNED.encode()),
    ),
    answers="<a1@example.org>",
    thread=THREAD,
    list_id="<vienna-1741.pbem.example.org>",
)


def read(raw: bytes) -> EmailMessage:
    return email.message_from_bytes(raw, policy=email.policy.default)


def text_of(mail: EmailMessage) -> str:
    """Text of a mail as its reader sees it."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def test_the_same_letter_makes_the_same_bytes() -> None:
    assert eml(FULL) == eml(structs.replace(FULL))
    assert eml(FULL) != eml(PLAIN)


def test_a_mail_has_its_parts_in_their_places() -> None:
    mail = read(eml(FULL))
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "application/yaml",
        "text/plain",
    ]
    assert [part["Content-ID"] for part in mail.walk() if part["Content-ID"]] == ["<map.png>"]
    assert [part.get_filename() for part in mail.iter_attachments()] == ["orders.yaml", "sheet.txt"]
    assert mail["In-Reply-To"] == "<a1@example.org>"
    assert mail["References"] == f"{THREAD} <a1@example.org>"
    assert mail["List-Id"] == "<vienna-1741.pbem.example.org>"
    assert mail["Auto-Submitted"] == "auto-replied"
    assert read(eml(PLAIN))["Auto-Submitted"] == "auto-generated"
    assert mail["X-Auto-Response-Suppress"] == read(eml(PLAIN))["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    by_hand = read(eml(structs.replace(PLAIN, is_automatic=False)))
    assert not {"Auto-Submitted", "X-Auto-Response-Suppress"}.intersection(by_hand.keys())


def test_a_draft_is_sent_as_the_mail_that_it_would_be() -> None:
    draft = eml(structs.replace(FULL, is_draft=True))
    assert read(draft)["X-Unsent"] == "1"
    assert as_sent(draft) == as_sent(eml(FULL)) == eml(FULL)


def test_the_text_is_read_back() -> None:
    assert text_of(read(eml(FULL))) == PLAIN.text
    got = extract(eml(FULL))
    assert [letter.text for letter in got.letters] == [SIGNED]
    assert got.envelope.sender == "moderator@example.org"
    assert got.envelope.is_automatic


def check_lines(raw: bytes) -> None:
    """Check the lines that every mail of ours promises to those that carry it."""
    assert raw.isascii()
    assert b"\r" not in raw.replace(b"\r\n", b"")
    for line in raw.split(b"\r\n"):
        assert len(line) <= 998
        assert b"\n" not in line
        assert not line.startswith(b"From ")


def test_an_mbox_full_of_our_mails_is_taken_apart() -> None:
    box = b"".join(b"From us\n" + eml(each).replace(b"\r\n", b"\n") + b"\n" for each in (PLAIN, FULL))
    got = [extract(message.data) for message in split_mailbox(box)]
    assert [[letter.text for letter in each.letters] for each in got] == [[SIGNED], [SIGNED]]


names = st.one_of(
    st.text(max_size=120),
    st.text('"<>@,;:()[]\\=?_ \r\n\tab.é\u202e', max_size=90),
    st.sampled_from(["=?utf-8?q?x=0D=0ABcc:_a=40b?=", "a\r\nBcc: x@y.z", '"', "\\", "<a@b.c>,", "x" * 500, "é" * 200]),
)


@tries(50)
@given(names, names, names)
def test_no_name_and_no_subject_does_harm(sender: str, reader: str, subject: str) -> None:
    raw = eml(
        structs.replace(
            PLAIN,
            sender=Correspondent("moderator@example.org", sender),
            to=Correspondent("louis@example.org", reader),
            subject=subject,
        )
    )
    check_lines(raw)
    mail = read(raw)
    assert sorted(mail.keys()) == sorted(read(eml(PLAIN)).keys())
    assert [address.addr_spec for address in mail["To"].addresses] == ["louis@example.org"]
    assert [address.addr_spec for address in mail["From"].addresses] == ["moderator@example.org"]
    assert extract(raw).envelope.sender == "moderator@example.org"
    assert [letter.text for letter in extract(raw).letters] == [SIGNED]


@pytest.mark.parametrize(
    "subject",
    [
        "[demo] 0029 Turn 1, stage of the Imperial Army: nothing is asked of you",
        "[demo] 0005 Turno 1, despliegue inicial: te toca, hasta el sáb 28 nov",
        "[demo] 0019 Runde 1, Zug Österreichs: Du bist nicht am Zug, und noch mehr Österreich in zwei Zeilen",
    ],
)
def test_a_folded_subject_has_no_blank_too_many(subject: str) -> None:
    raw = eml(structs.replace(PLAIN, subject=subject))
    assert read(raw)["Subject"] == subject
    (head,) = re.findall(rb"(?m)^Subject:(?:.+\r\n(?= ))*.+", raw)
    assert re.match(rb"Subject: \S", head)
    assert all(len(line) <= 78 for line in head.split(b"\r\n"))


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=400), st.text(st.characters(codec="utf-8"), max_size=400))
def test_any_text_and_page_arrives(text: str, html: str) -> None:
    raw = eml(structs.replace(PLAIN, text=text, html=html))
    check_lines(raw)
    wanted = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    assert text_of(read(raw)).removesuffix("\n") == wanted


@settings(deadline=None)
@given(st.text(max_size=60), st.binary(max_size=100))
def test_any_file_name_is_made_harmless(name: str, data: bytes) -> None:
    raw = eml(structs.replace(PLAIN, attachments=(Enclosure(name, "application/octet-stream", data),)))
    check_lines(raw)
    (part,) = read(raw).iter_attachments()
    assert part.get_content() == data
    found = part.get_filename()
    assert found
    assert not set(found) & set("/\\:\"' \n")
    assert not found.startswith(".")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "louis",
        "a@b@c",
        "a b@c.de",
        "a@b.c\r\nBcc: x@y.z",
        "a@b.c, x@y.z",
        "<a@b.c>",
        "ä@b.c",
        "a@-b",
        "a..b@c.d",
        "=?utf-8?q?=C3=BC?=@b.c",
        "=?utf-8?q?a?=@b.c",
        "=?x?b?y?=@b.c",
        f"{'a' * 65}@b.c",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    assert not is_address(address)
    with pytest.raises(Refused) as refused:
        eml(structs.replace(PLAIN, to=Correspondent(address)))
    assert [fault.code for fault in refused.value.faults] == ["E-MAIL-ADDRESS"]
    assert "\n" not in str(refused.value)


@settings(deadline=None)
@given(st.from_regex(r"[=?a-z_.!#$%&'*+/^`{|}~-]{1,30}@[a-z.-]{1,10}", fullmatch=True))
def test_to_what_is_an_address_a_mail_can_be_written(address: str) -> None:
    if is_address(address):
        mail = read(eml(structs.replace(PLAIN, to=Correspondent(address, "Louis"))))
        assert [each.addr_spec for each in mail["To"].addresses] == [address]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"message_id": "<a@b>\r\nBcc: x@y.z"}, "E-MAIL-ID"),
        ({"attachments": (Enclosure("a", "text/plain\r\nX: y", b""),)}, "E-MAIL-MEDIA"),
    ],
)
def test_headers_of_our_own_making_are_checked_too(change: dict[str, object], code: str) -> None:
    with pytest.raises(Refused) as refused:
        eml(structs.replace(PLAIN, **change))
    assert [fault.code for fault in refused.value.faults] == [code]


def test_an_answer_to_nonsense_names_nothing() -> None:
    assert read(eml(structs.replace(PLAIN, answers="<x>\r\nBcc: a@b.c")))["In-Reply-To"] is None


@pytest.mark.parametrize("letter", LETTERS.values(), ids=LETTERS.keys())
def test_blocks_for_forums_are_read_back(letter: str) -> None:
    for block in (bbcode_block(letter), markdown_block(letter)):
        assert [found.text for found in extract(f"Hello\n\n{block}\nGood bye\n".encode()).letters] == [letter]


def test_a_fence_is_longer_than_any_in_the_letter() -> None:
    letter = LETTERS["unsigned"].replace("For the King", "For ```` the King")
    assert markdown_block(letter).startswith("`````yaml\n")
    assert extract(markdown_block(letter).encode()).letters[0].text == letter


@pytest.mark.parametrize("block", [bbcode_block, markdown_block])
@pytest.mark.parametrize("tag", ["[/code]", "[/CODE=x]", "\\\\[code", "[quote]", "[/pre] [spoiler=x]"])
def test_a_letter_that_would_end_its_block_is_spelled_otherwise_there(block: Callable[[str], str], tag: str) -> None:
    key = new_key("anna")
    head: dict[str, str | int] = {"kind": "message", "campaign": "vienna-1741", "from": "louis", "seq": 3}
    letter = write_signed(head, {"to": "all", "text": f'For {tag} the "King"\nand {tag}', "code": [tag, "code"]}, key)
    post = block(letter)
    assert not re.search(r"\[(?=/?[a-z])", post.partition("\n")[2].removesuffix("[/code]\n"), re.IGNORECASE)
    for page in (post, f"[quote]Hello[/quote]\n{post}\nGood bye [/code]\n"):
        (found,) = extract(page.encode()).letters
        assert found.letter
        assert found.letter.tree == read_letter(letter.encode(), "letter").tree
        check_signature(found.letter, key.public)


def test_what_is_no_document_is_not_posted_with_the_end_of_its_block_in_it() -> None:
    with pytest.raises(Refused):
        bbcode_block("For [/code] the King: x: y")
