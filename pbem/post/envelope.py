"""Headers of a mail: who wrote it, which mails it answers, and signs that a program or a mailing list sent it."""

from __future__ import annotations

import email
import re
from datetime import UTC, datetime
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any, TypeAlias

from msgspec import Struct

from pbem.paper.documents.characters import UNWANTED, clean_text
from pbem.paper.found import is_address
from pbem.post.charsets import text_of_bytes
from pbem.post.outgoing import KIND, SUPPRESS

_MOST_HEAD = 16 * 1024
MOST_HEADER = 1000
_MOST_THREAD = 20_000
_MESSAGE_ID = re.compile(r"<[^<>\s]{3,240}>")
_BEHIND = re.compile(r"[\s;(]")
_AUTOMATIC = ("X-Autoreply", "X-Autorespond", "X-Failed-Recipients")
_SUPPRESSED = re.compile(r"(?i)\b(?:all|oof|autoreply)\b")
"""Pattern of values of the header `X-Auto-Response-Suppress`. With these values, Exchange and Outlook ask for no answer
by programs. The header's other values concern only reports of delivery."""

_OF_LISTS = ("mailing-list", "x-mailing-list", "x-beenthere")
_OUR_LIST = re.compile(r"\s*<[a-z0-9-]+\.pbem\.[^<>\s]*>\s*")
"""Pattern of the `List-Id` in mails of this program, which no mailing list sends."""

_DAEMONS = ("mailer-daemon", "postmaster")
STUMBLES = (LookupError, ValueError, TypeError, AttributeError, AssertionError, OverflowError, RecursionError)

AnyMail: TypeAlias = "Message[Any, Any]"


class Envelope(Struct, frozen=True):
    """Headers of a mail as they stand in the mail. They can be forged. The program uses them only to answer the
    mail."""

    sender: str = ""
    """Address of the sender. Empty if no address can be read."""
    subject: str = ""
    date: datetime | None = None
    received: datetime | None = None
    """Time at which the mail server of the reader took the mail. The sender cannot forge it. None if it is unknown."""
    message_id: str = ""
    answers: tuple[str, ...] = ()
    """Message-ids of the mails that this mail answers, or whose thread it continues."""
    kind: str = ""
    """Kind of the mail as the mail states it (`report`, `receipt`, `reminder` …). Mails of versions up to 0.2 state
    none."""
    is_automatic: bool = False
    """True if the mail was sent by a program, such as a note of absence or a returned mail. An answer to it could be
    answered again without end."""
    is_shared: bool = False
    """True if the mail came through a mailing list or has several authors. An answer might then be read by other
    people."""

    @property
    def own_address(self) -> str:
        """Return the address at which only the writer gets mails. Return an empty text if there is none."""
        return "" if self.is_shared else self.sender


def head_of(raw: bytes) -> Envelope:
    """Return the headers of a mail. The rest of the mail is not read. Return empty headers if they cannot be read."""
    head = raw[:_MOST_HEAD].lstrip(b"\r\n").replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    try:
        return envelope_of(email.message_from_bytes(head + b"\n\n"))
    except (*STUMBLES, MessageError):
        return Envelope()


def envelope_of(mail: AnyMail) -> Envelope:
    """Return the headers of a mail. Headers that cannot be read are left empty."""
    authors = [str(each) for each in mail.get_all("From", [])]
    sender = _address(authors[0][:MOST_HEADER]) if authors else ""
    # A program has sent the mail if headers of RFC 3834 or older ones say so. A mail that could not be delivered and
    # came back was sent by a program too: it has no return path, or is a report of delivery.
    is_automatic = (
        _first_word(str(mail.get("Auto-Submitted", "no"))) not in ("", "no")
        or any(name in mail for name in _AUTOMATIC)
        or _first_word(sender.replace("@", ";")) in _DAEMONS
        or str(mail.get("Precedence", "")).strip().casefold() in ("bulk", "junk", "auto_reply")
        or str(mail.get("Return-Path", "")).strip() == "<>"
        or bool(_SUPPRESSED.search(str(mail.get(SUPPRESS, ""))[:MOST_HEADER]))
        or mail.get_content_type() == "multipart/report"
    )
    message_id = "".join(str(mail.get("Message-ID", ""))[:MOST_HEADER].split())
    # If the list is too long, its end is read, because the mail that is answered comes last in References.
    thread = " ".join(str(mail.get(name, ""))[-_MOST_THREAD:] for name in ("In-Reply-To", "References"))
    return Envelope(
        sender=sender,
        subject=printable_line(header_words(str(mail.get("Subject", ""))[:MOST_HEADER]))[:200],
        date=_date(str(mail.get("Date", ""))[:100]),
        received=_date(str(mail.get("Received", ""))[:MOST_HEADER].rpartition(";")[2][:100]),
        message_id=printable_line(message_id)[:250],
        answers=tuple(dict.fromkeys(_MESSAGE_ID.findall(thread))),
        kind=_first_word(str(mail.get(KIND, ""))[:MOST_HEADER]),
        is_automatic=is_automatic,
        is_shared=_is_of_list(mail) or len(authors) > 1 or any(map(_has_several, authors)),
    )


def _is_of_list(mail: AnyMail) -> bool:
    """True if a mail came through a mailing list. The list may have replaced the writer's address with its own."""
    if str(mail.get("Precedence", "")).strip().casefold() in ("list", "bulk", "junk"):
        return True
    return any(
        name.casefold() in _OF_LISTS
        or (name.casefold().startswith("list-") and not (name.casefold() == "list-id" and _is_our_list(str(value))))
        for name, value in mail.items()
    )


def _is_our_list(header: str) -> bool:
    return len(header) <= MOST_HEADER and bool(_OUR_LIST.fullmatch(header))


def _has_several(header: str) -> bool:
    """True if a header names several authors. A header that is too long to be read counts as naming several."""
    # Some programs write the address a second time, in place of the author's name.
    return len(header) > MOST_HEADER or len({each.casefold() for each in _addresses(header)}) > 1


def _first_word(header: str) -> str:
    """Return the first word of a header's value. Parameters and comments are left out."""
    return _BEHIND.split(header.strip().casefold())[0]


def _address(header: str) -> str:
    """Return the address in a header. Return an empty text if there is no address that can be used."""
    address = next(iter(_addresses(header)), "")
    return address if is_address(address) else ""


def _addresses(header: str) -> list[str]:
    try:
        return [address for _, address in getaddresses([header])]
    except (*STUMBLES, MessageError):
        return []


def _date(header: str) -> datetime | None:
    """Return the date in a header, in UTC. Return None if it cannot be read. A date without a time zone is read as
    UTC."""
    try:
        date = parsedate_to_datetime(header)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
    except (*STUMBLES, MessageError):
        return None


def header_words(header: str) -> str:
    try:
        pieces = decode_header(header)
    except (*STUMBLES, MessageError):
        return header
    return "".join(
        text_of_bytes(piece, charset or "").text if isinstance(piece, bytes) else piece for piece, charset in pieces
    )


def printable_line(text: str) -> str:
    """Return a text as one line. Characters that are invisible, or that change the direction of writing, are
    removed."""
    return " ".join(clean_text(UNWANTED.sub(" ", text)).split())
