"""The canonical form of a document: RFC 8785 JSON of a tree of texts, the bytes that are hashed and signed.

Only texts, lists and mappings occur, so the rules of RFC 8785 for numbers are never needed. Every text is in
Unicode's composed form (NFC): two documents that look alike have one form or none.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from typing import Any, TypeAlias

from pbem.seal.faults import NotCanonical

Tree: TypeAlias = str | list["Tree"] | dict[str, "Tree"]
"""A document without places: texts, lists, and mappings with texts as keys."""

AnyTree: TypeAlias = Any
"""A tree that is looked into before anybody has checked its form, or that a struct holds: msgspec reads no type that
names itself."""

DEEPEST = 64
"""How many lists and mappings may stand inside each other."""


def canonical(tree: Tree) -> bytes:
    """The one sequence of bytes for this tree; raises `NotCanonical` for anything that is no tree of NFC texts."""
    ordered = _ordered(tree, DEEPEST)
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"), check_circular=False).encode()


def _ordered(tree: Tree, depth: int) -> Tree:
    """The tree with the keys of every mapping in the order of RFC 8785."""
    if isinstance(tree, str):
        return _checked(tree)
    if not depth:
        raise NotCanonical("E-CANONICAL-DEPTH", f"more than {DEEPEST} lists and mappings stand inside each other")
    if isinstance(tree, list):
        return [_ordered(item, depth - 1) for item in tree]
    if isinstance(tree, dict):
        for key in tree:
            _checked(key)
        return {key: _ordered(tree[key], depth - 1) for key in in_order(tree)}
    raise NotCanonical("E-CANONICAL-KIND", f"a {type(tree).__name__} is no text, no list and no mapping")


def in_order(keys: Iterable[str]) -> list[str]:
    """The keys of a mapping by their UTF-16 code units, whose order differs from that of code points beyond U+FFFF."""
    return sorted(keys, key=lambda key: key.encode("utf-16-be"))


def _checked(text: str) -> str:
    if not isinstance(text, str):
        raise NotCanonical("E-CANONICAL-KIND", f"a key is of the kind {type(text).__name__}; keys are texts")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        message = f"{text[:40]!r} holds half of a character (a lone surrogate)"
        raise NotCanonical("E-CANONICAL-TEXT", message) from None
    if not unicodedata.is_normalized("NFC", text):
        raise NotCanonical("E-CANONICAL-NFC", f"{text[:40]!r} is not in Unicode's composed form (NFC)")
    return text
