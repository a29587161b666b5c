"""The canonical form of a document: RFC 8785 JSON of a tree of texts, the bytes that are hashed and signed.

Only texts, lists and mappings occur, so the rules of RFC 8785 for numbers are never needed. Every text is in
Unicode's composed form (NFC): two documents that look alike have one form or none.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, TypeAlias

import msgspec

from pbem.faults.wrong import wrong
from pbem.seal.faults import NotCanonical

Tree: TypeAlias = str | list["Tree"] | dict[str, "Tree"]
"""A document without places: texts, lists, and mappings with texts as keys."""

AnyTree: TypeAlias = Any
"""A tree that is looked into before anybody has checked its form, or that a struct holds: msgspec reads no type that
names itself."""

DEEPEST = 64
"""How many lists and mappings may stand inside each other."""


_QUICK = msgspec.json.Encoder(order="sorted")
"""Writes texts as RFC 8785 has them, and the keys below U+D800 in its order."""


_FAR = re.compile(rb"[\xee-\xff]")
"""The first byte of a character beyond U+D7FF."""


def canonical(tree: Tree) -> bytes:
    """The one sequence of bytes for this tree; raises `NotCanonical` for anything that is no tree of NFC texts."""
    if (written := _quick(tree)) is not None:
        return written
    ordered = _ordered(tree, DEEPEST)
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"), check_circular=False).encode()


def _quick(tree: Tree) -> bytes | None:
    """The same for a tree in which nothing needs a closer look: all of it in NFC, and nothing beyond U+D7FF."""
    if not _is_tree(tree):
        return None
    try:
        written = _QUICK.encode(tree)
    except UnicodeEncodeError:
        return None
    if written.isascii():
        return written
    # A text is in NFC if all of what is written is, of which it is a part.
    is_near = not _FAR.search(written)
    return written if is_near and unicodedata.is_normalized("NFC", written.decode()) else None


def _is_tree(tree: object) -> bool:
    """Whether this is nothing but texts, lists and mappings; asked of all that stand equally deep at once."""
    level = [tree]
    for _ in range(DEEPEST):
        nested = [each for each in level if type(each) is not str]
        if not nested:
            return True
        level = []
        for each in nested:
            if type(each) is dict:
                level += each
                level += each.values()
            elif type(each) is list:
                level += each
            else:
                return False
    return False


def _ordered(tree: Tree, depth: int) -> Tree:
    """The tree with the keys of every mapping in the order of RFC 8785."""
    if isinstance(tree, str):
        return _checked(tree)
    if not depth:
        raise NotCanonical(wrong("E-CANONICAL-DEPTH", most=DEEPEST))
    if isinstance(tree, list):
        return [_ordered(item, depth - 1) for item in tree]
    if isinstance(tree, dict):
        for key in tree:
            _checked(key)
        return {key: _ordered(tree[key], depth - 1) for key in in_order(tree)}
    raise NotCanonical(wrong("E-CANONICAL-KIND", kind=type(tree).__name__))


def in_order(keys: Iterable[str]) -> list[str]:
    """The keys of a mapping by their UTF-16 code units, whose order differs from that of code points beyond U+FFFF."""
    found = sorted(keys)
    if "".join(found).isascii():
        return found
    return sorted(found, key=lambda key: key.encode("utf-16-be"))


def _checked(text: str) -> str:
    if not isinstance(text, str):
        raise NotCanonical(wrong("E-CANONICAL-KIND.key", kind=type(text).__name__))
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotCanonical(wrong("E-CANONICAL-TEXT", text=repr(text[:40]))) from None
    if not unicodedata.is_normalized("NFC", text):
        raise NotCanonical(wrong("E-CANONICAL-NFC", text=repr(text[:40])))
    return text
