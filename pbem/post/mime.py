"""Parsing of mails into headers and texts. A text is decoded by its declared charset, or by the likeliest other
charset."""

from __future__ import annotations

import codecs
import email
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.errors import (
    CloseBoundaryNotFoundDefect,
    InvalidBase64CharactersDefect,
    InvalidBase64LengthDefect,
    InvalidBase64PaddingDefect,
    MessageError,
    StartBoundaryNotFoundDefect,
)
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.paper.documents.characters import UNWANTED, clean_text
from pbem.paper.found import is_address
from pbem.post.mailbox import MOST_BYTES
from pbem.post.outgoing import KIND, SUPPRESS

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,39}")
# By name a mail could ask for codecs that are no encodings of text, such as those that decompress.
_OF_TEXT = re.compile(
    r"ascii|utf-8(-sig)?|utf-(16|32)(-[bl]e)?|iso8859-\d+|cp\d+|koi8-[rtu]|mac-[a-z]+|kz1048|ptcp154|hp-roman8|tis-620"
    r"|gb2312|gbk|gb18030|hz|big5|big5hkscs|shift_jis\w*|euc_\w+|iso2022_\w+|johab"
)
_BYTE_ORDERS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CONTROLS = re.compile("[\x80-\x9f]")


def text_of_bytes(data: bytes, declared: str = "") -> tuple[str, str]:
    """Return some bytes as text, and a note if another encoding than the declared one was used. Without a declaration
    UTF-8 is expected."""
    if marked := next((name for mark, name in _BYTE_ORDERS if data.startswith(mark)), ""):
        declared = marked
    name = _known_encoding(declared) if declared else "utf-8"
    text = _attempt(data, name)
    # What calls itself Latin-1 and has bytes 80 to 9F is Windows-1252: quotation marks there, controls here.
    if text is not None and not (name == "iso8859-1" and _CONTROLS.search(text)):
        return text.removeprefix("\ufeff"), ""
    for guess in ("utf-8", "cp1252", "latin-1"):
        if (text := _attempt(data, guess)) is not None:
            break
    assert text is not None, "latin-1 knows every byte"
    if guess == "utf-8" and name == "ascii":
        return text, ""
    claim = f"it says {declared[:40]!r}, but" if declared else "it is not UTF-8;"
    return text, f"{claim} it was read as {guess}"


def _known_encoding(declared: str) -> str:
    """Return the name by which Python knows a declared encoding; empty if it is no encoding of text."""
    try:
        name = codecs.lookup(declared).name if _NAME.fullmatch(declared) else ""
    except (LookupError, ValueError):
        return ""
    return name if _OF_TEXT.fullmatch(name) else ""


def _attempt(data: bytes, name: str) -> str | None:
    if not name:
        return None
    try:
        return data.decode(name)
    except (UnicodeError, ValueError):
        return None


MOST_LINES = 150_000
MOST_PARTS = 100
MOST_BOUNDARIES = 30
MOST_DEPTH = 12
_MOST_FILES = 2
"""Largest depth to which mails attached to mails are searched."""

_HEADER_LINE = re.compile(rb"([!-9;-~]+):|[ \t]|From ")
_OF_MAIL = {b"received", b"message-id", b"mime-version", b"return-path", b"delivered-to", b"content-type"}
_OF_LETTERS = {b"from", b"to", b"date", b"subject"}
_BOUNDARY = re.compile(rb"boundary[\s*0-9]*=", re.IGNORECASE)
_DESCRIPTION = re.compile(rb"(?im)^content-(?:type|disposition|transfer-encoding)[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*")
_MOST_DESCRIPTION = 2000
_MOST_HEAD = 16 * 1024
_MOST_HEADER = 1000
_MOST_THREAD = 20_000
_MESSAGE_ID = re.compile(r"<[^<>\s]{3,240}>")
_TEXT_NAMES = (".yaml", ".yml", ".txt", ".md", ".asc")
_PAGE_NAMES = (".html", ".htm")
_BEHIND = re.compile(r"[\s;(]")
_AUTOMATIC = ("X-Autoreply", "X-Autorespond", "X-Failed-Recipients")
_SUPPRESSED = re.compile(r"(?i)\b(?:all|oof|autoreply)\b")
"""Pattern of the values of `X-Auto-Response-Suppress` by which Exchange and Outlook ask for no answer of a program. The
other values concern reports of delivery."""

