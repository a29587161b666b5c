"""Cards set aside, and recruits: troops for those who need them, generals and trains that come back (§3, §10)."""

from __future__ import annotations

from random import Random

from pbem.bots.sensible.marching import in_need
from pbem.bots.sensible.mustering import distribute_troops, front
from pbem.bots.sensible.paying import cheapest, least_worth
from pbem.engine.cards import points
from pbem.engine.decisions import Answer, Recruitment
from pbem.engine.field import pieces_at
from pbem.engine.nouns import City, Piece, Power
from pbem.games.friedrich.bots.sensible.sight import FriedrichSight
from pbem.games.friedrich.rules.decisions import CardsBack, Levy, ReturnCards


def give_back(outlook: FriedrichSight, decision: ReturnCards, chance: Random) -> Answer:
    """Set the cards of least worth aside."""
    return CardsBack(tuple(least_worth(outlook.sight, decision.power, decision.cards)[: decision.count]))


def recruit(outlook: FriedrichSight, decision: Levy, chance: Random) -> Answer:
    """Recruit a train that is needed, then troops where they are fewest, generals off the map among them."""
    sight = outlook.sight
    missing = decision.most / outlook.rules.troops(decision.power)
    weights = outlook.weights
    share = weights.spent + (weights.spent_in_need - weights.spent) * missing
    wanted = int(points(sight.common.decks, decision.hand) * share) // decision.price
    entries = returning_trains(outlook, decision, wanted)
    wanted = min(wanted - len(entries), decision.most)
    chosen = returns(outlook, decision, wanted, entries)
    open_to = {g: left for g, left in decision.room.items() if sight.place(g) >= 0 or g in chosen}
    troops = distribute_troops(sight, open_to, wanted)
    entries |= {general: city for general, city in chosen.items() if troops.get(general)}
    price = (sum(troops.values()) + sum(not sight.common.is_general(piece) for piece in entries)) * decision.price
    return Recruitment(cheapest(sight, decision.power, price), troops, entries) if price else Recruitment()


def returning_trains(outlook: FriedrichSight, decision: Levy, wanted: int) -> dict[Piece, City]:
    """Lost trains and their cities, nearest to the generals, while the power has fewer than it wants and needs them."""
    sight, power = outlook.sight, decision.power
    lost = [piece for piece in decision.entries if not sight.common.is_general(piece)]
    missing = outlook.weights.trains - sum(sight.place(train) >= 0 for train in sight.common.trains(power))
    chosen: dict[Piece, City] = {}
    if not lost or not in_need(sight, power, power in outlook.wanted):
        return chosen
    for train in lost[: min(missing, wanted, 1 if decision.one_city else missing)]:
        free = [city for city in decision.entries[train] if city not in chosen.values()]
        if free:
            chosen[train] = min(free, key=lambda city: (to_generals(outlook, power, city), city))
    return chosen


def to_generals(outlook: FriedrichSight, power: Power, city: City) -> int:
    """Sum of the distances of the power's generals from a city."""
    sight = outlook.sight
    far = sight.common.board.distance(city)
    return sum(far[sight.place(general)] for general in sight.common.generals(power) if sight.place(general) >= 0)


def returns(outlook: FriedrichSight, decision: Levy, troops: int, taken: dict[Piece, City]) -> dict[Piece, City]:
    """Cities where generals re-enter, each with a band of troops if possible: nearest to the enemy, with room."""
    sight, band = outlook.sight, outlook.weights.band
    chosen: dict[Piece, City] = {}
    for general, cities in decision.entries.items():
        if not sight.common.is_general(general) or general not in decision.room or troops < band * len(chosen) + 1:
            continue
        if decision.one_city and (chosen or taken):
            cities = tuple(city for city in cities if city in {*chosen.values(), *taken.values()})
        free = [city for city in cities if city not in taken.values() and has_room(outlook, city, chosen)]
        if free:
            chosen[general] = min(free, key=lambda city: (front(sight, city), city))
    return chosen


def has_room(outlook: FriedrichSight, city: City, chosen: dict[Piece, City]) -> bool:
    """True if one more general can stack in a city."""
    there = len(pieces_at(outlook.sight.field, city)) + list(chosen.values()).count(city)
    return there < outlook.sight.common.limits.stack
