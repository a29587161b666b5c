"""Deep copies of structs: mutable parts are copied, immutable parts are shared with the original.

The copy function of a type is derived from its fields once. A new field of a state needs no code here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import methodcaller
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import astuple, fields

T = TypeVar("T")

Copy = Callable[[Any], Any]
"""Function that copies values of one type. The type is known only to the caller."""


def deep_copy(value: T) -> T:
    """Return a deep copy of a value."""
    kind: Any = type(value)
    copy = copy_of(kind)
    found: T = value if copy is None else copy(value)
    return found


@cache
def copy_of(kind: Any) -> Copy | None:
    """Function that copies values of a type; None if they never change."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list:
        return list_copy(copy_of(inner[0]))
    if origin is dict:
        return dict_copy(copy_of(inner[1]))
    if origin is set:
        return set.copy
    # Tuples are shared; a mutable member would then change in both.
    assert origin is not tuple or not any(map(copy_of, inner)), f"{kind} holds what changes"
    if origin in (Union, UnionType):
        return union_copy(inner)
    if isinstance(kind, type) and issubclass(kind, Struct) and not kind.__struct_config__.frozen:
        return struct_copy(kind)
    return None


def list_copy(item: Copy | None) -> Copy:
    return list.copy if item is None else lambda values: list(map(item, values))


def dict_copy(item: Copy | None) -> Copy:
    return dict.copy if item is None else lambda values: {key: item(value) for key, value in values.items()}


def union_copy(kinds: Sequence[Any]) -> Copy | None:
    """Copy function for values of one of several types. At most one of them may be mutable, with None beside it."""
    changing = [copy for kind in kinds if kind is not NoneType and (copy := copy_of(kind)) is not None]
    if not changing:
        return None
    assert len(changing) == len(kinds) - 1 == 1, f"how are values of {kinds} told apart?"
    copy = changing[0]
    return lambda value: None if value is None else copy(value)


def struct_copy(kind: type[Struct]) -> Copy:
    changing = [(place, copy) for place, field in enumerate(fields(kind)) if (copy := copy_of(field.type))]
    if not changing:
        return methodcaller("__copy__")

    def copy_struct(value: Any) -> Any:
        values = list(astuple(value))
        for place, copy in changing:
            values[place] = copy(values[place])
        return kind(*values)

    return copy_struct
