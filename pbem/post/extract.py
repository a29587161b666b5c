"""Letters out of the raw bytes of a message: plain, flowed (RFC 3676), or a web page."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from msgspec import Struct, structs

from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.paper.documents.faults import MOST_FAULTS, Fault, Refused
from pbem.paper.found import FoundLetter
from pbem.paper.letters import read_letter
from pbem.post.finding import Candidate, candidates, near_misses, plain_lines
from pbem.post.mailbox import MOST_BYTES
from pbem.post.mime import MOST_LINES, Envelope, Part, Taken, is_mail, take_apart, text_of_bytes

_SIGNATURE = "-- "


def unflowed_text(text: str, is_blank_added: bool) -> str:
    """The text with its paragraphs joined; `is_blank_added` is the parameter DelSp, for text without blanks."""
    lines: list[list[str]] = []
    depths: list[int] = []
    is_open = False
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        # A blank put before what would look like a quotation or a postmark (RFC 3676, 4.4).
        content = content.removeprefix(" ")
        # The line above a signature ends in a blank and does not flow (RFC 3676, 4.3).
        is_joined = is_open and depth == depths[-1] and content != _SIGNATURE
        is_open = content.endswith(" ") and content != _SIGNATURE
        if is_open and is_blank_added:
            content = content[:-1]
        if is_joined:
            lines[-1].append(content)
        else:
            lines.append([content])
            depths.append(depth)
    return "\n".join(_quoted_line("".join(pieces), depth) for pieces, depth in zip(lines, depths, strict=True))


def _quoted_line(line: str, depth: int) -> str:
    return f"{'>' * depth} {line}" if depth else line


_TOKEN = re.compile(r"<!--.*?(?:-->|\Z)|<[/!?]?[a-zA-Z][^<>]*>|[^<]+|<", re.DOTALL)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MARKUP = re.compile(r"<(?:br|p|div|pre|html|table|span|body|blockquote)\b[^<>]{0,400}>", re.IGNORECASE)
_UNSEEN = {name: re.compile(rf"</{name}\b[^<>]*>", re.IGNORECASE) for name in ("script", "style", "head", "title")}
_BLOCK = re.compile(
    r"address|article|aside|blockquote|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6r]|header|li|main|nav|ol|p|pre"
    r"|section|table|tbody|t[dhr]|thead|ul"
)
_NO_BREAK = "\u00a0"


def text_of(page: str) -> str:
    """Text of a page as its reader sees it, line by line, with `> ` before quoted lines."""
    page_text = _PageText()
    at = 0
    while at < len(page):
        token = _TOKEN.match(page, at)
        assert token, "every character belongs to a token"
        at = token.end()
        piece = token.group()
        if not piece.startswith("<") or piece == "<":
            page_text.add(_ENTITY.sub(lambda found: html.unescape(found.group()), piece))
        elif tag := _TAG.match(piece):
            name = tag[2].casefold()
            page_text.tag(name, is_end=bool(tag[1]))
            if name in _UNSEEN and not tag[1]:
                end = _UNSEEN[name].search(page, at)
                at = end.end() if end else len(page)
    return page_text.whole()


class _PageText:
    """Text of a page while it is being put together."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.quotes = 0
        self.as_written = 0

    def add(self, text: str) -> None:
        if self.as_written:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            self.line.append(first)
            for each in rest:
                self.end_line()
                self.line.append(each)
            return
        text = _BLANKS.sub(" ", text)
        text = text if self.line else text.lstrip(" ")
        if text:
            self.line.append(text)

    def tag(self, name: str, *, is_end: bool) -> None:
        step = -1 if is_end else 1
        if name == "br" or (_BLOCK.fullmatch(name) and any(self.line)):
            self.end_line()
        if name == "pre":
            self.as_written = max(0, self.as_written + step)
            self.line = []
        elif name == "blockquote":
            self.quotes = max(0, min(20, self.quotes + step))

    def end_line(self) -> None:
        line = "".join(self.line).replace(_NO_BREAK, " ").rstrip(" ")
        self.lines.append("> " * self.quotes + line)
        self.line = []

    def whole(self) -> str:
        self.end_line()
        return "\n".join(self.lines)


MOST_LETTERS = 500
"""Most letters that are taken from one message. Copies are not counted, and signed letters come first."""

MOST_SCRAPS = 60
"""Most fragments without half the head of a letter that are looked at; they leave the room for letters as it is."""

MOST_OF_LETTERS = 1024 * 1024
"""Most characters of all letters of a message together."""

MOST_OF_PAGE = 512 * 1024
"""Characters of a page that are looked at."""

MOST_OF_TEXT = 100_000
"""Characters that are kept of the words beside the letters."""

_LINES_OF_HEAD = 20
_MOST_OF_HEAD = 2000
_HEAD_KEY = re.compile(r"\b(kind|campaign|from|body)[\"']?[ \u00a0]?:", re.IGNORECASE)
_HALF_A_HEAD = 1
_PAGE = (b"<!doctype html", b"<html")


