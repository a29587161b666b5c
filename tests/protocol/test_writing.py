"""The one way of writing: both implementations give the same bytes for any tree, and read them back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pbem.paper.documents.characters import UNWANTED, clean_text
from pbem.paper.documents.writing import write as first
from tests.protocol import second_text
from tests.protocol.second_text import read
from tests.protocol.second_text import write as second

PIECES = [
    "a",
    "Daun",
    " ",
    "  ",
    "\n",
    ":",
    "#",
    '"',
    "\\",
    "-",
    "'",
    ",",
    "[",
    "}",
    "?",
    "...",
    "é",
    "‘",
    "♠",
    "x" * 30,
    "{}",
]
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.text(max_size=120).map(lambda text: clean_text(UNWANTED.sub("", text))),
).filter(lambda text: not UNWANTED.search(text) and clean_text(text) == text)
keys = texts.filter(lambda text: 0 < len(text) < 100)


@pytest.fixture(scope="module", autouse=True)
def _slow_parser() -> Iterator[None]:
    """Parse the program's files by a parser that has nothing of the program."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(second_text, "PARSER", yaml.SafeLoader)
        yield


def deeper(trees: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Lists and mappings of trees."""
    return st.lists(trees, max_size=5) | st.dictionaries(keys, trees, max_size=4)


trees = st.recursive(texts, deeper, max_leaves=15)


@given(trees, st.sampled_from([66, 100]))
def test_both_write_the_same_and_read_it_back(tree: Any, width: int) -> None:
    written = second(tree, width)
    assert written == first(tree, width).encode()
    assert read(written) == tree
