"""Rulings by name: the points on which a table reads a rule otherwise than is usual, over the points as they are."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.paper import strict
from pbem.paper.convert import attempt, convert
from pbem.paper.reader import Reader
from pbem.paper.strict import Mapping, Node, Text, plain

T = TypeVar("T", bound=Struct)

Rulings = tuple[tuple[str, str], ...]
"""Points and their values as texts, sorted by name: so terms keep them."""


def read_rulings(reader: Reader, node: Node, points: type[Struct]) -> Rulings:
    """What this table has ruled, by name; `points` is the struct of all there are, with the values of each."""
    _, faults = attempt(node, points)
    reader.faults += faults
    if faults or not isinstance(node, strict.Mapping):
        return ()
    return tuple(sorted((name, str(plain(value))) for name, value in node.items.items()))


def overridden(points: T, rulings: Rulings) -> T:
    """The points, but for those that a table has ruled otherwise."""
    if not rulings:
        return points
    written = Mapping({name: Text(value, 1, 1) for name, value in rulings}, {name: (1, 1) for name, _ in rulings}, 1, 1)
    ruled = convert(written, type(points), "rulings")
    return replace(points, **{name: getattr(ruled, name) for name, _ in rulings})
