"""Cities where pieces off the map can come back, and the room that they have there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine.decisions import Decision
from pbem.engine.field import stack_at
from pbem.engine.nouns import City, Piece
from pbem.engine.table import Table
from pbem.report import blocks


def coming_back_facts(table: Table, decision: Decision, language: str) -> dict[str, object]:
    """Return facts about the cities where pieces may come back. Return an empty dict if the decision lets none come
    back.

    `tight` lists the cities where generals stand already and leave room for fewer than may come back there, each with
    the number that it has room for. `is_alone` is true if a train and another piece may come back in the same city.
    """
    entries: Mapping[Piece, Iterable[City]] = getattr(decision, "entries", {})
    rules, named = table.rules.common, blocks.common_in_words(table.rules.common, language)
    coming: dict[City, list[Piece]] = {}
    for piece, cities in entries.items():
        for city in cities:
            coming.setdefault(city, []).append(piece)
    tight, is_alone = [], False
    for city, pieces in sorted(coming.items()):
        generals, standing = [*filter(rules.is_general, pieces)], len(stack_at(rules, table.state.field, city))
        is_alone |= len(generals) < len(pieces) > 1
        if standing and len(generals) > rules.limits.stack - standing:
            tight.append({"city": blocks.city(named, city), "room": rules.limits.stack - standing})
    return {"tight": tight, "is_alone": is_alone} if entries else {}
