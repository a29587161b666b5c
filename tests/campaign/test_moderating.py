"""Owed orders, orders that are in, and permission to go on: order states and the clock, at the desk."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from pbem.campaign.briefing import briefings
from pbem.campaign.clock.clock import AtDeadline, Clock, ClockFault, parse_moment
from pbem.campaign.clock.deadlines import Absence, Reminder
from pbem.campaign.clock.timing import orders_now
from pbem.campaign.letters.letterbox import state_of
from pbem.campaign.play import adjudicating, rulings
from pbem.engine.events import Marched
from pbem.paper.documents.faults import Refused
from pbem.seal.canonical import Tree
from tests.campaign.simulated import DAY, HOUR, SimulatedTable

MINUTE = timedelta(minutes=1)
HOLD_ALL: dict[str, Tree] = {"france": {"move": []}, "bavaria": {"move": []}}
FRENCH_MARCH = "turn: 2\nstage: france\nphase: movement\nbegun: yes\nowing: [france, bavaria]\n"


def table_with(root: Path, at_deadline: AtDeadline = "hold", delay: str = "30m") -> SimulatedTable:
    """A campaign in which France and Bavaria are to march."""
    clock = Clock(next="72h", grace="24h", delay=delay, remind=("24h", "6h"), at_deadline=at_deadline)
    return SimulatedTable(root / "campaign", clock=clock, position=FRENCH_MARCH, scenario="introductory").begun()


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    return table_with(tmp_path)


def states(table: SimulatedTable) -> dict[str, str]:
    """State of every power that owes something."""
    with table.open() as campaign:
        return {orders.power: state_of(orders) for orders in orders_now(campaign.public)}


def deadline(table: SimulatedTable) -> datetime:
    with table.open() as campaign:
        return parse_moment(campaign.public.deadline)


def waits(table: SimulatedTable) -> bool:
    """True if the moderator is told to wait; nothing is entered then."""
    with table.open() as campaign:
        before = campaign.ledger.head
        try:
            adjudicating.adjudicate(campaign)
        except Refused as refused:
            return [fault.code for fault in refused.faults] == ["E-CAMPAIGN-WAITING"] and campaign.ledger.head == before
        campaign.save()
    return False


def remind(table: SimulatedTable) -> list[Reminder]:
    with table.open() as campaign:
        due = rulings.remind(campaign)
        campaign.save()
    return due


def extend(table: SimulatedTable, until: datetime) -> None:
    with table.open() as campaign:
        rulings.extend(campaign, until, "holidays")
        campaign.save()


def away(table: SimulatedTable, player: str, first: date, last: date) -> None:
    with table.open() as campaign:
        rulings.enter_absence(campaign, Absence(player, first, last, "holidays"))
        campaign.save()


def test_none_yet_then_partial_then_draft_then_final(table: SimulatedTable) -> None:
    assert states(table) == {"france": "none yet", "bavaria": "none yet"}
    table.send(table.letter("louis", {"france": {"move": []}}))
    assert states(table) == {"france": "draft", "bavaria": "draft"}
    table.send(table.letter("louis", HOLD_ALL, final=False))
    assert states(table) == {"france": "draft", "bavaria": "draft"}
    table.send(table.letter("louis", HOLD_ALL))
    assert states(table) == {"france": "final", "bavaria": "final"}


def test_everybody_is_told_the_states_and_nobody_who_owes_nothing_is_named(table: SimulatedTable) -> None:
    table.send(table.letter("louis", HOLD_ALL))
    with table.open() as campaign:
        told = briefings(campaign)
    for reader in told.values():
        assert [(owed.power, owed.player, owed.state) for owed in reader.owed] == [
            ("france", "louis", "final"),
            ("bavaria", "louis", "final"),
        ]


def test_an_explicit_empty_set_is_final_and_is_carried_out(table: SimulatedTable) -> None:
    assert table.send(table.letter("louis", HOLD_ALL)).status == "final"
    done = table.carried_out()
    assert [(answer.power, answer.by) for answer in done.outcome.answers] == [
        ("france", "orders"),
        ("bavaria", "orders"),
    ]
    assert done.record.absent == {}


def test_there_is_time_to_change_ones_mind(table: SimulatedTable) -> None:
    table.send(table.letter("louis", HOLD_ALL))
    table.now += 29 * MINUTE
    assert waits(table)
    table.now += MINUTE
    assert not waits(table)


def test_the_newest_orders_count_until_they_are_carried_out(table: SimulatedTable, tmp_path: Path) -> None:
    other = table.copied(tmp_path / "other")
    marching: dict[str, Tree] = {"france": {"move": [{"Belle-Isle": ["Hersbruck"]}]}, "bavaria": {"move": []}}
    assert table.send(table.letter("louis", marching)).status == "final"
    assert table.send(table.letter("louis", HOLD_ALL)).status == "final"
    assert not any(isinstance(event, Marched) for event in table.carried_out().outcome.events)
    table = other
    assert table.send(table.letter("louis", HOLD_ALL)).status == "final"
    assert table.send(table.letter("louis", marching)).status == "final"
    assert any(isinstance(event, Marched) for event in table.carried_out().outcome.events)


def test_a_draft_waits_for_the_deadline_and_counts_then(table: SimulatedTable) -> None:
    table.send(table.letter("louis", HOLD_ALL, final=False))
    table.now = deadline(table) - MINUTE
    assert waits(table)
    table.now += MINUTE
    done = table.carried_out(after=timedelta())
    assert (done.record.absent, done.outcome.answers[0].by) == ({}, "orders")


def test_a_final_letter_can_become_a_draft_again(table: SimulatedTable) -> None:
    table.send(table.letter("louis", HOLD_ALL))
    table.send(table.letter("louis", HOLD_ALL, final=False))
    table.now += DAY
    assert waits(table)


def test_who_asks_to_wait_is_heard_until_the_deadline(table: SimulatedTable) -> None:
    table.send(table.letter("louis", HOLD_ALL, wait=True))
    table.now = deadline(table) - MINUTE
    assert waits(table)
    table.now += MINUTE
    assert not waits(table)


def test_defaults_answer_only_after_the_grace_and_are_recorded(table: SimulatedTable) -> None:
    table.now = deadline(table) + DAY - MINUTE
    assert waits(table)
    table.now += MINUTE
    done = table.carried_out(after=timedelta())
    assert done.record.absent == {"louis": "no orders by the deadline"}
    assert {answer.by for answer in done.outcome.answers} == {"default"}
    table.assert_verified()


def test_of_a_partial_letter_what_it_says_is_carried_out_and_defaults_answer_the_rest(table: SimulatedTable) -> None:
    table.send(table.letter("louis", {"france": {"move": []}}))
    table.now = deadline(table) + DAY
    done = table.carried_out(after=timedelta())
    assert [(answer.power, answer.by) for answer in done.outcome.answers] == [
        ("france", "orders"),
        ("bavaria", "default"),
    ]
    assert done.record.absent == {"louis": "no orders by the deadline"}


def test_late_orders_within_the_grace_count(table: SimulatedTable) -> None:
    table.now = deadline(table) + HOUR
    assert waits(table)
    table.send(table.letter("louis", HOLD_ALL))
    table.now += 30 * MINUTE
    assert table.carried_out(after=timedelta()).record.absent == {}


def test_a_campaign_that_waits_goes_on_only_by_force_and_says_so(tmp_path: Path) -> None:
    table = table_with(tmp_path, "wait")
    table.now = deadline(table) + 30 * DAY
    assert waits(table)
    done = table.carried_out(force=True)
    assert done.record.absent == {"louis": "the moderator went on"}


def test_the_deadline_after_an_adjudication_leaves_the_time_agreed(table: SimulatedTable) -> None:
    first = deadline(table)
    table.send(table.letter("louis", HOLD_ALL))
    table.adjudicate()
    assert deadline(table) >= table.now + 3 * DAY
    assert deadline(table) >= first


def test_a_deadline_is_only_ever_moved_to_later(table: SimulatedTable) -> None:
    first = deadline(table)
    with pytest.raises(ClockFault):
        extend(table, first - HOUR)
    extend(table, first + DAY)
    assert deadline(table) == first + DAY
    table.assert_verified()


def test_an_absence_moves_the_deadline_of_those_who_owe(table: SimulatedTable) -> None:
    first = deadline(table)
    away(table, "frederick", first.date(), first.date())
    assert deadline(table) == first
    away(table, "louis", first.date(), first.date() + DAY)
    assert deadline(table) == first + 2 * DAY
    table.assert_verified()


def test_an_absence_counts_for_deadlines_to_come(table: SimulatedTable) -> None:
    away(table, "frederick", date(2026, 11, 24), date(2026, 11, 30))
    table.send(table.letter("louis", HOLD_ALL))
    table.adjudicate()
    assert deadline(table).date() == date(2026, 12, 1)


def test_who_has_used_up_the_days_of_absence_gets_no_more(table: SimulatedTable) -> None:
    with pytest.raises(ClockFault, match="E-ABSENCE-ALLOWANCE"):
        away(table, "louis", date(2026, 11, 22), date(2026, 12, 31))


def test_nobody_is_reminded_twice_of_the_same(table: SimulatedTable) -> None:
    assert remind(table) == []
    table.now = deadline(table) - DAY
    assert [(each.player, each.occasion, each.why) for each in remind(table)] == [("louis", "before", "none yet")]
    assert remind(table) == []
    table.now += 18 * HOUR + MINUTE
    assert len(remind(table)) == 1
    table.now += MINUTE
    assert remind(table) == []
    table.now = deadline(table)
    assert [each.occasion for each in remind(table)] == ["deadline"]
    table.now += MINUTE
    assert remind(table) == []
    table.assert_verified()


def test_who_has_ordered_is_not_reminded(table: SimulatedTable) -> None:
    table.send(table.letter("louis", HOLD_ALL))
    table.now = deadline(table) - HOUR
    assert remind(table) == []


def test_a_draft_is_reminded_of_and_a_flag_to_wait_too(table: SimulatedTable) -> None:
    table.send(table.letter("louis", HOLD_ALL, final=False))
    table.now = deadline(table) - DAY
    assert [each.why for each in remind(table)] == ["draft"]
    table.send(table.letter("louis", HOLD_ALL, wait=True))
    table.now = deadline(table) - 6 * HOUR
    assert [each.why for each in remind(table)] == ["wait"]


def test_the_clock_of_the_moderator_does_not_run_backwards(table: SimulatedTable) -> None:
    table.send(table.letter("louis", HOLD_ALL))
    table.now -= HOUR
    with pytest.raises(Refused, match="E-LEDGER-TIME"):
        table.adjudicate(after=timedelta(), force=True)


def test_reports_can_be_written_again_until_they_are_posted(table: SimulatedTable) -> None:
    table.send(table.letter("louis", HOLD_ALL))
    table.adjudicate()
    with table.open() as campaign:
        first, second = briefings(campaign), briefings(campaign)
        campaign.save()
    with table.open() as campaign:
        third = briefings(campaign)
    assert first["louis"].news.events
    for reader, told in first.items():
        assert told.news.events == second[reader].news.events == third[reader].news.events
        assert told.news.notes == second[reader].news.notes == third[reader].news.notes
