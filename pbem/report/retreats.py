"""Consequences of a retreat for fortresses and for the stack itself, as far as everybody can see them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from pbem.engine.combat import falling_behind
from pbem.engine.decisions import ChooseRetreat, Decision
from pbem.engine.field import OFF, alter
from pbem.engine.nouns import City, Piece
from pbem.engine.supply import assess
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.engine.troops import Retreat, RetreatGround, paths_to
from pbem.faults.wrong import words
from pbem.kit import copy_of
from pbem.report import blocks
from pbem.report.consequences import Prospects, protection_of


def falling_at(table: Table, asked: ChooseRetreat) -> dict[City, list[City]]:
    """Return the result of `falling_behind` for a decision about a retreat."""
    return falling_behind(table.rules.common, table.state.field, asked.pieces, asked.ends, protection_of(table))


def told_falls(table: Table, asked: ChooseRetreat, language: str) -> str:
    """Return sentences on the fortresses that fall wherever a retreat ends, and on those that fall only at some of its
    ends; empty if none falls."""
    named, falling = blocks.common_in_words(table.rules.common, language), falling_at(table, asked)
    sure = [city for city, ends in falling.items() if len(ends) == len(asked.ends)]
    kinds = (("beaten-falls", sure), ("beaten-falls.some", [city for city in falling if city not in sure]))
    return " ".join(
        words(key, cities=tuple(blocks.cities(named, cities))).text(language) for key, cities in kinds if cities
    )


def reaching(table: Table, asked: ChooseRetreat) -> dict[City, tuple[Piece, ...]]:
    """Return, for each end of a retreat, the enemy generals who could attack the beaten stack there before it
    marches."""
    after, power = copy_of(table), table.rules.common.pieces[asked.pieces[0]].power
    found: dict[City, tuple[Piece, ...]] = {}
    for end in asked.ends:
        for loser in asked.pieces:
            alter(after.state.field, loser, city=end)
        prospects = Prospects(after, [power], [power])
        prospects.leaving = None
        found[end] = tuple(foe for comer in prospects.comers(end, asked.pieces[0]) for foe in comer.stack.generals)
    return found


def cutting_off(table: Table, asked: ChooseRetreat) -> dict[City, tuple[Piece, ...]]:
    """Return, for each end of a retreat, the generals of the deciding player whom the beaten stack cuts off there from
    their supply."""
    rules, after = table.rules.common, copy_of(table)
    own = powers_of_player(table, player_of(table, asked.power))

    def hungry() -> set[Piece]:
        return {piece for power in own for piece in assess(rules, after.state.field, power)[2]} - {*asked.pieces}

    before, found = hungry(), dict[City, tuple[Piece, ...]]()
    for end in asked.ends:
        for loser in asked.pieces:
            alter(after.state.field, loser, city=end)
        found[end] = tuple(sorted(hungry() - before))
    return found


def hussars_in_the_way(table: Table, asked: ChooseRetreat) -> list[City]:
    """Return the cities with hussars that the beaten stack can enter on its retreat, and so sweep off the map (§7)."""
    rules, field = table.rules.common, table.state.field
    way = RetreatGround(rules, field, Retreat(asked.start, asked.length, asked.power, asked.start), asked.pieces)
    return [
        city
        for city in sorted({*field.hussars} - {OFF})
        if any(city in path for end in asked.ends for path in islice(paths_to(way, end), MOST_PATHS))
    ]


MOST_PATHS = 100
"""Greatest number of paths to one end that are searched for hussars."""


def retreat_ends(table: Table, decision: Decision, language: str) -> dict[str, tuple[str, ...]]:
    """Return sentences about each city where a retreat can end. The key is the city's name in orders. Return an empty
    dict if the decision is not about a retreat."""
    if not isinstance(decision, ChooseRetreat):
        return {}
    rules, falling = table.rules.common, falling_at(table, decision)
    named, found = blocks.common_in_words(rules, language), dict[str, tuple[str, ...]]()
    cuts = cutting_off(table, decision)
    for end, foes in reaching(table, decision).items():
        attack = words("retreat-open", foes=tuple(blocks.pieces(named, foes))) if foes else words("retreat-safe")
        fallen = tuple(blocks.city(named, city) for city, ends in falling.items() if end in ends)
        cut = (words("retreat-cuts", pieces=tuple(blocks.pieces(named, cuts[end]))),) if cuts[end] else ()
        told = (*cut, *((words("retreat-falls", cities=fallen),) if fallen else ()), attack)
        found[blocks.city(rules, end)] = tuple(each.text(language) for each in told)
    return found


def retreat_facts(table: Table, decision: Decision, language: str) -> dict[str, object]:
    """Return facts about the cities where a retreat can end. Return an empty dict if the decision is not about a
    retreat.

    `falls` lists the fortresses that may lose their protection, each with those ends of the retreat that cause it. If
    all ends cause it, this list of ends is empty. `reached` lists ends, each with the names of enemies who could attack
    the stack there. `cuts` lists ends, each with the names of own generals who are cut off from supply there. `sweeps`
    lists the cities with hussars through which a way of the retreat can lead.
    """
    if not isinstance(decision, ChooseRetreat):
        return {}
    named = blocks.common_in_words(table.rules.common, language)
    falls = [
        {"city": blocks.city(named, city), "ends": blocks.cities(named, ends) if len(ends) < len(decision.ends) else []}
        for city, ends in falling_at(table, decision).items()
    ]

    def by_pieces(found: Mapping[City, tuple[Piece, ...]], key: str) -> list[dict[str, object]]:
        """Group the ends of the retreat that have the same pieces."""
        alike: dict[tuple[Piece, ...], list[City]] = {}
        for end, pieces in found.items():
            alike.setdefault(pieces, []).append(end)
        return [
            {"ends": blocks.cities(named, ends), key: blocks.pieces(named, pieces)}
            for pieces, ends in alike.items()
            if pieces
        ]

    return {
        "falls": falls,
        "reached": by_pieces(reaching(table, decision), "foes"),
        "cuts": by_pieces(cutting_off(table, decision), "pieces"),
        "sweeps": blocks.cities(named, hussars_in_the_way(table, decision)),
    }
