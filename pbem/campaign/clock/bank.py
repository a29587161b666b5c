"""Bank of time: the time that each seat saves by early orders and draws for late orders. All of it is computed from the
ledger."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from msgspec import UNSET, Struct
from msgspec.structs import replace

from pbem.campaign.clock.clock import Bank, parse_moment, span, stamp
from pbem.campaign.clock.deadlines import Absence, count_of_days, first_deadline
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.public_state import SAVED_UNCHANGED, Pace, PublicState, is_held


class Account(Struct, frozen=True):
    """Time in a seat's bank, and the lateness of the seat so far. All times are in seconds."""

    left: int
    late: int
    """Number of stages in which the seat was late."""
    stages: int
    """Number of stages in which something was asked of the seat."""
    seconds: int
    """Lateness in all stages together."""
    away: int = 0
    """Number of days of absence."""


def bank_of(public: PublicState) -> Bank | None:
    """Return the terms of the bank; None if the campaign has no bank."""
    return None if public.settings.clock.bank is UNSET else public.settings.clock.bank


def seconds_of(text: str) -> int:
    return int(span(text).total_seconds())


def account_of(bank: Bank, paces: Iterable[Pace], seat: str) -> Account:
    """Return a seat's account, computed from `paces`, the times that seats have saved and drawn. Each stage adds at
    most `Bank.add`, even if the seat is asked several times in it. `Account.away` is left at 0; `accounts` sets it."""
    left, most, add = seconds_of(bank.start), seconds_of(bank.most), seconds_of(bank.add)
    added: dict[str, int] = {}
    stages, late, lateness = set[str](), set[str](), 0
    for pace in paces:
        if pace.seat != seat:
            continue
        stages.add(pace.stage)
        if pace.seconds < 0:
            late.add(pace.stage)
            lateness -= pace.seconds
            left = max(0, left + pace.seconds)
        else:
            before = added.get(pace.stage, 0)
            gain = min(pace.seconds, add - before)
            added[pace.stage] = before + gain
            left = min(most, left + gain)
    return Account(left, len(late), len(stages), lateness)


def accounts(public: PublicState) -> dict[str, Account]:
    """Return the account of each seat, or an empty dict if the campaign has no bank of time."""
    if not (bank := bank_of(public)):
        return {}
    away = {
        seat: [
            Absence(seat, date.fromisoformat(each.first), date.fromisoformat(each.last))
            for each in public.absences
            if each.player == seat
        ]
        for seat in public.settings.seats
    }
    found = {seat: account_of(bank, public.paces, seat) for seat in public.settings.seats}
    return {seat: replace(account, away=count_of_days(away[seat])) for seat, account in found.items()}


WHOLE_DAYS = 3
"""Number of days from which a length of time is told without hours."""


