"""Letters that people have written by hand. Their keys and names may begin with a capital, and their signature may be
below the text. Such a signature, as `ssh-keygen -Y sign` writes it, is called armor.

In a letter with its signature below, the key `written` has the text unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import DocumentLimits, MappingNode, Node, SequenceNode, Text, bare, read_yaml
from pbem.paper.documents.writing import write
from pbem.seal.canonical import Tree

BEGIN = "-----BEGIN SSH SIGNATURE-----"

_BELOW = re.compile(rf"(?P<text>.*?\n){BEGIN}\n(?P<code>[A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*", re.DOTALL)


class ArmoredText(NamedTuple):
    """Signed text of a letter, and the armor below it."""

    text: str
    armor: str


def text_and_armor(text: str) -> ArmoredText | None:
    """Split a letter into the signed text and the armor below it. Return None if there is no armor, or if the text has
    a key `signature`."""
    found = _BELOW.fullmatch(text)
    if not found or re.search(r"(?m)^signature[ ]?:", found["text"]):
        return None
    return ArmoredText(normal_text(found["text"]), text[found.end("text") :])


def normal_text(text: str) -> str:
    """Return the text with exactly one line break at its end."""
    return text.rstrip("\n") + "\n"


def signed_forms(text: str) -> Iterator[bytes]:
    """Yield all byte sequences that may have been signed for this text. They differ in line endings, in the number of
    line breaks at the end, and in the byte order mark."""
    bare = text.rstrip("\n")
    for end in ("\n", "", "\n\n"):
        for breaks in ("\n", "\r\n"):
            for mark in ("", "\ufeff"):
                yield (mark + (bare + end).replace("\n", breaks)).encode()


def faithful_file(tree: Mapping[str, Tree], width: int, limits: DocumentLimits) -> str:
    """Return the text of a file that has this tree. Return an empty text if the file, when it is read, would give
    another tree."""
    try:
        file = write(tree, width)
        return file if bare(read_yaml(file.encode(), "letter", limits)) == tree else ""
    except (ValueError, Refused):
        return ""


def with_small_keys(node: Node, names: Mapping[str, re.Pattern[str]]) -> Node:
    """Return an unsigned letter with its keys, and the names in its head, in small letters. `names` has the keys of
    these names, each with the pattern that the name must match. A signed letter is returned unchanged."""
    if not isinstance(node, MappingNode) or "signature" in map(str.casefold, node.items):
        return node
    head = _with_small_names(_small(node), names)
    body = head.items.get("body")
    if not isinstance(body, MappingNode):
        return head
    small = _small(body)
    orders = small.items.get("orders")
    if isinstance(orders, MappingNode):
        powers = {key: _small_orders(value) for key, value in orders.items.items()}
        if any(powers[key] is not value for key, value in orders.items.items()):
            small = _put(small, "orders", _put_all(orders, powers))
    return head if small is body else _put(head, "body", small)


def _with_small_names(head: MappingNode, names: Mapping[str, re.Pattern[str]]) -> MappingNode:
    """Return the head of a letter with its names in small letters. `names` has the keys of these names, each with the
    pattern that the name must match. A name that would not match its pattern is not changed."""
    given = {key: value for key, value in head.items.items() if key in names and isinstance(value, Text)}
    small = {
        key: Text(value.value.casefold(), value.line, value.column, value.quoted)
        for key, value in given.items()
        if not value.value.islower() and names[key].fullmatch(value.value.casefold())
    }
    changed = {key: value for key, value in small.items() if value.value != given[key].value}
    return _put_all(head, {**head.items, **changed}) if changed else head


def _small(node: MappingNode) -> MappingNode:
    """Return a mapping with its keys in small letters. If two keys would become equal by this, return the mapping
    unchanged."""
    small = {key: key.casefold() for key in node.items}
    if list(small.values()) == list(small) or len(set(small.values())) < len(small):
        return node
    items = {small[key]: value for key, value in node.items.items()}
    return MappingNode(items, {small[key]: place for key, place in node.places.items()}, node.line, node.column)


def _small_orders(node: Node) -> Node:
    """Return a power's orders with their keys in small letters. The keys of its orders for later stages, under `ahead`,
    are changed as well."""
    if not isinstance(node, MappingNode):
        return node
    small = _small(node)
    ahead = small.items.get("ahead")
    if isinstance(ahead, MappingNode):
        block = _small(ahead)
        return small if block is ahead else _put(small, "ahead", block)
    blocks = ahead.items if isinstance(ahead, SequenceNode) else ()
    changed = tuple(_small(block) if isinstance(block, MappingNode) else block for block in blocks)
    if not isinstance(ahead, SequenceNode) or all(one is other for one, other in zip(changed, blocks, strict=True)):
        return small
    return _put(small, "ahead", SequenceNode(changed, ahead.line, ahead.column))


def _put(node: MappingNode, key: str, value: Node) -> MappingNode:
    return _put_all(node, {**node.items, key: value})


def _put_all(node: MappingNode, items: dict[str, Node]) -> MappingNode:
    return MappingNode(items, node.places, node.line, node.column)
