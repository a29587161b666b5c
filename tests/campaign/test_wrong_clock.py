"""A clock that is wrong: a time far ahead needs a word, and a ledger that has one is led back, for all to see."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import Clock, parse_moment
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.ledger.records import RulingRecord
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.proof.verifying import verify
from pbem.paper.documents.faults import Refused
from tests.campaign.simulated import DAY, HOUR, SimulatedTable
from tests.protocol import second

FAR = datetime(2200, 1, 1, tzinfo=UTC)


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    """A campaign that waits for the first orders."""
    return SimulatedTable(tmp_path / "here", scenario="introductory").begun()


def far_ahead(table: SimulatedTable, work: object, at: datetime = FAR) -> None:
    """Something is done by a clock that is wrong, and that somebody vouches for."""
    before, table.now = table.now, at
    with table.open() as campaign:
        campaign.clock_is_right = True
        work(campaign)  # type: ignore[operator]
        campaign.save()
    table.now = before + HOUR


def repair(table: SimulatedTable, vouched: bool = True) -> int:
    """The moderator repairs the clock."""
    with table.open() as campaign:
        campaign.clock_is_right = vouched
        entry = rulings.repair_clock(campaign, "the battery was empty")
        campaign.save()
    return entry


def refusal(work: object) -> str:
    """The code of a refusal."""
    with pytest.raises(Refused) as refused:
        work()  # type: ignore[operator]
    return refused.value.faults[0].code


def forced(campaign: Campaign) -> None:
    """Defaults for all who are asked."""
    adjudicating.adjudicate(campaign, force=True)


def assert_sound(table: SimulatedTable) -> None:
    """Both verifiers agree, while it runs and when everything is open."""
    table.assert_verified()
    assert second.verify(table.root) == []
    table.close("far enough")
    table.assert_verified()
    assert second.verify(table.root) == []


def test_a_time_far_ahead_needs_a_word(table: SimulatedTable) -> None:
    entries = sorted((table.root / "ledger").iterdir())
    table.now += 41 * DAY
    with table.open() as campaign:
        assert refusal(lambda: rulings.rule(campaign, "Be kind.")) == "E-CLOCK-AHEAD"
    assert sorted((table.root / "ledger").iterdir()) == entries
    with table.open() as campaign:
        campaign.clock_is_right = True
        rulings.rule(campaign, "Be kind.")
        campaign.save()
    table.assert_verified()


def test_forty_days_of_silence_need_none(table: SimulatedTable) -> None:
    table.now += 40 * DAY - HOUR
    with table.open() as campaign:
        rulings.rule(campaign, "Be kind.")


def test_a_time_before_the_last_entry_is_refused_whatever_is_said(table: SimulatedTable) -> None:
    table.now -= DAY
    with table.open() as campaign:
        campaign.clock_is_right = True
        assert refusal(lambda: rulings.rule(campaign, "Be kind.")) == "E-LEDGER-TIME"


def test_a_game_that_went_on_by_a_wrong_clock_goes_back_and_on(table: SimulatedTable) -> None:
    with table.open() as campaign:
        stood = campaign.public.next
        before = campaign.public.entry
    far_ahead(table, forced)
    far_ahead(table, forced, FAR + DAY)
    with table.open() as campaign:
        assert refusal(lambda: rulings.rule(campaign, "Be kind.")) == "E-LEDGER-TIME"
    assert refusal(lambda: repair(table, vouched=False)) == "E-CLOCK-REPAIR"
    repair(table)
    with table.open() as campaign:
        assert stood is not None
        assert campaign.public.next is not None
        assert campaign.public.next.digest == stood.digest
        assert parse_moment(campaign.public.deadline) < table.now + 4 * DAY
        assert campaign.ledger.read(campaign.public.entry).body["to"] == str(before)  # type: ignore[index,call-overload]
    table.ordered()
    table.carried_out()
    assert_sound(table)


def test_a_deadline_that_was_promised_by_a_right_clock_is_not_made_earlier(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "here", scenario="introductory").begun()
    with table.open() as campaign:
        promised = campaign.public.deadline
    table.now -= timedelta(days=0)
    far_ahead(table, lambda campaign: campaign.add(RulingRecord("Be kind.")))
    repair(table)
    with table.open() as campaign:
        assert campaign.public.deadline >= promised
    assert_sound(table)


def test_a_game_begun_by_a_wrong_clock_stays_begun(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "here", scenario="introductory")
    table.join()
    far_ahead(table, adjudicating.adjudicate)
    repair(table)
    with table.open() as campaign:
        assert campaign.public.phase == "running"
        assert parse_moment(campaign.public.deadline) < table.now + 4 * DAY
    table.play(2)
    assert_sound(table)


def test_before_the_game_nothing_goes_back(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "here", scenario="introductory")
    far_ahead(table, lambda campaign: campaign.add(RulingRecord("Be kind.")))
    repair(table)
    table.join()
    table.play(2)
    assert_sound(table)


def test_a_campaign_founded_by_a_wrong_clock(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "here", at=FAR, scenario="introductory")
    table.now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    repair(table)
    table.join()
    table.play(2)
    assert_sound(table)


def test_absences_of_a_wrong_clock_use_up_nothing(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "here", clock=Clock(delay="0m", absences=5), scenario="introductory").begun()
    days = Absence("louis", FAR.date(), (FAR + 4 * DAY).date(), "")
    far_ahead(table, lambda campaign: rulings.enter_absence(campaign, days))
    repair(table)
    with table.open() as campaign:
        rulings.enter_absence(campaign, Absence("louis", table.now.date(), (table.now + 4 * DAY).date(), ""))
        campaign.save()
    assert_sound(table)


def test_twice(table: SimulatedTable) -> None:
    far_ahead(table, forced)
    repair(table)
    table.ordered()
    table.carried_out()
    far_ahead(table, forced, table.now + 9 * DAY)
    repair(table)
    table.play(2)
    assert_sound(table)


def test_where_nothing_is_wrong_nothing_is_repaired(table: SimulatedTable) -> None:
    assert refusal(lambda: repair(table)) == "E-CLOCK-SOUND"


def test_the_public_part_says_where_the_clock_was_wrong(table: SimulatedTable) -> None:
    far_ahead(table, forced)
    repair(table)
    (entry,) = (table.root / "ledger").glob("*-clock.yaml")
    assert "to: 5\n" in entry.read_text()
    assert verify(table.root).is_good
