"""Bank of time: each seat's account of time that it has saved and drawn, computed from the ledger alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from msgspec import UNSET, Struct
from msgspec.structs import replace

from pbem.campaign.clock.clock import Bank, parse_moment, span
from pbem.campaign.clock.deadlines import Absence, count_of_days
from pbem.campaign.ledger.public_state import Pace, PublicState, is_held


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
    """Return the account of a seat. One stage never adds more than `Bank.add`, even if the seat is asked several times
    in it."""
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
    """Return the account of each seat. Without a bank of time the result is empty."""
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


def time_parts(seconds: int) -> tuple[str, ...]:
    """Return a length of time in whole days and hours, such as `3d` and `12h`. Below an hour, return it in minutes."""
    parts = {"d": seconds // 86400, "h": seconds % 86400 // 3600}
    return tuple(f"{number}{unit}" for unit, number in parts.items() if number) or (f"{seconds // 60}m",)


def longest_left(public: PublicState, seats: Iterable[str]) -> timedelta:
    """Return the most time that one of these seats has in its bank. Behind a lock it is zero."""
    bank = bank_of(public)
    if not bank or public.locked:
        return timedelta()
    left = (account_of(bank, public.paces, seat).left for seat in seats)
    return timedelta(seconds=max(left, default=0))


def note_answers(public: PublicState, time: str) -> None:
    """Note for each seat that is asked since when its letters answer everything, and since when they are final. Behind
    a lock, note nothing."""
    if not bank_of(public) or public.locked or public.next is None:
        return
    for seat in public.next.owing:
        pending = public.pending.get(seat)
        is_whole = pending.status != "partial" if pending else seat in public.next.answered
        is_final = pending.status == "final" if pending else is_whole
        for moments, is_so in ((public.whole_since, is_whole), (public.final_since, is_final)):
            if is_so:
                moments.setdefault(seat, time)
            else:
                moments.pop(seat, None)


def settle(public: PublicState, number: int, time: str) -> None:
    """Enter the time that each seat has saved or drawn in the present position, from which the entry `number` goes on
    at the moment `time`."""
    bank, following = bank_of(public), public.next
    if bank and following and public.deadline and not public.locked:
        end = parse_moment(public.deadline)
        for seat in (each for each in following.owing if not is_held(public, each)):
            if since := public.whole_since.get(seat, ""):
                late = parse_moment(since) - end
            else:
                # Nobody knows when the letter would have come: the moderator may have gone on much later.
                left = account_of(bank, public.paces, seat).left
                longest = timedelta(seconds=left) + span(public.settings.clock.grace)
                late = min(parse_moment(time) - end, longest)
            seconds = -max(0, int(late.total_seconds()))
            if not seconds and (final := public.final_since.get(seat, "")):
                saved = int((end - parse_moment(final)).total_seconds())
                seconds = min(max(0, saved), seconds_of(bank.add))
            public.paces.append(Pace(number, seat, following.stage, seconds))
    public.whole_since, public.final_since = {}, {}
