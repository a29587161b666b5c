"""Reports of MARIA."""

from __future__ import annotations

from pbem.games.maria.report import account, politics, position
from pbem.games.maria.rules.events import PoliticsSelected
from pbem.games.maria.rules.peace import update_markers
from pbem.report.telling import GameReport

PART = GameReport(
    followers=account.FOLLOWERS,
    in_one_sentence=account.IN_ONE_SENTENCE,
    concern_all=(PoliticsSelected,),
    turns_war=account.turns_war,
    looked_up=account.looked_up_facts,
    asked=account.asked_facts,
    worth_knowing=account.worth_knowing,
    beginning=account.better_beginning,
    at_stake=position.at_stake,
    standing=position.standing,
    display=politics.display_of,
    printed=account.open_cards,
    option_words=position.option_words,
    view_data=position.view_data,
    words=position.words_of,
    counted=position.counts_by_power,
    progress=position.progress_of,
    battle_markers=position.battle_markers,
    after_conquests=update_markers,
    hussars=position.hussars_of,
    margin=position.texts_beside_map,
    maps=position.maps_of,
)
