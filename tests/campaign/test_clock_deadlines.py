"""Deadlines and absences: days, zones, summer time; never too early and never on a day that is closed."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from time import perf_counter
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.campaign.clock.clock import WEEKDAYS, Clock, ClockFault, local_day, moment_on, span
from pbem.campaign.clock.deadlines import (
    Absence,
    absences_of_players,
    check_absence,
    count_of_days,
    deadline_after,
    deadline_with_absence,
    extended_deadline,
    first_deadline,
    is_away,
)

MADRID = "Europe/Madrid"


def at(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def away(player: str, first: str, last: str) -> Absence:
    return Absence(player, date.fromisoformat(first), date.fromisoformat(last))


CASES = [
    # the time of day is waited for
    (Clock(next="72h"), "2026-01-05T19:00", "2026-01-08T20:00"),
    (Clock(next="72h"), "2026-01-05T20:00", "2026-01-08T20:00"),
    (Clock(next="72h"), "2026-01-05T20:01", "2026-01-09T20:00"),
    # a month's end, a leap day, a year's end
    (Clock(next="1d"), "2026-01-31T12:00", "2026-02-01T20:00"),
    (Clock(next="1d"), "2028-02-28T12:00", "2028-02-29T20:00"),
    (Clock(next="1d"), "2026-12-31T12:00", "2027-01-01T20:00"),
    # midnight belongs to the day that begins
    (Clock(next="1d", at="00:00"), "2026-01-05T00:00", "2026-01-06T00:00"),
    (Clock(next="1d", at="00:00"), "2026-01-05T00:01", "2026-01-07T00:00"),
    (Clock(next="1d", at="00:00", days=("mon",)), "2026-01-05T12:00", "2026-01-12T00:00"),
    # weekdays: 5 January 2026 is a Monday
    (Clock(next="1d", days=("mon", "tue", "wed", "thu", "fri")), "2026-01-09T10:00", "2026-01-12T20:00"),
    (Clock(next="1d", days=("mon",)), "2026-01-05T20:30", "2026-01-12T20:00"),
    # the day of the week is the one of the zone: 20:00 on Sunday in Auckland is still Sunday morning in Europe
    (Clock(next="1h", at="09:00", zone="Pacific/Auckland", days=("mon",)), "2026-01-03T12:00", "2026-01-04T20:00"),
    # 20:00 in Madrid is 19:00 UTC in winter and 18:00 in summer; summer begins on 29 March 2026
    (Clock(next="1d", zone=MADRID), "2026-03-27T12:00", "2026-03-28T19:00"),
    (Clock(next="1d", zone=MADRID), "2026-03-28T12:00", "2026-03-29T18:00"),
    (Clock(next="1d", zone=MADRID), "2026-10-24T12:00", "2026-10-25T19:00"),
    # 02:30 does not exist on 29 March; on 25 October it comes twice, and the first one counts
    (Clock(next="1d", at="02:30", zone=MADRID), "2026-03-28T00:30", "2026-03-29T01:30"),
    (Clock(next="1d", at="02:30", zone=MADRID), "2026-10-23T23:00", "2026-10-25T00:30"),
    # Samoa had no 30 December 2011, a Friday
    (Clock(next="1h", at="12:00", zone="Pacific/Apia", days=("fri",)), "2011-12-29T23:00", "2012-01-05T22:00"),
]


@pytest.mark.parametrize(("clock", "now", "expected"), CASES)
def test_first_deadlines(clock: Clock, now: str, expected: str) -> None:
    assert first_deadline(at(now), clock) == at(expected)


def test_a_deadline_is_never_earlier_than_the_one_before() -> None:
    """The stage ended days before its deadline: the next one gets at least that time."""
    clock = Clock(next="24h")
    assert deadline_after(at("2026-01-16T20:00"), at("2026-01-05T12:00"), clock) == at("2026-01-16T20:00")
    assert deadline_after(at("2026-01-05T20:00"), at("2026-01-05T21:00"), clock) == at("2026-01-07T20:00")


def test_absences_of_those_who_owe_move_a_deadline() -> None:
    clock = Clock(next="24h")
    absences = (away("louis", "2026-01-06", "2026-01-08"), away("frederick", "2026-01-09", "2026-01-09"))
    now = at("2026-01-05T12:00")
    assert first_deadline(now, clock, absences_of_players(absences, ["louis"])) == at("2026-01-09T20:00")
    assert first_deadline(now, clock, absences_of_players(absences, ["louis", "frederick"])) == at("2026-01-10T20:00")
    assert first_deadline(now, clock, absences_of_players(absences, ["maria-theresa"])) == at("2026-01-06T20:00")


def test_an_absence_counts_by_the_days_of_the_zone() -> None:
    """At 20:00 UTC on the 5th it is already the 6th in Auckland."""
    absences = (away("louis", "2026-01-06", "2026-01-06"),)
    clock = Clock(next="1h", at="09:00", zone="Pacific/Auckland")
    assert first_deadline(at("2026-01-05T12:00"), clock, absences) == at("2026-01-06T20:00")


def test_a_new_absence_moves_the_deadline_that_falls_into_it() -> None:
    clock, deadline = Clock(), at("2026-01-08T20:00")
    absences = (away("louis", "2026-01-07", "2026-01-09"),)
    assert deadline_with_absence(deadline, at("2026-01-06T12:00"), clock, absences) == at("2026-01-10T20:00")
    assert deadline_with_absence(deadline, at("2026-01-08T20:00"), clock, absences) == deadline
    odd = at("2026-01-10T15:00")
    assert deadline_with_absence(odd, at("2026-01-06T12:00"), clock, absences) == odd


def test_the_moderator_moves_a_deadline_to_any_later_moment() -> None:
    deadline = at("2026-01-08T20:00")
    assert extended_deadline(deadline, at("2026-01-10T03:17"), at("2026-01-09T00:00")) == at("2026-01-10T03:17")
    for until, now, code in [
        ("2026-01-08T20:00", "2026-01-07T00:00", "E-DEADLINE-EARLIER"),
        ("2026-01-09T00:00", "2026-01-09T00:00", "E-DEADLINE-PAST"),
    ]:
        with pytest.raises(ClockFault) as fault:
            extended_deadline(deadline, at(until), at(now))
        assert fault.value.code == code


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        ("2026-01-08", "2026-01-07", "E-ABSENCE-ORDER"),
        ("2026-01-04", "2026-01-07", "E-ABSENCE-PAST"),
        ("2027-01-05", "2027-01-07", "E-ABSENCE-FAR"),
        ("2026-01-05", "9999-12-31", "E-ABSENCE-FAR"),
        ("2026-02-01", "2026-02-08", "E-ABSENCE-ALLOWANCE"),
    ],
)
def test_absences_that_are_refused(first: str, last: str, code: str) -> None:
    """Three of ten days are used up, by absences that overlap; other players' days do not count."""
    known = [
        away("louis", "2026-01-05", "2026-01-06"),
        away("louis", "2026-01-06", "2026-01-07"),
        away("frederick", "2026-01-10", "2026-01-19"),
    ]
    clock, now = Clock(absences=10), at("2026-01-05T12:00")
    with pytest.raises(ClockFault) as fault:
        check_absence(away("louis", first, last), known, now, clock)
    assert fault.value.code == code


