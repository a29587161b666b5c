"""A campaign held against its clock: who owes what and until when; and what a wrong clock has done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.clock.deadlines import (
    Absence,
    Permission,
    Reminder,
    StageClock,
    deadline_after,
    first_deadline,
    may_adjudicate,
    reminders_due,
    waited_for,
)
from pbem.campaign.ledger.public_state import PublicState, hidden_orders, hidden_plans, unrevealed
from pbem.campaign.letters.letterbox import AcceptedOrders, OwedOrders

if TYPE_CHECKING:
    from pbem.campaign.campaign import Campaign


def last_right(times: Sequence[str], now: str) -> int:
    """The last entry that is not of a later time than it is now; 0 if there is none."""
    return next((number for number in range(len(times), 0, -1) if times[number - 1] <= now), 0)


def turned_to(public: PublicState, positions: Collection[int], times: Sequence[str], now: str) -> int:
    """The entry as after which the game stands again: the last of a right time.

    Not behind the beginning of the game, for cards are dealt alike by any clock; nor behind what was shown behind a
    lock: then it is the first position that has come of it, and without one the game goes on from where it is.
    """
    to = max(last_right(times, now), min(positions, default=0))
    if not positions or turns_back(public, positions, to):
        return to
    return min((position for position in positions if position > public.shown), default=len(times))


def turns_back(public: PublicState, positions: Collection[int], to: int) -> bool:
    """Whether a repair that names this entry turns the game back; if not, it has not begun, or it stays locked."""
    earlier = [position for position in positions if position <= to]
    return bool(earlier) and public.may_turn_back(max(earlier), to)


def promised(public: PublicState, now: str) -> str:
    """The deadline that the clock had set in a position that counts again; nothing if its own time was wrong."""
    if public.next is None or public.began > now:
        return ""
    return public.next.deadline


EXTENSIONS_OF_ONE_STAGE = 2
"""The protocol since which later stages do not wait as long as was given for one."""


class CampaignTime(Struct, frozen=True):
    """A campaign at one moment, as far as the clock is concerned."""

    public: PublicState
    now: datetime


def orders_now(campaign: Campaign | CampaignTime) -> list[OwedOrders]:
    """What every power owes, and what is in; behind a lock also who owes nothing but what they have sealed."""
    public = campaign.public
    found = []
    for player, powers in (public.next.owing if public.next else {}).items():
        pending = public.pending.get(player)
        accepted = None
        if player in (public.next.answered if public.next else ()):
            accepted = AcceptedOrders(("orders",), parse_moment(public.last_needed or public.began))
        if pending:
            answers = ("orders",) if pending.status != "partial" else ("something",)
            since = parse_moment(public.last_needed) if public.last_needed else parse_moment(public.time)
            accepted = AcceptedOrders(answers, since, pending.status == "draft" and not public.locked)
        hidden = public.locked and bool(hidden_orders(public, player) or hidden_plans(public, player))
        accepted = None if hidden else accepted
        found += [OwedOrders(power, player, ("orders",), accepted, hidden) for power in powers]
    asked = public.next.owing if public.next else {}
    if public.locked:
        others = [player for player in unrevealed(public) if player not in asked]
        found += [OwedOrders(player, player, ("orders",), hidden=True) for player in others]
    return found


def stage_clock(campaign: Campaign | CampaignTime) -> StageClock:
    """When the present stage began and ends, and which of those who owe asked not to be hurried."""
    public = campaign.public
    began = parse_moment(public.began) if public.began else campaign.now
    # There is none where nobody is asked: so far off, nothing is late by it.
    deadline = parse_moment(public.deadline) if public.deadline else campaign.now + timedelta(days=3650)
    owing = public.next.owing if public.next else {}
    waiting = tuple(player for player, pending in public.pending.items() if pending.wait and player in owing)
    return StageClock(began, deadline, waiting)


def permission(campaign: Campaign | CampaignTime) -> Permission:
    """Whether the clock lets the stage be adjudicated now; what is not revealed by the deadline is always forfeited."""
    clock = campaign.public.settings.clock
    if campaign.public.locked:
        clock = replace(clock, at_deadline="hold")
    return may_adjudicate(campaign.now, clock, stage_clock(campaign), orders_now(campaign))


def deadline_for(campaign: Campaign | CampaignTime, asked: Iterable[str]) -> str:
    """Until when those have time who are asked something from now on; nothing if nobody is."""
    asked = list(asked)
    if not asked:
        return ""
    clock, public = campaign.public.settings.clock, campaign.public
    away = waited_for(absences_of(campaign), asked)
    if not (before := deadline_agreed(public)):
        return stamp(first_deadline(campaign.now, clock, away))
    return stamp(deadline_after(parse_moment(before), campaign.now, clock, away))


def deadline_agreed(public: PublicState) -> str:
    """The deadline of the present stage as the clock set it: more time for one stage is none for those behind it.

    In campaigns of protocol 1 it is.
    """
    if public.protocol < EXTENSIONS_OF_ONE_STAGE or public.next is None:
        return public.deadline
    return public.next.deadline


def deadline_again(campaign: Campaign | CampaignTime, asked: Iterable[str], before: str = "") -> str:
    """The deadline after a rollback, which lets the clock begin anew; not before a deadline that had been promised."""
    asked = list(asked)
    if not asked:
        return ""
    clock, away = campaign.public.settings.clock, waited_for(absences_of(campaign), asked)
    if not before:
        return stamp(first_deadline(campaign.now, clock, away))
    return stamp(deadline_after(parse_moment(before), campaign.now, clock, away))


def absences_of(campaign: Campaign | CampaignTime) -> list[Absence]:
    """The absences announced so far."""
    return [
        Absence(away.player, date.fromisoformat(away.first), date.fromisoformat(away.last), away.why, away.bot)
        for away in campaign.public.absences
    ]


def due_now(campaign: Campaign | CampaignTime) -> list[Reminder]:
    """The reminders that are due and that nobody has had yet; none unless the game runs."""
    public = campaign.public
    if public.phase != "running":
        return []
    last = {player: parse_moment(time) for time, _, player in public.reminded}
    return list(reminders_due(last, campaign.now, public.settings.clock, stage_clock(campaign), orders_now(campaign)))
