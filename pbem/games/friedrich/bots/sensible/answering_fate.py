"""Answers to the Clock of Fate and the expert game: generals, cards, steps out of turn, cities (§11, §13)."""

from __future__ import annotations

from random import Random

from pbem.bots.sensible.mustering import front, need
from pbem.bots.sensible.paying import least_worth
from pbem.bots.sensible.valuing import MarchValues, PlaceValues
from pbem.engine.cards import is_reserve, value_of
from pbem.engine.conquest import is_claimed
from pbem.engine.decisions import Answer
from pbem.engine.field import OFF, troops_at
from pbem.engine.nouns import Card, City
from pbem.games.friedrich.bots.sensible.aims import aims_of
from pbem.games.friedrich.bots.sensible.sight import FriedrichSight
from pbem.games.friedrich.rules.fate_decisions import (
    ChooseCities,
    ChooseGeneral,
    GiveCard,
    GivenCard,
    NamedCities,
    NamedGeneral,
    Shift,
    ShiftPieces,
)

POOR_CARD = 6.0
"""Highest value of a card that is gladly exchanged for an unknown one."""

WELL_ON_THE_WAY = 0.4
"""Part of its objectives that must be held to stake a card on conquering all of them."""


def name_general(outlook: FriedrichSight, decision: ChooseGeneral, chance: Random) -> Answer:
    """Name the neediest for a gain, the one who can spare most for a loss, the least useful to leave the game."""
    sight = outlook.sight
    pieces = sight.field.pieces
    match decision.reason:
        case "gain":
            return NamedGeneral(max(decision.generals, key=lambda g: need(sight, g, 0)))
        case "loss":
            return NamedGeneral(min(decision.generals, key=lambda g: need(sight, g, -1)))
        case "removal":
            return NamedGeneral(min(decision.generals, key=lambda g: (pieces[g].city != OFF, pieces[g].troops, -g)))


def give_card(outlook: FriedrichSight, decision: GiveCard, chance: Random) -> Answer:
    """Give the card of least worth if it is no loss; for the Offensive Option a plain one, if that has prospects."""
    sight, power = outlook.sight, decision.power
    if decision.reason == "offensive":
        return GivenCard(stake(outlook, decision))
    if not decision.cards:
        return GivenCard(None)
    card = least_worth(sight, power, decision.cards)[0]
    poor = not is_reserve(card) and value_of(card) <= POOR_CARD
    return GivenCard(card if poor or not decision.may_decline else None)


def stake(outlook: FriedrichSight, decision: GiveCard) -> Card | None:
    """Card set aside for the Offensive Option; None if too few objectives are held."""
    cities = outlook.wanted.get(decision.power, ())
    held = sum(outlook.sight.field.markers.get(city) == decision.power for city in cities)
    if not decision.cards or held < WELL_ON_THE_WAY * len(cities):
        return None
    return least_worth(outlook.sight, decision.power, decision.cards)[0]


def shift_pieces(outlook: FriedrichSight, decision: ShiftPieces, chance: Random) -> Answer:
    """Move one's own pieces where they stand best, or leave them; drive the enemy farthest from his goals."""
    sight = outlook.sight
    if decision.reason == "rout":
        enemy = sight.power_of(decision.pieces[0])
        goals = [city for city in sight.common.objectives if is_claimed(sight.common, sight.field, city, enemy)]

        def remote(city: City) -> int:
            far = sight.common.board.distance(city)
            return min((far[goal] for goal in goals), default=0)

        best = max(decision.cities, key=lambda city: (remote(city), -city), default=decision.start)
        return Shift(best if remote(best) > remote(decision.start) else None)
    mission = MarchValues(PlaceValues(sight, aims_of(outlook)), decision.pieces)
    best = max((decision.start, *decision.cities), key=mission.place)
    return Shift(None if best == decision.start else best)


def choose_cities(outlook: FriedrichSight, decision: ChooseCities, chance: Random) -> Answer:
    """Name the strongest stacks to be cut off, and objectives far from the enemy to fall back."""
    sight = outlook.sight

    def wish(city: City) -> tuple[int, int]:
        if decision.reason == "blockade":
            return troops_at(sight.common, sight.field, city), -city
        return front(sight, city), -city

    return NamedCities(tuple(sorted(decision.cities, key=wish, reverse=True)[: decision.count]))
