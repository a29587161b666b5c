"""Mails as files. Mails with equal content have equal bytes. Large parts may be kept in files beside a mail until it is
sent."""

from __future__ import annotations

import base64
import email
import hashlib
import os
import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from email.header import Header, decode_header, make_header
from email.headerregistry import Address, BaseHeader, HeaderRegistry
from email.message import EmailMessage, Message, MIMEPart
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.faults.wrong import wrong
from pbem.paper.documents.characters import UNWANTED, clean_text
from pbem.paper.documents.faults import Refused
from pbem.paper.found import is_address

_MESSAGE_ID = re.compile(r"<[A-Za-z0-9._+=/$-]{1,150}@[A-Za-z0-9.-]{1,90}>")
_MEDIA = re.compile(r"[a-z]{1,20}/[a-z0-9.+-]{1,60}")
_UNSAFE_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_POSTMARK = re.compile(r"(?m)^From ")
_MOST_HEAD = 8192
_LONGEST_NAME = 80
_LONGEST_SUBJECT = 150

KIND = "X-Pbem-Kind"
"""Header with the kind of a mail (`report`, `receipt`, `reminder` …). With it, programs need not read the enclosures to
find out the kind."""

SUPPRESS = "X-Auto-Response-Suppress"
"""Header with which a mail asks servers and programs of Microsoft not to answer by themselves."""

UNSENT = "X-Unsent"
"""Header that marks a mail as a draft. It is removed when the mail is sent."""


TO_FORMER = "-moved-"
"""Part of the names of files with mails to former addresses, which say that the address was changed."""


class Correspondent(Struct, frozen=True):
    """Sender or reader of a mail."""

    address: str
    name: str = ""


class Enclosure(Struct, frozen=True):
    """File that is sent with a mail. A picture is shown in the mail's page, which names it as `cid:NAME`."""

    name: str
    media: str
    """Media type, such as `image/png` or `application/yaml`."""
    data: bytes


class OutgoingMail(Struct, frozen=True, kw_only=True):
    """Mail to send: its headers, its plain text, its web page if it has one, and its files."""

    sender: Correspondent
    to: Correspondent
    subject: str
    date: datetime
    message_id: str
    """Message-id in angle brackets, in the form that the function `message_id` returns."""
    text: str
    html: str = ""
    pictures: tuple[Enclosure, ...] = ()
    attachments: tuple[Enclosure, ...] = ()
    answers: str = ""
    """Message-id of the mail that this mail answers; empty if it answers none."""
    reply_to: str = ""
    """Address to which answers go; if it is empty, answers go to the sender."""
    thread: str = ""
    """Message-id to which all mails of a campaign refer, so that mail programs show them as one thread. There is no
    mail with this message-id."""
    kind: str = ""
    """Kind of the mail (see `KIND`). It tells programs whether they must look for a letter in the mail."""
    list_id: str = ""
    """Value of the header List-Id. With it, people can sort a campaign's mails into a folder."""
    is_automatic: bool = True
    """True if the mail was written by a program."""
    is_draft: bool = False
    """True if the file should be opened by mail programs as a mail that is not sent yet."""


def message_id(domain: str, campaign: str, *facts: str) -> str:
    """Return a message-id made of the domain, the campaign and `facts`. The same arguments always give the same
    message-id."""
    digest = hashlib.sha256("\0".join((campaign, *facts)).encode("utf-8")).hexdigest()[:32]
    return f"<{_begin_of_id(campaign)}{digest}@{domain}>"


def is_of(campaign: str, message_id: str) -> bool:
    """True if a message-id has the form that those of the campaign have. This proves nothing, because anybody can copy
    a message-id."""
    return message_id.startswith(f"<{_begin_of_id(campaign)}")


