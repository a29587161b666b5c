"""The canonical form: vectors, the examples of RFC 8785, another implementation, and what has no canonical form."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.seal.canonical import DEEPEST, Tree, canonical
from pbem.seal.faults import NotCanonical
from tests.seal import second
from tests.seal.tools import vectors

texts = st.text(max_size=12).map(lambda text: unicodedata.normalize("NFC", text))
trees: st.SearchStrategy[Tree] = st.recursive(
    texts,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=5)),
    max_leaves=15,
)


@pytest.mark.parametrize("vector", vectors("canonical")["good"], ids=lambda vector: vector["name"])
def test_vectors(vector: Any) -> None:
    assert canonical(vector["tree"]).decode() == vector["canonical"]


@pytest.mark.parametrize("vector", vectors("canonical")["refused"], ids=lambda vector: vector["name"])
def test_refused(vector: Any) -> None:
    with pytest.raises(NotCanonical) as refusal:
        canonical(vector["tree"])
    assert refusal.value.code == vector["expect"]


def test_every_character_is_written_and_sorted_as_by_the_other_implementation() -> None:
    """Every one that Unicode has assigned, and of the others, which are four times as many, one in sixteen."""
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    known = [sign for sign in every if ord(sign) % 16 == 0 or unicodedata.category(sign) != "Cn"]
    normal = [sign for sign in known if unicodedata.is_normalized("NFC", sign)]
    for first in range(0, len(normal), 5000):
        tree: Tree = {sign: sign for sign in reversed(normal[first : first + 5000])}
        assert canonical(tree).decode() == second.canonical(tree)


def test_the_sorting_example_of_rfc_8785() -> None:
    """Section 3.2.3, without its Hebrew letter U+FB33, which is not NFC and so refused by us."""
    tree: Tree = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    assert canonical(tree).decode() == (
        '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",'
        '"\u20ac":"Euro Sign","\U0001f600":"Emoji: Grinning Face"}'
    )


def test_the_text_example_of_rfc_8785() -> None:
    assert canonical('\u20ac$\u000f\nA\'B"\\\\"/').decode() == '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'


@given(trees)
def test_two_implementations_agree(tree: Tree) -> None:
    assert canonical(tree).decode() == second.canonical(tree)


@given(trees)
def test_a_library_of_others_agrees(tree: Tree) -> None:
    assert canonical(tree) == pytest.importorskip("rfc8785").dumps(tree)


@given(trees)
def test_nothing_is_lost(tree: Tree) -> None:
    assert json.loads(canonical(tree)) == tree


@given(trees, trees)
def test_different_trees_have_different_bytes(one: Tree, two: Tree) -> None:
    assert (canonical(one) == canonical(two)) == (one == two)


@given(st.dictionaries(texts, texts))
def test_the_order_of_keys_does_not_matter(tree: dict[str, str]) -> None:
    assert canonical(dict(tree)) == canonical(dict(reversed(tree.items())))


def test_depth_is_limited() -> None:
    tree: Tree = "leaf"
    for _ in range(DEEPEST):
        tree = [tree]
    assert canonical(tree).count(b"[") == DEEPEST
    with pytest.raises(NotCanonical) as refusal:
        canonical({"one more": tree})
    assert refusal.value.code == "E-CANONICAL-DEPTH"


@pytest.mark.parametrize("tree", [1, 1.5, None, True, b"a", ("a",), {1: "a"}, {None: "a"}, {"a": {"b": {2}}}])
def test_what_is_no_tree(tree: Any) -> None:
    with pytest.raises(NotCanonical) as refusal:
        canonical(tree)
    assert refusal.value.code == "E-CANONICAL-KIND"


@pytest.mark.parametrize("module", ["canonical", "deal", "keys", "signature", "box"])
def test_importing_loads_no_heavy_library(module: str) -> None:
    code = f"import sys, pbem.seal.{module}; print(sorted({{'cryptography', 'pyrage', 'bcrypt'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
