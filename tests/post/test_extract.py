"""Letters come out of every dress as they went in, and nothing that comes in makes the reader stumble or wait."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.paper.letters import read_letter
from pbem.post.extract import MOST_LETTERS, Extraction, extract
from pbem.post.hand_votes import with_plain_votes
from pbem.post.mailbox import MOST_BYTES
from tests.post.copies import LETTERS, copies
from tests.post.dresses import SHAPES, WAYS, Dress, letters, quoted
from tests.trying import tries

RAW = [copy.raw for copy in copies()]


@tries(50)
@given(letters, st.sampled_from(SHAPES), st.sampled_from(WAYS))
def test_every_dress_gives_the_letter_back(letter: str, shape: Callable[[str], str], way: Dress) -> None:
    got = extract(way(shape(letter)))
    assert [found.text for found in got.letters] == [letter]
    assert not got.faults
    assert not any(found.is_of_page for found in got.letters)


@tries(12)
@given(st.lists(letters, min_size=2, max_size=5), st.sampled_from(WAYS))
def test_several_letters_come_out_in_order_and_once(several: list[str], way: Dress) -> None:
    got = extract(way("".join(f"{letter}...\n" for letter in [*several, *several])))
    wanted = list({read_letter(letter.encode(), "x").text: letter for letter in several}.values())
    assert [found.text for found in got.letters] == wanted


def check(got: Extraction) -> None:
    """Check the properties of every outcome."""
    assert got.letters or got.unread or got.faults
    for letter in (*got.letters, *got.unread):
        assert bool(letter.letter) != bool(letter.faults)
        assert letter.line > 0
        assert letter.text.endswith("\n")
        assert letter.faults or "\r" not in letter.text
    for fault in (*got.faults, *(fault for letter in got.unread for fault in letter.faults)):
        assert fault.code.startswith(("E-MAIL-", "E-TEXT-", "E-YAML-", "E-LETTER-", "W-MAIL-"))
        assert "\n" not in str(fault.message)


@given(st.binary(max_size=2000))
def test_garbage_is_answered(raw: bytes) -> None:
    check(extract(raw))
    check(extract(b"Content-Type: text/html\n\n" + raw))
    check(extract(raw, "letter.eml"))


@tries(50)
@given(st.data())
def test_mutated_copies_are_answered(data: st.DataObject) -> None:
    raw = data.draw(st.sampled_from(RAW))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(start, min(len(raw), start + 60)))
        instead = [b"", raw[start:end] * 3, b"\n", b"\0", b"\xff", b"--xx\n", b">", b"<", b'";']
        raw = raw[:start] + data.draw(st.sampled_from(instead)) + raw[end:]
    check(extract(raw))


@tries(38)
@given(st.data())
def test_a_line_is_given_on_as_it_came_or_not_at_all(data: st.DataObject) -> None:
    lines = LETTERS["signed"].split("\n")
    at = data.draw(st.integers(1, len(lines) - 1))
    lines[at] = data.draw(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=30))
    got = extract("\n".join(lines).encode())
    for letter in got.letters:
        found = letter.text.split("\n")[:-1]
        assert found == [line if line.strip() else "" for line in lines[: len(found)]]


SIGNED = LETTERS["signed"]
MANY = "".join(SIGNED.replace("seq: 12", f"seq: {seq}") for seq in range(100, 100 + MOST_LETTERS + 5))
HOSTILE = {
    "nested boxes": b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(29))
    + b"\nx\n" * 15_000,
    "many parts": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * 23_000,
    "mails in mails": b"Content-Type: message/rfc822\n\n" * 100_000,
    "quotation marks": b"From: a@b.c\nContent-Type: text/plain" + b';";' * 600 + b"\n\nx",
    "header lines": b"From: a@b.c\nTo: x@y.z\n" + b"A: b\n" * 46_000,
    "address": b"To: a@b.c\nFrom: " + b"(" * 100_000 + b"\n\nx",
    "subject": b"To: a@b.c\nDate: x\nSubject: " + b"=?utf-8?q?a?= " * 9000 + b"\n\nx",
    "slow charset": b"From: a@b.c\nContent-Type: text/plain; charset=punycode\n\n" + b"a" * 100_000 + b"-b",
    "tags": b"<html>" + b"<a " * 100_000,
    "tag ends": b"<html>" + b"<a/" * 100_000,
    "remarks": b"<html>" + b"<!--" * 300_000,
    "scripts": b"<html>" + b"<script></p>" * 90_000,
    "entities": b"<html>" + b"&#" * 300_000 + b"&#" + b"9" * 10_000 + b";",
    "boxes": b"<html>" + b"<blockquote><p>" * 20_000,
    "spaces": b" " * 1_000_000,
    "marks": b"> " * 500_000,
    "brackets": b"[a]" * 1_000_000,
    "code tags": b"[code]\n" * 46_000,
    "heads": b"pbem: 1\n" * 46_000,
    "quoted heads": b"> pbem: 1\nx\n" * 23_000,
    "quoted orders": b">  orders:\n>   move:\n" * 23_000,
    "kinds of votes": b"kind: vote\n\n" * 70_000,
    "votes": b"- pbem: 1\n- kind: vote\n- campaign: a\n- from: b\n- body: {proposal: c, says: yes}\n" * 9_000,
    "deep letter": b"pbem: 1\nkind: " + b"[" * 500_000,
    "long letter": b"pbem: 1\nbody:\n" + b"  - a\n" * 46_000,
    "empty lines": b"\n" * 140_000,
    "dashes": b"pbem: 1\nsignature: |\n" + b"-" * 1_000_000,
    "too long": b"x" * (MOST_BYTES + 1),
    "too many lines": b"\n" * 1_000_000,
}
"""Texts a third as large as a mail may be: what takes longer than in proportion is found here too."""


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_messages_are_answered_quickly(raw: bytes) -> None:
    start = time.process_time()
    check(extract(raw))
    assert time.process_time() - start < 2


def test_more_letters_than_are_read_at_once_are_told_so() -> None:
    got = extract(MANY.encode())
    assert len(got.letters) == MOST_LETTERS
    assert [fault.code for fault in got.faults] == ["E-TEXT-MANY"]


def test_a_mail_says_who_claims_to_have_sent_it() -> None:
    raw = (
        "From: =?utf-8?q?Lou=C3=AFs?= <louis@example.org>\nTo: gm@example.org\n"
        "Subject: =?utf-8?b?QmVmZWhsZSBmw7xy?=\n =?utf-8?q?_M=C3=A4rz=0D=0A?=\n"
        "Date: Mon, 02 Nov 2026 18:00:00 +0100\nMessage-ID: <a1@example.org>\n\nhi\n"
    )
    envelope = extract(raw.encode()).envelope
    assert (envelope.sender, envelope.subject) == ("louis@example.org", "Befehle für März")
    assert envelope.date is not None
    assert envelope.date.isoformat() == "2026-11-02T17:00:00+00:00"
    assert envelope.message_id == "<a1@example.org>"
    assert not envelope.is_automatic


@pytest.mark.parametrize(
    "sender",
    ["", "nobody", "a@b@c", "a b@example.org", "<script>@example.org", "x" * 300 + "@example.org"],
)
def test_what_is_no_address_is_left_out(sender: str) -> None:
    raw = f"From: {sender}\nTo: gm@example.org\nSubject: x\n\nhi\n"
    assert extract(raw.encode()).envelope.sender == ""


def test_notes_tell_what_was_done() -> None:
    got = extract(quoted(SIGNED, "> ").encode())
    assert got.letters[0].is_quoted
    assert got.letters[0].notes == ("the marks of quotation '> ' before its lines were taken away",)


def test_parts_are_named_where_there_are_several() -> None:
    raw = next(copy.raw for copy in copies() if copy.name == "attachment")
    assert [str(letter.part) for letter in extract(raw).letters] == ["attachment 'orders.yaml'"]


def test_the_name_of_a_file_decides_what_its_first_lines_leave_open() -> None:
    text = "from: louis\nto: gm\nsubject: x\n\npbem: 2\n"
    assert extract(text.encode()).envelope.subject == "x"
    assert extract(text.encode(), "letter.yaml").envelope.subject == ""
    assert extract(f"x <pre>{SIGNED}</pre>".encode(), "letter.html").letters[0].is_of_page


HEADLESS = (
    "# Mine.\nkind: orders\ncampaign: krieg\nfrom: louis\nstage: 1/france\nbody:\n  orders:\n"
    "    france:\n      # nothing\n      move: []\n"
)


@pytest.mark.parametrize(
    ("lost", "missing"),
    [
        ("", "pbem: 1, basis"),
        ("body:\n", "pbem: 1, kind, campaign, from, stage, basis"),
        ("  orders:\n", "pbem: 1, kind, campaign, from, stage, basis, body"),
        ("    france:\n", "pbem: 1, kind, campaign, from, stage, basis, body, orders"),
    ],
    ids=["the first line", "all lines above the body", "all lines above the orders", "all but a power"],
)
def test_a_sheet_without_its_first_line_is_told_so(lost: str, missing: str) -> None:
    sheet = lost + HEADLESS.partition(lost)[2] if lost else HEADLESS
    quoted = "".join(f"> {line}\n" for line in f"pbem: 1\n{HEADLESS}".splitlines())
    for text in (sheet, f"Hello,\n\n{sheet}", f"{sheet}\nOn Monday, the moderator wrote:\n{quoted}"):
        (scrap,) = extract(f"From: a@b.example\n\n{text}".encode()).unread
        assert f"here stand orders without these lines: {missing} " in scrap.faults[0].sentence("en")
    for text in (f"Hello.\n\n{quoted}", f"Hello.\n\nFrom: Max\nSent: Monday\n\n{sheet}"):
        assert not extract(f"From: a@b.example\n\n{text}".encode()).unread


QUOTED = "> austria:\n>   # where?\n>   move:\n{}>     # - Neipperg: Linz\n"
OF_HEAD = "pbem: 1, kind, campaign, from, stage, basis"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (QUOTED.format("    - Karl: Wien\n"), f"{OF_HEAD}, body, orders"),
        (QUOTED.format("- Karl: Wien\n"), f"{OF_HEAD}, body, orders"),
        ("> kind: orders\n> campaign: krieg\n> from: louis\n> stage: 1/france\n> body:\n>   x: y\n", "pbem: 1, basis"),
        ("move:\n- Karl: Wien\n", f"{OF_HEAD}, body, orders"),
    ],
    ids=["between quoted lines", "at the margin", "a quoted head", "a section alone"],
)
def test_orders_among_quoted_lines_are_told_what_is_missing_above_them(text: str, missing: str) -> None:
    (scrap,) = extract(f"From: a@b.example\n\nHere you go.\n\n{text}".encode()).unread
    assert f"here stand orders without these lines: {missing} " in scrap.faults[0].sentence("en")


@pytest.mark.parametrize(
    "text",
    [QUOTED.format(">     - Karl: Wien\n"), QUOTED.format("Well, no.\n- Karl: why?\n"), "plans:\n- to Wien\n"],
    ids=["a report", "words below a report", "prose"],
)
def test_a_quotation_in_which_nothing_was_filled_in_is_no_letter(text: str) -> None:
    found = extract(f"From: a@b.example\n\nThanks!\n\n{text}".encode())
    assert not found.unread
    assert [fault.code for fault in found.faults] == ["E-TEXT-NONE"]


@pytest.mark.parametrize("indent", ["", "    "])
@pytest.mark.parametrize("remark", ["", "# To the point.\n"])
@pytest.mark.parametrize("below", ["-----BEGIN SSH SIGNATURE-----", "signature: |"])
def test_the_lines_of_a_signed_vote_are_left_as_they_are(indent: str, remark: str, below: str) -> None:
    vote = "pbem: 1\nkind: vote\ncampaign: krieg\nfrom: louis\nbody: {proposal: 7-ab, says: yes}  \n"
    lines = [f"{indent}{line}" for line in f"{vote}{remark}{below}".splitlines()]
    assert with_plain_votes(lines) == lines
    assert with_plain_votes(lines[:5]) == [line.strip() for line in lines[:5]]


UNSIGNED = """\
pbem: 1
kind: orders
campaign: vienna-1741
from: louis
stage: 3/france
basis: 7d2f9c1e04b1
seq: 12
body:
  orders: {france: {move: []}}
"""


@pytest.mark.parametrize("prefix", ["  ", "> "])
def test_a_line_without_the_marks_of_the_letter_above_it_is_told_what_to_put_before_it(prefix: str) -> None:
    """The line that ends the letter must have the marks itself."""
    letter = [f"{prefix}{line}" for line in UNSIGNED.splitlines()]
    (found,) = extract("\n".join(["", *letter, "See you"]).encode()).unread
    (fault,) = found.faults
    assert fault.code == "E-TEXT-MIXED"
    assert f"put {prefix!r} before it" in str(fault.hint)
    assert f"with a line {f'{prefix}...'!r}" in str(fault.hint)
    assert extract("\n".join(["", *letter, f"{prefix}...", "See you"]).encode()).letters
