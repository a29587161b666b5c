"""What is laid over the map for somebody who looks something up: where pieces can get to, and what all remember."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.memory import Memory
from pbem.engine.nouns import Piece, each_piece
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.report.language.templates import macros_of
from pbem.report.picture.position import DrawnEnd, DrawnMarch, Overlay, Place
from pbem.report.reach import ends_of_march, ends_of_retreat, retreat_asked

TEMPLATE = "picture_overlay.txt.j2"


def overlay_of(table: Table, memory: Memory | None, pieces: Sequence[Piece], language: str) -> Overlay:
    """The ends that are open to some pieces together, and from where everybody came with what strength."""
    rules = table.rules.common
    return Overlay(
        words=dict(macros_of(language, "", TEMPLATE).SIGNS),
        ends=drawn_ends(table, pieces) if pieces else (),
        trails=trails(rules, memory) if memory else (),
        declared=strengths(rules, memory) if memory else {},
    )


def drawn_ends(table: Table, pieces: Sequence[Piece]) -> tuple[DrawnEnd, ...]:
    """Where these pieces can get to: by the retreat that is being chosen for them, or else by a march."""
    power, asked = table.rules.common.pieces[pieces[0]].power, retreat_asked(table, pieces)
    ends = ends_of_retreat(table) if asked else ends_of_march(table, pieces)
    return tuple(DrawnEnd(power, end.city, end.forced, end.meets, end.aim, asked is not None) for end in ends)


def trails(rules: Rules, memory: Memory) -> tuple[DrawnMarch, ...]:
    """The ways on which pieces came, each once for those who went together."""
    ways = ((rules.pieces[piece].power, way) for piece, way in sorted(memory.ways.items()))
    return tuple(DrawnMarch(power, way) for power, way in dict.fromkeys(ways))


def strengths(rules: Rules, memory: Memory) -> dict[Place, str]:
    """What stacks have told that stand together still, by city: `7`, `7?`, `7+` with others who have told nothing."""
    places = memory.on_map.places
    found: dict[Place, str] = {}
    for city in sorted({places[each.generals[0]] for each in memory.declared}):
        here = [each for each in memory.declared if {places[general] for general in each.generals} == {city}]
        told = {general for each in here for general in each.generals}
        others = [piece for piece, at in each_piece(places) if at == city and rules.is_general(piece)]
        if here and city >= 0:
            doubt = "" if all(each.sure for each in here) else "?"
            found[city] = f"{sum(each.strength for each in here)}{doubt}{'+' if told < {*others} else ''}"
    return found
