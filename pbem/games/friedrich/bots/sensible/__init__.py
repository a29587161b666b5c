"""Bot that plays FRIEDRICH like a decent beginner."""

from __future__ import annotations

from random import Random

from pbem.bots.game_bots import OneAnswer
from pbem.bots.sensible import SHARED
from pbem.engine.decisions import Answer, Decision, March, PlayCard
from pbem.games.friedrich.bots.sensible import answering_fate, fighting, marching, mustering
from pbem.games.friedrich.bots.sensible.sight import USUAL, FriedrichSight, see
from pbem.games.friedrich.bots.sensible.weights import FriedrichWeights
from pbem.games.friedrich.rules.decisions import Levy, ReturnCards
from pbem.games.friedrich.rules.fate_decisions import ChooseCities, ChooseGeneral, GiveCard, ShiftPieces
from pbem.games.friedrich.rules.table import Table


def choose(table: Table, decision: Decision, chance: Random, weights: FriedrichWeights = USUAL) -> Answer:
    """Answer of a decent beginner; chance only keeps games from being all alike."""
    outlook = see(table, decision.power, weights)
    if type(decision) in OWN:
        return OWN[type(decision)](outlook, decision, chance)
    return SHARED[type(decision)](outlook.sight, decision, chance)


OWN: dict[type[Decision], OneAnswer[FriedrichSight]] = {
    ReturnCards: mustering.give_back,
    March: marching.make_march,
    Levy: mustering.recruit,
    PlayCard: fighting.play_card,
    ChooseGeneral: answering_fate.name_general,
    GiveCard: answering_fate.give_card,
    ShiftPieces: answering_fate.shift_pieces,
    ChooseCities: answering_fate.choose_cities,
}
"""Answer to each kind of decision that only FRIEDRICH asks, or asks in its own way."""
