"""Answers of yes and no: Saxony's marker, peace, reduction, the election, the cession of Silesia (§18, §19)."""

from __future__ import annotations

from random import Random

from pbem.engine.conquest import controller
from pbem.engine.decisions import Answer
from pbem.engine.field import troops_of
from pbem.engine.nouns import Power
from pbem.games.maria.bots.sensible.interests import interest, shift_worth
from pbem.games.maria.bots.sensible.politics import affairs_of
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules import decisions as d

FEW_ABROAD = 1
"""Most markers that may be lost by a peace that is offered."""

NEARLY_WON = 0.6
"""Part of a goal that the enemy must hold for Silesia to be ceded."""


def shift_saxony(outlook: MariaSight, decision: d.ShiftSaxony, chance: Random) -> Answer:
    """Move the marker if that does no harm."""
    track = outlook.rules.game.advanced.defection.track
    return d.Consent(shift_worth(outlook, decision.power, track, decision.steps) >= 0)


def offer_peace(outlook: MariaSight, decision: d.OfferPeace, chance: Random) -> Answer:
    """Offer peace when there is little to lose by it and the enemy is no weaker."""
    power, victim = decision.power, outlook.rules.game.advanced.annexation.victim
    return d.Consent(abroad(outlook) <= FEW_ABROAD and troops(outlook, power) <= troops(outlook, victim))


def accept_peace(outlook: MariaSight, decision: d.AcceptPeace, chance: Random) -> Answer:
    """Accept peace with a stronger enemy, unless that lets him win."""
    enemy = decision.offered_by
    lost = abroad(outlook)
    # The enemy's pool after such a peace: markers abroad come back, half of them, rounded up, are set aside, and one
    # goes into the box for Silesia (§19.1). An empty pool wins, so a large one is safe.
    pool = affairs_of(outlook).markers[enemy].pool + lost - (lost + 1) // 2 - 1
    return d.Consent(pool >= outlook.weights.safe_pool and troops(outlook, decision.power) <= troops(outlook, enemy))


def abroad(outlook: MariaSight) -> int:
    """Markers that the annexer has in the enemy's country, outside of the land it would annex."""
    annexation = outlook.rules.game.advanced.annexation
    field, land = outlook.sight.field, outlook.sight.common.board.land
    return sum(
        holder == annexation.by
        and land[city] != annexation.land
        and field.alliances.home.get(land[city]) == annexation.victim
        for city, holder in field.markers.items()
    )


def troops(outlook: MariaSight, power: Power) -> int:
    """The troops of a power, which anybody may ask for."""
    return troops_of(outlook.sight.common, outlook.sight.field, power)


def reduce_objectives(outlook: MariaSight, decision: d.ReduceObjectives, chance: Random) -> Answer:
    """Give the fortresses up while there is time, if there is more than one."""
    return d.Consent(decision.fortresses > 1 and 2 * outlook.turn <= outlook.rules.scenario.turns)


def vote(outlook: MariaSight, decision: d.Vote, chance: Random) -> Answer:
    """Give all votes to the candidate whose friend is less of a rival."""
    friends = outlook.rules.game.advanced.prizes.emperor
    worth = {name: interest(outlook, decision.power, friend) for name, friend in friends.items()}
    return d.Votes(decision.votes if worth["charles"] > worth["francis"] else 0)


def cede_silesia(outlook: MariaSight, decision: d.CedeSilesia, chance: Random) -> Answer:
    """Cede it if one of the powers that would leave is near its goal."""
    gambit, sight = outlook.rules.scenario.gambit, outlook.sight
    assert gambit is not None
    for power, goal in outlook.rules.scenario.goals.items():
        cities = [city for city in sight.common.board.fortresses if sight.common.board.land[city] in goal.lands]
        held = sum(controller(sight.common, sight.field, city) == power for city in cities)
        if power in gambit.leaving and held >= NEARLY_WON * goal.fortresses:
            return d.Consent(True)
    return d.Consent(False)
