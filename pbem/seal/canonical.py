"""Canonical form of a document: a tree of texts as JSON, written as RFC 8785 demands. Hashes and signatures are
computed from these bytes.

Every text must be in Unicode's composed form (NFC). Two documents that look the same then have the same bytes.
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
"""Document without line numbers. It consists of texts, lists, and mappings whose keys are texts."""

AnyTree: TypeAlias = Any
"""The same as `Tree`, but not checked. It is the type of fields of a struct, because msgspec cannot read a recursive
type, and of trees whose form has not been checked yet."""

DEEPEST = 64
"""Largest depth to which lists and mappings may be nested."""


_QUICK = msgspec.json.Encoder(order="sorted")
"""Fast encoder. Its output agrees with RFC 8785 if no key has a character above U+D7FF."""


_FAR = re.compile(rb"[\xee-\xff]")
"""Pattern of the bytes with which a character above U+D7FF begins in UTF-8."""


def canonical(tree: Tree) -> bytes:
    """Return the canonical bytes of a tree. Raises `NotCanonical` if it is not a tree of NFC texts."""
    if (written := _fast_canonical(tree)) is not None:
        return written
    ordered = _sort_keys(tree, DEEPEST)
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"), check_circular=False).encode()


def _fast_canonical(tree: Tree) -> bytes | None:
    """Return the canonical bytes of a tree, made by the fast encoder. Return None if only the slow encoder can do
    it."""
    if not _is_tree(tree):
        return None
    try:
        written = _QUICK.encode(tree)
    except UnicodeEncodeError:
        return None
    if written.isascii():
        return written
    # If the whole output is in NFC, each text in it is in NFC as well. If there are characters above U+D7FF, the order
    # of keys by code points may differ from their order by UTF-16 units.
    is_near = not _FAR.search(written)
    return written if is_near and unicodedata.is_normalized("NFC", written.decode()) else None


def _is_tree(tree: object) -> bool:
    """True if a value consists only of texts, lists and mappings, and these are nested no deeper than `DEEPEST`."""
    # The tree is checked level by level. This is faster than recursion.
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


def _sort_keys(tree: Tree, depth: int) -> Tree:
    """Return a copy of the tree in which all keys are in the order of RFC 8785. Raises `NotCanonical` if the tree has
    no canonical form."""
    if isinstance(tree, str):
        return _check_text(tree)
    if not depth:
        raise NotCanonical(wrong("E-CANONICAL-DEPTH", most=DEEPEST))
    if isinstance(tree, list):
        return [_sort_keys(item, depth - 1) for item in tree]
    if isinstance(tree, dict):
        for key in tree:
            _check_text(key)
        return {key: _sort_keys(tree[key], depth - 1) for key in utf16_order(tree)}
    raise NotCanonical(wrong("E-CANONICAL-KIND", kind=type(tree).__name__))


def utf16_order(keys: Iterable[str]) -> list[str]:
    """Return the keys sorted by their UTF-16 code units."""
    found = sorted(keys)
    if "".join(found).isascii():
        return found
    return sorted(found, key=lambda key: key.encode("utf-16-be"))


def _check_text(text: str) -> str:
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
