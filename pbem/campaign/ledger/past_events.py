"""Events as the ledger has them, turned back into what the engine tells: for people who read a campaign later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from pbem.engine.events import Event
from pbem.kit import game_named
from pbem.seal.canonical import AnyTree


def events_in(game: str, written: Iterable[Mapping[str, AnyTree]]) -> list[Event]:
    """The public events of an adjudication; fields that not everybody may know are empty."""
    kinds = kinds_in(game)
    return [event_of(kinds[tree["type"]], tree) for tree in written]


@cache
def kinds_in(game: str) -> dict[str, type[Event]]:
    """Every kind of event of a game, by name."""
    # Only to load the game: its events are found as subclasses.
    game_named(game)
    return {kind.__name__: kind for kind in kinds_of(Event)}


def kinds_of(kind: type[Event]) -> Iterable[type[Event]]:
    """Every kind of event that is loaded."""
    for each in kind.__subclasses__():
        yield each
        yield from kinds_of(each)


def event_of(kind: type[Event], tree: Mapping[str, object]) -> Event:
    """One event; what the ledger left out was nothing."""
    fields: dict[str, object] = dict.fromkeys(kind.__struct_fields__)
    # Not strict: in a ledger numbers are texts as well.
    return msgspec.convert({**fields, **tree}, kind, strict=False)
