"""JSON schema of the lines of a record. It is made from the types of lines, events and decisions."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import UnionType
from typing import TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from pbem.campaign.ledger.entries import kinds_in
from pbem.paper.library import game_paper_named
from pbem.record.recorder import AnyLine
from pbem.report.telling import NAMERS
from pbem.resources import games

Schema: TypeAlias = dict[str, object]
"""JSON schema, or a part of one."""

NOTHING: Schema = {"type": "null"}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text() -> str:
    """Return the text of docs/record.schema.json. Each definition has a line of its own."""
    whole = schema()
    kinds = whole["$defs"]
    assert isinstance(kinds, dict)
    lines = ",\n".join(json.dumps({name: kind}, ensure_ascii=False)[1:-1] for name, kind in kinds.items())
    head = json.dumps(whole | {"$defs": {}}, ensure_ascii=False).removesuffix("}}")
    return f"{head}\n{lines}\n}}}}\n"


def schema() -> Schema:
    parts = Parts(plain_schema)
    line = parts.schema(AnyLine)
    told = Parts(named_schema)
    events = any_schema([told.schema(kind) for kind in event_kinds()])
    decisions = any_schema([told.schema(kind) for kind in decision_kinds()])
    told_there = {"events": {"type": "array", "items": events}, "decision": any_schema([decisions, NOTHING])}
    for name in ("Happened", "Decided"):
        own = parts.found[name]["properties"]
        assert isinstance(own, dict)
        own |= {field: told_there[field] for field in told_there if field in own}
    return {"$schema": DIALECT, "title": "A line of a record of pbem", **line, "$defs": parts.found | told.found}


def any_schema(schemas: list[Schema]) -> Schema:
    """Return the schema of a value that fits one of these schemas."""
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def event_kinds() -> list[type[Struct]]:
    """Return all types of events that the program's games have, sorted by name. Types that other modules define, such
    as tests, are left out."""
    places = ("pbem.engine.", *(f"{package}." for package in games().values()))
    found = {name: kind for game in games() for name, kind in kinds_in(game).items()}
    return [found[name] for name in sorted(found) if found[name].__module__.startswith(places)]


def decision_kinds() -> list[type[Struct]]:
    """Return all types of decisions that the program's games have, sorted by name."""
    rows = [row for game in games() for row in game_paper_named(game).sections]
    found = {kind.__name__: kind for row in rows for kind in (row.asks if isinstance(row.asks, tuple) else (row.asks,))}
    return [found[name] for name in sorted(found)]


def plain_schema(kind: object) -> Schema | None:
    """Return the schema of a tree, or of a type that allows any value. Return None for any other type."""
    if get_origin(kind) is UnionType and "ForwardRef('Tree')" in repr(kind):  # a text, or a list or mapping of trees
        return {"type": ["string", "array", "object"]}
    return {} if kind is object else None


def named_schema(kind: object) -> Schema | None:
    """Return the schema of the value that a record has in place of a number, such as the name of a city. Return None
    for types that a record has unchanged."""
    return Parts(plain_schema).schema(get_type_hints(NAMERS[kind])["return"]) if kind in NAMERS else None


class Parts:
    """Maker of schemas for types. It collects the schemas of structs, each under the name of the struct."""

    def __init__(self, known: Callable[[object], Schema | None]) -> None:
        """Store the function `known`. It returns the schema of a type, or None if the schema must be made from the
        parts of the type."""
        self.known = known
        self.found: dict[str, Schema] = {}

    def schema(self, kind: object) -> Schema:
        origin, inner = get_origin(kind), get_args(kind)
        if (known := self.known(kind)) is not None:
            return known
        if isinstance(kind, type) and issubclass(kind, Struct):
            return self.reference(kind)
        if origin is tuple and Ellipsis not in inner:
            return {"type": "array", "prefixItems": [self.schema(each) for each in inner], "items": False}
        if origin in (tuple, list):
            return {"type": "array", "items": self.schema(inner[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.schema(inner[1])}
        if origin in (Union, UnionType):
            return any_schema([self.schema(each) for each in inner])
        return msgspec.json.schema(getattr(kind, "__supertype__", kind))

    def reference(self, kind: type[Struct]) -> Schema:
        """Return a reference to the schema of a struct. The schema is made when the first reference to it is needed."""
        name = kind.__name__
        if name not in self.found:
            self.found[name] = {}
            self.found[name] = self.struct(kind)
        return {"$ref": f"#/$defs/{name}"}

    def struct(self, kind: type[Struct]) -> Schema:
        """Return the schema of a struct, with its fields and its tag."""
        config = kind.__struct_config__
        tag = {config.tag_field: {"const": config.tag}} if config.tag_field else {}
        may_miss = config.omit_defaults and self.known is plain_schema
        return {
            "type": "object",
            "description": " ".join((kind.__doc__ or "").split()),
            "properties": tag | {field.name: self.schema(field.type) for field in fields(kind)},
            "required": [*tag, *(field.name for field in fields(kind) if field.required or not may_miss)],
        }
