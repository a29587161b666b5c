"""Values of records as plain texts, and records and events read from the texts of entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Any

import msgspec
from msgspec import Struct

from pbem.campaign.ledger.entries import Entry, file_name
from pbem.campaign.ledger.records import KINDS, Record
from pbem.engine.events import Event
from pbem.faults.wrong import wrong
from pbem.kit import game_named
from pbem.paper.documents.faults import Refused
from pbem.seal.canonical import AnyTree, Tree


def texts(value: object) -> AnyTree:
    """Return a value as nested lists and mappings of texts, without the entries that are None."""
    return _TEXTS[type(value)](value)


def _texts_of_dict(value: dict[object, object]) -> AnyTree:
    found: dict[str, AnyTree] = {}
    for key, item in value.items():
        if type(item) is str:  # most are, and a call for each costs as much as all the rest
            found[str(key)] = item
        elif item is not None:
            found[str(key)] = _TEXTS[type(item)](item)
    return found


def _texts_of_list(value: Sequence[object]) -> AnyTree:
    return [item if type(item) is str else _TEXTS[type(item)](item) for item in value]


_TEXTS: dict[type, Callable[[Any], AnyTree]] = {
    str: str,
    int: str,
    bool: lambda value: "true" if value else "false",
    dict: _texts_of_dict,
    list: _texts_of_list,
    tuple: _texts_of_list,
    NoneType: lambda value: "",
}
"""For each type of value, the function that turns such a value into plain texts."""


def as_texts(value: Struct) -> dict[str, Tree]:
    """Return the fields of a struct as nested lists and mappings of texts."""
    tree: dict[str, Tree] = texts(msgspec.to_builtins(value, str_keys=True))
    return tree


def says_the_same(first: Struct, second: Struct) -> bool:
    """True if two structs are equal, or become equal when all their values are written as texts."""
    return first == second or as_texts(first) == as_texts(second)


def record_of(kind: str, body: object) -> Record:
    """Return the typed body of an entry. Raises `msgspec.ValidationError` if it is not valid, and `KeyError` for an
    unknown kind."""
    return msgspec.convert(body, KINDS[kind], strict=False)


def record_in(entry: Entry) -> Record:
    """Return the typed body of an entry. Raises `Refused` if it is not valid."""
    try:
        return record_of(entry.kind, entry.body)
    except KeyError:
        raise Refused(file_name(entry.number, entry.kind), [wrong("E-LEDGER-KIND", kind=entry.kind)]) from None
    except msgspec.ValidationError as error:
        raise Refused(file_name(entry.number, entry.kind), [wrong("E-LEDGER-BODY", why=str(error))]) from None


def events_in(game: str, written: Iterable[Mapping[str, AnyTree]]) -> list[Event]:
    """Return the public events that an adjudication's entry lists. Fields that not everybody may know are None."""
    kinds = kinds_in(game)
    return [event_of(kinds[tree["type"]], tree) for tree in written]


@cache
def kinds_in(game: str) -> dict[str, type[Event]]:
    """Return every type of event of a game, by its name in entries."""
    # Only to load the game: its events are found as subclasses.
    game_named(game)
    return {kind.__name__: kind for kind in kinds_of(Event)}


def kinds_of(kind: type[Event]) -> Iterable[type[Event]]:
    """Yield all loaded kinds of event that are derived from `kind`."""
    for each in kind.__subclasses__():
        yield each
        yield from kinds_of(each)


def event_of(kind: type[Event], tree: Mapping[str, object]) -> Event:
    """Return the event that `tree` describes in an entry. Fields that the entry leaves out are None."""
    fields: dict[str, object] = dict.fromkeys(kind.__struct_fields__)
    # Not strict: in a ledger numbers are texts as well.
    return msgspec.convert({**fields, **tree}, kind, strict=False)
