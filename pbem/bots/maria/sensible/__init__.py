"""The bot that plays MARIA as a decent beginner would."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from pbem.bots.maria.holding import hold
from pbem.bots.sensible import SHARED
from pbem.engine.decisions import (
    AcceptPeace,
    Answer,
    CedeSilesia,
    ChooseTrump,
    Decision,
    Done,
    March,
    OfferPeace,
    PlaceHussars,
    PlaceInfluence,
    Recruit,
    ReduceObjectives,
    Reinforce,
    Relocate,
    SelectPolitics,
    SendCorps,
    ShiftSaxony,
    Subsidy,
    Toll,
    Vote,
)
from pbem.maria.table import Table

from . import consenting, giving_way, marching, mustering, paying, politics, raiding
from .sight import Outlook, see


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """An answer that a decent beginner might give; chance only keeps games from being all alike."""
    outlook = see(table, decision.power)
    if type(decision) in OWN:
        answer = OWN[type(decision)](outlook, decision, chance)
        return hold(table, decision) if isinstance(answer, Done) else answer
    return SHARED[type(decision)](outlook.sight, decision, chance)


OWN: dict[type[Decision], Callable[[Outlook, Any, Random], Answer]] = {
    PlaceHussars: raiding.place_hussars,
    Subsidy: paying.give_subsidy,
    Toll: paying.pay_toll,
    March: marching.make_march,
    Recruit: mustering.recruit,
    ChooseTrump: politics.name_trump,
    PlaceInfluence: politics.place_influence,
    SelectPolitics: politics.select,
    SendCorps: giving_way.send_corps,
    Reinforce: mustering.reinforce,
    Relocate: giving_way.relocate,
    ShiftSaxony: consenting.shift_saxony,
    OfferPeace: consenting.offer_peace,
    AcceptPeace: consenting.accept_peace,
    ReduceObjectives: consenting.reduce_objectives,
    Vote: consenting.vote,
    CedeSilesia: consenting.cede_silesia,
}
"""How each kind of decision is answered that only MARIA asks, or asks in its own way."""
