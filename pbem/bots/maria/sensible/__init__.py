"""The bot that plays the introductory game as a decent beginner would.

It knows what the player of its power knows: its own hands and troops, and what lies open before everybody. `sight`
is the one place that looks at the table; everything else here decides by what `see` gives it and by the decision
that is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from pbem.bots import uniform
from pbem.engine.decisions import (
    Allot,
    Answer,
    ChooseBattle,
    ChooseRetreat,
    Decision,
    March,
    Move,
    PlaceHussars,
    PlayCard,
    Recruit,
    Subsidy,
    Toll,
)
from pbem.engine.errors import IllegalOrder
from pbem.maria import movement
from pbem.maria.table import Table

from . import fighting, marching, mustering, paying, raiding
from .sight import Sight, see


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """An answer that a decent beginner might give; chance only keeps games from being all alike.

    It knows the introductory game only: what that never asks, or never forbids, is left to chance.
    """
    if type(decision) not in CHOICES:
        return uniform.choose(table, decision, chance)
    answer = CHOICES[type(decision)](see(table, decision.power), decision, chance)
    if isinstance(decision, March) and isinstance(answer, Move) and not is_open(table, decision, answer):
        return uniform.choose(table, decision, chance)
    return answer


def is_open(table: Table, decision: March, answer: Move) -> bool:
    """Whether neutrality and half-active maps leave a march open."""
    try:
        movement.check_move(table, decision, answer)
    except IllegalOrder:
        return False
    return True


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
