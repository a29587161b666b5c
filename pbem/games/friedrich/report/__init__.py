"""Reports of FRIEDRICH."""

from __future__ import annotations

from pbem.games.friedrich.report import position
from pbem.games.friedrich.rules.data import FriedrichRules, Terms
from pbem.games.friedrich.rules.events import CardsReturned
from pbem.games.friedrich.rules.game import View
from pbem.report.telling import GameReport

PART: GameReport[FriedrichRules, View, Terms] = GameReport(
    followers=position.FOLLOWERS,
    in_one_sentence=position.IN_ONE_SENTENCE,
    behind_draws=(CardsReturned,),
    turns_war=position.turns_war,
    looked_up=position.looked_up_facts,
    at_stake=position.at_stake,
    view_data=position.view_data,
    counted=position.counts_by_power,
    progress=lambda view: view.goals,
    margin=position.texts_beside_map,
)
