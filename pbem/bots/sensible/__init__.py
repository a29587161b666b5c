"""The bot that plays the introductory game as a decent beginner would.

It knows what the player of its power knows: its own hands and troops, and what lies open before everybody. `sight`
is the one place that looks at the table; everything else here decides by what `see` gives it and by the decision
that is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from pbem.engine.decisions import (
    Allot,
    Answer,
    ChooseBattle,
    ChooseRetreat,
    Decision,
    March,
    PlaceHussars,
    PlayCard,
    Recruit,
    Subsidy,
    Toll,
)
from pbem.maria.table import Table

from . import fighting, marching, mustering, paying, raiding
from .sight import Sight, see


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """An answer that a decent beginner might give; chance only keeps games from being all alike."""
    return CHOICES[type(decision)](see(table, decision.power), decision, chance)


CHOICES: dict[type[Decision], Callable[[Sight, Any, Random], Answer]] = {
    Allot: mustering.allot,
    PlaceHussars: raiding.place_hussars,
    Subsidy: paying.give_subsidy,
    Toll: paying.pay_toll,
    March: marching.make_march,
    ChooseBattle: fighting.choose_battle,
    PlayCard: fighting.play_card,
    ChooseRetreat: fighting.choose_retreat,
    Recruit: mustering.recruit,
}
"""How each kind of decision is answered."""