def test_absences_up_to_the_allowance_are_granted() -> None:
    known = [away("louis", "2026-01-05", "2026-01-07")]
    clock, now = Clock(absences=10), at("2026-01-05T12:00")
    check_absence(away("louis", "2026-02-01", "2026-02-07"), known, now, clock)
    check_absence(away("louis", "2026-01-05", "2026-01-14"), known, now, clock)  # three of these are counted already
    with pytest.raises(ClockFault, match="0 of 0 are left"):
        check_absence(away("louis", "2026-02-01", "2026-02-01"), [], now, Clock(absences=0))


def test_today_is_the_day_of_the_zone() -> None:
    clock = Clock(zone="Pacific/Auckland")
    with pytest.raises(ClockFault, match="from 2026-01-06 on"):
        check_absence(away("louis", "2026-01-05", "2026-01-07"), [], at("2026-01-05T20:00"), clock)


def test_an_absence_of_any_length_costs_no_time() -> None:
    """Archives from elsewhere may hold absences of thousands of years, of which each deadline is reckoned again."""
    absences = [away("louis", "2026-01-05", "9900-01-01"), away("frederick", "2026-01-05", "9899-12-31")] * 50
    begun = perf_counter()
    for _ in range(50):
        assert first_deadline(at("2026-01-05T12:00"), Clock(), absences) == at("9900-01-02T20:00")
        assert count_of_days(absences) == (date(9900, 1, 1) - date(2026, 1, 5)).days + 1
    assert perf_counter() - begun < 2


