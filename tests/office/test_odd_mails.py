"""Letters as mail programs change them, and other mails in a mailbox: each is recognised, and nothing breaks."""

from __future__ import annotations

import base64
import binascii
import html
import os
import quopri
import re
import textwrap
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.office.incoming import IncomingMail, incoming_of
from pbem.post.mailbox import RawMessage
from tests.cli.correspondence import NAME
from tests.office.post import ADDRESSES, PLAIN, PostalTable

THREAD = f"<pbem.{NAME}.0123@example.org>"
HEAD = (
    "From: Louis <louis@example.org>\nTo: moderator@example.org\nMessage-ID: <odd@x>\n"
    f"Date: Sat, 21 Nov 2026 12:30:00 +0000\nSubject: Re: orders\nIn-Reply-To: {THREAD}\n"
)
REPORT = "> Louis, this is what happened:\n> nothing\n"


@pytest.fixture(scope="module")
def letter(settled: PostalTable, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Signed orders."""
    table = settled.copied(tmp_path_factory.mktemp("odd") / "table")
    table.run("sign", table.sheet("louis"), as_="louis")
    return (table.root / "louis" / "orders.yaml").read_text()


def plain(body: str | bytes, *head: str, kind: str = "text/plain; charset=utf-8") -> bytes:
    """A mail of one part."""
    lines = [*head, "MIME-Version: 1.0", f"Content-Type: {kind}"]
    return HEAD.encode() + "\n".join([*lines, "", ""]).encode() + (body.encode() if isinstance(body, str) else body)


def mixed(*parts: str, kind: str = "multipart/mixed") -> bytes:
    """A mail of several."""
    return plain("".join(f"--B\n{each}\n" for each in parts) + "--B--\n", kind=f'{kind}; boundary="B"')


def text(body: str) -> str:
    """A part that is shown."""
    return f"Content-Type: text/plain; charset=utf-8\n\n{body}"


def attached(name: str, body: str, kind: str = "application/octet-stream") -> str:
    """A part that is a file."""
    data = base64.encodebytes(body.encode()).decode()
    head = f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"\n'
    return f"{head}Content-Transfer-Encoding: base64\n\n{data}"


def in_divs(letter: str) -> str:
    """As web mailers write it."""
    lines = (html.escape(line).replace("  ", "&nbsp; ") or "<br>" for line in letter.splitlines())
    return f"<html><body>{''.join(f'<div>{line}</div>' for line in lines)}</body></html>"


def base64_of(letter: str, charset: str) -> bytes:
    """A text in some charset."""
    return base64.encodebytes(letter.encode(charset))


WRITTEN: dict[str, Callable[[str], bytes]] = {
    "quoted-printable": lambda it: plain(
        quopri.encodestring(it.encode()), "Content-Transfer-Encoding: quoted-printable"
    ),
    "html only": lambda it: plain(in_divs(it), kind="text/html; charset=utf-8"),
    "signature of a phone": lambda it: plain(f"{it}\n-- \nLouis\n\nSent from my phone\n"),
    "courtesies": lambda it: plain(f"Hi Max,\n\nhere they are.\n\n{it}\nCheers, Louis\n"),
    "on top": lambda it: plain(f"{it}\nOn Saturday, Max wrote:\n{REPORT}"),
    "below": lambda it: plain(f"{REPORT}\n{it}"),
    "indented": lambda it: plain("".join(f"    {line}\n" for line in it.splitlines())),
    "attached twice": lambda it: mixed(text("Here."), attached("orders.yaml", it), attached("orders (1).yaml", it)),
    "inline and attached": lambda it: mixed(text(it), attached("orders.yaml", it)),
    "attached as a text": lambda it: mixed(text("Here."), attached("orders.txt", it, "text/plain")),
    "s/mime signed": lambda it: mixed(
        text(it), attached("smime.p7s", "x", "application/pkcs7-signature"), kind="multipart/signed"
    ),
    "utf-16": lambda it: plain(
        base64_of(it, "utf-16"), "Content-Transfer-Encoding: base64", kind="text/plain; charset=utf-16"
    ),
    "unknown charset": lambda it: plain(it, kind="text/plain; charset=x-klingon"),
    "nul": lambda it: plain(it.replace("\n", "\n\0", 1) + "\0\0"),
    "bare carriage returns": lambda it: plain(it).replace(b"\n", b"\r"),
    "doubled carriage returns": lambda it: plain(it).replace(b"\n", b"\r\r\n"),
    "blind copy": lambda it: plain(it).replace(b"To: moderator@example.org\n", b"To: undisclosed-recipients:;\n"),
    "a huge header": lambda it: plain(it, f"X-Huge: {'x' * 900_000}"),
    "many headers": lambda it: plain(it, *(f"X-{number}: y" for number in range(20_000))),
    "many answers": lambda it: plain(it, f"References: {'<a@b> ' * 20_000}"),
    "bad date": lambda it: plain(it).replace(b"21 Nov 2026", b"99 Foo 99999"),
    "odd date of a server": lambda it: b"Received: x; Sat, 21 Nov 9999 23:59:59 -2359\n" + plain(it),
    "raw bytes in the header": lambda it: b"X-Name: \xff\xfe\nSubject: \xe9\n" + plain(it),
    "an mbox line": lambda it: b"From louis@example.org Sat Nov 21\n" + plain(it),
    "no multipart": lambda it: plain(it, kind='multipart/mixed; boundary="Q"'),
    "inline pgp": lambda it: plain(f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{it}\n"),
    "an assistant": lambda it: plain(it, "Auto-Submitted: auto-generated"),
}

OTHERS: dict[str, tuple[str, bytes]] = {
    "thanks": ("words", plain("Thanks!\n")),
    "thanks below a report": ("words", plain(f"Thanks!\n{REPORT}")),
    "a reaction": (
        "words",
        mixed(text("\N{THUMBS UP SIGN}"), "Content-Type: text/vnd.google.email-reaction+json\n\n{}"),
    ),
    "a picture": ("words", mixed("Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\nAAAA\n")),
    "not automatic": ("words", plain("Thanks!\n", "Auto-Submitted: no; really")),
    "a document": ("letter", mixed(text("Here."), attached("orders.docx", "x"))),
    "s/mime opaque": ("letter", plain(b"AAAA", kind="application/pkcs7-mime; smime-type=signed-data")),
    "too many parts": ("large", mixed(*["Content-Type: text/plain\n\nx"] * 400)),
    "away": ("automatic", plain("Away\n", "Auto-Submitted: auto-replied (vacation)")),
    "away, as of old": ("automatic", plain("Away\n", "X-Autoreply: yes")),
    "a daemon": ("automatic", plain("Sorry.\n").replace(b"louis@", b"MAILER-DAEMON@")),
    "a receipt of reading": ("automatic", mixed(text("read"), kind="multipart/report")),
    "nothing": ("left", b""),
    "lines": ("left", b"\n\n\n"),
    "all bytes": ("left", bytes(range(256)) * 50),
}


def seen(data: bytes) -> IncomingMail:
    """Reading of a mail by an office without a clock."""
    begun = time.process_time()
    found = incoming_of(RawMessage(data, "1"), [NAME], {"louis@example.org": [NAME]})
    assert time.process_time() - begun < 1
    return found


@pytest.mark.parametrize("name", WRITTEN)
def test_a_letter_is_read_whatever_mail_programs_make_of_it(letter: str, name: str) -> None:
    found = seen(WRITTEN[name](letter))
    assert (found.verdict, found.campaigns) == ("letter", (NAME,))
    assert [each.claim.sender for each in found.found.letters if each.is_signed] == ["louis"]


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_letter_is_what_it_is(name: str) -> None:
    verdict, data = OTHERS[name]
    found = seen(data)
    assert found.verdict == verdict
    assert found.why == ""


def test_files_that_nobody_can_name(table: PostalTable, letter: str) -> None:
    """The names of mails in a maildir are bytes; there are folders, pipes, links."""
    table.now += timedelta(hours=1)
    new = os.fsencode(table.root / "inbox" / "new")
    with open(new + b"/1.\xff\xfe", "wb") as file:
        file.write(plain(letter))
    with open(new + b"/2.a\nb", "wb") as file:
        file.write(b"From: aunt@example.org\n\nLunch?\n")
    (table.root / "inbox" / "new" / "3.empty").touch()
    os.mkdir(new + b"/4.folder")
    os.mkfifo(new + b"/5.pipe")
    os.symlink("/etc/hostname", new + b"/6.link")
    told = table.evening()
    assert "mails read: 3; with letters: 1; left alone: 2" in told
    assert "letters taken: 1" in told
    assert b"1.\xff\xfe:2,S" in os.listdir(os.fsencode(table.root / "inbox" / "cur"))
    assert "mails read: 0" in table.evening()


def test_two_letters_in_one_mail_have_one_count(table: PostalTable) -> None:
    table.now += timedelta(hours=1)
    table.run("sign", table.sheet("louis"), as_="louis")
    hello = table.root / "louis" / "hello.yaml"
    table.run("message", "all", "Hello", "-o", str(hello), "--campaign", NAME, as_="louis")
    orders = (table.root / "louis" / "orders.yaml").read_text()
    table.drop(mixed(text("Here."), attached("b.yaml", hello.read_text()), attached("a.yaml", orders)), "1.two")
    told = table.evening()
    assert "letters taken: 2" in told
    assert "W-OFFICE-JUMP" not in told


def wrapped_anew(letter: str) -> str:
    """The letter as a paragraph of which not even the first line begins like a letter."""
    return textwrap.fill(letter, 60).replace("pbem: 1", "pbem:\n1")


def unreadable(way: str, letter: str) -> bytes:
    """A new mail with orders that nobody can read, in the thread of nothing."""
    packed = "".join(
        binascii.b2a_uu(letter.encode()[at : at + 45]).decode() for at in range(0, len(letter.encode()), 45)
    )
    bodies = {
        "PGP inline": "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
        "uuencode": f"begin 644 orders.yaml\n{packed}`\nend\n",
        "wrapped": wrapped_anew(letter),
    }
    head = "From: Louis <louis@example.org>\nTo: moderator@example.org\nSubject: my moves\nMessage-ID: <u@x>\n"
    if way == "PGP/MIME":
        parts = "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b--\n"
        return f'{head}MIME-Version: 1.0\nContent-Type: multipart/encrypted; boundary="b"\n\n{parts}'.encode()
    return f"{head}\n{bodies[way]}".encode()


@pytest.mark.parametrize(
    ("way", "code"),
    [
        ("PGP inline", "E-MAIL-ENCRYPTED"),
        ("PGP/MIME", "E-MAIL-ENCRYPTED"),
        ("uuencode", "E-TEXT-PACKED"),
        ("wrapped", "E-TEXT-WRAPPED"),
    ],
)
def test_orders_that_nobody_can_read_are_answered_once_where_their_writer_plays_in_one_campaign(
    table: PostalTable, letter: str, way: str, code: str
) -> None:
    before = len(table.mails_to("louis"))
    table.drop(unreadable(way, letter), "1.odd")
    told = table.evening()
    assert "refused: 1" in told
    assert "W-OFFICE-TURNED refused, from louis: a letter that cannot be read (" + code in told
    assert len(table.mails_to("louis")) == before + 1
    table.evening()
    assert len(table.mails_to("louis")) == before + 1
    stranger = unreadable(way, letter).replace(b"louis@", b"eve@").replace(b"<u@x>", b"<e@x>")
    table.drop(stranger, "2.odd")
    assert "left alone: 1" in table.evening()
    assert not any("eve@" in str(mail["To"]) for mail in table.sent_mails())


def test_unreadable_mails_of_whoever_plays_in_several_campaigns_are_told(table: PostalTable, letter: str) -> None:
    people = ("--moderator", "M <moderator@example.org>", "--seat", "louis=L <louis@example.org>")
    table.run("new", "club", *people, as_="moderator")
    table.run("invite", "-C", "club", as_="moderator")
    table.evening()
    before = len(table.mails_to("louis"))
    table.drop(unreadable("PGP inline", letter), "1.odd")
    told = table.evening()
    assert "W-OFFICE-UNREADABLE a mail from louis@example.org (my moves) cannot be read" in told
    assert len(table.mails_to("louis")) == before


def in_calendar(text: str) -> bytes:
    """A mail whose only part is an appointment that has this text as its description."""
    told = text.replace("\\", "\\\\").replace("\n", "\\n")
    lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", f"DESCRIPTION:{told}", "END:VEVENT", "END:VCALENDAR", ""]
    head = "From: louis@example.org\nSubject: my moves\nMessage-ID: <c@x>\nMIME-Version: 1.0\n"
    head += "Content-Type: text/calendar; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    return (head + "\n".join(lines)).encode()


@pytest.mark.parametrize("is_named", [True, False], ids=["a campaign is named", "none is named"])
def test_an_unreadable_mail_is_answered_in_no_campaign_that_it_does_not_name(
    table: PostalTable, letter: str, *, is_named: bool
) -> None:
    people = ("--moderator", "M <moderator@example.org>", "--seat", "louis=L <louis@example.org>")
    for name in ("club", "friends"):
        table.run("new", name, *people, as_="moderator")
        table.run("invite", "-C", name, as_="moderator")
    table.evening()
    before = len(table.mails_to("louis"))
    text = letter[letter.index("pbem: 1") :]
    text = text if is_named else re.sub(r"(?m)^campaign:.*\n", "", text)
    table.drop(in_calendar(text), "1.odd")
    told = table.evening()
    assert ("W-OFFICE-UNREADABLE a mail from louis@example.org (my moves)" in told) == (not is_named)
    assert "club: refused" not in told
    assert "friends: refused" not in told
    assert (f"{NAME}: refused: 1" in told) == is_named
    assert len(table.mails_to("louis")) == before + is_named


def test_words_over_an_old_mail_of_ours_are_no_damaged_orders(letter: str) -> None:
    quoted = "".join(f"> {line}\n" for line in wrapped_anew(letter).splitlines())
    assert incoming_of(RawMessage(plain(f"Thanks!\n\n{quoted}"), "x"), {NAME}, {}).verdict == "words"


def test_an_answer_to_an_invitation_may_quote_it_whole(tmp_path: Path) -> None:
    table = PostalTable(tmp_path)
    table.open_office(PLAIN)
    table.moderate("invite")
    table.evening()
    for seat in table.seats:
        (invitation,) = table.sent_mails(to=ADDRESSES[seat])
        body = invitation.get_body(("plain",))
        assert body
        quoted = "".join(f"> {line}\n" for line in body.get_content().splitlines())
        assert "> kind: join" in quoted
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
        file = f"join-{NAME}-{seat}.yaml"
        answer = f"On Saturday the moderator wrote:\n{quoted}"
        table.drop(table.write_mail(seat, file, text=answer), f"1.{seat}")
    told = table.evening()
    assert "letters taken: 3" in told
    assert "refused" not in told
    receipts = [mail.as_string() for mail in table.sent_mails() if "receipt" in mail.as_string()]
    assert receipts
    assert not any("W-JOIN-TWICE" in receipt for receipt in receipts)
