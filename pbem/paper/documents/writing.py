"""Writes our own documents as YAML that the strict reader reads back to the same texts, whatever mail does to them.

The same value gives the same bytes. Lines stay short, so that no mail program wraps them; nothing needs a tab, an
anchor or a tag; lists of short words stand on one line; text that would be taken for something else is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from pbem.paper.documents.characters import LONG_DASHES, OPENING_QUOTES, SINGLE_QUOTES, UNWANTED, called, clean

Value: TypeAlias = "str | int | bool | Sequence[Value] | Mapping[str, Value]"

WIDTH = 66
"""The longest line that we write on purpose."""

_LONGEST_KEY = 500
_SPECIAL = "-?:,[]{}#&*!|>'\"%@`<=~" + LONG_DASHES + OPENING_QUOTES + SINGLE_QUOTES
_PLAIN = re.compile(rf"(?![{re.escape(_SPECIAL)}])(?! )(?:(?!: | #|:$)[^\n])+(?<! )")
_PLAIN_IN_BRACKETS = re.compile(rf"(?![{re.escape(_SPECIAL)}])(?! )(?:(?! #)[^\n,:\[\]{{}}?])+(?<! )")
_BLOCK = re.compile(r"(?! )(?:[^\n]*[^\n ]\n+)+(?<!\n\n)")
"""Lines that can stand as they are: mail programs cut blanks at line ends and empty lines at the end of a text."""


def write(value: Value, width: int = WIDTH) -> str:
    """The document for this value; raises `ValueError` for text that no file of ours may hold."""
    return "\n".join(_lines(value, 0, width)) + "\n"


def _lines(value: Value, indent: int, width: int) -> Iterator[str]:
    """The lines of a value that begins on a line of its own."""
    pad = " " * indent
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _entry(f"{pad}{_key(key)}:", item, indent, width)
    elif isinstance(value, Sequence) and value and not isinstance(value, str):
        if (short := _on_one_line(value, width - indent)) is not None:
            yield pad + short
            return
        for item in value:
            yield from _item(item, indent, width)
    else:
        first, *rest = _scalar(value, indent, indent + 2, width)
        yield pad + first
        yield from rest


def _entry(head: str, value: Value, indent: int, width: int) -> Iterator[str]:
    """`key: value`, or the key and below it what belongs to it."""
    if _is_nested(value):
        assert isinstance(value, Mapping | Sequence)
        short = None if isinstance(value, Mapping) else _on_one_line(value, width - len(head) - 1)
        if short is not None:
            yield f"{head} {short}"
            return
        yield head
        yield from _lines(value, indent + 2, width)
        return
    first, *rest = _scalar(value, len(head) + 1, indent + 2, width)
    yield f"{head} {first}"
    yield from rest


def _item(value: Value, indent: int, width: int) -> Iterator[str]:
    """`- value`, where the value may itself run over several lines."""
    if _is_nested(value):
        first, *rest = _lines(value, indent + 2, width)
        yield f"{' ' * indent}- {first[indent + 2 :]}"
        yield from rest
        return
    first, *rest = _scalar(value, indent + 2, indent + 2, width)
    yield f"{' ' * indent}- {first}"
    yield from rest


def _is_nested(value: Value) -> bool:
    return isinstance(value, Mapping | Sequence) and not isinstance(value, str) and bool(value)


def _on_one_line(items: Sequence[Value], room: int) -> str | None:
    """The list in brackets, if it holds only short words and fits."""
    words = []
    for item in items:
        if _is_nested(item):
            return None
        words.append(in_brackets(item))
    line = f"[{', '.join(words)}]"
    return line if len(line) <= room else None


def in_brackets(value: Value) -> str:
    """A word as it may stand between brackets and commas, or as a key; nothing longer than a word is taken."""
    return _word(value, _PLAIN_IN_BRACKETS)


def _word(value: Value, plain: re.Pattern[str]) -> str:
    """A value without line breaks, quoted if it must be."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            text = _checked(value)
            return text if plain.fullmatch(text) and not text.startswith("...") else _quoted(text)
        case Mapping() if not value:
            return "{}"
        case Sequence() if not value:
            return "[]"
    raise TypeError(f"cannot write {value!r} as one word")


def _key(key: str) -> str:
    if not key or len(key) > _LONGEST_KEY:
        raise ValueError(f"a key has 1 to {_LONGEST_KEY} characters, this one has {len(key)}")
    return in_brackets(key)


def _scalar(value: Value, used: int, indent: int, width: int) -> list[str]:
    """The lines of one value, the first of them without its indentation."""
    if isinstance(value, str) and _BLOCK.fullmatch(_checked(value)):
        lines = clean(value).split("\n")[:-1]
        if max(map(len, lines)) + indent <= width:
            return ["|", *(" " * indent + line if line else "" for line in lines)]
    word = _word(value, _PLAIN)
    if len(word) + used <= width or not isinstance(value, str):
        return [word]
    return _wrapped(_quoted(value), used, indent, width)


def _checked(text: str) -> str:
    if hidden := UNWANTED.search(text):
        raise ValueError(f"the character {called(hidden.group())} must not be written")
    return clean(text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _wrapped(quoted: str, used: int, indent: int, width: int) -> list[str]:
    """A quoted text over several lines; a backslash at the end of a line keeps what is around it together."""
    pad = " " * indent
    lines: list[str] = []
    room = max(width - used, 20)
    while len(quoted) > room:
        cut = _cut(quoted, room - 1)
        lines.append(quoted[:cut] + "\\")
        quoted = quoted[cut:]
        if quoted.startswith(" "):
            quoted = "\\" + quoted
        room = max(width - indent, 20)
    lines.append(quoted)
    return [lines[0], *(pad + line for line in lines[1:])]


def _cut(quoted: str, most: int) -> int:
    """Where to end a line: behind a blank if there is one, never within an escape sequence."""
    cut = quoted.rfind(" ", most // 2, most) + 1 or most
    backslashes = len(quoted[:cut]) - len(quoted[:cut].rstrip("\\"))
    return cut - 1 if backslashes % 2 else cut
