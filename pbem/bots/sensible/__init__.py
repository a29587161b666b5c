"""Common part of the sensible bots of all games: their view of a table, and their judgement of places, marches and
fights.

The bots know what the player of their power knows: its own hands and troops, and everything open to everybody. Only the
`sight` modules read the table. All other modules decide by what `sight` gives them, and by the decision asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.bots.plain import OneAnswer
from pbem.bots.sensible import fighting
from pbem.bots.sensible.sight import Sight
from pbem.engine import decisions as d

SHARED: Mapping[type[d.Decision], OneAnswer[Sight]] = {
    d.Allot: fighting.allot,
    d.ChooseBattle: fighting.choose_battle,
    d.PlayCard: fighting.play_card,
    d.ChooseRetreat: fighting.choose_retreat,
}
"""Functions that answer the kinds of decision that all games ask alike, by kind."""
