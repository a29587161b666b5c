"""The tasks of a position: what must be decided before play goes on."""

from __future__ import annotations

from msgspec import convert

from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.state import (
    ArriveTask,
    CorpsTask,
    PlaceTrainTask,
    RecruitTask,
    ReinforceTask,
    RelocateTask,
    ShiftTask,
    Tasks,
)
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.lexicon import Lexicon

KINDS: dict[str, type[Tasks]] = {
    "corps": CorpsTask,
    "reinforce": ReinforceTask,
    "relocate": RelocateTask,
    "arrive": ArriveTask,
    "place train": PlaceTrainTask,
    "shift": ShiftTask,
    "recruit": RecruitTask,
}
FIELDS = ("task", "power", "piece", "city", "homes", "troops", "steps", "empty", "lasting", "corps")


def read_task(reader: Reader, lexicon: Lexicon, node: Node) -> Tasks | None:
    """One task."""
    mapping = reader.mapping(node, "a task")
    entries = reader.known(mapping, FIELDS, "a task") if mapping else {}
    if not {"task", "power"} <= set(entries):
        reader.note(node, "E-FORM-MISSING", "a task names its kind and its power")
        return None
    kind = reader.word(entries["task"], "a task", KINDS)
    values: dict[str, object] = {"power": reader.name(entries["power"], "a power", lexicon.power)}
    for name, value in entries.items():
        if name in ("piece", "city"):
            values[name] = reader.name(value, name, lexicon.piece if name == "piece" else lexicon.city)
        elif name == "homes":
            values[name] = tuple(reader.names(value, "a power", lexicon.power))
        elif name in ("troops", "steps"):
            values[name] = reader.number(value, name, 0, 99)
        elif name in ("empty", "lasting", "corps"):
            values[name] = reader.truth(value, name)
    if kind is None or None in values.values():
        return None
    values["type"] = kind.__struct_config__.tag
    if set(values) - {"type", *kind.__struct_fields__} or missing(kind, values):
        reader.note(node, "E-FORM-KEY", f"this is no complete task; it has {', '.join(kind.__struct_fields__)}")
        return None
    return convert(values, type=kind)


def missing(kind: type[Tasks], values: dict[str, object]) -> bool:
    """Whether a field without a default is not given."""
    needed = len(kind.__struct_fields__) - len(kind.__struct_defaults__)
    return any(name not in values for name in kind.__struct_fields__[:needed])


def task_document(rules: MariaRules, task: Tasks) -> dict[str, Value]:
    """One task as it is written."""
    names = {kind: name for name, kind in KINDS.items()}
    document: dict[str, Value] = {"task": names[type(task)]}
    for field in task.__struct_fields__:
        value = getattr(task, field)
        if field == "piece":
            value = rules.common.pieces[value].name
        elif field == "city":
            value = rules.common.board.cities[value].name
        elif value is True:
            value = "yes"
        if value is not False and value != ():
            document[field] = list(value) if isinstance(value, tuple) else value
    return document
