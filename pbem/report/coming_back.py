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


def cleared_depots(behind: Table, march: Decision) -> dict[City, Table]:
    """Return the depots where more pieces may come back if those that stand there march first, each with the table
    after that. `behind` is the table on which the power of the march recruits, and no piece has marched."""
    movers, cleared = {*getattr(march, "pieces", ())}, {}
    for city in behind.rules.common.depots.get(march.power, ()):
        standing = pieces_at(behind.state.field, city)
        if standing and movers.issuperset(standing):
            left = copy_of(behind)
            for piece in standing:
                alter(left.state.field, piece, city=ASIDE)
            if entries_in(left, city) != entries_in(behind, city):
                cleared[city] = left
    return cleared


def cleared_facts(behind: Table, cleared: Mapping[City, Table], language: str) -> dict[str, object]:
    """Return as `cleared` the depots of `cleared_depots`, each with the pieces that may come back only then."""
    named = blocks.common_in_words(behind.rules.common, language)
    more = {city: sorted(entries_in(left, city) - entries_in(behind, city)) for city, left in cleared.items()}
    return {
        "cleared": [{"city": blocks.city(named, city), "pieces": blocks.pieces(named, more[city])} for city in more]
    }


def entries_in(table: Table, city: City) -> set[Piece]:
    """Return the pieces that may come back in the city."""
    entries = (getattr(decision, "entries", {}) for decision in game_of(table).decisions(table))
    return {piece for each in entries for piece, cities in each.items() if city in cities}
