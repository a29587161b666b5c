"""Functions that find letters in the bytes of a mail, a text or a web page. The text may be flowed (RFC 3676): then its
paragraphs are broken into lines that a reader joins again."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from msgspec import Struct, structs

from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.paper.by_hand import BY_HAND, is_unfilled, without_unfilled
from pbem.paper.documents.faults import MOST_FAULTS, Fault, Refused
from pbem.paper.found import FoundLetter
from pbem.paper.letters import read_letter
from pbem.post.charsets import text_of_bytes
from pbem.post.envelope import Envelope
from pbem.post.finding import Candidate, candidates, near_misses, plain_lines
from pbem.post.headless import headless_letter
from pbem.post.mailbox import MOST_BYTES
from pbem.post.mime import MOST_LINES, ParsedMail, Part, is_mail, take_apart

_SIGNATURE = "-- "


def unflowed_text(text: str, is_blank_added: bool) -> str:
    """Return a flowed text with the lines of each paragraph joined. `is_blank_added` is DelSp in RFC 3676: true if the
    blank at the end of a line does not belong to the text."""
    lines: list[list[str]] = []
    depths: list[int] = []
    is_open = False
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        # The sender adds a blank in front of a line that would otherwise look like a quotation or a postmark (RFC 3676,
        # 4.4).
        content = content.removeprefix(" ")
        # The line `-- ` above a signature ends in a blank, but is not joined with the next line (RFC 3676, 4.3).
        is_joined = is_open and depth == depths[-1] and content != _SIGNATURE
        is_open = content.endswith(" ") and content != _SIGNATURE
        if is_open and is_blank_added:
            content = content[:-1]
        if is_joined:
            lines[-1].append(content)
        else:
            lines.append([content])
            depths.append(depth)
    return "\n".join(
        (f"{'>' * depth} " if depth else "") + "".join(pieces) for pieces, depth in zip(lines, depths, strict=True)
    )


_MARK = r"<!--.*?(?:-->|\Z)|<[/!?]?[a-zA-Z][^<>]*>"
# An attack may have hundreds of thousands of `<` that begin no tag. To save time, all text up to the next real tag is
# one token.
_TOKEN = re.compile(rf"({_MARK})|(?:[^<]+|<(?!!--|[/!?]?[a-zA-Z][^<>]*>))+", re.DOTALL)
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
    """Return the lines of a web page as a reader sees them. Quoted lines begin with `> `."""
    page_text = _PageText()
    at = 0
    while at < len(page):
        token = _TOKEN.match(page, at)
        assert token, "every character belongs to a token"
        at = token.end()
        piece = token.group()
        if not token[1]:
            page_text.add(_ENTITY.sub(lambda found: html.unescape(found.group()), piece))
        elif tag := _TAG.match(piece):
            name = tag[2].casefold()
            page_text.tag(name, is_end=bool(tag[1]))
            if name in _UNSEEN and not tag[1]:
                end = _UNSEEN[name].search(page, at)
                at = end.end() if end else len(page)
    return page_text.whole()


class _PageText:
    """Text of a web page, built up piece by piece."""

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
"""Largest number of letters that are taken from one mail. Copies are not counted. If there are more letters, signed
letters are taken first."""

MOST_SCRAPS = 60
"""Largest number of fragments that are read. A fragment is a text with less than half of the keys of a letter's head.
Fragments are not counted as letters."""

MOST_OF_LETTERS = 1024 * 1024
"""Largest number of characters that all letters of one mail may have together."""

MOST_OF_PAGE = 512 * 1024
"""Number of characters of a web page that are searched. The rest of a longer page is ignored."""

MOST_OF_TEXT = 100_000
"""Number of characters of a mail's text that are stored."""

_LINES_OF_HEAD = 20
_MOST_OF_HEAD = 2000
_HEAD_KEY = re.compile(r"\b(kind|campaign|from|body)[\"']?[ \u00a0]?:", re.IGNORECASE)
_HALF_A_HEAD = 1
_PAGE = (b"<!doctype html", b"<html")


class Extraction(Struct, frozen=True):
    """Content of a mail: its headers, its letters, the texts that look like letters but cannot be read, its faults, and
    the beginning of its text."""

    envelope: Envelope
    letters: tuple[FoundLetter, ...] = ()
    unread: tuple[FoundLetter, ...] = ()
    """Texts that look like letters, but must not be read as letters. Their line numbers count the lines that the reader
    of the mail sees."""
    faults: tuple[Wrong, ...] = ()
    """Faults of the mail as a whole."""
    text: str = ""
    """Beginning of the text that the mail's reader sees."""