@given(
    st.lists(
        st.builds(
            lambda first, length: Absence("louis", first, first + timedelta(days=length)),
            st.dates(date(2026, 1, 1), date(2026, 2, 9)),
            st.integers(0, 9),
        ),
        max_size=6,
    )
)
def test_days_that_overlap_count_once(absences: list[Absence]) -> None:
    every = {
        absence.first + timedelta(days=day)
        for absence in absences
        for day in range(99)
        if absence.first + timedelta(days=day) <= absence.last
    }
    assert count_of_days(absences) == len(every)


ZONES = [
    "UTC", MADRID, "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "Pacific/Auckland",
    "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Beirut", "America/Nuuk", "Africa/Casablanca", "America/Toronto",
]  # fmt: skip

clocks = st.builds(
    Clock,
    next=st.sampled_from(["1m", "6h", "24h", "3d", "1w"]),
    at=st.builds("{:02}:{:02}".format, st.integers(0, 23), st.sampled_from([0, 15, 30, 59])),
    zone=st.sampled_from(ZONES),
    days=st.lists(st.sampled_from(WEEKDAYS), min_size=1, unique=True).map(tuple),
)
now_and_then = st.datetimes(datetime(1999, 1, 1), datetime(2036, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))
absences_near = st.builds(
    lambda player, first, length: Absence(player, first, first + timedelta(days=length)),
    st.sampled_from(["louis", "frederick"]),
    st.dates(date(2025, 12, 1), date(2026, 3, 1)),
    st.integers(0, 20),
)
winter = st.datetimes(datetime(2025, 12, 1), datetime(2026, 3, 1)).map(lambda moment: moment.replace(tzinfo=UTC))


@given(clocks, now_and_then)
def test_deadlines_leave_enough_time_and_fall_on_open_days(clock: Clock, now: datetime) -> None:
    deadline = first_deadline(now, clock)
    assert now + span(clock.next) <= deadline <= now + span(clock.next) + timedelta(days=9)
    assert WEEKDAYS[local_day(deadline, clock).weekday()] in clock.days
    assert deadline.tzinfo is UTC


@given(clocks, now_and_then)
def test_deadlines_fall_at_the_time_of_day(clock: Clock, now: datetime) -> None:
    """Except that a time which the clocks skip on that day is later by what they skip."""
    shown = first_deadline(now, clock).astimezone(ZoneInfo(clock.zone))
    if f"{shown:%H:%M}" != clock.at:
        hour, minute = map(int, clock.at.split(":"))
        wanted = shown.replace(hour=hour, minute=minute)
        there_and_back = wanted.astimezone(UTC).astimezone(ZoneInfo(clock.zone))
        assert there_and_back.replace(tzinfo=None) != wanted.replace(tzinfo=None)


@given(clocks, winter, st.timedeltas(timedelta(0), timedelta(days=40)), st.lists(absences_near, max_size=4))
def test_who_begins_later_ends_no_earlier(
    clock: Clock, now: datetime, later: timedelta, absences: list[Absence]
) -> None:
    assert first_deadline(now, clock, absences) <= first_deadline(now + later, clock, absences)


@given(clocks, winter, winter, st.lists(absences_near, max_size=4))
def test_no_deadline_is_early_or_falls_into_an_absence(
    clock: Clock, now: datetime, previous: datetime, absences: list[Absence]
) -> None:
    deadline = deadline_after(previous, now, clock, absences)
    assert deadline >= previous
    assert deadline >= first_deadline(now, clock, absences) >= now + span(clock.next)
    assert deadline >= deadline_after(previous, now, clock)
    assert not is_away(local_day(deadline, clock), absences)
    assert deadline_after(deadline, now, clock, absences) == deadline


@given(clocks, winter, st.lists(absences_near, max_size=4))
def test_a_deadline_is_the_first_open_moment_day_by_day(clock: Clock, now: datetime, absences: list[Absence]) -> None:
    deadline = first_deadline(now, clock, absences)
    day = local_day(now + span(clock.next), clock) - timedelta(days=1)
    while day < local_day(deadline, clock):
        early = moment_on(day, clock)
        is_late = early >= now + span(clock.next)
        assert not is_late or is_away(day, absences) or WEEKDAYS[day.weekday()] not in clock.days
        day += timedelta(days=1)


@given(clocks, winter, st.lists(absences_near, max_size=4), absences_near)
def test_an_absence_never_brings_a_deadline_nearer(
    clock: Clock, now: datetime, absences: list[Absence], another: Absence
) -> None:
    deadline = first_deadline(now, clock, absences)
    after = deadline_with_absence(deadline, now, clock, [*absences, another])
    assert after >= deadline
    assert (after == deadline) == (not is_away(local_day(deadline, clock), [another]))
