"""Rows of a position file. Each row describes one field: how the field is read and written, and who may know its
value."""

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
"""Function that takes a value in the form in which files write it. It returns as much of the value as the players of
some powers may know, or None if they may know nothing of it."""

NOTHING = MappingNode({}, {}, 0, 0)
"""Empty node. It is read in place of a field that the file leaves out; the field's value is then found from other
fields."""


class Row(Struct, frozen=True):
    """Description of a field of a position file: its key, its kind of value, its path in the state, and how much of its
    value a reader may know."""

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
    """Value that is read if a file leaves the field out. If this is None, the field keeps the value that it has at the
    scenario's start."""
    dealt: bool = False
    """True if the field has no value before the cards are dealt."""

    @property
    def path(self) -> str:
        """Path of the field in the state, with dots."""
        return self.field or self.key.replace(" ", "_")


def read_rows(reading: PositionReader, rows: Sequence[Row], entries: Mapping[str, Node], into: object) -> None:
    """Read the values of these rows in turn, and store each at once in the state `into`. If a field is missing in the
    file, `Row.left_out` is read. If that is None too, the state keeps its value."""
    for row in rows:
        node = entries.get(row.key, row.left_out)
        if node is not None:
            before, _, name = row.path.rpartition(".")
            setattr(attrgetter(before)(into) if before else into, name, row.kind.read(reading, node))


def read_part(reading: PositionReader, label: str, rows: Sequence[Row], node: Node) -> dict[str, Any]:
    """Read a mapping with values of these rows. Return the values, keyed by the paths of their fields in the state."""
    by_key = {row.key: row for row in rows}
    mapping = reading.reader.mapping(node, label)
    entries = reading.reader.known_entries(mapping, by_key, label) if mapping else {}
    return {by_key[key].path: by_key[key].kind.read(reading, value) for key, value in entries.items()}


def write_rows(rules: GameRules, rows: Sequence[Row], state: object) -> dict[str, Value]:
    """Return the values of these rows in `state`, in the form in which files write them. Empty values are left out."""
    return values_to_write(rows, {row.key: row.kind.write(rules, attrgetter(row.path)(state)) for row in rows})


def values_to_write(rows: Sequence[Row], values: Mapping[str, Value | None]) -> dict[str, Value]:
    """Return the values that are written into a file: all that are not empty, and the empty values of rows with
    `always`. None is never written."""
    always = {row.key for row in rows if row.always}
    given = {key: value for key, value in values.items() if value is not None}
    return {key: value for key, value in given.items() if key in always or not is_empty(value)}


def known_rows(table: Table, powers: Collection[Power], rows: Sequence[Row], whole: Value) -> dict[str, Value]:
    """Return the part of the mapping `whole` that the players of some powers may know. The row with an entry's key
    decides how much of the entry they may know. An entry without a row is left out."""
    assert isinstance(whole, Mapping)
    return values_to_write(
        rows, {row.key: row.known(table, powers, whole[row.key]) for row in rows if row.key in whole}
    )


def by_rows(rows: tuple[Row, ...]) -> Share:
    """Return a function that can be the `known` of a row whose value is a mapping. For each entry of the mapping, it
    applies the `known` of the row in `rows` that has the entry's key."""

    def known(table: Table, powers: Collection[Power], written: Value) -> Value:
        return known_rows(table, powers, rows, written)

    return known


def everybody(table: Table, powers: Collection[Power], written: Value) -> Value:
    return written


def nobody(table: Table, powers: Collection[Power], written: Value) -> None:
    return None


def value_for_actor(table: Table, powers: Collection[Power], written: Value) -> Value | None:
    """Return the value if one of `powers` acts in the present stage, else None."""
    return written if table.state.stage in powers else None


def own_values(table: Table, powers: Collection[Power], written: Value) -> Value:
    assert isinstance(written, Mapping)
    return {power: entry for power, entry in written.items() if power in powers}


def own_values_and_counts(table: Table, powers: Collection[Power], written: Value) -> Value:
    """Return the values of the powers in `powers`. For each other power, return only the number of its values."""
    assert isinstance(written, Mapping)
    return {power: entry if power in powers else count(entry) for power, entry in written.items()}


def counts_alone(table: Table, powers: Collection[Power], written: Value) -> Value:
    """Return the number of values of each power, also for the readers' own powers."""
    return own_values_and_counts(table, (), written)


def count(written: Value) -> int:
    assert isinstance(written, list)
    return len(written)


def task(
    types: Mapping[str, type[Struct]], kinds: Mapping[str, AnyKind], needed: Collection[str], lacks: str
) -> Kind[Struct]:
    """Return the kind of value that holds a task. In a file, a task is a mapping: its name stands under the key `task`,
    its fields under their own keys. `types` maps each name to the type of the task, and `kinds` each field to its kind.
    `lacks` is the code of the fault for a task without a field in `needed`."""

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
