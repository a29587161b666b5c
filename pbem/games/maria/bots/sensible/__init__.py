"""Sensible bot of MARIA, which plays like a good beginner."""

from __future__ import annotations

from random import Random

from pbem.bots.plain import OneAnswer
from pbem.bots.sensible import SHARED
from pbem.engine.decisions import Answer, Decision, Done, March, Recruit
from pbem.games.maria.bots.holding import hold
from pbem.games.maria.bots.sensible import marching, politics
from pbem.games.maria.bots.sensible.sight import USUAL, MariaSight, MariaWeights, see
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.state import Table


def choose(table: Table, decision: Decision, chance: Random, weights: MariaWeights = USUAL) -> Answer:
    """Return the sensible bot's answer. `chance` varies the answers a little, so that not all games are the same.
    Pieces that must leave neutral land march out before the bot ends its marches."""
    outlook = see(table, decision.power, weights)
    if type(decision) in OWN:
        answer = OWN[type(decision)](outlook, decision, chance)
        return hold(table, decision) if isinstance(answer, Done) else answer
    return SHARED[type(decision)](outlook.sight, decision, chance)


OWN: dict[type[Decision], OneAnswer[MariaSight]] = {
    d.PlaceHussars: marching.place_hussars,
    d.Subsidy: marching.give_subsidy,
    d.Toll: marching.pay_toll,
    March: marching.make_march,
    Recruit: marching.recruit,
    d.ChooseTrump: politics.name_trump,
    d.PlaceInfluence: politics.place_influence,
    d.SelectPolitics: politics.select,
    d.SendCorps: marching.send_corps,
    d.Reinforce: marching.reinforce,
    d.Relocate: marching.relocate,
    d.ShiftSaxony: politics.shift_saxony,
    d.OfferPeace: politics.offer_peace,
    d.AcceptPeace: politics.accept_peace,
    d.ReduceObjectives: politics.reduce_objectives,
    d.Vote: politics.vote,
    d.CedeSilesia: politics.cede_silesia,
}
"""Functions that answer decisions, keyed by the type of the decision. They are for decisions that other games do not
ask, or ask differently."""
