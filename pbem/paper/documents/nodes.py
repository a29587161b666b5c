"""Bare trees as documents, for whoever has what a file says without the file; the way back is `strict.bare`."""

from __future__ import annotations

from pbem.paper.documents.strict import MappingNode, Node, SequenceNode, Text
from pbem.seal.canonical import Tree


def node_of(tree: Tree, line: int = 0, column: int = 0) -> Node:
    """A bare tree as a document, everything in it at one place, or at none."""
    match tree:
        case str():
            return Text(tree, line, column)
        case list():
            return SequenceNode(tuple(node_of(item, line, column) for item in tree), line, column)
    items = {key: node_of(item, line, column) for key, item in tree.items()}
    return MappingNode(items, dict.fromkeys(items, (line, column)), line, column)
