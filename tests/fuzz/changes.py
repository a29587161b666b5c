"""Changes of bytes and trees before they are read: cuts, copies, and words that have hurt readers before.

A change is plain data. Hypothesis draws them for the suite, and makes failing ones small; a long run makes them from a
seeded source of chance.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any, TypeAlias

from hypothesis import strategies as st
from msgspec import Struct

Change: TypeAlias = tuple[str, int, int, int]
"""Change: its kind, its place (of 2^16), its length, and its word."""

WORDS: tuple[bytes, ...] = (
    b"", b"\n", b"\r\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc2\xa0", b"\xe2\x80\xa8",
    b" ", b"\t", b":", b": ", b"- ", b"-", b"? ", b"#", b" # ", b"|", b"|\n", b">", b"> ", b"'", b'"', b"\\", b",",
    b"[", b"]", b"{", b"}", b"[]", b"{}", b"[[[[[[[[", b"&a ", b"*a", b"!t ", b"<<: ", b"---\n", b"...\n", b"%YAML",
    b"~", b"null", b"yes", b"no", b"off", b"0", b"1", b"-1", b"00", b"1e999", b"1.5", b"nan", b"9" * 30, b"9" * 5000,
    b"\xd9\xa3", b"\xc2\xb2", b"\xf0\x9d\x9f\x97", b"a" * 300, b"../../x", b"/dev/zero", b"CON", b"--", b"-- \n",
    b"pbem: 1\n", b"body:\n", b"signature: |\n", b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----\n",
    b"[code]", b"[/code]", b"```\n", b"<pre>", b"</pre>", b"<!--", b"&nbsp;", b"&#0;", b"=\n", b"=3D", b"=?utf-8?q?a?=",
    b"\n\nFrom a\nb: c\n\n", b"Content-Type: message/rfc822\n\n", b"Content-Transfer-Encoding: base64\n", b"--xx\n",
    b"--xx--\n", b"; charset=utf-16", b"; charset=idna", b"\xe2\x99\xa0\xef\xb8\x8f", b"e\xcc\x81", b"\xe1\x84\x80",
)  # fmt: skip
"""Words that are put into files."""

TEXTS: tuple[str, ...] = tuple(text for word in WORDS if (text := word.decode("utf-8", "replace")).isprintable())
_PART = re.compile("[0-9]+|[^ ,]+$")
KINDS = ("insert", "replace", "cut", "double", "move", "flip", "truncate")
_PLACES = 1 << 16


class Files(Struct, frozen=True):
    """Some whole files to begin with, of which parts are also put into one another."""

    seeds: tuple[bytes, ...]


changes = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.integers(0, _PLACES - 1),
        st.integers(0, 80),
        st.integers(0, len(WORDS) - 1),
    ),
    min_size=1,
    max_size=5,
)
"""Changes of a file that hypothesis may make."""


def chance_changes(chance: Random) -> list[Change]:
    """Changes of a file in a long run."""
    return [
        (
            chance.choice(KINDS),
            chance.randrange(_PLACES),
            chance.choice((1, 2, 5, 20, 80, 400)),
            chance.randrange(len(WORDS)),
        )
        for _ in range(chance.choice((1, 1, 2, 3, 6)))
    ]


def changed(data: bytes, done: list[Change]) -> bytes:
    """The bytes with these changes, one after the other."""
    for kind, place, size, word in done:
        at = place * (len(data) + 1) // _PLACES
        data = _step(data, kind, at, at + size, WORDS[word])
    return data


def _step(data: bytes, kind: str, at: int, end: int, word: bytes) -> bytes:
    match kind:
        case "insert":
            return data[:at] + word + data[at:]
        case "replace":
            return data[:at] + word + data[end:]
        case "cut":
            return data[:at] + data[end:]
        case "double":
            return data[:end] + data[at:]
        case "move":
            other = end * 7 % (len(data) + 1)
            return data[:other] + data[at:end] + data[other:]
        case "flip":
            return data[:at] + bytes(each ^ 1 << end % 8 for each in data[at : at + 1]) + data[at + 1 :]
    return data[:at]


def changed_tree(tree: Any, chance: Random) -> Any:
    """A tree in which one place says something else: what no change of bytes is likely to hit."""
    places = list(_places(tree, ()))
    place = chance.choice(places)
    other = _at(tree, chance.choice(places))
    return _with(tree, place, _instead(_at(tree, place), other, chance))


def _instead(value: Any, other: Any, chance: Random) -> Any:
    """Values to put in place of another."""
    match chance.randrange(8):
        case 0:
            return other
        case 1:
            return {}
        case 2:
            return []
        case 3:
            return [value, value]
        case 4:
            return {"a": value}
        case 5 if isinstance(value, list) and value:
            return [*value, chance.choice(value)] if chance.random() < 0.5 else value[1:]
        case 6 if isinstance(value, dict) and value:
            gone = chance.choice(list(value))
            renamed = {chance.choice(TEXTS) or "x": value[gone]} if chance.random() < 0.5 else {}
            return {key: item for key, item in value.items() if key != gone} | renamed
    text = str(value) if isinstance(value, str) else ""
    word = chance.choice(TEXTS)
    others = (word, text + word, text[:-1], text.upper(), f"{text}, {text}", _PART.sub(lambda _: word, text, count=1))
    return chance.choice(others)


def _places(tree: Any, here: tuple[Any, ...]) -> Any:
    """The way to every value in a tree."""
    yield here
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield from _places(value, (*here, key))


def _at(tree: Any, place: tuple[Any, ...]) -> Any:
    for step in place:
        tree = tree[step]
    return tree


def _with(tree: Any, place: tuple[Any, ...], value: Any) -> Any:
    """The tree with another value at a place."""
    if not place:
        return value
    step, *rest = place
    inner = _with(tree[step], tuple(rest), value)
    if isinstance(tree, dict):
        return {**tree, step: inner}
    return [*tree[:step], inner, *tree[step + 1 :]]
