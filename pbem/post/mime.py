"""Functions that parse mails into headers and texts."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from email.errors import (
    CloseBoundaryNotFoundDefect,
    InvalidBase64CharactersDefect,
    InvalidBase64LengthDefect,
    InvalidBase64PaddingDefect,
    MessageError,
    StartBoundaryNotFoundDefect,
)
from email.message import Message
from functools import lru_cache
from typing import Literal

from msgspec import Struct, structs

from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.post.charsets import text_of_bytes
from pbem.post.envelope import MOST_HEADER, STUMBLES, AnyMail, Envelope, envelope_of, header_words, printable_line
from pbem.post.mailbox import MOST_BYTES

MOST_LINES = 150_000
MOST_PARTS = 100
MOST_BOUNDARIES = 30
MOST_DEPTH = 12
_MOST_FILES = 2
"""Largest number of levels on which mails attached to attached mails are read."""

_HEADER_LINE = re.compile(rb"([!-9;-~]+):|[ \t]|From ")
_OF_MAIL = {b"received", b"message-id", b"mime-version", b"return-path", b"delivered-to", b"content-type"}
_OF_LETTERS = {b"from", b"to", b"date", b"subject"}
_BOUNDARY = re.compile(rb"boundary[\s*0-9]*=", re.IGNORECASE)
_DESCRIPTION = re.compile(rb"(?im)^content-(?:type|disposition|transfer-encoding)[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*")
_MOST_DESCRIPTION = 2000
_TEXT_NAMES = (".yaml", ".yml", ".txt", ".md", ".asc")
_PAGE_NAMES = (".html", ".htm")
_SILENT = ("image/", "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
_LOCKED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")
_OF_CUT = (StartBoundaryNotFoundDefect, CloseBoundaryNotFoundDefect)
_OF_BASE64 = (InvalidBase64CharactersDefect, InvalidBase64LengthDefect, InvalidBase64PaddingDefect)
Form = Literal["plain", "html"]


class Part(Struct, frozen=True):
    """Text in a mail. If the mail has several texts, `name` is the name of this one for people."""

    name: Words | str
    text: str
    form: Form = "plain"
    is_flowed: bool = False
    is_blank_added: bool = False
    is_forwarded: bool = False
    """True if the text belongs to an attached mail."""
    is_damaged: bool = False
    """True if the transfer encoding is damaged. A letter in this text is accepted only if its signature shows that it
    is whole."""
    notes: tuple[str, ...] = ()


class ParsedMail(Struct, frozen=True):
    """Headers, texts and faults of a parsed mail."""

    envelope: Envelope
    parts: tuple[Part, ...] = ()
    faults: tuple[Wrong, ...] = ()
    has_picture: bool = False


def is_mail(raw: bytes) -> bool:
    """True if the bytes begin with headers that are typical of mails, and an empty line follows. None of these headers
    may be `pbem`."""
    names = set[bytes]()
    for line in raw[: 64 * 1024].lstrip(b"\xef\xbb\xbf\r\n").replace(b"\r\n", b"\n").split(b"\n"):
        if not line:
            break
        match = _HEADER_LINE.match(line)
        if not match:
            return False
        names.add((match[1] or b"").lower())
    return b"pbem" not in names and (bool(names & _OF_MAIL) or len(names & _OF_LETTERS) > 1)


_FORWARDS = re.compile(r"\s*(?:\[[^\]]*\]\s*)?(?:fwd?|wg|rv|tr|i|inoltro|reenv)\s*:", re.IGNORECASE)
"""Beginnings of subjects with which mail programs mark a mail as forwarded."""


def take_apart(raw: bytes) -> ParsedMail:
    """Return the headers, texts and faults of a mail."""
    return _texts_within(raw, 0)


def _texts_within(raw: bytes, within: int) -> ParsedMail:
    """Return the headers of a mail, and the texts and faults of this mail and of the mails attached to it. `within` is
    0 for the mail that came, 1 for a mail that is attached to it, and so on. An attached mail is not read if `within`
    would be greater than `_MOST_FILES`."""
    try:
        mail = _parsed(raw)
        if isinstance(mail, Wrong):
            return ParsedMail(Envelope(), faults=(mail,))
        envelope = envelope_of(mail)
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
    except (*STUMBLES, MessageError):
        return ParsedMail(Envelope(), faults=(wrong("E-MAIL-BROKEN"),))
    if _FORWARDS.match(envelope.subject):
        parts = [structs.replace(part, is_forwarded=True) for part in parts]
    return ParsedMail(envelope, tuple(parts), tuple(faults), has_picture)


@lru_cache(maxsize=1)
def _parsed(raw: bytes) -> AnyMail | Wrong:
    """Return the parsed mail, or a fault if parsing would take too long. The result for the last mail is cached, so
    callers must not change it."""
    # With empty lines before it, the head would count as empty.
    return _too_much(raw) or email.message_from_bytes(raw.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n"))


def _too_much(raw: bytes) -> Wrong | None:
    """Return the fault of a mail that would take too long to read, or None."""
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


def _leaves(mail: AnyMail, faults: list[Wrong]) -> Iterator[tuple[AnyMail, bool]]:
    """Yield the innermost parts of a mail in order, each with True if it belongs to a forwarded mail. For each
    encrypted part, add a fault to `faults`. If there are too many parts, or if they are nested too deeply, add a fault
    and stop."""
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


def _is_encoded_mail(part: AnyMail) -> bool:
    """True if a part is a forwarded mail that has a transfer encoding. The standard forbids this, but it happens."""
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().casefold()
    return part.get_content_type() == "message/rfc822" and encoding in ("base64", "quoted-printable")


def _mail_in(part: AnyMail) -> bytes:
    """Return the bytes of the mail in an attached file. Return no bytes if the file has no mail."""
    # The library has split such a mail into parts without decoding it. Here the parts are joined again and decoded.
    if _is_encoded_mail(part):
        holder: AnyMail = Message()
        holder["Content-Transfer-Encoding"] = str(part["Content-Transfer-Encoding"])
        holder.set_payload("".join(str(each.get_payload()) for each in _inner_parts(part)))
        return _content(holder)
    return _content(part) if _name_of(part).casefold().endswith(".eml") else b""


def _name_of(part: AnyMail) -> str:
    """Return the decoded name of an attached file."""
    return printable_line(header_words((part.get_filename() or "")[:MOST_HEADER]))[:80]


def _inner_parts(part: AnyMail) -> list[AnyMail]:
    inner = part.get_payload()
    return [each for each in inner if isinstance(each, Message)] if isinstance(inner, list) else []


def _forwarded_name(name: Words | str) -> Words:
    return words("mail-forwarded", part=name)


def _take_leaf(part: AnyMail, is_forwarded: bool, parts: list[Part], faults: list[Wrong]) -> None:
    """If an innermost part of a mail is text, add it to `parts`. If it is a document that cannot be read, add a fault.
    `is_forwarded` is true if the part belongs to an attached mail."""
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
    """Return the name and the bytes of each attached file that has this suffix. Return none if the mail cannot be
    read."""
    try:
        mail = _parsed(raw)
        if isinstance(mail, Wrong):
            return []
        named = [(_name_of(part), part) for part, _ in _leaves(mail, [])]
        return [(name, _content(part)) for name, part in named if name.casefold().endswith(suffix)]
    except (*STUMBLES, MessageError):
        return []


def is_cut_off(raw: bytes) -> bool:
    """True if a mail ends before all its parts are complete. Return False if the mail cannot be read."""
    try:
        mail = _parsed(raw)
    except (*STUMBLES, MessageError):
        return False
    return not isinstance(mail, Wrong) and any(
        isinstance(defect, _OF_CUT) for part in mail.walk() for defect in part.defects
    )


def _form(part: AnyMail, name: str) -> Form | None:
    """Return the form of a part, as its declared type and its name show it. Return None if it is neither text nor a web
    page."""
    kind = part.get_content_type()
    if kind == "text/html" or name.endswith(_PAGE_NAMES):
        return "html"
    # If a multipart mail declares no boundary, it cannot be split into parts, and is one text.
    is_text = kind.startswith(("text/", "multipart/")) or kind.endswith("yaml")
    return "plain" if is_text or name.endswith(_TEXT_NAMES) else None


def _content(part: AnyMail) -> bytes:
    """Return the decoded bytes of a part."""
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
