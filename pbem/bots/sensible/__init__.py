"""Common part of the sensible bots of all games: their view of a table, and the values of places, marches and fights.

A bot knows only as much as the player of its power. The `sight` modules alone read the table, and pass on what this
player knows.
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
"""Dict from a kind of decision to the function that answers it. It has the kinds that all games ask in the same way."""
