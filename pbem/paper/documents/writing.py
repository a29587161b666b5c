"""Writer of the program's documents as YAML. The strict reader reads a document back unchanged, even after a mail
program has changed its layout.

The same value always leads to the same bytes. Lines are short, so that mail programs do not wrap them. A text is quoted
if YAML would read it as something else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeGuard

from pbem.paper.documents.characters import (
    LONG_DASHES,
    OPENING_QUOTES,
    SINGLE_QUOTES,
    UNWANTED,
    character_name,
    clean_text,
    is_printable,
)

Value: TypeAlias = "str | int | bool | Sequence[Value] | Mapping[str, Value]"

WIDTH = 66
"""Largest number of characters in a line. A line is longer only if a single word is."""

_LONGEST_KEY = 500
_LONGEST_KNOWN = 40
"""Length of the longest word whose written form is cached. Words such as names and numbers occur again and again."""
_SPECIAL = "-?:,[]{}#&*!|>'\"%@`<=~" + LONG_DASHES + OPENING_QUOTES + SINGLE_QUOTES
_PLAIN = re.compile(rf"(?![{re.escape(_SPECIAL)}])(?! )(?:(?!: | #|:$)[^\n])+(?<! )")
_PLAIN_IN_BRACKETS = re.compile(rf"(?![{re.escape(_SPECIAL)}])(?! )(?:(?! #)[^\n,:\[\]{{}}?])+(?<! )")
_BELOW_ZERO = re.compile(r"-\d+")
_BLOCK = re.compile(r"(?! )(?:[^\n]*[^\n ]\n+)+(?<!\n\n)")
"""Pattern of a text with several lines that need not be quoted. A text must be quoted if a line ends with blanks or the
text with empty lines, because mail programs remove these."""


def write(value: Value, width: int = WIDTH) -> str:
    """Return a value as the text of a document. Raises `ValueError` if the value has a character that no document may
    contain."""
    lines: list[str] = []
    _add(lines, value, 0, width)
    return "\n".join(lines) + "\n"


def _add(lines: list[str], value: Value, indent: int, width: int) -> None:
    """Append the lines of a value. The value begins on a new line."""
    pad = " " * indent
    if not _is_nested(value):
        first, *rest = _scalar(value, indent, indent + 2, width)
        lines += [pad + first, *rest]
    elif isinstance(value, Mapping):
        for key, item in value.items():
            _add_entry(lines, f"{pad}{_key(key)}:", item, indent, width)
    elif (short := _on_one_line(value, width - indent)) is not None:
        lines.append(pad + short)
    else:
        for item in value:
            _add_item(lines, item, indent, width)


def _add_entry(lines: list[str], head: str, value: Value, indent: int, width: int) -> None:
    """Append the lines of an entry. `head` is the key, indented and with its colon. The value follows on the same line
    or below."""
    if not _is_nested(value):
        first, *rest = _scalar(value, len(head) + 1, indent + 2, width)
        lines += [f"{head} {first}", *rest]
    elif not isinstance(value, Mapping) and (short := _on_one_line(value, width - len(head) - 1)) is not None:
        lines.append(f"{head} {short}")
    else:
        lines.append(head)
        _add(lines, value, indent + 2, width)


def _add_item(lines: list[str], value: Value, indent: int, width: int) -> None:
    """Append the lines of an item of a list. The first line begins with a dash."""
    begin = f"{' ' * indent}- "
    if _is_nested(value):
        at = len(lines)
        _add(lines, value, indent + 2, width)
        lines[at] = begin + lines[at][indent + 2 :]
    else:
        first, *rest = _scalar(value, indent + 2, indent + 2, width)
        lines += [begin + first, *rest]


def _is_nested(value: Value) -> TypeGuard[Sequence[Value] | Mapping[str, Value]]:
    # This is for speed: almost all values are of one of these three types.
    if (kind := type(value)) is str or kind is dict or kind is list:
        return kind is not str and bool(value)
    return not isinstance(value, str | int) and isinstance(value, Mapping | Sequence) and bool(value)


def _on_one_line(items: Sequence[Value], room: int) -> str | None:
    """Return a list in brackets on one line of at most `room` characters. Return None if the list is longer, or if an
    item is a list or mapping."""
    if any(map(_is_nested, items)):
        return None
    words = [in_brackets(item) for item in items]
    line = f"[{', '.join(words)}]"
    return line if len(line) <= room else None


def on_one_line(value: Value) -> str:
    """Return a value on one line, no matter how long, as it is written behind a key or a dash."""
    if not _is_nested(value):
        return _word(value, _PLAIN)
    return _nested_on_one_line(value)


def _nested_on_one_line(value: Value) -> str:
    """Return a value on one line, as it is written within the brackets of a list or mapping. A list or mapping is put
    in brackets itself. Other values are written as by `in_brackets`, but a text such as `-3` is not quoted."""
    if not _is_nested(value):
        return value if isinstance(value, str) and _BELOW_ZERO.fullmatch(value) else in_brackets(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(key)}: {_nested_on_one_line(item)}' for key, item in value.items())}}}"
    return f"[{', '.join(map(_nested_on_one_line, value))}]"


def in_brackets(value: Value) -> str:
    """Return a value as it is written within the brackets of a list, or as a key. A text is quoted if necessary."""
    return _word(value, _PLAIN_IN_BRACKETS)


def _word(value: Value, plain: re.Pattern[str]) -> str:
    """Return a value on one line. A text is quoted unless it matches `plain`. Raises `TypeError` for a list or mapping
    that is not empty."""
    if isinstance(value, str):
        return _known(value, plain) if len(value) <= _LONGEST_KNOWN else _text(value, plain)
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Mapping() if not value:
            return "{}"
        case Sequence() if not value:
            return "[]"
    raise TypeError(f"cannot write {value!r} as one word")


def _text(text: str, plain: re.Pattern[str]) -> str:
    text = _checked_text(text)
    return text if plain.fullmatch(text) and not text.startswith("...") else _quoted_text(text)


_known = lru_cache(maxsize=4096)(_text)


@lru_cache(maxsize=512)
def _key(key: str) -> str:
    if not key or len(key) > _LONGEST_KEY:
        raise ValueError(f"a key has 1 to {_LONGEST_KEY} characters, this one has {len(key)}")
    return in_brackets(key)


def _scalar(value: Value, used: int, indent: int, width: int) -> list[str]:
    """Return the lines of a value that is not a list or mapping. The first line already has `used` characters. All
    other lines begin with `indent` blanks."""
    if isinstance(value, str) and "\n" in value and _BLOCK.fullmatch(_checked_text(value)):
        lines = clean_text(value).split("\n")[:-1]
        if max(map(len, lines)) + indent <= width:
            return ["|", *(" " * indent + line if line else "" for line in lines)]
    word = _word(value, _PLAIN)
    if len(word) + used <= width or not isinstance(value, str):
        return [word]
    return _wrapped_text(_quoted_text(value), used, indent, width)


def _checked_text(text: str) -> str:
    if is_printable(text):
        return text
    if hidden := UNWANTED.search(text):
        raise ValueError(f"the character {character_name(hidden.group())} must not be written")
    return clean_text(text)


def _quoted_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _wrapped_text(quoted: str, used: int, indent: int, width: int) -> list[str]:
    """Break a text in quotes into lines of at most `width` characters. The first line stands behind `used` characters,
    all others are indented by `indent`. A backslash at the end of a line joins it to the next."""
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
    """Return the index at which a text in quotes is broken, at most `most`. If possible it is behind a blank. It is
    never within an escape sequence."""
    cut = quoted.rfind(" ", most // 2, most) + 1 or most
    backslashes = len(quoted[:cut]) - len(quoted[:cut].rstrip("\\"))
    return cut - 1 if backslashes % 2 else cut