def time_parts(seconds: int) -> tuple[str, ...]:
    """Return a length of time as texts in whole days and hours, such as `2d` and `12h`. From `WHOLE_DAYS` on the hours
    are left out. A length below an hour gives one text in minutes."""
    days = seconds // 86400
    parts = {"d": days, "h": seconds % 86400 // 3600 if days < WHOLE_DAYS else 0}
    return tuple(f"{number}{unit}" for unit, number in parts.items() if number) or (f"{seconds // 60}m",)


def longest_left(public: PublicState, seats: Iterable[str]) -> timedelta:
    """Return the longest time that any of these seats has left in its bank. Return zero if there are no seats, if the
    campaign has no bank of time, or while the stage is locked."""
    bank = bank_of(public)
    if not bank or public.locked:
        return timedelta()
    left = (account_of(bank, public.paces, seat).left for seat in seats)
    return timedelta(seconds=max(left, default=0))


def note_position(public: PublicState, time: str) -> None:
    """Note that a new position begins at the moment `time`, and that no letter has answered it yet. With a bank of
    time, also set `saved_until` to the deadline that would hold if nobody were away and no more time were given."""
    public.whole_since, public.final_since = {}, {}
    if bank_of(public):
        public.saved_until = stamp(first_deadline(parse_moment(time), public.settings.clock))


def note_answers(public: PublicState, time: str, changed: str = "") -> None:
    """Note two moments for each seat that is asked: the moment since which its letters answer everything
    (`whole_since`), and the moment since which they are final (`final_since`). `changed` is the seat that has just sent
    orders or plans, if any: its `final_since` begins anew."""
    if not bank_of(public) or public.locked or public.next is None:
        return
    is_counted_anew = public.protocol >= SAVED_UNCHANGED
    if is_counted_anew:
        public.final_since.pop(changed, None)
    for seat in public.next.owing:
        pending = public.pending.get(seat)
        is_whole = pending.status != "partial" if pending else seat in public.next.answered
        is_final = pending.status == "final" if pending else is_whole
        if is_counted_anew and pending and pending.wait:
            is_final = False
        for moments, is_so in ((public.whole_since, is_whole), (public.final_since, is_final)):
            if is_so:
                moments.setdefault(seat, time)
            else:
                moments.pop(seat, None)


def note_held(public: PublicState, time: str) -> None:
    """Note for each held seat (`is_held`) the moment since which it is held. This is `time`, unless an earlier moment
    was noted already. Do nothing without a bank of time."""
    if bank_of(public):
        held = [seat for seat in public.players if is_held(public, seat)]
        # A wrong clock may have left a later moment than `time`.
        public.held_since = {seat: min(time, public.held_since.get(seat, time)) for seat in held}


def settle_accounts(public: PublicState, number: int, time: str, record: r.Record) -> None:
    """Settle the bank of time, if the entry adjudicates, locks, or carries out a vote for more time."""
    if isinstance(record, r.AdjudicationRecord | r.LockRecord):
        settle(public, number, time)
    if isinstance(record, r.ExtensionRecord) and record.proposal:
        settle_lateness(public, number, time, record.until)


def settle(public: PublicState, number: int, time: str) -> None:
    """Add to `paces` the time that each seat saved or drew in the position that ends now. The entry `number`, made at
    the moment `time`, ends the position. A held seat saves nothing."""
    for seat in seats_timed(public):
        seconds = -lateness(public, seat, time)
        if is_held(public, seat) and not seconds:
            continue
        if not seconds and (final := public.final_since.get(seat, "")):
            seconds = seconds_saved(public, final)
        public.paces.append(Pace(number, seat, stage_of(public), seconds))
    public.whole_since, public.final_since = {}, {}


def settle_lateness(public: PublicState, number: int, time: str, until: str) -> None:
    """Add to `paces` the lateness of each seat so far. Call this when the entry `number`, made at the moment `time`,
    carries out a vote for more time. Lateness after `until`, the new deadline, is added later by `settle`. Before the
    protocol `SAVED_UNCHANGED`, do nothing."""
    if public.protocol < SAVED_UNCHANGED:
        return
    for seat in seats_timed(public):
        if late := lateness(public, seat, time, until):
            public.paces.append(Pace(number, seat, stage_of(public), -late))


def seats_timed(public: PublicState) -> list[str]:
    """Return the seats that are asked now and whose time counts. Return an empty list while the stage is locked, and
    without a bank of time or a deadline. Before the protocol `SAVED_UNCHANGED`, held seats do not count."""
    if not bank_of(public) or public.locked or not public.deadline or public.next is None:
        return []
    is_held_counted = public.protocol >= SAVED_UNCHANGED
    return [seat for seat in public.next.owing if is_held_counted or not is_held(public, seat)]


def stage_of(public: PublicState) -> str:
    return public.next.stage if public.next else ""


def lateness(public: PublicState, seat: str, time: str, limit: str = "") -> int:
    """Return the seconds by which a seat is late, or 0 if it is not late. Lateness begins at the deadline. It ends at
    the first of these moments: when the seat's letters answer everything (the moment `time` if they do not), when the
    seat becomes a held seat, and the moment `limit`, if given. As long as an answer is missing, lateness is at most the
    time in the seat's bank plus the grace."""
    end, since = parse_moment(public.deadline), public.whole_since.get(seat, "")
    ends = (since or time, public.held_since.get(seat, ""), limit)
    come = parse_moment(min(each for each in ends if each))
    late = come - end
    if not since and (bank := bank_of(public)):
        # Nobody knows yet when the letter will come. So the lateness is limited by the bank and the grace.
        left = account_of(bank, public.paces, seat).left
        late = min(late, timedelta(seconds=left) + span(public.settings.clock.grace))
    return max(0, int(late.total_seconds()))


def seconds_saved(public: PublicState, final: str) -> int:
    """Return the seconds that a seat saves in this stage if its letters are final since the moment `final`: at most
    `Bank.add`. Return 0 if `final` is too late, or if there is no bank or no deadline."""
    bank = bank_of(public)
    end = public.saved_until if public.protocol >= SAVED_UNCHANGED else public.deadline
    if not bank or not end:
        return 0
    saved = int((parse_moment(end) - parse_moment(final)).total_seconds())
    return min(max(0, saved), seconds_of(bank.add))
