"""Reads letters and entries, and writes entries, as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import yaml

UNWANTED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
STYLES = re.compile("[\ufe00-\ufe0f]")
MOST_BYTES, DEEPEST, MOST_VALUES = 2 * 1024 * 1024, 32, 200_000

FIRST = "-?:,[]{}#&*!|>'\"%@`<=~" + "‐‑‒–—―−•·" + "“”„‟«»″" + "‘’‚‛′"
PLAIN = re.compile(rf"(?![{re.escape(FIRST)} ]|\.\.\.)(?:(?!: | #|:$)[^\n])+(?<! )")
PLAIN_IN_BRACKETS = re.compile(rf"(?![{re.escape(FIRST)} ]|\.\.\.)(?:(?! #)[^\n,:\[\]{{}}?])+(?<! )")
PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Archives that must be good, but the longest, are read by the slow one too, of which the program has nothing
(`test_archives.py`)."""
BLOCK = re.compile(r"(?! )(?:[^\n]*[^\n ]\n+)+(?<!\n\n)")


class Unreadable(Exception):
    """A document that is none of ours."""


def read(data: bytes) -> Any:
    """The tree of a document: texts, lists and mappings."""
    if len(data) > MOST_BYTES:
        raise Unreadable("too long")
    try:
        text = data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
        if UNWANTED.search(text):
            raise Unreadable("a character that must not be used")
        return Reading(text).document()
    except (UnicodeDecodeError, yaml.YAMLError, StopIteration) as error:
        raise Unreadable(str(error)) from None


class Reading:
    """One reading of one document, event by event."""

    def __init__(self, text: str) -> None:
        self.events = yaml.parse(text, Loader=PARSER)
        self.left = MOST_VALUES

    def document(self) -> Any:
        """The only document."""
        next(self.events)
        start = next(self.events)
        if not isinstance(start, yaml.DocumentStartEvent) or start.version or start.tags:
            raise Unreadable("no document, or one with directives")
        tree = self.value(next(self.events), DEEPEST)
        next(self.events)
        if not isinstance(next(self.events), yaml.StreamEndEvent):
            raise Unreadable("a second document")
        return tree

    def value(self, event: Any, depth: int) -> Any:
        """The value that begins with this event."""
        self.left -= 1
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None or event.tag is not None:
            raise Unreadable("an alias, an anchor or a tag")
        if not self.left or not depth:
            raise Unreadable("too many values, or too deep")
        if isinstance(event, yaml.ScalarEvent):
            text = cleaned(event.value)
            if UNWANTED.search(text):
                raise Unreadable("a character that must not be used")
            return text
        if isinstance(event, yaml.SequenceStartEvent):
            items = []
            while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
                items.append(self.value(event, depth - 1))
            return items
        entries: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.value(event, depth - 1)
            plain = isinstance(event, yaml.ScalarEvent) and not event.style
            if not isinstance(key, str) or key in entries or (plain and key in ("", "<<")):
                raise Unreadable("a key that is none, or that stands twice")
            entries[key] = self.value(next(self.events), depth - 1)
        return entries


def cleaned(text: str) -> str:
    """The one spelling of a text."""
    return unicodedata.normalize("NFC", STYLES.sub("", text))


def ordered(tree: Any) -> Any:
    """The tree with the keys of every mapping in canonical order."""
    if isinstance(tree, dict):
        return {key: ordered(tree[key]) for key in sorted(tree, key=lambda key: key.encode("utf-16-be"))}
    return [ordered(item) for item in tree] if isinstance(tree, list) else tree


def write(tree: Any, width: int) -> bytes:
    """The one way of writing a tree."""
    return ("\n".join(lines(tree, 0, width)) + "\n").encode()


def lines(tree: Any, indent: int, width: int) -> list[str]:
    """The lines of a value that begins on a line of its own."""
    pad = " " * indent
    found: list[str] = []
    if tree and isinstance(tree, dict):
        for key, value in tree.items():
            head = pad + word(key, PLAIN_IN_BRACKETS) + ":"
            if value and isinstance(value, dict):
                found += [head, *lines(value, indent + 2, width)]
            elif short := in_brackets(value, width - len(head) - 1):
                found += [f"{head} {short}"]
            elif value and isinstance(value, list):
                found += [head, *lines(value, indent + 2, width)]
            else:
                first, *rest = scalar(value, len(head) + 1, indent + 2, width)
                found += [f"{head} {first}", *rest]
        return found
    if short := in_brackets(tree, width - indent):
        return [pad + short]
    if tree and isinstance(tree, list):
        for item in tree:
            nested = item and not isinstance(item, str)
            made = lines(item, indent + 2, width) if nested else scalar(item, indent + 2, indent + 2, width)
            first = made[0][indent + 2 :] if nested else made[0]
            found += [f"{pad}- {first}", *made[1:]]
        return found
    first, *rest = scalar(tree, indent, indent + 2, width)
    return [pad + first, *rest]


def in_brackets(value: Any, room: int) -> str:
    """A list of words on one line, or nothing."""
    if not value or not isinstance(value, list) or any(item and not isinstance(item, str) for item in value):
        return ""
    line = "[" + ", ".join(word(item, PLAIN_IN_BRACKETS) for item in value) + "]"
    return line if len(line) <= room else ""


def word(value: Any, plain: re.Pattern[str]) -> str:
    """A value on one line."""
    if not isinstance(value, str):
        return "{}" if isinstance(value, dict) else "[]"
    return value if plain.fullmatch(value) else quoted(value)


def quoted(text: str) -> str:
    """A text in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def scalar(value: Any, used: int, indent: int, width: int) -> list[str]:
    """A text behind `used` columns, whose further lines are indented."""
    pad = " " * indent
    if isinstance(value, str) and BLOCK.fullmatch(value):
        rows = value.split("\n")[:-1]
        if max(map(len, rows)) + indent <= width:
            return ["|", *(pad + row if row else "" for row in rows)]
    short = word(value, PLAIN)
    if len(short) + used <= width or not isinstance(value, str):
        return [short]
    rest, found, room = quoted(value), [], max(width - used, 20)
    while len(rest) > room:
        cut = rest.rfind(" ", (room - 1) // 2, room - 1) + 1 or room - 1
        cut -= (len(rest[:cut]) - len(rest[:cut].rstrip("\\"))) % 2
        found.append(rest[:cut] + "\\")
        rest = ("\\" if rest[cut] == " " else "") + rest[cut:]
        room = max(width - indent, 20)
    rows = [*found, rest]
    return [rows[0], *(pad + row for row in rows[1:])]
