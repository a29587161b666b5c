"""Reads the pages of a site as a browser does, without one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import html5lib

NOW = datetime(2027, 1, 1, tzinfo=UTC)
HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"

Tree = Any


@lru_cache(maxsize=64)
def parsed(page: bytes) -> Tree:
    """The tree of a page; whatever is not well formed is an error."""
    return html5lib.HTMLParser(strict=True).parse(page.decode())


def elements(tree: Tree, name: str) -> Iterator[Tree]:
    """The elements of a name."""
    yield from tree.iter(HTML + name)


def text_of(element: Tree) -> str:
    """All words in an element, blanks put together."""
    return " ".join("".join(element.itertext()).split())


def by_id(tree: Tree, wanted: str) -> Tree:
    """The element with an id."""
    (found,) = (each for each in tree.iter() if each.get("id") == wanted)
    return found


def atlas_in(page: bytes) -> dict[str, Any]:
    """Data of the maps on the page of stages."""
    found: dict[str, Any] = json.loads(by_id(parsed(page), "atlas").text)
    return found
