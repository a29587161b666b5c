"""Reports of MARIA."""

from __future__ import annotations

from pbem.games.maria.report import account, affairs, picture, telling, worth
from pbem.report.game_report import GameReport

PART = GameReport(
    followers=account.FOLLOWERS,
    in_one_sentence=account.IN_ONE_SENTENCE,
    looked_up=telling.looked_up_facts,
    asked=telling.card_offers,
    worth_knowing=worth.worth_knowing,
    printed=worth.open_cards,
    view_data=affairs.view_data,
    words=affairs.words_of,
    counted=affairs.counts_by_power,
    hussars=affairs.hussars_of,
    beside=picture.beside,
    maps=affairs.maps_of,
)
"""Accounts, questions and positions of MARIA."""
