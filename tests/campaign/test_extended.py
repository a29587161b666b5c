"""More time for somebody who is late is of the present stage: later ones have the time that was agreed."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.play import rulings
from pbem.campaign.settings import Conduct
from tests.campaign.simulated import DAY, HOUR, SimulatedTable
from tests.protocol import second


def begun(root: Path, protocol: int = 2, **conduct: str) -> SimulatedTable:
    """A campaign of this protocol, waiting for its first orders."""
    with patch("pbem.campaign.ledger.records.PROTOCOL", protocol):
        table = SimulatedTable(root, conduct=Conduct(**conduct), scenario="introductory")  # type: ignore[arg-type]
    return table.begun()


def deadline(table: SimulatedTable) -> datetime:
    """The present one."""
    with table.open() as campaign:
        return parse_moment(campaign.public.deadline)


def extend(table: SimulatedTable, span: timedelta) -> None:
    """The moderator gives more time."""
    with table.open() as campaign:
        rulings.extend(campaign, parse_moment(campaign.public.deadline) + span, "a storm")
        campaign.save()


def assert_sound(table: SimulatedTable) -> None:
    """Both verifiers agree, when everything is open."""
    table.close("far enough")
    table.assert_verified()
    assert second.verify(table.root) == []


@pytest.mark.parametrize(("protocol", "days"), [(2, 4), (1, 18)])
def test_a_later_stage_does_not_wait_as_long_as_was_given_for_this_one(
    tmp_path: Path, protocol: int, days: int
) -> None:
    table = begun(tmp_path / "here", protocol)
    extend(table, 14 * DAY)
    table.ordered()
    done = table.carried_out()
    assert parse_moment(done.record.next.deadline) - table.now < days * DAY
    assert parse_moment(done.record.next.deadline) - table.now > (days - 1) * DAY
    assert_sound(table)


def test_neither_does_it_wait_for_an_absence_of_somebody_else(tmp_path: Path) -> None:
    table = begun(tmp_path / "here")
    with table.open() as campaign:
        rulings.enter_absence(campaign, Absence("louis", table.now.date(), (table.now + 9 * DAY).date(), "a wedding"))
        campaign.save()
    assert deadline(table) > table.now + 9 * DAY
    table.ordered()
    done = table.carried_out()
    away = "louis" in done.record.next.owing
    assert (parse_moment(done.record.next.deadline) > table.now + 9 * DAY) is away
    assert_sound(table)


def test_what_was_sealed_is_shown_in_the_time_that_was_agreed(tmp_path: Path) -> None:
    table = begun(tmp_path / "here", sealing="reveal")
    extend(table, 14 * DAY)
    table.ordered()
    table.adjudicate()
    assert deadline(table) < table.now + 4 * DAY
    assert_sound(table)


def test_never_before_the_deadline_that_the_clock_had_set(tmp_path: Path) -> None:
    table = begun(tmp_path / "here")
    agreed = deadline(table)
    extend(table, 2 * HOUR)
    table.ordered()
    done = table.carried_out()
    assert done.record.next.deadline >= stamp(agreed)
