"""Troops: who begins with how many, and who is recruited in winter."""

from __future__ import annotations

from random import Random

from pbem.engine.cards import points
from pbem.engine.decisions import Allot, Allotment, Answer, Recruit, Recruitment
from pbem.engine.field import pieces_at

from .paying import cheapest
from .sight import Sight

SPENT_IN_WINTER = 0.5
"""The part of the hand's points that may go into new troops; the rest is kept for combat."""

BAND = 3
"""How many troops a general who comes back is given if possible."""


def allot(sight: Sight, decision: Allot, chance: Random) -> Answer:
    """Minimums for those who take no part; the others fill up evenly, leaders of stacks first."""
    troops = dict(decision.least)
    ranks = sight.common.pieces
    in_play = sorted((g for g in troops if sight.place(g) >= 0), key=lambda g: ranks[g].rank)
    for _ in range(decision.troops - sum(troops.values())):
        open_to = [g for g in in_play if troops[g] < decision.most] or [g for g in troops if troops[g] < decision.most]
        troops[min(open_to, key=lambda g: troops[g])] += 1
    return Allotment(troops)


def recruit(sight: Sight, decision: Recruit, chance: Random) -> Answer:
    """Pay with cards of little use for troops where they are fewest; generals come back near the front."""
    price = sight.common.limits.troop_price
    wanted = int(points(sight.common.decks, decision.hand) * SPENT_IN_WINTER) // price
    entries = returns(sight, decision, wanted)
    room = {g: left for g, left in decision.room.items() if g not in decision.entries or g in entries}
    troops: dict[int, int] = {}
    for _ in range(min(wanted, sum(room.values()))):
        general = max((g for g in room if room[g] > troops.get(g, 0)), key=lambda g: need(sight, g, troops.get(g, 0)))
        troops[general] = troops.get(general, 0) + 1
    entries = {general: city for general, city in entries.items() if troops.get(general)}
    if not troops:
        return Recruitment()
    return Recruitment(cheapest(sight, decision.power, sum(troops.values()) * price), troops, entries)


def returns(sight: Sight, decision: Recruit, troops: int) -> dict[int, int]:
    """Where generals re-enter: each in an empty fortress of its own, nearest to the enemy."""
    chosen: dict[int, int] = {}
    for general, cities in decision.entries.items():
        free = [city for city in cities if city not in chosen.values() and not pieces_at(sight.field, city)]
        if free and troops >= BAND * (len(chosen) + 1):
            chosen[general] = min(free, key=lambda city: (front(sight, city), city))
    return chosen


def need(sight: Sight, general: int, given: int) -> tuple[bool, int, int]:
    """How urgently a general needs one more troop: first a band for everybody, then those nearest to the enemy."""
    piece = sight.field.pieces[general]
    troops = piece.troops + given
    distance = front(sight, piece.city) if piece.city >= 0 else 0
    return troops < BAND, -troops - distance // 2, -general


def front(sight: Sight, city: int) -> int:
    """How far the nearest enemy general is."""
    far = sight.common.board.distance(city)
    return min((far[sight.place(g)] for g in sight.on_map("general") if sight.hostile(g)), default=0)
