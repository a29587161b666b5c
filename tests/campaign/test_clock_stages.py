"""A stage in time: order states, when it may be adjudicated, and who is reminded of what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.campaign.clock.clock import AtDeadline, Clock, span
from pbem.campaign.clock.deadlines import (
    ClockState,
    Permission,
    Reminder,
    StageClock,
    clock_state,
    may_adjudicate,
    reminders_due,
)
from pbem.campaign.letters.letterbox import (
    AcceptedOrders,
    OrderState,
    OwedOrders,
    need_not_wait_for,
    orders_waited_for,
    state_of,
)

BEGAN = datetime(2026, 1, 5, 12, tzinfo=UTC)
DEADLINE = datetime(2026, 1, 8, 20, tzinfo=UTC)
GRACE_ENDS = DEADLINE + timedelta(hours=24)
CLOCK = Clock()
STAGE = StageClock(BEGAN, DEADLINE)

OWED = ("move", "plan")


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def orders(power: str, state: OrderState, since: datetime = BEGAN) -> OwedOrders:
    """Orders of that state; a draft answers everything."""
    player = {"france": "louis", "bavaria": "louis", "prussia": "frederick"}.get(power, power)
    match state:
        case "nothing required":
            return OwedOrders(power, player)
        case "none yet":
            return OwedOrders(power, player, OWED)
        case "draft":
            return OwedOrders(power, player, OWED, AcceptedOrders(OWED, since, draft=True))
        case "final":
            return OwedOrders(power, player, OWED, AcceptedOrders(OWED, since))
        case "not revealed":
            return OwedOrders(power, player, OWED, hidden=True)


@pytest.mark.parametrize(
    ("owed", "accepted", "state", "in_before", "in_at_deadline"),
    [
        ((), None, "nothing required", True, True),
        ((), AcceptedOrders(("move",), BEGAN, draft=True), "nothing required", True, True),
        (OWED, None, "none yet", False, False),
        (OWED, AcceptedOrders((), BEGAN), "final", True, True),
        (OWED, AcceptedOrders(OWED, BEGAN), "final", True, True),
        (OWED, AcceptedOrders((*OWED, "transfer"), BEGAN), "final", True, True),
        (OWED, AcceptedOrders(OWED, BEGAN, draft=True), "draft", False, True),
        (OWED, AcceptedOrders((), BEGAN, draft=True), "draft", False, True),
        (OWED, AcceptedOrders(("move",), BEGAN), "draft", False, False),
        (OWED, AcceptedOrders(("move",), BEGAN, draft=True), "draft", False, False),
    ],
)
def test_order_states(
    owed: tuple[str, ...], accepted: AcceptedOrders | None, state: OrderState, in_before: bool, in_at_deadline: bool
) -> None:
    each = OwedOrders("austria", "maria-theresa", owed, accepted)
    assert state_of(each) == state
    assert (need_not_wait_for(each, drafts_count=False), need_not_wait_for(each, drafts_count=True)) == (
        in_before,
        in_at_deadline,
    )


ALL_IN = [orders("austria", "final", BEGAN + hours(5)), orders("france", "final", BEGAN + hours(9))]
ONE_MISSING = [orders("austria", "final", BEGAN + hours(5)), orders("france", "none yet")]
ONE_DRAFT = [orders("austria", "final", BEGAN + hours(5)), orders("france", "draft", BEGAN + hours(9))]
READY = BEGAN + hours(9.5)
A_LITTLE = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("now", "all_orders", "state", "may", "earliest"),
    [
        # all in: half an hour to change one's mind
        (READY - A_LITTLE, ALL_IN, "delayed", False, READY),
        (READY, ALL_IN, "ready", True, READY),
        # one missing: grace, and then everybody waits
        (READY, ONE_MISSING, "running", False, None),
        (DEADLINE - A_LITTLE, ONE_MISSING, "running", False, None),
        (DEADLINE, ONE_MISSING, "grace", False, None),
        (GRACE_ENDS - A_LITTLE, ONE_MISSING, "grace", False, None),
        (GRACE_ENDS, ONE_MISSING, "overdue", False, None),
        (GRACE_ENDS + timedelta(days=365), ONE_MISSING, "overdue", False, None),
        # a draft counts from the deadline on, and needs no delay then
        (DEADLINE - A_LITTLE, ONE_DRAFT, "running", False, DEADLINE),
        (DEADLINE, ONE_DRAFT, "ready", True, DEADLINE),
        # nobody owes anything: there is nothing to wait for
        (BEGAN, [orders("austria", "nothing required")], "ready", True, BEGAN),
        (BEGAN, [], "ready", True, BEGAN),
    ],
)
def test_a_stage_in_time(
    now: datetime, all_orders: list[OwedOrders], state: ClockState, may: bool, earliest: datetime | None
) -> None:
    assert clock_state(now, CLOCK, STAGE, all_orders) == state
    verdict = may_adjudicate(now, CLOCK, STAGE, all_orders)
    assert (verdict.may, verdict.earliest) == (may, earliest)
    assert verdict.basis == "orders"
    late = state in ("grace", "overdue") or (state == "running" and all_orders is ONE_MISSING)
    assert verdict.absent == (("france",) if late else ())


@pytest.mark.parametrize("at_deadline", ["standing", "hold"])
def test_after_the_grace_defaults_answer_where_the_campaign_has_it_so(at_deadline: Literal["standing", "hold"]) -> None:
    clock = Clock(at_deadline=at_deadline)
    assert may_adjudicate(DEADLINE, clock, STAGE, ONE_MISSING) == Permission(False, "orders", ("france",), GRACE_ENDS)
    assert clock_state(GRACE_ENDS, clock, STAGE, ONE_MISSING) == "due"
    assert may_adjudicate(GRACE_ENDS, clock, STAGE, ONE_MISSING) == Permission(
        True, at_deadline, ("france",), GRACE_ENDS
    )


def test_part_of_the_orders_is_not_enough_at_the_deadline() -> None:
    part = OwedOrders("france", "louis", OWED, AcceptedOrders(("move",), BEGAN))
    assert clock_state(DEADLINE, CLOCK, STAGE, [part]) == "grace"
    assert may_adjudicate(GRACE_ENDS, Clock(at_deadline="hold"), STAGE, [part]).absent == ("france",)


def test_a_flag_to_wait_holds_until_the_deadline_and_no_longer() -> None:
    stage = StageClock(BEGAN, DEADLINE, waiting=("frederick",))
    assert clock_state(DEADLINE - A_LITTLE, CLOCK, stage, ALL_IN) == "running"
    assert may_adjudicate(READY, CLOCK, stage, ALL_IN) == Permission(False, earliest=DEADLINE)
    assert clock_state(DEADLINE, CLOCK, stage, ALL_IN) == "ready"
    assert clock_state(GRACE_ENDS, Clock(at_deadline="hold"), stage, ONE_MISSING) == "due"


@pytest.mark.parametrize(
    ("last", "ready"),
    [
        (DEADLINE - hours(1), DEADLINE - hours(0.5)),
        (DEADLINE - hours(0.25), DEADLINE),
        (DEADLINE + hours(1), DEADLINE + hours(1.5)),
        (GRACE_ENDS - hours(0.25), GRACE_ENDS),
        (GRACE_ENDS + hours(9), GRACE_ENDS + hours(9.5)),
    ],
)
def test_nobody_waits_beyond_the_deadline_for_changed_minds(last: datetime, ready: datetime) -> None:
    all_orders = [orders("austria", "final"), orders("france", "final", last)]
    assert clock_state(ready - A_LITTLE, CLOCK, STAGE, all_orders) == "delayed"
    assert clock_state(ready, CLOCK, STAGE, all_orders) == "ready"


def due(now: datetime, clock: Clock, all_orders: list[OwedOrders], last: dict[str, datetime]) -> tuple[Reminder, ...]:
    return reminders_due(last, now, clock, STAGE, all_orders)


def told(reminders: tuple[Reminder, ...]) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [(each.player, each.occasion, each.why, each.powers) for each in reminders]


def test_reminders_name_the_player_the_occasion_and_the_reason() -> None:
    clock = Clock(remind=("48h", "6h"))
    all_orders = [
        orders("prussia", "draft"),
        orders("saxony", "nothing required"),
        orders("france", "none yet"),
        orders("bavaria", "draft"),
        orders("austria", "final"),
    ]
    louis = ("louis", "before", "none yet", ("france", "bavaria"))
    assert due(DEADLINE - hours(48) - A_LITTLE, clock, all_orders, {}) == ()
    assert told(due(DEADLINE - hours(48), clock, all_orders, {})) == [
        ("frederick", "before", "draft", ("prussia",)), louis,
    ]  # fmt: skip
    last = {"frederick": DEADLINE - hours(48), "louis": DEADLINE - hours(40)}
    assert due(DEADLINE - hours(7), clock, all_orders, last) == ()
    assert told(due(DEADLINE - hours(5), clock, all_orders, {"frederick": DEADLINE - hours(6)})) == [louis]
    late = due(DEADLINE + hours(1), clock, all_orders, last)
    assert told(late) == [("louis", "deadline", "none yet", ("france",))]
    assert late[0].mark == DEADLINE


def test_a_player_whose_flag_alone_holds_the_stage_up_is_told() -> None:
    stage = StageClock(BEGAN, DEADLINE, waiting=("frederick",))
    reminders = reminders_due({}, DEADLINE - hours(1), CLOCK, stage, ALL_IN)
    assert told(reminders) == [("frederick", "before", "wait", ())]
    assert reminders_due({}, DEADLINE, CLOCK, stage, ALL_IN) == ()


def test_the_report_that_begins_a_stage_is_reminder_enough() -> None:
    clock = Clock(remind=("1w",))
    assert due(BEGAN, clock, ONE_MISSING, {}) == ()
    assert due(DEADLINE - A_LITTLE, clock, ONE_MISSING, {}) == ()


@pytest.mark.parametrize(
    ("clock", "occasions"),
    [
        (Clock(grace="3d"), ["before", "deadline", *["late"] * 5]),
        (Clock(grace="3d", at_deadline="hold"), ["before", "deadline", "late", "late"]),
        (Clock(grace="60h", at_deadline="hold"), ["before", "deadline", "late", "late"]),
        (Clock(grace="0h", at_deadline="standing"), ["before", "deadline"]),
    ],
)
def test_once_a_day_while_late_orders_are_waited_for(clock: Clock, occasions: list[str]) -> None:
    last: dict[str, datetime] = {}
    found = []
    for number in range(24 * 7):
        now = DEADLINE - hours(24) + number * hours(1)
        for reminder in due(now, clock, ONE_MISSING, last):
            found.append(reminder.occasion)
            last[reminder.player] = now
    assert found == occasions


def test_a_deadline_that_was_moved_is_told_anew() -> None:
    last = {"louis": DEADLINE - hours(24)}
    stage = StageClock(BEGAN, DEADLINE + timedelta(days=2))
    assert reminders_due(last, DEADLINE + hours(23), CLOCK, stage, ONE_MISSING) == ()
    assert told(reminders_due(last, DEADLINE + hours(24), CLOCK, stage, ONE_MISSING)) == [
        ("louis", "before", "none yet", ("france",))
    ]


moments = st.timedeltas(timedelta(0), timedelta(days=12)).map(lambda passed: BEGAN + passed)
some_clocks = st.builds(
    Clock,
    grace=st.sampled_from(["0h", "12h", "24h", "60h", "3d"]),
    delay=st.sampled_from(["0m", "30m", "48h"]),
    remind=st.lists(st.sampled_from(["1h", "12h", "24h", "48h", "1w"]), max_size=4).map(tuple),
    at_deadline=st.sampled_from(get_args(AtDeadline)),
)
some_stages = st.builds(
    StageClock,
    st.just(BEGAN),
    st.timedeltas(timedelta(hours=1), timedelta(days=6)).map(lambda length: BEGAN + length),
    st.sampled_from([(), ("louis",), ("frederick", "austria")]),
)
some_orders = st.tuples(
    *(
        st.builds(orders, st.just(power), st.sampled_from(get_args(OrderState)), moments)
        for power in ("france", "bavaria", "prussia", "austria")
    )
).map(list)


def received_by(now: datetime, all_orders: list[OwedOrders]) -> list[OwedOrders]:
    """Leave out what had not come in yet."""
    return [
        each if each.accepted is None or each.accepted.since <= now else OwedOrders(each.power, each.player, each.owed)
        for each in all_orders
    ]


@given(some_clocks, some_stages, moments, some_orders)
def test_the_verdict_keeps_its_word(
    clock: Clock, stage: StageClock, now: datetime, all_orders: list[OwedOrders]
) -> None:
    """The stage may be adjudicated from the moment it names on and not before, if nobody writes again."""
    all_orders = received_by(now, all_orders)
    verdict = may_adjudicate(now, clock, stage, all_orders)
    if verdict.earliest is None:
        assert not verdict.may
        assert clock.at_deadline == "wait"
        assert not may_adjudicate(now + timedelta(days=1000), clock, stage, all_orders).may
        return
    assert verdict.may == (now >= verdict.earliest)
    then = max(now, verdict.earliest)
    assert may_adjudicate(then, clock, stage, all_orders).may
    assert may_adjudicate(then + timedelta(days=100), clock, stage, all_orders).may


@given(some_clocks, some_stages, moments, some_orders)
def test_nothing_is_decided_without_orders_before_the_grace_is_over(
    clock: Clock, stage: StageClock, now: datetime, all_orders: list[OwedOrders]
) -> None:
    all_orders = received_by(now, all_orders)
    verdict = may_adjudicate(now, clock, stage, all_orders)
    if verdict.may and verdict.basis == "orders":
        assert not orders_waited_for(all_orders, drafts_count=now >= stage.deadline)
        assert not stage.waiting or now >= stage.deadline
    elif verdict.may:
        assert now >= stage.deadline + span(clock.grace)
        assert verdict.absent
    for each in all_orders:
        if not each.owed:
            assert each.power not in verdict.absent


@given(some_clocks, some_stages, st.lists(moments, max_size=30).map(sorted), some_orders)
def test_nobody_is_reminded_twice_of_the_same_thing(
    clock: Clock, stage: StageClock, visits: list[datetime], all_orders: list[OwedOrders]
) -> None:
    """The moderator may look often; nobody who has nothing left to do is reminded at all."""
    last: dict[str, datetime] = {}
    sent: set[tuple[str, datetime]] = set()
    for now in visits:
        present = received_by(now, all_orders)
        for reminder in reminders_due(last, now, clock, stage, present):
            assert stage.began < reminder.mark <= now
            assert (reminder.player, reminder.mark) not in sent
            sent.add((reminder.player, reminder.mark))
            last[reminder.player] = now
            mine = {
                each.power for each in orders_waited_for(present, drafts_count=False) if each.player == reminder.player
            }
            assert set(reminder.powers) <= mine
            assert reminder.powers or reminder.player in stage.waiting