def campaign_of_id(message_id: str, campaigns: Collection[str]) -> str:
    """Return the campaign in `campaigns` whose message-ids have the form of this one. Return an empty text if there is
    none. The result proves nothing, because anybody can copy a message-id."""
    name = message_id.removeprefix("<pbem.").partition(".")[0]
    return name if name in campaigns and is_of(name, message_id) else ""


class MailName(NamedTuple):
    """Message-id of a mail of this program, and the address in its header `To`."""

    message_id: str
    recipient: str


def name_and_recipient(mail: bytes) -> MailName:
    """Return the message-id and the address in the header `To` of a mail of this program. The first 8192 bytes of the
    mail are enough."""
    return _name_and_recipient(_head_of(mail))


@lru_cache(maxsize=256)
def _name_and_recipient(head: bytes) -> MailName:
    lines = email.message_from_bytes(head)
    return MailName(str(lines["Message-ID"]), _recipient(lines))


def recipient_and_subject(mail: bytes) -> tuple[str, str]:
    """Return the address in the header `To`, and the subject of a mail of this program. The first 8192 bytes of the
    mail are enough."""
    head = _head(mail)
    return _recipient(head), str(make_header(decode_header(" ".join(str(head["Subject"]).split()))))


def _recipient(head: Message) -> str:
    return str(head["To"]).rpartition("<")[2].rstrip(">")


def answered_in(mail: bytes) -> str:
    """Return the message-id of the mail that a mail of this program answers. Return an empty text if it answers
    none."""
    return str(_head(mail)["In-Reply-To"] or "")


def _head(mail: bytes) -> Message:
    return email.message_from_bytes(_head_of(mail))


def _head_of(mail: bytes) -> bytes:
    return mail[:_MOST_HEAD].replace(b"\r\n", b"\n").partition(b"\n\n")[0]


def as_sent(draft: bytes) -> bytes:
    """Return a draft without the header that marks it as a draft."""
    return draft.removeprefix(f"{UNSENT}: 1\r\n".encode())


def _begin_of_id(campaign: str) -> str:
    return f"pbem.{campaign}."


class _KnownHeaders(HeaderRegistry):
    """Registry that makes the class for each header only once, and parses headers with the same value only once."""

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[str, type[BaseHeader]] = {}
        self.parsed = lru_cache(maxsize=256)(super().__call__)

    def __call__(self, name: str, value: object) -> BaseHeader:
        return self.parsed(name, value) if type(value) is str else super().__call__(name, value)

    def __getitem__(self, name: str) -> type[BaseHeader]:
        if name not in self.known:
            self.known[name] = super().__getitem__(name)
        return self.known[name]


class _Whole(EmailPolicy):
    """Policy for writing mails of this program. When it breaks a subject into lines, it does not double the blanks."""

    def fold_binary(self, name: str, value: str) -> bytes:
        if name != "Subject":
            return super().fold_binary(name, value)
        is_plain = value.isascii() and "=?" not in value
        told = Header(str(value), None if is_plain else "utf-8", header_name=name)
        return f"{name}: {told.encode(splitchars=' ', linesep=self.linesep)}{self.linesep}".encode("ascii")


_POLICY = _Whole(linesep=SMTP.linesep, header_factory=_KnownHeaders())


