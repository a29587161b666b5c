"""Deep copies of structs: what can change is made anew, and what never changes is shared with the original.

How a type is copied follows from its fields and is found once; a field that a state is given is copied without a word.
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
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list:
        return list_copy(copy_of(inner[0]))
    if origin is dict:
        return dict_copy(copy_of(inner[1]))
    if origin is set:
        return set.copy
    # Shared, whatever changes in it would change in both.
    assert origin is not tuple or not any(map(copy_of, inner)), f"{kind} holds what changes"
    if origin in (Union, UnionType):
        return union_copy(inner)
    if isinstance(kind, type) and issubclass(kind, Struct) and not kind.__struct_config__.frozen:
        return struct_copy(kind)
    return None


def list_copy(item: Copy | None) -> Copy:
    """Lists of such items."""
    return list.copy if item is None else lambda values: list(map(item, values))


def dict_copy(item: Copy | None) -> Copy:
    """Mappings to such items."""
    return dict.copy if item is None else lambda values: {key: item(value) for key, value in values.items()}


def union_copy(kinds: Sequence[Any]) -> Copy | None:
    """Values of one of several types: of one that changes, besides others that do not."""
    changing = [copy for kind in kinds if kind is not NoneType and (copy := copy_of(kind)) is not None]
    if not changing:
        return None
    assert len(changing) == len(kinds) - 1 == 1, f"how are values of {kinds} told apart?"
    copy = changing[0]
    return lambda value: None if value is None else copy(value)


def struct_copy(kind: type[Struct]) -> Copy:
    """Structs of such fields."""
    changing = [(place, copy) for place, field in enumerate(fields(kind)) if (copy := copy_of(field.type))]
    if not changing:
        return methodcaller("__copy__")

    def copy_struct(value: Any) -> Any:
        values = list(astuple(value))
        for place, copy in changing:
            values[place] = copy(values[place])
        return kind(*values)

    return copy_struct
