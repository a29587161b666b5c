"""What only the reports of FRIEDRICH have."""

from __future__ import annotations

from pbem.games.friedrich.report import account, picture, position, telling
from pbem.report.game_report import GameReport

PART = GameReport(
    followers=account.FOLLOWERS,
    in_one_sentence=account.IN_ONE_SENTENCE,
    namers=telling.NAMERS,
    exceptions=telling.EXCEPTIONS,
    looked_up=telling.looked_up,
    other_cards=(),
    asked=telling.asked,
    view_data=position.view_data,
    words=position.words,
    hussars=position.hussars,
    beside=picture.beside,
    maps=position.maps,
)
"""Accounts, questions and positions of FRIEDRICH."""
