"""Common part of the sensible bots of all games: their view of a table, and the values of places, marches and fights.

A bot knows the same as the player of its power: the player's own hands and troops, and everything that everybody can
see. Only the `sight` modules read the table. All other modules decide by the facts that `sight` gives them, and by the
decision.
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
"""Functions that answer decisions, by kind. There is one for each kind that all games ask in the same way."""
