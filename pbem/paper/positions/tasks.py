"""What must be decided before play goes on: structs of several types, each told by its name."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import fields

from pbem.engine.table import GameRules
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.positions.kinds import AnyKind, Kind, is_empty
from pbem.paper.positions.reader import PositionReader


def task(
    types: Mapping[str, type[Struct]], kinds: Mapping[str, AnyKind], needed: Collection[str], lacks: str
) -> Kind[Struct]:
    """A task: `task: NAME` and its fields, of which files must have those that are `needed`."""

    def read(reading: PositionReader, node: Node) -> Struct | None:
        reader = reading.reader
        mapping = reader.mapping(node, words("a-task"))
        entries = reader.known(mapping, ("task", *kinds), words("a-task")) if mapping else {}
        if not set(needed) <= set(entries):
            reader.note(node, wrong(lacks))
            return None
        before = len(reader.faults)
        make = reader.word(entries["task"], words("a-task"), dict(types))
        values = {name: kinds[name].read(reading, value) for name, value in entries.items() if name != "task"}
        if make is None or len(reader.faults) > before:
            return None
        least = {field.name for field in fields(make) if field.required}
        if not least <= set(values) <= set(make.__struct_fields__):
            reader.note(node, wrong("E-FORM-KEY.task", keys=make.__struct_fields__))
            return None
        return make(**values)

    def write(rules: GameRules, value: Struct) -> Value:
        name = next(name for name, each in types.items() if type(value) is each)
        written = {field: kinds[field].write(rules, getattr(value, field)) for field in value.__struct_fields__}
        return {"task": name} | {field: each for field, each in written.items() if not is_empty(each)}

    return Kind(read, write)
