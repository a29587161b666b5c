"""The writer: what it writes is read back the same, in short lines, and byte for byte the same every time."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.paper.documents.characters import SMILEY_STYLE, UNWANTED
from pbem.paper.documents.strict import DocumentLimits, bare, read_yaml
from pbem.paper.documents.writing import WIDTH, Value, write


def as_read(value: Value) -> object:
    """The value as the strict reader gives it: nothing but texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return {key: as_read(item) for key, item in value.items()}
    return [as_read(item) for item in value]


AWKWARD = [
    "no", "~", "null", "12:30", "- a", "-", "?", "a: b", "a:", "a #b", "#", " a", "a ", "'", '"', "\\", "a\\", "[a]",
    "a, b", "{", "}", "*a", "&a", "!a", "|", ">", "%", "@", "`", "---", "...", "... a", "--- a", "<<", "=", "– a",
    "“a”", "‘a’", "\n", "a\nb", "a\nb\n", "a\n\nb\n", "a\n\n", " a\n", "a \nb\n", "a\n b\n", "- a\n- b\n", "♠7",
    "'s-Hertogenbosch", "d’Argent", "Frankfurt (Oder)", "x" * 300, "word " * 40, "a  b " * 30, "\\" * 90, '"' * 90,
    "é" * 200, "a\n" * 40, "x" * 70 + "\n",
]  # fmt: skip


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_texts_come_back(text: str) -> None:
    for value in (
        text,
        [text],
        {"key": text},
        {"list": [text, [text]]},
        [{"a": text, "b": [text]}],
        {"a": {"b": text}},
    ):
        assert bare(read_yaml(write(value).encode(), "f")) == as_read(value)


TEXTS = st.text(max_size=90).filter(lambda text: not UNWANTED.search(text) and not SMILEY_STYLE.search(text))
WRITABLE = st.one_of(TEXTS, st.sampled_from(AWKWARD)).map(lambda text: unicodedata.normalize("NFC", text))
KEYS = WRITABLE.filter(lambda text: 0 < len(text) <= 300)
VALUES = st.recursive(
    st.one_of(WRITABLE, st.integers(-(10**9), 10**9), st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=12,
)


@given(VALUES)
@settings(max_examples=150, deadline=1000)
def test_whatever_is_written_is_read_back(value: Value) -> None:
    text = write(value)
    assert bare(read_yaml(text.encode(), "f", DocumentLimits(depth=100))) == as_read(value)
    assert write(value) == text
    assert bare(read_yaml(text.replace("\n", "\r\n").encode(), "f", DocumentLimits(depth=100))) == as_read(value)
    assert all(line == line.rstrip() for line in text.split("\n"))


def test_layout() -> None:
    value: Value = {
        "pbem": 1,
        "kind": "orders",
        "body": [{"piece": "Friedrich", "to": ["Jauer", "Schweidnitz"], "forced": True}, ["a", "b"]],
        "cities": ["Landsberg an der Warthe", "Frankfurt (Oder)", "Frankfurt am Main"],
        "none": [],
        "empty": {},
        "said": "first: this\nthen that\n",
        "long": "a sentence with more words than fit on one line is put in quotes and broken",
    }
    assert write(value) == (
        "pbem: 1\n"
        "kind: orders\n"
        "body:\n"
        "  - piece: Friedrich\n"
        "    to: [Jauer, Schweidnitz]\n"
        "    forced: true\n"
        "  - [a, b]\n"
        "cities:\n"
        "  [Landsberg an der Warthe, Frankfurt (Oder), Frankfurt am Main]\n"
        "none: []\n"
        "empty: {}\n"
        "said: |\n"
        "  first: this\n"
        "  then that\n"
        'long: "a sentence with more words than fit on one line is put in \\\n'
        '  quotes and broken"\n'
    )


@given(st.dictionaries(KEYS.filter(lambda key: len(key) < 20), WRITABLE, max_size=4))
@settings(max_examples=50, deadline=1000)
def test_lines_are_short(value: dict[str, str]) -> None:
    assert all(len(line) <= WIDTH for line in write(value).split("\n"))


@pytest.mark.parametrize("value", ["a\tb", "a\u00a0b", "\x00", "\u2028", {"": "a"}, {"k" * 501: "a"}, {"a\u200b": 1}])
def test_what_could_not_be_read_back_is_not_written(value: Value) -> None:
    with pytest.raises(ValueError):
        write(value)


def test_only_plain_values_are_written() -> None:
    with pytest.raises(TypeError):
        write(None)  # type: ignore[arg-type]
