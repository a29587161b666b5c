"""Deep copies of structs: what can change is made anew, and what never changes is shared with the original.

How a type is copied follows from its fields; a field that a state is given is copied without a word. It is written down
once, as a person would write it, and evaluated: a copy made by a function for every field takes twice as long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

T = TypeVar("T")

Copy = Callable[[Any], Any]
"""Copies values of one type, which is known only to whoever looks it up here."""


def copied(value: T) -> T:
    """A value of its own that is the same."""
    kind: Any = type(value)
    copy = copy_of(kind)
    found: T = value if copy is None else copy(value)
    return found


@cache
def copy_of(kind: Any) -> Copy | None:
    """How values of a type are copied; None if they never change."""
    structs: dict[str, type[Struct]] = {}
    text = written(kind, "value", structs)
    # Of names of types and their fields alone, which stand in the program.
    copy: Copy | None = eval(f"lambda value: {text}", dict(structs)) if text else None  # noqa: S307
    return copy


def written(kind: Any, value: str, structs: dict[str, type[Struct]]) -> str:
    """The expression that copies a value of this type; empty if it never changes. Structs are noted by their names."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (list, dict, set):
        item = written(inner[-1], "each", structs)
        if not item:
            return f"{value}.copy()"
        return f"[{item} for each in {value}]" if origin is list else f"{{k: {item} for k, each in {value}.items()}}"
    changing = [text for each in inner if (text := written(each, value, structs))]
    # Shared, whatever changes in it would change in both.
    assert origin is not tuple or not changing, f"{kind} holds what changes"
    if origin in (Union, UnionType) and changing:
        assert len(changing) == len(inner) - 1 == 1, f"how are values of {kind} told apart?"
        return f"(None if {value} is None else {changing[0]})"
    if isinstance(kind, type) and issubclass(kind, Struct) and not kind.__struct_config__.frozen:
        structs[name := f"{kind.__name__}_{len(structs)}"] = kind
        places = [(field.type, f"{value}.{field.name}") for field in fields(kind)]
        return f"{name}({', '.join(written(part, place, structs) or place for part, place in places)})"
    return ""
