"""Aims of a power: the fortresses of its goal, or any fortress that takes a marker where pools decide."""

from __future__ import annotations

from pbem.bots.sensible.outings import enemy_fortresses
from pbem.bots.sensible.valuing import Goals
from pbem.engine.conquest import controller
from pbem.engine.field import are_partners
from pbem.engine.nouns import City
from pbem.games.maria.bots.sensible.sight import MariaSight


def aims_of(outlook: MariaSight) -> Goals:
    """Cities to conquer, and cities to keep."""
    sight = outlook.sight
    if outlook.rules.scenario.victory == "pools":
        kept = dict.fromkeys(held_fortresses(outlook), outlook.weights.held)
        return Goals(dict.fromkeys(enemy_fortresses(sight), outlook.weights.marker_on_map), kept, {})
    lands, hunger = goal_lands(outlook), appetite(outlook)
    targets = {city: hunger * rank(outlook, lands, city) for city in enemy_fortresses(sight)}
    return Goals(
        targets, {city: 1.0 for city in held_fortresses(outlook) if sight.common.board.land[city] in lands}, {}
    )


def goal_lands(outlook: MariaSight) -> frozenset[str]:
    """Lands whose fortresses decide the game for this power: its own goal's, or all that it must deny."""
    goals, sight = outlook.rules.scenario.goals, outlook.sight
    principal = sight.field.alliances.principal[sight.power]
    wanted = [goals[principal]] if principal in goals else goals.values()
    return frozenset(land for goal in wanted for land in goal.lands)


def held_fortresses(outlook: MariaSight) -> list[City]:
    """Fortresses of the power and its partners."""
    sight = outlook.sight
    return [
        city
        for city in sight.common.board.fortresses
        if (holder := controller(sight.common, sight.field, city)) and are_partners(sight.field, holder, sight.power)
    ]


def appetite(outlook: MariaSight) -> float:
    """Factor of further conquests: small once the goal is reached and only a partner still lacks his."""
    sight = outlook.sight
    principal = sight.field.alliances.principal[sight.power]
    goal = outlook.rules.scenario.goals.get(principal)
    if goal is None:
        return 1.0
    rules, land = sight.common, sight.common.board.land
    mine = [city for city in rules.board.fortresses if controller(rules, sight.field, city) == principal]
    return 1.0 if sum(land[city] in goal.lands for city in mine) < goal.fortresses else outlook.weights.sated


def rank(outlook: MariaSight, lands: frozenset[str], city: City) -> float:
    """Importance of a fortress."""
    board = outlook.sight.common.board
    if board.land[city] in lands:
        return 1.0
    return outlook.weights.major if board.cities[city].fortress == "major" else outlook.weights.minor
