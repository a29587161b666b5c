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

from pbem.faults.words import Words, words
from pbem.faults.wrong import wrong
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

_HINTS = {
    "\t": "type-spaces",
    **dict.fromkeys("\r\x0b\x0c\x85\u2028\u2029", "type-new-line"),
    "\ufffd": "letter-lost",
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
    return text if text.isascii() else unicodedata.normalize("NFC", SMILEY_STYLE.sub("", text))


def is_printable(text: str) -> bool:
    """Whether a text holds nothing but visible ASCII and blanks, so that no character of it needs a further look."""
    return text.isascii() and text.isprintable()


def called(character: str) -> str:
    """What to call a character in a message: `U+00A0 (no-break space)`."""
    name = _NAMES.get(character) or unicodedata.name(character, "").lower() or _kind(character)
    return f"U+{ord(character):04X} ({name})"


def _kind(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cc":
        return "control character"
    return "private character" if category == "Co" else "no character of any script"


def advice(character: str) -> Words:
    """What to type instead of an unwanted character."""
    if hint := _HINTS.get(character):
        return words(hint)
    if unicodedata.category(character) == "Zs":
        return words("type-space")
    return words("save-as-utf8" if "\x80" <= character <= "\x9f" else "delete-unseen")


def _line_at(text: str, start: int) -> str:
    """The line at a place, as far as somebody needs to see of it to find it again."""
    return text[text.rfind("\n", 0, start) + 1 :].partition("\n")[0][:60]


def unwanted(text: str) -> Iterator[Fault]:
    """One fault for each sort of unwanted character, at its first place, telling how often it occurs."""
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
        where = f": {_line_at(text, start)!r}" if character == "\t" else ""
        hint, name = advice(character), called(character)
        yield Fault.at(line, column, wrong("E-YAML-CHARACTER", hint=hint, character=name, often=often, line=where))