_OF_LISTS = ("mailing-list", "x-mailing-list", "x-beenthere")
_OUR_LIST = re.compile(r"\s*<[a-z0-9-]+\.pbem\.[^<>\s]*>\s*")
"""Pattern of the `List-Id` that our own mails have, though no mailing list sends them."""

_DAEMONS = ("mailer-daemon", "postmaster")
_SILENT = ("image/", "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
_LOCKED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")
_OF_CUT = (StartBoundaryNotFoundDefect, CloseBoundaryNotFoundDefect)
_OF_BASE64 = (InvalidBase64CharactersDefect, InvalidBase64LengthDefect, InvalidBase64PaddingDefect)
_STUMBLES = (LookupError, ValueError, TypeError, AttributeError, AssertionError, OverflowError, RecursionError)

_Mail: TypeAlias = "Message[Any, Any]"
Form = Literal["plain", "html"]


class Envelope(Struct, frozen=True):
    """Headers of a mail, as the mail claims them. They are used to answer the mail, and prove nothing."""

    sender: str = ""
    """The sender's address; empty if none can be read."""
    subject: str = ""
    date: datetime | None = None
    received: datetime | None = None
    """Time at which the reader's own mail server took the mail, so that the sender cannot forge it; None if unknown."""
    message_id: str = ""
    answers: tuple[str, ...] = ()
    """Message-ids of the mails that are answered or continued."""
    kind: str = ""
    """The claimed kind of mail (`report`, `receipt`, `reminder` …). Programs up to 0.2 give none."""
    is_automatic: bool = False
    """True if a program sent the mail (absence notes, returned mails), so that answers could go back and forth for
    ever."""
    is_shared: bool = False
    """True if the mail came through a mailing list or has several authors, so that others may read an answer."""

    @property
    def own_address(self) -> str:
        """Return the address that reaches the writer and nobody else; empty if there is none."""
        return "" if self.is_shared else self.sender


class Part(Struct, frozen=True):
    """One text of a mail. `name` tells people which text it is, if the mail has several."""

    name: Words | str
    text: str
    form: Form = "plain"
    is_flowed: bool = False
    is_blank_added: bool = False
    is_forwarded: bool = False
    """True if the text stands in an attached mail."""
    is_damaged: bool = False
    """True if the transfer encoding is damaged. Then a letter is accepted as whole only if its signature proves it."""
    notes: tuple[str, ...] = ()


class ParsedMail(Struct, frozen=True):
    """Headers and texts of a mail, and its faults."""

    envelope: Envelope
    parts: tuple[Part, ...] = ()
    faults: tuple[Wrong, ...] = ()
    has_picture: bool = False


def is_mail(raw: bytes) -> bool:
    """Return whether bytes begin like a mail, with lines of headers up to an empty line. Some of the headers must be
    typical of mails, and none may be `pbem`, with which letters begin."""
    names = set[bytes]()
    for line in raw[: 64 * 1024].lstrip(b"\xef\xbb\xbf\r\n").replace(b"\r\n", b"\n").split(b"\n"):
        if not line:
            break
        match = _HEADER_LINE.match(line)
        if not match:
            return False
        names.add((match[1] or b"").lower())
    return b"pbem" not in names and (bool(names & _OF_MAIL) or len(names & _OF_LETTERS) > 1)


def take_apart(raw: bytes) -> ParsedMail:
    """Return the headers, the texts and the faults of a mail."""
    return _texts_within(raw, 0)


def _texts_within(raw: bytes, within: int) -> ParsedMail:
    """Return the headers, the texts and the faults of a mail. `within` counts the mails around this mail; of mails
    inside, only `_MOST_FILES` levels are read."""
    if fault := _too_much(raw):
        return ParsedMail(Envelope(), faults=(fault,))
    try:
        mail = email.message_from_bytes(raw.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n"))
        # Empty lines were taken from its beginning: they would end the header before it begins.
        envelope = _envelope(mail)
        parts = list[Part]()
        faults = list[Wrong]()
        has_picture = False
        for each, is_forwarded in _leaves(mail, faults):
            has_picture |= each.get_content_maintype() == "image"
            if (inside := _mail_in(each)) and within < _MOST_FILES:
                forwarded = _texts_within(inside, within + 1)
                parts += (
                    structs.replace(part, name=_forwarded_name(part.name), is_forwarded=True)
                    for part in forwarded.parts
                )
                faults += forwarded.faults
            else:
                _take_leaf(each, is_forwarded, parts, faults)
    except (*_STUMBLES, MessageError):
        return ParsedMail(Envelope(), faults=(wrong("E-MAIL-BROKEN"),))
    return ParsedMail(envelope, tuple(parts), tuple(faults), has_picture)


def head_of(raw: bytes) -> Envelope:
    """Return the headers of a mail that is too large to be read further; empty headers if they cannot be read."""
    head = raw[:_MOST_HEAD].lstrip(b"\r\n").replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    try:
        return _envelope(email.message_from_bytes(head + b"\n\n"))
    except (*_STUMBLES, MessageError):
        return Envelope()


def _too_much(raw: bytes) -> Wrong | None:
    """Return the fault of a mail that would take too long to read; None for other mails."""
    if len(raw) > MOST_BYTES:
        return wrong("E-MAIL-SIZE.bytes", most=MOST_BYTES)
    text = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if text.count(b"\n") > MOST_LINES:
        return wrong("E-MAIL-SIZE.lines", most=MOST_LINES)
    descriptions = [len(found.group()) for found in _DESCRIPTION.finditer(text)]
    boundaries = sum(1 for _ in _BOUNDARY.finditer(text))
    if len(descriptions) > 3 * MOST_PARTS or boundaries > MOST_BOUNDARIES:
        return wrong("E-MAIL-PARTS")
    if max(descriptions, default=0) > _MOST_DESCRIPTION:
        return wrong("E-MAIL-HEADER")
    return None


def _leaves(mail: _Mail, faults: list[Wrong]) -> Iterator[tuple[_Mail, bool]]:
    """Yield the innermost parts of a mail, in order. With each comes True if it belongs to a forwarded mail. Add a
    fault to `faults` for encrypted parts, and for too many or too deep parts, at which the search ends."""
    waiting = [(mail, 0, False)]
    count = 0
    while waiting:
        part, depth, is_forwarded = waiting.pop()
        count += 1
        if count > MOST_PARTS or depth > MOST_DEPTH:
            faults.append(wrong("E-MAIL-PARTS.deep"))
            return
        if part.get_content_type() in _LOCKED:
            faults.append(wrong("E-MAIL-ENCRYPTED"))
        elif part.is_multipart() and not _is_encoded_mail(part):
            inside = is_forwarded or part.get_content_maintype() == "message"
            waiting += [(each, depth + 1, inside) for each in reversed(_inner_parts(part))]
        else:
            yield part, is_forwarded


def _is_encoded_mail(part: _Mail) -> bool:
    """Return whether a part is a forwarded mail in a transfer encoding. The standard forbids this, but some programs do
    it."""
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().casefold()
    return part.get_content_type() == "message/rfc822" and encoding in ("base64", "quoted-printable")


def _mail_in(part: _Mail) -> bytes:
    """Return the bytes of the mail in an attached file; empty if the part is no file with a mail."""
    # The library takes such a mail apart without decoding it: what it made of it is put together again.
    if _is_encoded_mail(part):
        holder: _Mail = Message()
        holder["Content-Transfer-Encoding"] = str(part["Content-Transfer-Encoding"])
        holder.set_payload("".join(str(each.get_payload()) for each in _inner_parts(part)))
        return _content(holder)
    return _content(part) if _name_of(part).casefold().endswith(".eml") else b""


def _name_of(part: _Mail) -> str:
    """Return the name of an attached file. It may be encoded as other headers are."""
    return _printable_line(_words((part.get_filename() or "")[:_MOST_HEADER]))[:80]


def _inner_parts(part: _Mail) -> list[_Mail]:
    inner = part.get_payload()
    return [each for each in inner if isinstance(each, Message)] if isinstance(inner, list) else []


def _forwarded_name(name: Words | str) -> Words:
    return words("mail-forwarded", part=name)


def _take_leaf(part: _Mail, is_forwarded: bool, parts: list[Part], faults: list[Wrong]) -> None:
    """Add a part without parts of its own to `parts` if it is text. If it is a document that cannot be read here, add a
    fault to `faults`. `is_forwarded` is true within a mail that is attached to the mail."""
    name = _name_of(part)
    form = _form(part, name.casefold())
    nameless = words("mail-text") if form else words("mail-nameless", kind=part.get_content_type())
    called = words("mail-attachment", name=repr(name)) if name else nameless
    called = _forwarded_name(called) if is_forwarded else called
    if form:
        text, note = text_of_bytes(_content(part), str(part.get_content_charset() or ""))
        is_damaged = any(isinstance(defect, _OF_BASE64) for defect in part.defects)
        flow = str(part.get_param("format", "")).casefold() == "flowed"
        parts.append(
            Part(
                name=called,
                text=text,
                form=form,
                is_flowed=flow,
                is_blank_added=flow and str(part.get_param("delsp", "")).casefold() == "yes",
                is_forwarded=is_forwarded,
                is_damaged=is_damaged,
                notes=(note,) if note else (),
            )
        )
    elif not part.get_content_type().startswith(_SILENT):
        faults.append(wrong("W-MAIL-ATTACHMENT", part=called))


def files_in(raw: bytes, suffix: str) -> list[tuple[str, bytes]]:
    """Return the name and the bytes of each attached file with this suffix. Return nothing for a mail that cannot be
    read."""
    if _too_much(raw):
        return []
    try:
        mail = email.message_from_bytes(raw.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n"))
        named = [(_name_of(part), part) for part, _ in _leaves(mail, [])]
        return [(name, _content(part)) for name, part in named if name.casefold().endswith(suffix)]
    except (*_STUMBLES, MessageError):
        return []


def is_cut_off(raw: bytes) -> bool:
    """Return whether a mail ends before the end that its parts announce. A mail that cannot be read does not count as
    cut off."""
    if _too_much(raw):
        return False
    try:
        mail = email.message_from_bytes(raw.lstrip(b"\r\n"))
    except (*_STUMBLES, MessageError):
        return False
    return any(isinstance(defect, _OF_CUT) for part in mail.walk() for defect in part.defects)


def _form(part: _Mail, name: str) -> Form | None:
    """Return the form of a part by its declared type and its name; None if it is neither text nor a page."""
    kind = part.get_content_type()
    if kind == "text/html" or name.endswith(_PAGE_NAMES):
        return "html"
    # A multipart that tells no boundary has no parts: all its text stands in itself.
    is_text = kind.startswith(("text/", "multipart/")) or kind.endswith("yaml")
    return "plain" if is_text or name.endswith(_TEXT_NAMES) else None


def _content(part: _Mail) -> bytes:
    """Return the bytes of a part without its transfer encoding."""
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _envelope(mail: _Mail) -> Envelope:
    authors = [str(each) for each in mail.get_all("From", [])]
    sender = _address(authors[0][:_MOST_HEADER]) if authors else ""
    # RFC 3834, its forerunners, and mail that came back, which has no return path or is a report of delivery.
    is_automatic = (
        _first_word(str(mail.get("Auto-Submitted", "no"))) not in ("", "no")
        or any(name in mail for name in _AUTOMATIC)
        or _first_word(sender.replace("@", ";")) in _DAEMONS
        or str(mail.get("Precedence", "")).strip().casefold() in ("bulk", "junk", "auto_reply")
        or str(mail.get("Return-Path", "")).strip() == "<>"
        or bool(_SUPPRESSED.search(str(mail.get(SUPPRESS, ""))[:_MOST_HEADER]))
        or mail.get_content_type() == "multipart/report"
    )
    message_id = "".join(str(mail.get("Message-ID", ""))[:_MOST_HEADER].split())
    # From the end: the mail that is answered stands last in References.
    thread = " ".join(str(mail.get(name, ""))[-_MOST_THREAD:] for name in ("In-Reply-To", "References"))
    return Envelope(
        sender=sender,
        subject=_printable_line(_words(str(mail.get("Subject", ""))[:_MOST_HEADER]))[:200],
        date=_date(str(mail.get("Date", ""))[:100]),
        received=_date(str(mail.get("Received", ""))[:_MOST_HEADER].rpartition(";")[2][:100]),
        message_id=_printable_line(message_id)[:250],
        answers=tuple(dict.fromkeys(_MESSAGE_ID.findall(thread))),
        kind=_first_word(str(mail.get(KIND, ""))[:_MOST_HEADER]),
        is_automatic=is_automatic,
        is_shared=_is_of_list(mail) or len(authors) > 1 or any(map(_has_several, authors)),
    )


def _is_of_list(mail: _Mail) -> bool:
    """Return whether a mail came through a mailing list, whose address may then stand in place of the writer's."""
    if str(mail.get("Precedence", "")).strip().casefold() in ("list", "bulk", "junk"):
        return True
    return any(
        name.casefold() in _OF_LISTS
        or (name.casefold().startswith("list-") and not (name.casefold() == "list-id" and _is_our_list(str(value))))
        for name, value in mail.items()
    )


def _is_our_list(header: str) -> bool:
    return len(header) <= _MOST_HEADER and bool(_OUR_LIST.fullmatch(header))


def _has_several(header: str) -> bool:
    """Return whether a header names more than one author, or is too long to be read to its end."""
    # Some programs write the address also in place of a name.
    return len(header) > _MOST_HEADER or len({each.casefold() for each in _addresses(header)}) > 1


def _first_word(header: str) -> str:
    """Return the value of a header without parameters and comments."""
    return _BEHIND.split(header.strip().casefold())[0]


def _address(header: str) -> str:
    """Return the address in a header; empty if no mail can be sent to it."""
    address = next(iter(_addresses(header)), "")
    return address if is_address(address) else ""


def _addresses(header: str) -> list[str]:
    try:
        return [address for _, address in getaddresses([header])]
    except (*_STUMBLES, MessageError):
        return []


def _date(header: str) -> datetime | None:
    """Return the date of a header in UTC; None if it cannot be read. A date without a zone is read as UTC."""
    try:
        date = parsedate_to_datetime(header)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
    except (*_STUMBLES, MessageError):
        return None


def _words(header: str) -> str:
    """Return the decoded text of a header."""
    try:
        pieces = decode_header(header)
    except (*_STUMBLES, MessageError):
        return header
    return "".join(
        text_of_bytes(piece, charset or "")[0] if isinstance(piece, bytes) else piece for piece, charset in pieces
    )


def _printable_line(text: str) -> str:
    """Return a text on one line, without invisible characters or characters that change the direction of writing."""
    return " ".join(clean_text(UNWANTED.sub(" ", text)).split())
