"""Rows of a position file, one for each field: how it is read and written, and who may know its value."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import fields

from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import words, wrong
from pbem.paper.documents.strict import MappingNode, Node
from pbem.paper.documents.writing import Value
from pbem.paper.positions.kinds import AnyKind, Kind, PositionReader, is_empty

Share: TypeAlias = "Callable[[Table, Collection[Power], Value], Value | None]"
"""Function that takes a value as files write it, and returns as much of the value as players of some powers may know;
None if they may know nothing of it."""

NOTHING = MappingNode({}, {}, 0, 0)
"""Empty node that is read in place of a field that a file leaves out, so that the field's value is found from other
fields."""


class Row(Struct, frozen=True):
    """Description of a field of a position file: its key, its kind of value, its place in the state, and the part that
    a reader may know."""

    key: str
    """Name of the field in files."""
    kind: AnyKind
    known: Share
    """Function that returns as much of the value as a reader may know. There is no default, so that nobody who adds a
    field forgets this decision."""
    field: str = ""
    """Path of the field in the state; empty if it is the same as `key`."""
    always: bool = False
    """True if even an empty value must be written, because a missing value would mean something else."""
    left_out: Node | None = None
    """Value that is read if a file leaves the field out. If this is None, the field keeps its value at the scenario's
    start."""
    dealt: bool = False
    """True if the field has no value before the cards are dealt."""

    @property
    def path(self) -> str:
        """Path of the field in the state, with dots."""
        return self.field or self.key.replace(" ", "_")


def read_rows(reading: PositionReader, rows: Sequence[Row], entries: Mapping[str, Node], into: object) -> None:
    """Read the values of these rows, and store each in the state `into` before the next is read. For a missing field,
    `Row.left_out` is read; without it, the state keeps its value."""
    for row in rows:
        node = entries.get(row.key, row.left_out)
        if node is not None:
            before, _, name = row.path.rpartition(".")
            setattr(attrgetter(before)(into) if before else into, name, row.kind.read(reading, node))


def read_part(reading: PositionReader, label: str, rows: Sequence[Row], node: Node) -> dict[str, Any]:
    """Read a mapping with values of these rows, and return them keyed by the paths of their fields."""
    by_key = {row.key: row for row in rows}
    mapping = reading.reader.mapping(node, label)
    entries = reading.reader.known_entries(mapping, by_key, label) if mapping else {}
    return {by_key[key].path: by_key[key].kind.read(reading, value) for key, value in entries.items()}


def write_rows(rules: GameRules, rows: Sequence[Row], state: object) -> dict[str, Value]:
    """Return the values of these rows as files write them, without empty values."""
    return values_to_write(rows, {row.key: row.kind.write(rules, attrgetter(row.path)(state)) for row in rows})


def values_to_write(rows: Sequence[Row], values: Mapping[str, Value | None]) -> dict[str, Value]:
    """Return the values to write: those that are not empty, and empty values of rows with `always`. None is never
    written."""
    always = {row.key for row in rows if row.always}
    given = {key: value for key, value in values.items() if value is not None}
    return {key: value for key, value in given.items() if key in always or not is_empty(value)}


def known_rows(table: Table, powers: Collection[Power], rows: Sequence[Row], whole: Value) -> dict[str, Value]:
    """Return the part of the mapping `whole` that players of some powers may know. For each entry, the row with the
    entry's key decides. An entry without a row is left out."""
    assert isinstance(whole, Mapping)
    return values_to_write(
        rows, {row.key: row.known(table, powers, whole[row.key]) for row in rows if row.key in whole}
    )


def by_rows(rows: tuple[Row, ...]) -> Share:
    """Return a function for the `known` of a row whose value is a mapping. It lets a reader know as much of each entry
    of the mapping as the row of `rows` with the entry's key says."""

    def known(table: Table, powers: Collection[Power], written: Value) -> Value:
        return known_rows(table, powers, rows, written)

    return known


def everybody(table: Table, powers: Collection[Power], written: Value) -> Value:
    return written


def nobody(table: Table, powers: Collection[Power], written: Value) -> None:
    return None


def value_for_actor(table: Table, powers: Collection[Power], written: Value) -> Value | None:
    """Return the value if one of the powers acts in the present stage, else None."""
    return written if table.state.stage in powers else None


def own_values(table: Table, powers: Collection[Power], written: Value) -> Value:
    assert isinstance(written, Mapping)
    return {power: entry for power, entry in written.items() if power in powers}


def own_values_and_counts(table: Table, powers: Collection[Power], written: Value) -> Value:
    """Return the values of the readers' own `powers`, and the number of values of each other power."""
    assert isinstance(written, Mapping)
    return {power: entry if power in powers else count(entry) for power, entry in written.items()}


def counts_alone(table: Table, powers: Collection[Power], written: Value) -> Value:
    """Return the number of values of each power, even of the readers' own."""
    return own_values_and_counts(table, (), written)


def count(written: Value) -> int:
    assert isinstance(written, list)
    return len(written)


def task(
    types: Mapping[str, type[Struct]], kinds: Mapping[str, AnyKind], needed: Collection[str], lacks: str
) -> Kind[Struct]:
    """Return the kind of tasks. A file writes a task as a mapping with the task's name under the key `task`, and its
    fields under their own keys. `types` has the type of task for each name, `kinds` the kind of each field. `lacks` is
    the wording for a task that lacks a field of `needed`."""

    def read(reading: PositionReader, node: Node) -> Struct | None:
        reader = reading.reader
        mapping = reader.mapping(node, words("a-task"))
        entries = reader.known_entries(mapping, ("task", *kinds), words("a-task")) if mapping else {}
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
