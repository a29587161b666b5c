"""A campaign held against its clock: who owes what, whether a stage may be adjudicated, until when the next runs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.absences import Absence, of_players
from pbem.campaign.clock.deadlines import deadline_after, first_deadline
from pbem.campaign.clock.permission import Permission, StageClock, may_adjudicate
from pbem.campaign.clock.reminders import Reminder, reminders_due
from pbem.campaign.clock.timestamps import moment, stamp
from pbem.campaign.ledger.reading import Reading
from pbem.campaign.ledger.register import Register, hidden_orders, hidden_plans, unrevealed
from pbem.campaign.letters.order_states import Accepted, PowerOrders

EXTENSIONS_OF_ONE_STAGE = 2
"""The protocol since which later stages do not wait as long as was given for one."""


class Moment(Struct, frozen=True):
    """A campaign at one moment, as far as the clock is concerned."""

    register: Register
    now: datetime


def orders_now(campaign: Campaign | Reading | Moment) -> list[PowerOrders]:
    """What every power owes, and what is in; behind a lock also who owes nothing but what they have sealed."""
    register = campaign.register
    found = []
    for player, powers in (register.next.owing if register.next else {}).items():
        pending = register.pending.get(player)
        accepted = None
        if player in (register.next.answered if register.next else ()):
            accepted = Accepted(("orders",), moment(register.last_needed or register.began))
        if pending:
            answers = ("orders",) if pending.status != "partial" else ("something",)
            since = moment(register.last_needed) if register.last_needed else moment(register.time)
            accepted = Accepted(answers, since, pending.status == "draft" and not register.locked)
        hidden = register.locked and bool(hidden_orders(register, player) or hidden_plans(register, player))
        accepted = None if hidden else accepted
        found += [PowerOrders(power, player, ("orders",), accepted, hidden) for power in powers]
    asked = register.next.owing if register.next else {}
    if register.locked:
        others = [player for player in unrevealed(register) if player not in asked]
        found += [PowerOrders(player, player, ("orders",), hidden=True) for player in others]
    return found


def stage_clock(campaign: Campaign | Reading | Moment) -> StageClock:
    """The clock of the present stage."""
    register = campaign.register
    began = moment(register.began) if register.began else campaign.now
    deadline = moment(register.deadline) if register.deadline else campaign.now + timedelta(days=3650)
    owing = register.next.owing if register.next else {}
    waiting = tuple(player for player, pending in register.pending.items() if pending.wait and player in owing)
    return StageClock(began, deadline, waiting)


def permission(campaign: Campaign | Reading | Moment) -> Permission:
    """Whether the clock lets the stage be adjudicated now; what is not revealed by the deadline is always forfeited."""
    clock = campaign.register.settings.clock
    if campaign.register.locked:
        clock = replace(clock, at_deadline="hold")
    return may_adjudicate(campaign.now, clock, stage_clock(campaign), orders_now(campaign))


def deadline_for(campaign: Campaign | Moment, asked: Iterable[str]) -> str:
    """Until when those have time who are asked something from now on; nothing if nobody is."""
    asked = list(asked)
    if not asked:
        return ""
    clock, register = campaign.register.settings.clock, campaign.register
    away = of_players(absences_of(campaign), asked)
    if not (before := deadline_agreed(register)):
        return stamp(first_deadline(campaign.now, clock, away))
    return stamp(deadline_after(moment(before), campaign.now, clock, away))


def deadline_agreed(register: Register) -> str:
    """The deadline of the present stage as the clock set it: more time for one stage is none for those behind it.

    In campaigns of protocol 1 it is.
    """
    if register.protocol < EXTENSIONS_OF_ONE_STAGE or register.next is None:
        return register.deadline
    return register.next.deadline


def deadline_again(campaign: Campaign | Moment, asked: Iterable[str], before: str = "") -> str:
    """The same after a rollback, which lets the clock begin anew; not before a deadline that had been promised."""
    asked = list(asked)
    if not asked:
        return ""
    clock, away = campaign.register.settings.clock, of_players(absences_of(campaign), asked)
    if not before:
        return stamp(first_deadline(campaign.now, clock, away))
    return stamp(deadline_after(moment(before), campaign.now, clock, away))


def absences_of(campaign: Campaign | Moment) -> list[Absence]:
    """The absences announced so far."""
    return [
        Absence(away.player, date.fromisoformat(away.first), date.fromisoformat(away.last), away.why)
        for away in campaign.register.absences
    ]


def due_now(campaign: Campaign) -> list[Reminder]:
    """The reminders that are due."""
    register = campaign.register
    if register.phase != "running":
        return []
    last = {player: moment(time) for time, _, player in register.reminded}
    return list(reminders_due(last, campaign.now, campaign.settings.clock, stage_clock(campaign), orders_now(campaign)))
