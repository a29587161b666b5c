"""Troops of the sensible bot: the first allotment, and the generals who need new ones most."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pbem.bots.sensible.sight import Sight
from pbem.engine.decisions import Allot, Allotment, Answer
from pbem.engine.nouns import City, Piece


def allot(sight: Sight, decision: Allot, chance: Random) -> Answer:
    """Give minimums to generals who take no part; fill the others up evenly, leaders of stacks first."""
    troops = dict(decision.least)
    ranks = sight.common.pieces
    in_play = sorted((g for g in troops if sight.place(g) >= 0), key=lambda g: ranks[g].rank)
    for _ in range(decision.troops - sum(troops.values())):
        open_to = [g for g in in_play if troops[g] < decision.most] or [g for g in troops if troops[g] < decision.most]
        troops[min(open_to, key=lambda g: troops[g])] += 1
    return Allotment(troops)


def distribute_troops(sight: Sight, room: Mapping[Piece, int], count: int) -> dict[Piece, int]:
    """Distribution of new troops: one after the other to the general who needs one most, while there is room."""
    troops: dict[Piece, int] = {}
    for _ in range(min(count, sum(room.values()))):
        general = max((g for g in room if room[g] > troops.get(g, 0)), key=lambda g: need(sight, g, troops.get(g, 0)))
        troops[general] = troops.get(general, 0) + 1
    return troops


def need(sight: Sight, general: Piece, given: int) -> tuple[bool, int, int]:
    """Urgency of one more troop for a general: first a band for everybody, then those nearest to the enemy."""
    piece = sight.field.pieces[general]
    troops = piece.troops + given
    distance = front(sight, piece.city) if piece.city >= 0 else 0
    # The greatest tuple is served first; of equals the lower number.
    return troops < sight.weights.band, -troops - distance // 2, -general


def front(sight: Sight, city: City) -> int:
    """Distance of the nearest enemy general."""
    far = sight.common.board.distance(city)
    return min((far[sight.place(g)] for g in sight.on_map("general") if sight.hostile(g)), default=0)
