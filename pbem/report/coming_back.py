"""Cities where pieces off the map can come back, and the room that they have there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine.decisions import Decision
from pbem.engine.field import ASIDE, alter, pieces_at, stack_at
from pbem.engine.nouns import City, Piece
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
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


def freed_facts(behind: Table, march: Decision, language: str) -> dict[str, object]:
    """Return as `freed` the depots where more pieces may come back if those that stand there march first. `behind` is
    the table on which the power of the march recruits, and no piece has marched."""
    named, movers = blocks.common_in_words(behind.rules.common, language), {*getattr(march, "pieces", ())}
    freed = []
    for city in behind.rules.common.depots.get(march.power, ()):
        standing = pieces_at(behind.state.field, city)
        if standing and movers.issuperset(standing):
            left = copy_of(behind)
            for piece in standing:
                alter(left.state.field, piece, city=ASIDE)
            if entries_in(left, city) != entries_in(behind, city):
                freed.append(blocks.city(named, city))
    return {"freed": freed}


def entries_in(table: Table, city: City) -> set[Piece]:
    """Return the pieces that may come back in the city."""
    entries = (getattr(decision, "entries", {}) for decision in game_of(table).decisions(table))
    return {piece for each in entries for piece, cities in each.items() if city in cities}
