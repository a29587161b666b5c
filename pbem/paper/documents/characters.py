"""Characters of files. The module decodes files, finds characters that no file may contain, and describes syntax errors
of YAML in plain words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import yaml

from pbem.faults.wrong import NO_BREAKS, Line, Words, words, wrong
from pbem.paper.documents.faults import Fault, Refused


def as_utf8(content: bytes, source: str, most: int) -> str:
    """Return the text of a file. Its lines end with line feeds. Raises `Refused` if the file has more than `most`
    bytes, or is not in UTF-8."""
    if len(content) > most:
        raise Refused(source, [wrong("E-YAML-SIZE", most=most)])
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refused(source, [Fault.at(1, 1, wrong("E-YAML-ENCODING.utf16"))])
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(source, [_undecodable(content, error.start)]) from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _undecodable(content: bytes, start: int) -> Fault:
    before = content[:start].replace(b"\r\n", b"\n")
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8").removeprefix("\ufeff")) + 1
    guess = content[start : start + 1].decode("windows-1252", "replace")
    byte = f"{content[start]:02X}"
    if guess.isalpha():
        return Fault.at(line, column, wrong("E-YAML-ENCODING.letter", byte=byte, letter=repr(guess)))
    return Fault.at(line, column, wrong("E-YAML-ENCODING.byte", byte=byte))


UNWANTED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
"""Pattern of a character that a file must not contain. The only allowed control character is the line feed."""

SPACES = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
"""Pattern of the unusual spaces that web pages and telephones use instead of the ordinary space."""

SMILEY_STYLE = re.compile("[\ufe00-\ufe0f]")
"""Pattern of the invisible characters that telephones add to the sign of a suit to have it shown as a picture. They are
dropped, so that the file need not be refused."""

LONG_DASHES = "‐‑‒–—―−•·"
"""Dashes and dots that telephones and word processors write instead of the hyphen before a list item."""

OPENING_QUOTES = "“”„‟«»″"
"""Signs that telephones and word processors write instead of the quotation mark `"`."""

SINGLE_QUOTES = "‘’‚‛′"
"""Signs that telephones and word processors write instead of the quotation mark `'`."""

_HINTS = {"\t": "type-spaces", **dict.fromkeys("\r\x0b\x0c\x85\u2028\u2029", "type-new-line"), "\ufffd": "letter-lost"}
_NAMES = {
    "\t": "tab",
    "\n": "line feed",
    "\r": "carriage return without line feed",
    "\x00": "null",
    "\x7f": "delete",
    "\x85": "next line",
}


def clean_text(text: str) -> str:
    """Return a text with composed characters (NFC), and without the characters of `SMILEY_STYLE`. So texts that look
    equal have equal bytes."""
    return text if text.isascii() else unicodedata.normalize("NFC", SMILEY_STYLE.sub("", text))


def visible_text(text: str) -> str:
    """Return a text in which each invisible character is replaced by its number. Characters are composed, tabs and
    no-break spaces become spaces, and lines end with line feeds."""
    ends = text.replace("\r\n", "\n").replace("\r", "\n").translate(dict.fromkeys(map(ord, "\t" + NO_BREAKS), " "))
    return UNWANTED.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", clean_text(ends))


def is_printable(text: str) -> bool:
    """True if a text has only visible ASCII characters and blanks."""
    return text.isascii() and text.isprintable()


def character_name(character: str) -> str:
    """Return the name that a fault uses for a character, such as `U+00A0 (no-break space)`."""
    name = _NAMES.get(character) or unicodedata.name(character, "").lower() or _kind(character)
    return f"U+{ord(character):04X} ({name})"


def _kind(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cc":
        return "control character"
    return "private character" if category == "Co" else "no character of any script"


def advice(character: str) -> Words:
    """Return words that advise what to type instead of an unwanted character."""
    if hint := _HINTS.get(character):
        return words(hint)
    if unicodedata.category(character) == "Zs":
        return words("type-space")
    return words("save-as-utf8" if "\x80" <= character <= "\x9f" else "delete-unseen")


def unwanted_characters(text: str) -> Iterator[Fault]:
    """Yield a fault for each unwanted character that occurs in a text, but no more than 50 faults. The place of the
    fault is where the character occurs first. The fault says how often it occurs."""
    if is_printable(text.replace("\n", "")):
        return
    first: dict[str, int] = {}
    count: dict[str, int] = {}
    for match in UNWANTED.finditer(text):
        character = match.group()
        first.setdefault(character, match.start())
        count[character] = count.get(character, 0) + 1
    for character, start in list(first.items())[:50]:
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
        often = words("times-from-here", count=count[character]) if count[character] > 1 else ""
        in_line = text[text.rfind("\n", 0, start) + 1 :].partition("\n")[0][:60]
        where = f": {in_line!r}" if character == "\t" else ""
        hint, name = advice(character), character_name(character)
        yield Fault.at(line, column, wrong("E-YAML-CHARACTER", hint=hint, character=name, often=often, line=where))


DASHED_LINE = re.compile(rf" *([{LONG_DASHES}])(?: |$)")
"""Pattern of a line that begins with a dash or dot where a hyphen is needed."""

_UNCLOSED = "found unexpected (end of stream|document)"
_MEANINGS: tuple[tuple[str, str], ...] = (
    ("mapping values are not allowed", "E-YAML-SYNTAX.colon"),
    ("could not find expected ':'", "E-YAML-SYNTAX.form"),
    ("expected ',' or '[]}]'", "E-YAML-SYNTAX.bracket"),
    ("expected (the )?node content", "E-YAML-SYNTAX.value"),
    ("expected (key|'-' indicator|<block end>)", "E-YAML-SYNTAX.column"),
    ("cannot start any token", "E-YAML-SYNTAX.begin"),
    (_UNCLOSED, "E-YAML-SYNTAX.quote"),
    ("unknown escape|hexadecimal|hexdecimal|escape code|escape sequence", "E-YAML-SYNTAX.backslash"),
    ("(block )?sequence entries are not allowed", "E-YAML-SYNTAX.item"),
    ("alphabetic or numeric character", "E-YAML-SYNTAX.star"),
    ("tag|expected '>'", "E-YAML-SYNTAX.tag"),
    ("<document start>|directive", "E-YAML-SYNTAX.stray"),
    ("scanning a block scalar|comment or line break|indentation indicator|chomping", "E-YAML-SYNTAX.block"),
    ("", "E-YAML-SYNTAX"),
)
"""Patterns of the messages of the YAML parser, each with the wording that replaces the message. The first pattern that
matches counts."""


def syntax_fault(error: yaml.MarkedYAMLError, text: str) -> Fault:
    """Return an error of the YAML parser as a fault in plain words. Its place is where the mistake probably is: for a
    bracket or quote that is not closed, the place where it opens."""
    problem = f"{error.problem or ''} {error.context or ''}"
    wording = next(key for pattern, key in _MEANINGS if re.search(pattern, problem))
    mark = error.problem_mark or error.context_mark
    if error.context_mark and re.search(_UNCLOSED, problem):
        mark = error.context_mark
    lines = text.split("\n")
    line, column = _inside(lines, mark.line, mark.column) if mark else (0, 0)
    if dash := _dash(lines, line):
        return dash
    if lines[line][column : column + 1] == ":" and re.search("expected (key|(the )?node content|<block end>)", problem):
        return Fault.at(line + 1, column + 1, wrong("E-YAML-KEY.none"))
    opened = Line(error.context_mark.line + 1 if error.context_mark else line + 1)
    is_curly = re.search(f"[{OPENING_QUOTES}]", "".join(lines[max(0, line - 1) : line + 1]))
    return Fault.at(
        line + 1, column + 1, wrong(wording, hint=words("straight-quotes") if is_curly else None, opened=opened)
    )


def _inside(lines: list[str], line: int, column: int) -> tuple[int, int]:
    """Return `line` and `column` if the file has such a place. If not, return the place behind the last line with text.
    Both count from 0."""
    if line < len(lines) and (lines[line] or column):
        return line, column
    line = min(line, len(lines) - 1)
    while line and not lines[line].strip():
        line -= 1
    return line, len(lines[line].rstrip())


def _dash(lines: list[str], line: int) -> Fault | None:
    """Return a fault if this line, or the line above it, begins with a dash that is not a hyphen. Return None if
    not."""
    for number in range(max(0, line - 1), line + 1):
        if found := DASHED_LINE.match(lines[number]):
            return not_a_hyphen(found.group(1), number + 1, found.start(1) + 1)
    return None


def not_a_hyphen(dash: str, line: int, column: int) -> Fault:
    """Return the fault for a list item before which there is a dash that is not a hyphen."""
    return Fault.at(line, column, wrong("E-YAML-DASH", character=character_name(dash)))
