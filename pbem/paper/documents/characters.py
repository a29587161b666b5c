"""Which characters a file may hold: every one must be visible, and survive mail, forums and telephones unchanged.

Letters of any language, suit signs, dashes and typographic quotation marks inside a text are welcome. Refused is what
nobody sees (no-break and zero-width spaces, controls of the writing direction), what another program takes for the
end of a line, and what a damaged letter leaves behind. The list is fixed here, so that a letter means the same
under every version of Python.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from pbem.paper.documents.faults import Fault

UNWANTED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
"""Any one character that a file must not hold; only the line feed is left of the controls."""

SPACES = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
"""Spaces of other kinds, which pages and telephones put in the place of ordinary ones."""

SMILEY_STYLE = re.compile("[\ufe00-\ufe0f]")
"""Selectors of a picture style: telephones put one behind a suit sign. They are dropped, not refused."""

LONG_DASHES = "‐‑‒–—―−•·"
"""What telephones and word processors make of the hyphen that begins a list item."""

OPENING_QUOTES = "“”„‟«»″"
"""What they make of the quotation mark `"`."""

SINGLE_QUOTES = "‘’‚‛′"
"""What they make of the quotation mark `'`."""

_SPACE = "type an ordinary space"
_DELETE = "delete it; it cannot be seen, so retype the word"
_NEW_LINE = "press Enter for a new line"
_HINTS = {
    "\t": "type spaces; tabs change their width on the way",
    "\r": _NEW_LINE,
    "\x0b": _NEW_LINE,
    "\x0c": _NEW_LINE,
    "\x85": _NEW_LINE,
    "\u2028": _NEW_LINE,
    "\u2029": _NEW_LINE,
    "\ufffd": "a letter was lost on the way; type it again and send the file as UTF-8",
}
_NAMES = {
    "\t": "tab",
    "\n": "line feed",
    "\r": "carriage return without line feed",
    "\x00": "null",
    "\x7f": "delete",
    "\x85": "next line",
}


def clean(text: str) -> str:
    """The one spelling of a text that we keep: composed letters (NFC), no picture styles."""
    return unicodedata.normalize("NFC", SMILEY_STYLE.sub("", text))


def called(character: str) -> str:
    """What to call a character in a message: `U+00A0 (no-break space)`."""
    name = _NAMES.get(character) or unicodedata.name(character, "").lower() or _kind(character)
    return f"U+{ord(character):04X} ({name})"


def _kind(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cc":
        return "control character"
    return "private character" if category == "Co" else "no character of any script"


def advice(character: str) -> str:
    """What to type instead of an unwanted character."""
    if hint := _HINTS.get(character):
        return hint
    if unicodedata.category(character) == "Zs":
        return _SPACE
    if "\x80" <= character <= "\x9f":
        return "the file was saved in another encoding; save it as UTF-8"
    return _DELETE


def _line_at(text: str, start: int) -> str:
    """The line at a place, as far as somebody needs to see of it to find it again."""
    return text[text.rfind("\n", 0, start) + 1 :].partition("\n")[0][:60]


def unwanted(text: str) -> Iterator[Fault]:
    """One fault for each sort of unwanted character, at its first place, telling how often it occurs."""
    first: dict[str, int] = {}
    count: dict[str, int] = {}
    for match in UNWANTED.finditer(text):
        character = match.group()
        first.setdefault(character, match.start())
        count[character] = count.get(character, 0) + 1
    for character, start in list(first.items())[:50]:
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
        often = f", {count[character]} times from here on" if count[character] > 1 else ""
        message = f"the character {called(character)} must not be used{often}"
        if character == "\t":
            message += f": {_line_at(text, start)!r}"
        yield Fault("E-YAML-CHARACTER", message, line, column, hint=advice(character))