class Extraction(Struct, frozen=True):
    """Content of a message: its letters, what could not be read of it, and the sender that it claims."""

    envelope: Envelope
    letters: tuple[FoundLetter, ...] = ()
    """The letters that can be read, without copies."""
    unread: tuple[FoundLetter, ...] = ()
    """Texts that look like letters but must not be read. Lines are counted in the part, as its reader sees it."""
    faults: tuple[Wrong, ...] = ()
    """Faults of the message as a whole."""
    text: str = ""
    """Beginning of the text that its reader sees."""


class _Room(Struct):
    """Remaining room for letters of one message."""

    letters: int = MOST_LETTERS
    size: int = MOST_OF_LETTERS
    scraps: int = MOST_SCRAPS
    ended: int = 0
    """First line that was not searched for want of room; 0 if all was searched."""

    def takes(self, each: Candidate) -> bool:
        """Take up room for a letter, and return whether there was enough."""
        if _rank(each) > 1:
            self.scraps -= 1
            self.size -= len(each.text) if self.scraps >= 0 else 0
            return self.scraps >= 0 and self.size >= 0
        if not self.letters or len(each.text) > self.size:
            self.end(each.line)
            return False
        self.letters -= 1
        self.size -= len(each.text)
        return True

    def end(self, line: int) -> None:
        """Note that a line was not reached."""
        self.ended = min(self.ended or line, line)


def extract(raw: bytes, hint: str = "") -> Extraction:
    """The letters in a mail, a page, or a text. `hint` is the name of its file, if it is known."""
    taken = _texts_of(raw, hint.casefold())
    faults = list(taken.faults)
    plain = [part for part in taken.parts if part.form == "plain"]
    found, more = _search(plain, is_page=False)
    if found:
        found += _signed_letters_beside(taken.parts, found)
    else:
        found, more = _search([*taken.parts], is_page=True)
    faults += more
    if not found:
        found = [near for part in taken.parts if (near := _near(part))][:1]
    if not found and not any(not fault.is_warning for fault in faults):
        faults.append(_nothing(taken.parts))
    unread = tuple(each for each in found if each.faults)
    text = next((seen for part in taken.parts if (seen := _visible_text(part)).strip()), "")
    return Extraction(taken.envelope, tuple(_once(found)), unread, tuple(faults[:MOST_FAULTS]), text[:MOST_OF_TEXT])


def _texts_of(raw: bytes, hint: str) -> Taken:
    """The texts of a message of any kind."""
    if hint.endswith(".eml") or (not hint.endswith((".yaml", ".yml")) and is_mail(raw)):
        return take_apart(raw)
    if len(raw) > MOST_BYTES:
        return Taken(Envelope(), faults=(wrong("E-TEXT-SIZE", most=MOST_BYTES),))
    text, note = text_of_bytes(raw)
    if plain_lines(text).count("\n") > MOST_LINES:
        return Taken(Envelope(), faults=(wrong("E-TEXT-SIZE.lines", most=MOST_LINES),))
    is_page = hint.endswith((".html", ".htm")) or raw[:200].lstrip(b"\xef\xbb\xbf \r\n\t").lower().startswith(_PAGE)
    part = Part("", text, "html" if is_page else "plain", notes=(note,) if note else ())
    return Taken(Envelope(), (part,))


def _search(parts: list[Part], *, is_page: bool) -> tuple[list[FoundLetter], list[Wrong]]:
    """Everything in these parts that looks like a letter. Pages are searched as their reader sees them, and so are
    texts that contain tags."""
    found: list[FoundLetter] = []
    room = _Room()
    for part in parts:
        if is_page and part.form == "plain" and not _MARKUP.search(part.text):
            continue
        name = part.name if len(parts) > 1 else ""
        found += _best_reading(part, name, room, is_page=is_page)
    return found, [_unfinished_fault(room.ended)] if room.ended else []


def _signed_letters_beside(parts: Iterable[Part], found: list[FoundLetter]) -> list[FoundLetter]:
    """Signed letters that only the page beside a text has as they were written; their signatures prove it."""
    pages = [part for part in parts if part.form == "html"]
    if not any(each.is_signed or each.faults for each in found):
        return []
    known = {each.identity for each in found}
    return [
        each
        for each in _search(pages, is_page=True)[0]
        if each.letter and each.is_signed and each.identity not in known
    ]


def _unfinished_fault(line: int) -> Fault:
    """Fault of a message with more letters than are read."""
    return Fault.at(line, 1, wrong("E-TEXT-MANY", line=line, most=MOST_LETTERS))


def _best_reading(part: Part, name: Words | str, room: _Room, *, is_page: bool) -> list[FoundLetter]:
    """The letters of a part. Flowed text (RFC 3676) is read with its paragraphs joined, or as it stands if only that
    can be read."""
    if is_page:
        seen = _visible_text(structs.replace(part, form="html"))
        if len(part.text) > MOST_OF_PAGE:
            room.end(seen.count("\n") + 1)
        return _letters_in(seen, part, name, room, is_page=True)
    text = plain_lines(part.text)
    if not part.is_flowed:
        return _letters_in(text, part, name, room)
    joined = _letters_in(unflowed_text(text, part.is_blank_added), part, name, room)
    if all(each.letter for each in joined) and joined:
        return joined
    standing = _letters_in(text, part, name, room)
    return standing if standing and all(each.letter for each in standing) else joined