class _Room(Struct):
    """Limits for one mail: the number of letters and characters that may still be taken from it."""

    letters: int = MOST_LETTERS
    size: int = MOST_OF_LETTERS
    scraps: int = MOST_SCRAPS
    ended: int = 0
    """Number of the first line that was not searched, because a limit was reached. 0 if all lines were searched."""

    def takes(self, each: Candidate) -> bool:
        """Return True if the limits allow to take a found text, and lower the limits accordingly. If they do not allow
        it and the text may be a letter, note its line as the end of the search."""
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
        """Note that the search ended at this line because a limit was reached."""
        self.ended = min(self.ended or line, line)


def extract(raw: bytes, hint: str = "") -> Extraction:
    """Return the content of a mail, a web page or a text. `hint` is the name of its file, or empty. If the plain texts
    of a mail have letters, its HTML page is searched only for more signed letters."""
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
        found = [near for part in taken.parts if (near := _near_letter(part))][:1]
    if all(each.is_quoted for each in found):
        found += [each for part in plain if (each := _headless(part, found))][:1]
    if not found and not any(not fault.is_warning for fault in faults):
        faults.append(_fault_of_none(taken))
    unread = tuple(each for each in found if each.faults)
    text = next((seen for part in taken.parts if (seen := _visible_text(part)).strip()), "")
    return Extraction(
        taken.envelope, tuple(_without_copies(found)), unread, tuple(faults[:MOST_FAULTS]), text[:MOST_OF_TEXT]
    )


def _headless(part: Part, found: list[FoundLetter]) -> FoundLetter | None:
    return headless_letter(without_unfilled(plain_lines(part.text)), part.name, found)


def _texts_of(raw: bytes, hint: str) -> ParsedMail:
    if hint.endswith(".eml") or (not hint.endswith((".yaml", ".yml")) and is_mail(raw)):
        return take_apart(raw)
    if len(raw) > MOST_BYTES:
        return ParsedMail(Envelope(), faults=(wrong("E-TEXT-SIZE", most=MOST_BYTES),))
    text, note = text_of_bytes(raw)
    if plain_lines(text).count("\n") > MOST_LINES:
        return ParsedMail(Envelope(), faults=(wrong("E-TEXT-SIZE.lines", most=MOST_LINES),))
    is_page = hint.endswith((".html", ".htm")) or raw[:200].lstrip(b"\xef\xbb\xbf \r\n\t").lower().startswith(_PAGE)
    part = Part("", text, "html" if is_page else "plain", notes=(note,) if note else ())
    return ParsedMail(Envelope(), (part,))


def _search(parts: list[Part], *, is_page: bool) -> tuple[list[FoundLetter], list[Wrong]]:
    """Return the texts that look like letters. Also return a list of faults, which is empty unless there are too many
    such texts. With `is_page`, each part is read as a browser shows it, and a part of plain text is read only if it has
    HTML tags."""
    found: list[FoundLetter] = []
    room = _Room()
    for part in parts:
        if is_page and part.form == "plain" and not _MARKUP.search(part.text):
            continue
        name = part.name if len(parts) > 1 else ""
        found += _best_reading(part, name, room, is_page=is_page)
    if not room.ended:
        return found, []
    return found, [Fault.at(room.ended, 1, wrong("E-TEXT-MANY", line=room.ended, most=MOST_LETTERS))]


def _signed_letters_beside(parts: Iterable[Part], found: list[FoundLetter]) -> list[FoundLetter]:
    """Return those signed letters that are in the HTML page of a mail, but not in its plain text. `found` has the
    letters of the plain text. If none of them is signed or faulty, the page is not searched."""
    pages = [part for part in parts if part.form == "html"]
    if not any(each.is_signed or each.faults for each in found):
        return []
    known = {each.identity for each in found}
    return [
        each
        for each in _search(pages, is_page=True)[0]
        if each.letter and each.is_signed and each.identity not in known
    ]


def _best_reading(part: Part, name: Words | str, room: _Room, *, is_page: bool) -> list[FoundLetter]:
    """Return the letters of a part of a mail. `name` is the part's name for people.

    With `is_page`, the part is read as a browser shows it. If the page is very long, its end is not searched, which
    `room` notes. In flowed text, the lines of each paragraph are joined first. The lines are read as they are if the
    joined text has no letters or faulty ones, and the lines as they are have only good letters.
    """
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
    """Return the letters of a text in their order. If the limits in `room` do not allow to take all of them, signed
    letters are taken first. With `is_page`, the letters are marked as found in a web page."""
    copies: dict[tuple[str, bool], Candidate] = {}
    for each in candidates(text):
        if is_unfilled(each.text):
            continue
        known = copies.get((each.text, not each.faults))
        if known is None or known.is_quoted > each.is_quoted:
            copies[each.text, not each.faults] = each
    kept = [each for each in sorted(copies.values(), key=_rank) if room.takes(each)]
    kept.sort(key=lambda each: each.line)
    return [_with_content(each, part, name, is_page=is_page) for each in kept]


