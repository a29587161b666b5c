"""Rulings by name: the points on which a table reads a rule otherwise than is usual, over the points as they are."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct, inspect
from msgspec.structs import replace

from pbem.paper.documents import strict
from pbem.paper.documents.convert import attempt, convert
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode, Node, Text, bare

T = TypeVar("T", bound=Struct)

Rulings = tuple[tuple[str, str], ...]
"""Points and their values as texts, sorted by name: so terms keep them."""


def read_rulings(reader: Reader, node: Node, points: type[Struct]) -> Rulings:
    """What this table has ruled, by name; `points` is the struct of all there are, with the values of each."""
    _, faults = attempt(node, points)
    reader.faults += faults
    if faults or not isinstance(node, strict.MappingNode):
        return ()
    return tuple(sorted((name, str(bare(value))) for name, value in node.items.items()))


def choices(points: type[Struct]) -> dict[str, tuple[str, ...]]:
    """The values of every point, the usual one first; `…` where any number will do."""
    facts = inspect.type_info(points)
    assert isinstance(facts, inspect.StructType)
    found: dict[str, tuple[str, ...]] = {}
    for field in facts.fields:
        values: tuple[object, ...] = ("…",)
        if isinstance(field.type, inspect.LiteralType):
            values = tuple(field.type.values)
        elif isinstance(field.type, inspect.BoolType):
            values = (True, False)
        usual = as_written(field.default)
        found[field.name] = (usual, *(text for value in values if (text := as_written(value)) != usual))
    return found


def as_written(value: object) -> str:
    """A value of a point as a document has it."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def overridden(points: T, rulings: Rulings) -> T:
    """The points, but for those that a table has ruled otherwise."""
    if not rulings:
        return points
    nowhere = {name: (0, 0) for name, _ in rulings}
    written = MappingNode({name: Text(value, 0, 0) for name, value in rulings}, nowhere, 0, 0)
    ruled = convert(written, type(points), "rulings")
    return replace(points, **{name: getattr(ruled, name) for name, _ in rulings})
