"""Cities where pieces off the map can come back, and the room that they have there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.engine.combat import pairings
from pbem.engine.decisions import Decision
from pbem.engine.field import ASIDE, alter, pieces_at, stack_at
from pbem.engine.nouns import City, Piece
from pbem.engine.rules import Rules
from pbem.engine.table import Table, deep_copy
from pbem.kit import copy_of, game_of
from pbem.report import blocks


def coming_back_facts(table: Table, decision: Decision, language: str) -> dict[str, object]:
    """Return facts about the cities where pieces may come back. Return an empty dict if no piece may come back by the
    decision.

    `tight` lists occupied cities that have too little room for all generals who may come back there, each with its
    `room`. `is_alone` is true if a train and another piece may come back in one city. `beside` lists the enemy stacks
    beside cities where generals may come back. `is_fought` is true if the stage still has combats, in which these
    generals must attack.
    """
    entries: Mapping[Piece, Iterable[City]] = getattr(decision, "entries", {})
    rules, named = table.rules.common, blocks.common_in_words(table.rules.common, language)
    coming: dict[City, list[Piece]] = {}
    for piece, cities in entries.items():
        for city in cities if has_troops_for(rules, decision, piece) else ():
            coming.setdefault(city, []).append(piece)
    tight, is_alone, beside = [], False, dict[City, list[str]]()
    for city, pieces in sorted(coming.items()):
        generals, standing = [*filter(rules.is_general, pieces)], len(stack_at(rules, table.state.field, city))
        is_alone |= len(generals) < len(pieces) > 1
        if standing and len(generals) > rules.limits.stack - standing:
            tight.append({"city": blocks.city(named, city), "room": rules.limits.stack - standing})
        for foe in attacked_from(table, generals[:1], city):
            beside.setdefault(foe, []).append(blocks.city(named, city))
    phases = game_of(table).phases_of(table.rules, table.state.stage)
    told = [
        {
            "pieces": blocks.pieces(named, stack_at(named, table.state.field, foe)),
            "city": blocks.city(named, foe),
            "cities": cities,
        }
        for foe, cities in beside.items()
    ]
    is_fought = "combat" in phases[phases.index(table.state.phase) :]
    return {"tight": tight, "is_alone": is_alone, "beside": told, "is_fought": is_fought} if entries else {}


def attacked_from(table: Table, generals: Sequence[Piece], city: City) -> list[City]:
    """Return the cities of the enemy stacks that these generals would have to attack from `city`."""
    after, powers = deep_copy(table.state.field), {table.rules.common.pieces[general].power for general in generals}
    for general in generals:
        alter(after, general, city=city)
    found = pairings(table.rules.common, after, [*powers])
    return [battle.defender for battle in found if battle.attacker == city]


def cleared_depots(behind: Table, march: Decision) -> dict[City, Table]:
    """Return a dict from each depot to a table on which the pieces in it have marched away. It has only depots where
    more pieces may then come back. `behind` is the table on which the power of the march recruits, and no piece has
    marched."""
    movers, cleared = {*getattr(march, "pieces", ())}, {}
    for city in behind.rules.common.depots.get(march.power, ()):
        standing = pieces_at(behind.state.field, city)
        if standing and movers.issuperset(standing):
            left = copy_of(behind)
            for piece in standing:
                alter(left.state.field, piece, city=ASIDE)
            if comers(behind, left, city):
                cleared[city] = left
    return cleared


def cleared_facts(behind: Table, cleared: Mapping[City, Table], language: str) -> dict[str, object]:
    """Return as `cleared` the depots of `cleared_depots`, each with the pieces that may come back only then."""
    named = blocks.common_in_words(behind.rules.common, language)
    more = {city: comers(behind, left, city) for city, left in cleared.items()}
    return {
        "cleared": [{"city": blocks.city(named, city), "pieces": blocks.pieces(named, more[city])} for city in more]
    }


def has_troops_for(rules: Rules, decision: Decision, piece: Piece) -> bool:
    """True unless the piece is a general, who comes back with new troops, and the power can get none."""
    return bool(getattr(decision, "most", True)) or not rules.is_general(piece)


def comers(behind: Table, left: Table, city: City) -> list[Piece]:
    """Return the pieces that may come back in the city on the table `left`, but not on `behind`. The troops that can
    still be had are those on `behind`: on `left` the pieces that stood in the city are missing."""
    asked = {decision.power: decision for decision in game_of(behind).decisions(behind)}
    there = entries_in(left, city) - entries_in(behind, city)
    rules = behind.rules.common
    return sorted(piece for piece in there if has_troops_for(rules, asked[rules.pieces[piece].power], piece))


def entries_in(table: Table, city: City) -> set[Piece]:
    """Return the pieces that may come back in the city."""
    entries = (getattr(decision, "entries", {}) for decision in game_of(table).decisions(table))
    return {piece for each in entries for piece, cities in each.items() if city in cities}
