"""Times of a campaign: orders that the seats owe now, deadlines and reminders of the present stage, and repairs after a
wrong clock."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.clock.bank import longest_left
from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.clock.deadlines import (
    Absence,
    Permission,
    Reminder,
    StageClock,
    absences_to_wait_for,
    clock_state,
    deadline_after,
    first_deadline,
    may_adjudicate,
    ready_from,
    reminders_due,
)
from pbem.campaign.ledger.public_state import PublicState, hidden_orders, hidden_plans, is_held, unrevealed_parts
from pbem.campaign.letters.letterbox import AcceptedOrders, OwedOrders, orders_waited_for
from pbem.paper.library import game_paper_named
from pbem.resources import games


def orders_now(public: PublicState) -> list[OwedOrders]:
    """Return the orders that each power owes, with the orders that were accepted from it, in the order of play. While
    the stage is locked, include players who only have to reveal sealed parts; they come last. A held seat (`is_held`)
    owes nothing except sealed parts."""
    asked = public.next.owing if public.next else {}
    found = []
    for player, powers in asked.items():
        hidden = public.locked and bool(hidden_orders(public, player) or hidden_plans(public, player))
        owed = () if is_held(public, player) and not hidden else ("orders",)
        accepted = None if hidden else orders_accepted(public, player)
        found += [OwedOrders(power, player, owed, accepted, hidden) for power in powers]
    if public.locked:
        others = [player for player in unrevealed_parts(public) if player not in asked]
        found += [OwedOrders(player, player, ("orders",), hidden=True) for player in others]
    game = str(public.settings.terms.get("game"))
    order = game_paper_named(game).order_of_play() if game in games() else ()
    return sorted(found, key=lambda orders: order.index(orders.power) if orders.power in order else len(order))


def players_waited_for(public: PublicState) -> tuple[str, ...]:
    """Return the players for whose orders the game waits, in the order of play. A draft does not count as final."""
    return tuple(dict.fromkeys(each.player for each in orders_waited_for(orders_now(public), drafts_count=False)))


def orders_accepted(public: PublicState, player: str) -> AcceptedOrders | None:
    """Return the accepted orders that answer for a player in the present stage, or None if there are none. They may
    come from a letter of an earlier stage."""
    if pending := public.pending.get(player):
        answers = ("orders",) if pending.status != "partial" else ("something",)
        since = parse_moment(public.last_needed or public.time)
        return AcceptedOrders(answers, since, pending.status == "draft" and not public.locked)
    if public.next and player in public.next.answered:
        return AcceptedOrders(("orders",), parse_moment(public.last_needed or public.began))
    return None


def is_silent(public: PublicState, seat: str, now: datetime) -> bool:
    """True if the seat still owes orders although the deadline has passed and the time in its bank is used up. False
    while the stage is locked, and without a deadline."""
    if public.locked or not public.deadline:
        return False
    until = parse_moment(public.deadline) + longest_left(public, [seat])
    late = orders_waited_for(orders_now(public), drafts_count=True)
    return now >= until and any(each.player == seat for each in late)


def last_right(times: Sequence[str], now: str) -> int:
    """Return the number of the last entry that is dated `now` or earlier, or 0 if all are later. `times` are the dates
    of all entries."""
    return next((number for number in range(len(times), 0, -1) if times[number - 1] <= now), 0)


def repair_target(public: PublicState, positions: Collection[int], times: Sequence[str], now: str) -> int:
    """Return the number of the entry to which a repair of the clock goes back: the last entry dated `now` or earlier.
    If the game cannot go back so far, return a later entry. `positions` are the entries that led to a new position.
    `times` are the dates of all entries."""
    # Never before the beginning of the game: the deal does not depend on the clock.
    target = max(last_right(times, now), min(positions, default=0))
    if not positions or turns_back(public, positions, target):
        return target
    # The game cannot go back so far, because letters were revealed since then.
    return min((position for position in positions if position > public.shown), default=len(times))


def turns_back(public: PublicState, positions: Collection[int], target: int) -> bool:
    """True if a repair of the clock to the entry `target` can take the game back, too. False if the game had not begun
    at that entry, or if letters that were revealed since then forbid it. `positions` are the entries that led to a new
    position."""
    earlier = [position for position in positions if position <= target]
    return bool(earlier) and public.may_turn_back(max(earlier), target)


def promised_deadline(public: PublicState, now: str) -> str:
    """Return the deadline that players were given for the present position, without later extensions. Return an empty
    text if they were given none, or if the stage began only after `now`."""
    if public.next is None or public.began > now:
        return ""
    return public.next.deadline


EXTENSIONS_OF_ONE_STAGE = 2
"""First protocol in which more time for one stage does not move the deadlines of later stages."""


class Timed(Protocol):
    """Anything that has a public state and a present moment: a campaign, or a `CampaignTime`."""

    @property
    def public(self) -> PublicState: ...

    @property
    def now(self) -> datetime: ...


class CampaignTime(Struct, frozen=True):
    """Public state of a campaign, as it stands at the moment `now`."""

    public: PublicState
    now: datetime


def stage_clock(campaign: Timed) -> StageClock:
    """Return the clock of the present stage. A stage without a deadline gets one that is ten years off, so that nothing
    is late."""
    public = campaign.public
    began = parse_moment(public.began) if public.began else campaign.now
    # There is no deadline if nobody is asked. By a deadline that is so far off, nothing is late.
    deadline = parse_moment(public.deadline) if public.deadline else campaign.now + timedelta(days=3650)
    owing = public.next.owing if public.next else {}
    asking = (player for player, pending in public.pending.items() if pending.wait and player in owing)
    waiting = tuple(player for player in asking if not is_held(public, player))
    late = orders_waited_for(orders_now(campaign.public), drafts_count=True)
    return StageClock(began, deadline, waiting, longest_left(public, [orders.player for orders in late]))


def permission(campaign: Timed) -> Permission:
    """Return the permission or refusal to adjudicate the stage now. While the stage is locked, missing sealed parts are
    awaited only until the end of the grace, even if the campaign waits without limit for late orders."""
    clock = campaign.public.settings.clock
    if campaign.public.locked:
        clock = replace(clock, at_deadline="hold")
    return may_adjudicate(campaign.now, clock, stage_clock(campaign), orders_now(campaign.public))


class Readiness(Struct, frozen=True):
    """Moment from which a stage with all its orders may be adjudicated. From then on, players cannot count on being
    able to change their orders."""

    moment: datetime
    is_past: bool


def readiness(campaign: Timed) -> Readiness | None:
    """Return the moment from which the present stage may be adjudicated. Return None if orders are missing, if a player
    asks to wait for the deadline, if there is no deadline, or if the game does not run."""
    public = campaign.public
    if public.phase != "running" or public.next is None or not public.deadline:
        return None
    clock, stage, orders = public.settings.clock, stage_clock(campaign), orders_now(public)
    state = clock_state(campaign.now, clock, stage, orders)
    return Readiness(ready_from(clock, stage, orders), state == "ready") if state in ("delayed", "ready") else None


def deadline_for(campaign: Timed, asked: Iterable[str]) -> str:
    """Return the deadline of a stage that begins now. `asked` are the players who owe answers in it; if there are none,
    return an empty text. The deadline is never earlier than the agreed deadline of the stage before."""
    asked = list(asked)
    if not asked:
        return ""
    clock, public = campaign.public.settings.clock, campaign.public
    away = absences_to_wait_for(absences_of(campaign), asked)
    if not (before := deadline_agreed(public)):
        return stamp(first_deadline(campaign.now, clock, away))
    return stamp(deadline_after(parse_moment(before), campaign.now, clock, away))


def deadline_agreed(public: PublicState) -> str:
    """Return the deadline that the clock set for the present stage, before any extension. In campaigns of protocol 1,
    extensions are included."""
    if public.protocol < EXTENSIONS_OF_ONE_STAGE or public.next is None:
        return public.deadline
    return public.next.deadline


def deadline_again(campaign: Timed, asked: Iterable[str], before: str = "") -> str:
    """Return the deadline after a rollback or a repair of the clock, as if the stage began now. It is put off while
    players in `asked` are away, and is never earlier than `before`. Return an empty text if nobody is asked."""
    asked = list(asked)
    if not asked:
        return ""
    clock, away = campaign.public.settings.clock, absences_to_wait_for(absences_of(campaign), asked)
    if not before:
        return stamp(first_deadline(campaign.now, clock, away))
    return stamp(deadline_after(parse_moment(before), campaign.now, clock, away))


def absences_of(campaign: Timed) -> list[Absence]:
    return [
        Absence(away.player, date.fromisoformat(away.first), date.fromisoformat(away.last), away.why, away.bot)
        for away in campaign.public.absences
    ]


def due_reminders(campaign: Timed) -> list[Reminder]:
    """Return the reminders that are due and not sent yet; none unless the game runs."""
    public = campaign.public
    if public.phase != "running":
        return []
    last = {player: parse_moment(time) for time, _, player in public.reminded}
    stage = stage_clock(campaign)
    return list(reminders_due(last, campaign.now, public.settings.clock, stage, orders_now(public)))