def eml(letter: OutgoingMail) -> bytes:
    """Return the mail as the content of a file. Raises `Refused` if an address, a message-id or a media type cannot be
    used."""
    _check(letter)
    mail = EmailMessage(policy=_POLICY)
    if letter.is_draft:
        mail[UNSENT] = "1"
    mail["From"] = _address(letter.sender)
    mail["To"] = _address(letter.to)
    if letter.reply_to:
        mail["Reply-To"] = Address(addr_spec=letter.reply_to)
    mail["Subject"] = _one_line(letter.subject, _LONGEST_SUBJECT) or "pbem"
    mail["Date"] = format_datetime(letter.date.astimezone(UTC))
    mail["Message-ID"] = letter.message_id
    answers = letter.answers if _MESSAGE_ID.fullmatch(letter.answers) else ""
    if answers:
        mail["In-Reply-To"] = answers
    if above := " ".join(filter(None, (letter.thread, answers))):
        mail["References"] = above
    if letter.list_id:
        mail["List-Id"] = letter.list_id
    if letter.kind:
        mail[KIND] = letter.kind
    if letter.is_automatic:
        # This header keeps notes of absence from answering the mail (RFC 3834).
        mail["Auto-Submitted"] = "auto-replied" if answers else "auto-generated"
        # The value is not `All`, because then a mail that cannot be delivered would not come back.
        mail[SUPPRESS] = "OOF, AutoReply"
    mail.set_content(_lines(letter.text), cte="quoted-printable")
    if letter.html:
        mail.add_alternative(_lines(letter.html), subtype="html", cte="quoted-printable")
        page = mail.get_payload(1)
        assert isinstance(page, MIMEPart), "the page is the second of the alternatives"
        for each in letter.pictures:
            _enclose(page, each, is_shown=True)
    for each in letter.attachments:
        _enclose(mail, each, is_shown=False)
    # The boundaries are set here, because otherwise the library would choose them at random.
    digest = hashlib.sha256(letter.message_id.encode("utf-8")).hexdigest()[:24]
    for number, part in enumerate(mail.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_pbem_{digest}_{number}")
        elif part["Content-Transfer-Encoding"] == "quoted-printable":
            # The letter F is encoded. Otherwise, in an mbox file, `>` would be put before a line that begins with `From
            # `.
            part.set_payload(_POSTMARK.sub("=46rom ", str(part.get_payload())))
    return mail.as_bytes()


def _check(letter: OutgoingMail) -> None:
    """Raise `Refused` if addresses, message-ids or media types would break the mail or send it to other people."""
    faults = []
    for wording, person in (("E-MAIL-ADDRESS.sender", letter.sender), ("E-MAIL-ADDRESS.reader", letter.to)):
        if not is_address(person.address):
            faults.append(wrong(wording, address=repr(_one_line(person.address, _LONGEST_NAME))))
    if letter.reply_to and not is_address(letter.reply_to):
        faults.append(wrong("E-MAIL-ADDRESS.reader", address=repr(_one_line(letter.reply_to, _LONGEST_NAME))))
    if not _MESSAGE_ID.fullmatch(letter.message_id):
        faults.append(wrong("E-MAIL-ID", id=repr(letter.message_id[:_LONGEST_NAME])))
    for each in (*letter.pictures, *letter.attachments):
        if not _MEDIA.fullmatch(each.media):
            faults.append(wrong("E-MAIL-MEDIA", media=repr(each.media[:_LONGEST_NAME])))
    if faults:
        raise Refused("mail", faults)


def _address(person: Correspondent) -> Address:
    return Address(_one_line(person.name, _LONGEST_NAME), addr_spec=person.address)


def _one_line(text: str, length: int) -> str:
    """Return a text that fits into a header. Invisible characters and encoded words are removed, and the text is cut
    after `length` characters."""
    return " ".join(clean_text(UNWANTED.sub(" ", text)).replace("=?", "= ?").split())[:length].strip()


def _lines(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def _enclose(part: MIMEPart, file: Enclosure, *, is_shown: bool) -> None:
    """Attach a file to a part of the mail. With `is_shown`, the file is a picture that the web page shows."""
    main, sub = file.media.split("/")
    name = _UNSAFE_IN_NAMES.sub("-", clean_text(file.name)).strip("-.")[:_LONGEST_NAME] or "file"
    if is_shown:
        part.add_related(file.data, main, sub, cid=f"<{name}>", filename=name, disposition="inline")
    elif file.media == "text/html":
        part.add_attachment(file.data.decode(), sub, filename=name, cte="quoted-printable")
    elif main == "text":
        part.add_attachment(file.data, main, sub, filename=name, params={"charset": "utf-8"})
    else:
        part.add_attachment(file.data, main, sub, filename=name)


PART = "X-Pbem-Part"
"""Header of a mail whose large parts are in files beside it. It gives the position of one part in the mail, in bytes,
and the name of its file."""

_PER_LINE = 57
"""Number of bytes that are encoded in one line of base64."""

_TO_LINE = re.compile(rb"(?im)^To:.*\r\n(?:[ \t].*\r\n)*")
_ID_LINE = re.compile(rb"(?im)^Message-ID:.*\r\n(?:[ \t].*\r\n)*")

_LINE = re.compile(rb"X-Pbem-Part: (\d{1,9}) ([A-Za-z0-9_-][A-Za-z0-9._-]*)\r\n")


def split_mail(letter: OutgoingMail, beside: Mapping[str, str]) -> bytes:
    """Return the mail without those enclosures that are in files beside it. Headers at the beginning of the mail give
    the position and the file of each such enclosure. `beside` has the names of these files, keyed by the names of the
    enclosures."""
    # Each enclosure is replaced by random bytes. The writer of one part of the mail cannot guess them, and so cannot
    # put them into this part.
    marks = {each.name: os.urandom(_PER_LINE) for each in (*letter.pictures, *letter.attachments)}

    def with_marks(some: tuple[Enclosure, ...]) -> tuple[Enclosure, ...]:
        return tuple(replace(each, data=marks[each.name]) if each.name in beside else each for each in some)

    data = eml(replace(letter, pictures=with_marks(letter.pictures), attachments=with_marks(letter.attachments)))
    heads = []
    for name, mark in marks.items():
        if name in beside:
            before, _, behind = data.partition(lines_of(mark))
            heads.append(f"{PART}: {len(before)} {beside[name]}\r\n".encode())
            data = before + behind
    return b"".join(heads) + data


def lines_of(content: bytes) -> bytes:
    """Return bytes as lines of base64, as a mail has them."""
    pieces = (content[at : at + _PER_LINE] for at in range(0, len(content), _PER_LINE))
    return b"".join(base64.b64encode(piece) + b"\r\n" for piece in pieces)


def split_off_parts(mail: bytes) -> tuple[list[tuple[int, str]], bytes]:
    """Remove the headers that tell of files beside the mail. Return the position and name of each file, and the mail
    without these headers."""
    places = []
    while found := _LINE.match(mail):
        places.append((int(found[1]), found[2].decode()))
        mail = mail[found.end() :]
    return places, mail


def with_message_id(mail: bytes, name: str) -> bytes:
    return _with_head(mail, _ID_LINE, f"Message-ID: {name}\r\n".encode())


def with_reader(mail: bytes, addressee: Correspondent) -> bytes:
    line = EmailMessage(policy=SMTP)
    line["To"] = _address(addressee)
    return _with_head(mail, _TO_LINE, line.as_bytes().removesuffix(b"\r\n"))


def _with_head(mail: bytes, old_line: re.Pattern[bytes], new_line: bytes) -> bytes:
    """Return a mail in which a line of the head is replaced. The positions of the files beside it are adjusted."""
    places, whole = split_off_parts(mail)
    head, _, body = whole.partition(b"\r\n\r\n")
    changed = old_line.sub(lambda _: new_line, head + b"\r\n", count=1)
    moved = len(changed) - len(head) - 2
    lines = b"".join(f"{PART}: {at + moved} {name}\r\n".encode() for at, name in places)
    return lines + changed + b"\r\n" + body


def put_together(mail: bytes, folder: Path) -> bytes:
    """Return the complete mail. The files that are beside it are put in as parts. Raises `Refused` if a file is
    missing."""
    places, mail = split_off_parts(mail)
    for at, name in reversed(places):
        path = folder / name
        if not path.is_file() or path.is_symlink():
            raise Refused(name, [wrong("E-MAIL-PART", name=name)])
        mail = mail[:at] + lines_of(path.read_bytes()) + mail[at:]
    return mail
