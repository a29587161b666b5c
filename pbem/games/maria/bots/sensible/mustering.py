"""New troops: payment in winter, and generals who come back."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pbem.bots.sensible.mustering import distribute_troops, front
from pbem.bots.sensible.paying import cheapest
from pbem.engine.cards import points
from pbem.engine.decisions import Answer, Recruit, Recruitment
from pbem.engine.field import pieces_at
from pbem.engine.nouns import City, Piece
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules.decisions import Reinforce


def recruit(outlook: MariaSight, decision: Recruit, chance: Random) -> Answer:
    """Pay with cards of little use for troops where they are fewest; generals come back near the front."""
    sight = outlook.sight
    price = sight.common.limits.troop_price
    wanted = int(points(sight.common.decks, decision.hand) * outlook.weights.spent_in_winter) // price
    muster = muster_of(outlook, decision.room, decision.entries, wanted)
    if not muster.troops:
        return Recruitment()
    cards = cheapest(sight, decision.power, sum(muster.troops.values()) * price)
    return Recruitment(cards, muster.troops, muster.entries)


def reinforce(outlook: MariaSight, decision: Reinforce, chance: Random) -> Answer:
    """Give out free troops (§17.5)."""
    return muster_of(outlook, decision.room, decision.entries, decision.troops)


def muster_of(
    outlook: MariaSight, room: Mapping[Piece, int], entries: Mapping[Piece, tuple[City, ...]], wanted: int
) -> Recruitment:
    """Distribution of new troops to those who need them, with generals off the map who re-enter."""
    chosen = returns(outlook, entries, wanted)
    troops = distribute_troops(
        outlook.sight, {g: left for g, left in room.items() if g not in entries or g in chosen}, wanted
    )
    return Recruitment((), troops, {general: city for general, city in chosen.items() if troops.get(general)})


def returns(outlook: MariaSight, entries: Mapping[Piece, tuple[City, ...]], troops: int) -> dict[Piece, City]:
    """Cities where generals re-enter: each in its own empty fortress, nearest to the enemy."""
    sight = outlook.sight
    chosen: dict[Piece, City] = {}
    for general, cities in entries.items():
        free = [city for city in cities if city not in chosen.values() and not pieces_at(sight.field, city)]
        if free and troops >= outlook.weights.band * (len(chosen) + 1):
            chosen[general] = min(free, key=lambda city: (front(sight, city), city))
    return chosen