def _letters_in(text: str, part: Part, name: Words | str, room: _Room, *, is_page: bool = False) -> list[FoundLetter]:
    """Every letter of a text for which there is room, with its content or its faults; signed ones take room first."""
    copies: dict[tuple[str, bool], Candidate] = {}
    for each in candidates(text):
        known = copies.get((each.text, not each.faults))
        if known is None or known.is_quoted > each.is_quoted:
            copies[each.text, not each.faults] = each
    kept = [each for each in sorted(copies.values(), key=_rank) if room.takes(each)]
    kept.sort(key=lambda each: each.line)
    return [_with_content(each, part, name, is_page=is_page) for each in kept]


def _rank(each: Candidate) -> int:
    """Order in which room is given: signed letters, then possible letters, then fragments."""
    if each.is_signed and not each.faults:
        return 0
    # Both ends, for the keys of a head stand in any order, below the body as well (docs/protocol.md).
    head = each.text[:_MOST_OF_HEAD] + each.text[-_MOST_OF_HEAD:]
    return 1 if len({key.casefold() for key in _HEAD_KEY.findall(head)}) > _HALF_A_HEAD else 2


def _with_content(each: Candidate, part: Part, name: Words | str, *, is_page: bool) -> FoundLetter:
    """A letter with its content, unless it must not be read."""
    notes = (*part.notes, *(("read out of a page (HTML)",) if is_page else ()), *each.notes)
    found = FoundLetter(
        each.text, name, each.line, each.is_quoted, part.is_forwarded, each.is_signed, is_of_page=is_page, notes=notes
    )
    faults = each.faults
    if part.is_damaged and not each.is_signed:
        faults = (*faults, Fault.at(each.line, 1, wrong("E-MAIL-BASE64")))
    if not faults:
        try:
            letter = read_letter(each.text.encode("utf-8"), "letter", may_lack=True)
            return structs.replace(found, letter=letter.with_offset(each.line - 1, each.column - 1))
        except Refused as refused:
            faults = tuple(fault.with_offset(each.line - 1, each.column - 1) for fault in refused.faults)
    if name:
        faults = tuple(in_part(name, fault) for fault in faults)
    return structs.replace(found, faults=faults)


def _near(part: Part) -> FoundLetter | None:
    """Place where a letter seems to begin in the middle of a line."""
    text = _visible_text(part)
    fault = next(near_misses(text), None)
    if fault is None:
        return None
    around = text.split("\n")[fault.line - 1 : fault.line + _LINES_OF_HEAD]
    shown = "\n".join(around)[:MOST_OF_TEXT].replace("\r", "\n")
    return FoundLetter(f"{shown}\n", part.name, fault.line, faults=(fault,))


def in_part(name: Words | str, fault: Wrong) -> Wrong:
    """The fault with the name of its part, if the message has several."""
    return structs.replace(fault, message=words("in-part", part=name, message=fault.message))


_UNREADABLE = {
    "E-MAIL-ENCRYPTED": re.compile(r"(?m)^-----BEGIN PGP MESSAGE-----\s*$"),
    "E-TEXT-PACKED": re.compile(r"(?m)^begin [0-7]{3,4} [^\n]+\nM[^\n]{60}\n"),
    "E-TEXT-WRAPPED.whole": re.compile(
        r"\bpbem: \d(?=.{0,400}\bcampaign: [a-z0-9])(?=.{0,400}\bkind: (?!report|receipt|invitation)[a-z])"
    ),
}
"""Traces of letters that nobody can read, by the fault that tells of them; white space counts as one blank where lines
were wrapped anew."""

_QUOTED_LINE = re.compile(r"(?m)^[ \t]*[>|].*$")


def _nothing(parts: Iterable[Part]) -> Wrong:
    """Reason why there is no letter."""
    texts = [text for part in parts if (text := _visible_text(part)).strip()]
    for text in texts:
        # Words under which our own mail is quoted are no letter that came damaged.
        written = _QUOTED_LINE.sub("", text)
        joined = " ".join(written.split())
        for wording, trace in _UNREADABLE.items():
            if trace.search(joined if wording.startswith("E-TEXT-WRAPPED") else written):
                return wrong(wording)
    return wrong("E-TEXT-NONE") if texts else wrong("E-TEXT-EMPTY")


def _visible_text(part: Part) -> str:
    """Text of a part as its reader sees it."""
    return plain_lines(text_of(part.text[:MOST_OF_PAGE]) if part.form == "html" else part.text)


def _once(found: list[FoundLetter]) -> list[FoundLetter]:
    """The letters that can be read, without copies: an unquoted copy is preferred, then the first."""
    kept: dict[str, FoundLetter] = {}
    for each in found:
        if each.letter and (each.identity not in kept or kept[each.identity].is_quoted > each.is_quoted):
            kept[each.identity] = each
    return sorted(kept.values(), key=found.index)
