"""Reports of FRIEDRICH."""

from __future__ import annotations

from pbem.games.friedrich.report import account, picture, position, telling
from pbem.games.friedrich.rules.data import FriedrichRules, Terms
from pbem.games.friedrich.rules.view import View
from pbem.report.game_report import GameReport

PART: GameReport[FriedrichRules, View, Terms] = GameReport(
    followers=account.FOLLOWERS,
    in_one_sentence=account.IN_ONE_SENTENCE,
    looked_up=telling.looked_up_facts,
    view_data=position.view_data,
    counted=position.counts_by_power,
    beside=picture.beside,
)
"""Accounts, questions and positions of FRIEDRICH."""
