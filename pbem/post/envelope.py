"""Headers of a mail: its writer, the mails that it answers, and signs that a program or list has sent it."""

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
"""Pattern of the values of `X-Auto-Response-Suppress` with which Exchange and Outlook ask that no program answers. The
other values concern reports of delivery."""

_OF_LISTS = ("mailing-list", "x-mailing-list", "x-beenthere")
_OUR_LIST = re.compile(r"\s*<[a-z0-9-]+\.pbem\.[^<>\s]*>\s*")
"""Pattern of the `List-Id` that our own mails have, though no mailing list sends them."""

_DAEMONS = ("mailer-daemon", "postmaster")
STUMBLES = (LookupError, ValueError, TypeError, AttributeError, AssertionError, OverflowError, RecursionError)

AnyMail: TypeAlias = "Message[Any, Any]"


class Envelope(Struct, frozen=True):
    """Headers of a mail, as the mail claims them. They serve to answer the mail, and prove nothing."""

    sender: str = ""
    """The sender's address; empty if none can be read."""
    subject: str = ""
    date: datetime | None = None
    received: datetime | None = None
    """Time at which the reader's own mail server took the mail, so that the sender cannot forge it; None if unknown."""
    message_id: str = ""
    answers: tuple[str, ...] = ()
    """Message-ids of the mails that this mail answers or continues."""
    kind: str = ""
    """The claimed kind of mail (`report`, `receipt`, `reminder` …). Programs up to 0.2 give none."""
    is_automatic: bool = False
    """True if a program sent the mail (absence notes, returned mails), so that answers could go back and forth for
    ever."""
    is_shared: bool = False
    """True if the mail came through a mailing list or has several authors, so that others may read an answer."""

    @property
    def own_address(self) -> str:
        """Address that reaches the writer and nobody else; empty if there is none."""
        return "" if self.is_shared else self.sender


def head_of(raw: bytes) -> Envelope:
    """Return the headers of a mail without reading the rest; empty headers if they cannot be read."""
    head = raw[:_MOST_HEAD].lstrip(b"\r\n").replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    try:
        return envelope_of(email.message_from_bytes(head + b"\n\n"))
    except (*STUMBLES, MessageError):
        return Envelope()


def envelope_of(mail: AnyMail) -> Envelope:
    """Return the headers of a mail. Unreadable values are left empty."""
    authors = [str(each) for each in mail.get_all("From", [])]
    sender = _address(authors[0][:MOST_HEADER]) if authors else ""
    # A program has sent the mail if a header of RFC 3834 or of its forerunners says so, or if the mail came back: then
    # it has no return path, or is a report of delivery.
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
    # The list is read from its end: the mail that is answered stands last in References.
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
    """True if a mail came through a mailing list, whose address may replace the writer's."""
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
    """True if a header names several authors, or is too long to be read."""
    # Some programs write the address in place of a name as well.
    return len(header) > MOST_HEADER or len({each.casefold() for each in _addresses(header)}) > 1


def _first_word(header: str) -> str:
    """Return a header's value without parameters and comments."""
    return _BEHIND.split(header.strip().casefold())[0]


def _address(header: str) -> str:
    """Return the address in a header; empty if it is no usable address."""
    address = next(iter(_addresses(header)), "")
    return address if is_address(address) else ""


def _addresses(header: str) -> list[str]:
    try:
        return [address for _, address in getaddresses([header])]
    except (*STUMBLES, MessageError):
        return []


def _date(header: str) -> datetime | None:
    """Return a header's date in UTC; None if it cannot be read. A date without a zone is taken as UTC."""
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
    """Return a text on one line, without invisible characters or ones that change the direction of writing."""
    return " ".join(clean_text(UNWANTED.sub(" ", text)).split())