def _rank(each: Candidate) -> int:
    """Return the number of the group in which a found text is taken: 0 for signed letters, 1 for texts that may be
    letters, 2 for fragments."""
    if each.is_signed and not each.faults:
        return 0
    # Both the beginning and the end of the text are searched. The keys of a head may be in any order, and also below
    # the body (docs/protocol.md).
    head = each.text[:_MOST_OF_HEAD] + each.text[-_MOST_OF_HEAD:]
    return 1 if len({key.casefold() for key in _HEAD_KEY.findall(head)}) > _HALF_A_HEAD else 2


def _with_content(each: Candidate, part: Part, name: Words | str, *, is_page: bool) -> FoundLetter:
    """Read a found text as a letter. Return the letter, or the faults because of which it cannot be read. With
    `is_page`, the result is marked as found in a web page."""
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
        faults = tuple(
            structs.replace(fault, message=words("in-part", part=name, message=fault.message)) for fault in faults
        )
    return structs.replace(found, faults=faults)


def _near_letter(part: Part) -> FoundLetter | None:
    """Find the first line of a part where a letter seems to begin in the middle of the line. Return the text from this
    line on, with the fault. Return None if there is no such line."""
    text = _visible_text(part)
    fault = next(near_misses(text), None)
    if fault is None:
        return None
    around = text.split("\n")[fault.line - 1 : fault.line + _LINES_OF_HEAD]
    shown = "\n".join(around)[:MOST_OF_TEXT].replace("\r", "\n")
    return FoundLetter(f"{shown}\n", part.name, fault.line, faults=(fault,))


_UNREADABLE = {
    "E-MAIL-ENCRYPTED": re.compile(r"(?m)^-----BEGIN PGP MESSAGE-----\s*$"),
    "E-TEXT-PACKED": re.compile(r"(?m)^begin [0-7]{3,4} [^\n]+\nM[^\n]{60}\n"),
    "E-TEXT-WRAPPED.whole": re.compile(
        r"\bpbem: \d(?=.{0,400}\bcampaign: [a-z0-9])(?=.{0,400}\bkind: (?!report|receipt|invitation)[a-z])"
    ),
}
"""Patterns of texts in which letters cannot be read, keyed by the wording of the fault. For the fault of wrapped text,
the pattern is applied to the text with all its white space reduced to single blanks."""

_QUOTED_LINE = re.compile(r"(?m)^[ \t]*[>|].*$")


def _fault_of_none(taken: ParsedMail) -> Wrong:
    texts = [text for part in taken.parts if (text := _visible_text(part)).strip()]
    for text in texts:
        # If the mail quotes a mail of this program, the program's words above the quoted letter are not taken for a
        # damaged letter.
        written = without_unfilled(_QUOTED_LINE.sub("", text))
        joined = " ".join(written.split())
        for wording, trace in _UNREADABLE.items():
            if trace.search(joined if wording.startswith("E-TEXT-WRAPPED") else written):
                return wrong(wording)
    if taken.has_picture:
        return wrong("E-TEXT-NONE.picture")
    vote = BY_HAND["vote"]
    if any(f"{vote.key}: {vote.blank}" in _QUOTED_LINE.sub("", text) for text in texts):
        return wrong("E-TEXT-NONE.vote", unfilled=vote.blank)
    return wrong("E-TEXT-NONE") if texts else wrong("E-TEXT-EMPTY")


def _visible_text(part: Part) -> str:
    return plain_lines(text_of(part.text[:MOST_OF_PAGE]) if part.form == "html" else part.text)


def _without_copies(found: list[FoundLetter]) -> list[FoundLetter]:
    """Return the readable letters, each of them once. Of several copies of a letter, take the first that is not quoted.
    If all are quoted, take the first."""
    kept: dict[str, FoundLetter] = {}
    for each in found:
        if each.letter and (each.identity not in kept or kept[each.identity].is_quoted > each.is_quoted):
            kept[each.identity] = each
    return sorted(kept.values(), key=found.index)
