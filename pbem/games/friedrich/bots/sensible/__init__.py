"""Sensible bot of FRIEDRICH, which plays like a good beginner."""

from __future__ import annotations

from random import Random

from pbem.bots.plain import OneAnswer
from pbem.bots.sensible import SHARED
from pbem.engine.decisions import Answer, Decision, March, PlayCard
from pbem.games.friedrich.bots.sensible import answers
from pbem.games.friedrich.bots.sensible.answers import USUAL, FriedrichSight, FriedrichWeights, see
from pbem.games.friedrich.rules.decisions import ChooseCities, ChooseGeneral, GiveCard, Levy, ReturnCards, ShiftPieces
from pbem.games.friedrich.rules.state import Table


def choose(table: Table, decision: Decision, chance: Random, weights: FriedrichWeights = USUAL) -> Answer:
    """Return the sensible bot's answer. `chance` varies the answers a little, so that not all games are the same."""
    outlook = see(table, decision.power, weights)
    if type(decision) in OWN:
        return OWN[type(decision)](outlook, decision, chance)
    return SHARED[type(decision)](outlook.sight, decision, chance)


OWN: dict[type[Decision], OneAnswer[FriedrichSight]] = {
    ReturnCards: answers.give_back,
    March: answers.make_march,
    Levy: answers.recruit,
    PlayCard: answers.play_card,
    ChooseGeneral: answers.name_general,
    GiveCard: answers.give_card,
    ShiftPieces: answers.shift_pieces,
    ChooseCities: answers.choose_cities,
}
"""Functions that answer decisions, keyed by the type of the decision. They are for decisions that other games do not
ask, or ask differently."""
