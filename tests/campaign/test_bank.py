"""A bank of time: what is saved is kept, lateness draws on it, and everybody computes the same from the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace

from pbem.campaign.clock.bank import account_of, accounts, time_parts
from pbem.campaign.clock.clock import Bank, Clock, parse_moment, stamp
from pbem.campaign.clock.deadlines import Absence, deadline_after
from pbem.campaign.clock.timing import permission
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entry_effects import add_entry, public_state_at_start
from pbem.campaign.ledger.public_state import Pace, Player, PublicState
from pbem.campaign.play import rulings
from pbem.campaign.settings import Conduct, Moderator, Seat, Settings
from pbem.paper.letters import sign_letter
from tests.campaign.simulated import DAY, HOUR, SimulatedTable, codes
from tests.protocol import second, second_bank

BANK = Bank("5d", "1d", "6d")
CLOCK = Clock(delay="0m", at_deadline="hold", bank=BANK)
SEATS = ("louis", "frederick", "maria-theresa")


def waiting(root: Path, clock: Clock = CLOCK, **conduct: str) -> SimulatedTable:
    """A campaign with a bank, waiting for its first orders."""
    return SimulatedTable(
        root, conduct=Conduct(**conduct), clock=clock, scenario="introductory"  # type: ignore[arg-type]
    ).begun()  # fmt: skip


def deadline(table: SimulatedTable) -> datetime:
    with table.open() as campaign:
        return parse_moment(campaign.public.deadline)


def left(table: SimulatedTable) -> dict[str, int]:
    """Hours in all banks."""
    with table.open() as campaign:
        return {seat: each.left // 3600 for seat, each in accounts(campaign.public).items()}


def assert_sound(table: SimulatedTable) -> None:
    """Both verifiers agree, when everything is open."""
    table.close("far enough")
    table.assert_verified()
    assert second.verify(table.root) == []


def test_lateness_draws_on_the_bank_before_the_deadline_acts(tmp_path: Path) -> None:
    table = waiting(tmp_path / "here")
    table.ordered("frederick", "maria-theresa")
    end = deadline(table)
    for days, may in ((1, False), (5, False), (6, True)):
        table.now = end + days * DAY
        with table.open() as campaign:
            assert permission(campaign).may == may, "five days in the bank, and a day of grace"
    assert left(table) == dict.fromkeys(left(table), 5 * 24)
    done = table.carried_out(after=HOUR)
    assert done.record.absent == {"louis": "no orders by the deadline"}
    assert not done.record.forced
    assert left(table) == {"louis": 0, "frederick": 6 * 24, "maria-theresa": 6 * 24}
    assert_sound(table)


def test_who_comes_late_has_drawn_as_much_and_no_more(tmp_path: Path) -> None:
    table = waiting(tmp_path / "here")
    table.ordered("frederick", "maria-theresa")
    table.now = deadline(table) + 2 * DAY
    table.ordered("louis")
    table.carried_out(after=timedelta())
    assert left(table)["louis"] == 3 * 24
    with table.open() as campaign:
        account = accounts(campaign.public)["louis"]
        assert (account.late, account.stages, account.seconds) == (1, 1, 2 * 86400)
        rulings.rollback(campaign, 5, "his letter had been overlooked")
        assert accounts(campaign.public)["louis"].left == 5 * 86400, "undone, it costs nothing"
        campaign.save()
    table.ordered()
    table.carried_out()
    assert_sound(table)


def test_behind_a_lock_nothing_is_drawn(tmp_path: Path) -> None:
    table = waiting(tmp_path / "here", sealing="reveal")
    table.ordered()
    table.adjudicate(after=timedelta())
    before = left(table)
    assert set(before.values()) == {6 * 24}, "the orders came in time"
    table.now = deadline(table) + DAY
    done = table.carried_out(after=HOUR)
    assert set(done.record.forfeited) == set(SEATS), "the grace is over"
    assert left(table) == before
    assert_sound(table)


def test_more_time_from_the_moderator_is_no_lateness(tmp_path: Path) -> None:
    table = waiting(tmp_path / "here")
    end = deadline(table)
    table.now = end + 2 * DAY
    with table.open() as campaign:
        rulings.extend(campaign, end + 4 * DAY, "a storm")
        campaign.save()
    table.ordered()
    table.carried_out(after=timedelta())
    assert set(left(table).values()) == {5 * 24}, "and nothing is saved of it"


def test_without_a_bank_nothing_is_counted(tmp_path: Path) -> None:
    table = waiting(tmp_path / "here", clock=Clock(delay="0m", at_deadline="hold"))
    table.ordered()
    table.carried_out()
    with table.open() as campaign:
        assert accounts(campaign.public) == {}
        assert (campaign.public.paces, campaign.public.whole_since) == ([], {})
    assert b"bank" not in (table.root / "ledger" / "0001-new.yaml").read_bytes()


@pytest.mark.parametrize(
    ("bank", "why"),
    [(Bank("20d", "1d", "6d"), "more than most"), (Bank("0d", "0d", "0d"), "no time"), (Bank("x", "1d", "2d"), "span")],
)
def test_terms_that_make_no_sense_are_refused(bank: Bank, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Clock(bank=bank)


def test_one_stage_adds_no_more_than_agreed_however_often_it_asks() -> None:
    rows = [Pace(5, "louis", "1/louis", 80_000), Pace(6, "louis", "1/louis", 80_000), Pace(7, "louis", "2/louis", 9)]
    assert account_of(Bank("0d", "1d", "9d"), rows, "louis").left == 86_400 + 9


@pytest.fixture(params=[5, 6])
def protocol(request: pytest.FixtureRequest) -> Iterator[int]:
    """Campaigns founded under the reckoning of protocol 5, and under today's."""
    with patch("pbem.campaign.ledger.records.PROTOCOL", request.param):
        yield request.param


def test_what_was_replaced_saves_from_the_newest_letter_on(tmp_path: Path, protocol: int) -> None:
    table = waiting(tmp_path / "here")
    table.ordered()
    table.now = deadline(table) - HOUR
    table.ordered("louis")
    table.carried_out(after=timedelta())
    assert left(table) == {"louis": 5 * 24 + (1 if protocol > 5 else 24), "frederick": 6 * 24, "maria-theresa": 6 * 24}
    assert_sound(table)


def waiting_until_then(table: SimulatedTable, *seats: str) -> None:
    """Seats send final orders, and ask to wait for the deadline."""
    for seat in seats:
        with table.open() as campaign:
            text = table.write(campaign, seat)
        hesitating = text.replace("\nbody:\n", "\nbody:\n  wait: yes\n", 1)
        assert hesitating != text
        assert not codes(table.send(sign_letter(hesitating, table.players[seat].key)))


def test_who_asks_to_wait_saves_nothing_meanwhile(tmp_path: Path, protocol: int) -> None:
    table = waiting(tmp_path / "here")
    waiting_until_then(table, "louis", "maria-theresa")
    table.ordered("frederick")
    table.now = deadline(table) - 2 * HOUR
    table.ordered("maria-theresa")
    table.carried_out(after=2 * HOUR)
    waited = {"louis": 0, "maria-theresa": 2} if protocol > 5 else {"louis": 24, "maria-theresa": 24}
    assert left(table) == {seat: 5 * 24 + waited.get(seat, 24) for seat in left(table)}
    assert_sound(table)


def test_plans_that_come_later_count_as_a_change(tmp_path: Path, protocol: int) -> None:
    table = waiting(tmp_path / "here")
    table.ordered()
    table.now = deadline(table) - HOUR
    receipt = table.send(table.other_letter("louis", "plan", {}))
    assert not codes(receipt)
    table.send(table.other_letter("frederick", "message", {"to": ["louis"], "text": "Well?"}))
    table.carried_out(after=timedelta())
    assert left(table) == {"louis": 5 * 24 + (1 if protocol > 5 else 24), "frederick": 6 * 24, "maria-theresa": 6 * 24}
    assert_sound(table)


def by_vote(table: SimulatedTable, days: int) -> None:
    """Frederick and Maria Theresa vote for more time."""
    receipt = table.send(table.other_letter("frederick", "proposal", {"subject": "time", "about": f"{days}"}))
    assert not codes(receipt)
    with table.open() as campaign:
        (proposal,) = campaign.public.proposals
    table.send(table.other_letter("maria-theresa", "vote", {"proposal": proposal.name, "says": "yes"}))


def test_a_vote_for_time_takes_no_lateness_back(tmp_path: Path, protocol: int) -> None:
    table = waiting(tmp_path / "here", votes="majority")
    table.ordered("frederick", "maria-theresa")
    end = deadline(table)
    table.now = end + 2 * DAY
    by_vote(table, 3)
    assert deadline(table) == end + 3 * DAY
    assert left(table)["louis"] == (3 if protocol > 5 else 5) * 24, "told at once"
    table.now = end + 3 * DAY + 6 * HOUR
    table.ordered("louis")
    table.carried_out(after=timedelta())
    assert left(table)["louis"] == (3 if protocol > 5 else 5) * 24 - 6
    with table.open() as campaign:
        account = accounts(campaign.public)["louis"]
        assert (account.late, account.stages) == (1, 1)
    assert_sound(table)


def test_a_vote_behind_the_new_deadline_counts_no_hour_twice(tmp_path: Path, protocol: int) -> None:
    table = waiting(tmp_path / "here", votes="majority")
    table.ordered("frederick", "maria-theresa")
    end = deadline(table)
    table.now = end + 2 * DAY
    by_vote(table, 1)
    table.ordered("louis")
    table.carried_out(after=timedelta())
    assert left(table)["louis"] == (3 if protocol > 5 else 4) * 24
    assert_sound(table)


def test_time_given_on_top_saves_none(tmp_path: Path, protocol: int) -> None:
    table = waiting(tmp_path / "here", votes="majority")
    table.ordered("frederick")
    end = deadline(table)
    by_vote(table, 2)
    table.now = end - 6 * HOUR
    table.ordered("maria-theresa")
    table.now = end + 6 * HOUR
    table.ordered("louis")
    table.carried_out(after=timedelta())
    hours = {"louis": 0, "maria-theresa": 6} if protocol > 5 else {}
    assert left(table) == {seat: 5 * 24 + hours.get(seat, 24) for seat in left(table)}, "and nobody was late"
    assert_sound(table)


def left_late(table: SimulatedTable, is_voted_out: bool) -> datetime:
    """Louis is late by two days, and gives the seat up or loses it by a vote; return the deadline."""
    table.ordered("frederick", "maria-theresa")
    end = deadline(table)
    table.now = end + 2 * DAY
    if is_voted_out:
        table.now = end + 5 * DAY + HOUR
        name = {"subject": "replace", "about": "louis"}
        assert not codes(table.send(table.other_letter("frederick", "proposal", name)))
        with table.open() as campaign:
            (proposal,) = campaign.public.proposals
        said = {"proposal": proposal.name, "says": "yes"}
        assert not codes(table.send(table.other_letter("maria-theresa", "vote", said)))
    else:
        assert not codes(table.send(table.other_letter("louis", "proposal", {"subject": "resign"})))
    return end


@pytest.mark.parametrize("is_voted_out", [False, True])
def test_a_seat_given_up_late_is_late_up_to_then(tmp_path: Path, protocol: int, is_voted_out: bool) -> None:
    table = waiting(tmp_path / "here", votes="majority", resigned="hold")
    left_late(table, is_voted_out)
    table.now += 6 * HOUR
    table.ordered("louis")
    table.carried_out(after=12 * HOUR)
    drawn = (5 if is_voted_out else 2) if protocol > 5 else 0
    assert left(table)["louis"] == (5 - drawn) * 24, "what comes later is not counted any more"
    with table.open() as campaign:
        account = accounts(campaign.public)["louis"]
        assert (account.late, account.stages) == ((1, 1) if protocol > 5 else (0, 0))
        rulings.substitute(campaign, "louis", table.players["louis"].key.public.text, "back again")
        campaign.save()
    assert left(table)["louis"] == (5 - drawn) * 24
    assert_sound(table)


def test_who_takes_the_seat_back_in_the_same_stage_is_late_as_if_never_gone(tmp_path: Path) -> None:
    table = waiting(tmp_path / "here", votes="majority", resigned="hold")
    end = left_late(table, is_voted_out=False)
    with table.open() as campaign:
        rulings.substitute(campaign, "louis", table.players["louis"].key.public.text, "back again")
        campaign.save()
    table.now = end + 3 * DAY
    table.ordered("louis")
    table.carried_out(after=timedelta())
    assert left(table)["louis"] == 2 * 24
    assert_sound(table)


def test_a_seat_that_is_held_before_the_deadline_draws_nothing_in_later_stages(tmp_path: Path) -> None:
    table = waiting(tmp_path / "here", votes="majority", resigned="hold")
    assert not codes(table.send(table.other_letter("louis", "proposal", {"subject": "resign"})))
    for _ in range(3):
        table.now = deadline(table) + DAY
        with table.open() as campaign:
            assert campaign.public.next
            asked = [seat for seat in campaign.public.next.owing if seat != "louis"]
        if asked:
            table.ordered(*asked)
        table.carried_out(after=timedelta())
    assert left(table)["louis"] == 5 * 24
    assert_sound(table)


@pytest.mark.parametrize("is_known", [False, True])
def test_an_absence_costs_nothing_and_saves_nothing(tmp_path: Path, protocol: int, is_known: bool) -> None:
    table = SimulatedTable(tmp_path / "here", clock=CLOCK, scenario="introductory")
    table.join()
    end = table.now + 3 * DAY
    if not is_known:
        table.play(0)
        end = deadline(table)
    with table.open() as campaign:
        rulings.enter_absence(campaign, Absence("louis", end.date(), (end + 3 * DAY).date()))
        campaign.save()
    if is_known:
        table.play(0)
    assert deadline(table) >= end + 3 * DAY
    table.ordered("frederick")
    table.now = end + 2 * DAY
    table.ordered("louis", "maria-theresa")
    table.carried_out(after=timedelta())
    saved = 0 if protocol > 5 else 24
    assert left(table) == {"louis": 5 * 24 + saved, "frederick": 6 * 24, "maria-theresa": 5 * 24 + saved}
    assert_sound(table)


class Year:
    """A year of a campaign of which only the ledger's entries are played, told to both programs alike."""

    def __init__(self, seed: int, protocol: int) -> None:
        self.random = Random(seed)
        clock = Clock(zone="Europe/Madrid", bank=Bank("10d", "1d", "15d"), at_deadline="hold")
        settings = Settings(
            "year", {}, {seat: Seat() for seat in SEATS}, Moderator(), Conduct(votes="majority", resigned="hold"), clock
        )
        self.public: PublicState = public_state_at_start(r.NewRecord(settings, "", "0" * 64, "test", {}, protocol))
        self.public.players = {seat: Player("", seat, "en") for seat in SEATS}
        self.clock, self.number = clock, 1
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
        agreed = msgspec.to_builtins(clock)
        self.other = SimpleNamespace(
            settings={"clock": agreed, "conduct": {"resigned": "hold"}},
            **{each: {} for each in ("whole", "final", "pending", "next", "bots", "stands")},
            players={seat: {} for seat in SEATS},
            rows=[],
            resigned=set(),
            deadline="",
            locked=False,
        )
        self.other.protocol, self.other.clock_end = protocol, ""

    def enter(self, kind: str, record: r.Record, **other: Any) -> None:
        """Add an entry on both sides; `other` is what it changes for the second program."""
        self.number += 1
        body = msgspec.to_builtins(record)
        entry = cast(Any, SimpleNamespace(kind=kind, number=self.number, tree={"time": stamp(self.now)}, body=body))
        rows = second_bank.rows_of(cast(Any, self.other), entry)
        add_entry(self.public, self.number, stamp(self.now), record)
        if isinstance(record, r.RollbackRecord):
            self.other.rows = [row for row in self.other.rows if row.entry <= record.to]
        self.other.__dict__.update(other)
        self.other.rows += rows
        second_bank.note(cast(Any, self.other), entry)

    def go_on(self, stage: str, kind: str = "adjudication", to: int = 0) -> None:
        """Ask some seats for something new."""
        owing = dict.fromkeys(self.random.sample(SEATS, self.random.randint(1, 3)), ("x",))
        before = parse_moment(self.public.deadline) if self.public.deadline else self.now
        until = stamp(deadline_after(before if kind == "adjudication" else self.now, self.now, self.clock))
        following = r.Next(stage, "", "0" * 64, owing, deadline=until)
        record = (
            r.RollbackRecord(to, "why", following)
            if to
            else r.AdjudicationRecord(1, "", (), (), "0" * 64, "0" * 64, following)
        )
        said = {"stage": stage, "owing": owing}
        self.enter(kind, record, next=said, deadline=until, pending={})

    def letter(self, seat: str, status: r.Status, wait: bool = False) -> None:
        assert self.public.next is not None
        pending = self.other.pending | {seat: {"status": status, "wait": "true" if wait else "false"}}
        stage = self.public.next.stage
        record = r.LetterRecord(seat, "orders", f"{self.number:064x}", stage, self.number, status, wait)
        self.enter("letter", record, pending=pending)


@pytest.mark.parametrize("protocol", [5, 6])
@pytest.mark.parametrize("seed", range(6))
def test_a_year_of_late_and_early_players_is_the_same_for_both_programs(seed: int, protocol: int) -> None:
    year = Year(seed, protocol)
    random, positions = year.random, [1]
    year.go_on("1/a")
    for number in range(2, 90):
        positions.append(year.number)
        late = {seat: timedelta(hours=random.randint(-70, 60 if seat == "louis" else 4)) for seat in SEATS}
        end = parse_moment(year.public.deadline)
        assert year.public.next is not None
        for seat in sorted(year.public.next.owing, key=lambda seat: late[seat]):
            if random.random() < 0.1:
                continue
            year.now = max(year.now, end + late[seat])
            if random.random() < 0.3:
                year.letter(seat, random.choice(("draft", "partial")))
                year.now += timedelta(hours=random.randint(0, 5))
            year.letter(seat, "final", wait=random.random() < 0.2)
            if random.random() < 0.2:
                year.now += timedelta(hours=random.randint(0, 20))
                year.letter(seat, "final")
        if random.random() < 0.2:
            is_vote = random.random() < 0.5
            later = stamp((end if is_vote else max(year.now, end)) + timedelta(days=random.randint(1, 9)))
            year.enter("extension", r.ExtensionRecord(later, "why", 3 if is_vote else 0), deadline=later)
        if random.random() < 0.1 and "louis" not in year.public.resigned:
            said = r.ProposalRecord("louis", "resign", year.number, f"{year.number:064x}", "letter")
            year.enter("proposal", said, resigned={"louis"})
            year.now += timedelta(hours=random.randint(0, 40))
        if random.random() < 0.1:
            # Before the deadline or behind it: what the former player sent counts no more.
            left = {seat: letter for seat, letter in year.other.pending.items() if seat != "louis"}
            year.enter("substitute", r.SubstituteRecord("louis", "", "gone"), pending=left, resigned=set())
            if "louis" in year.public.next.owing and random.random() < 0.5:
                year.now += timedelta(hours=random.randint(0, 40))
                year.letter("louis", "final")
        if random.random() < 0.05:
            year.enter("absence", r.AbsenceRecord("louis", "2026-05-01", "2026-05-09"))
        year.now += timedelta(hours=random.randint(0, 50))
        if random.random() < 0.08:
            to = random.choice(positions[-4:])
            year.go_on(f"{number}/a", "rollback", to)
            positions = [each for each in positions if each <= to]
        else:
            year.go_on(f"{number}/a")
        for seat, account in accounts(year.public).items():
            assert account.left == second_bank.left(cast(Any, year.other), seat)
            assert 0 <= account.left <= 15 * 86400
            assert account.late <= account.stages
        assert [tuple(each) for each in year.public.paces] == [tuple(each) for each in year.other.rows]
    assert accounts(year.public)["louis"].seconds > 0


def test_a_clock_put_right_takes_no_lateness_of_the_future_from_a_held_seat() -> None:
    year = Year(0, 6)
    year.random.sample = lambda seats, count: list(seats)  # type: ignore[method-assign, assignment]
    year.go_on("1/a")
    start, began = year.number, year.now
    year.now += 300 * DAY
    said = r.ProposalRecord("louis", "resign", year.number, "0" * 64, "letter")
    year.enter("proposal", said, resigned={"louis"})
    year.now = began + HOUR
    assert year.public.next
    until = stamp(began + 3 * DAY)
    back = r.ClockRecord(start, "the clock was wrong", replace(year.public.next, deadline=until))
    year.enter("clock", back, next={"stage": "1/a", "owing": dict(year.public.next.owing)}, deadline=until, pending={})
    year.now = began + 20 * DAY
    year.go_on("2/a")
    late = {pace.seat: -pace.seconds // 86400 for pace in year.public.paces}
    assert late == {"frederick": 11, "maria-theresa": 11}, "ten days in the bank, and a day of grace"
    assert [tuple(each) for each in year.public.paces] == [tuple(each) for each in year.other.rows]


@pytest.mark.parametrize(
    ("hours", "told"), [(0.5, ("30m",)), (26, ("1d", "2h")), (71, ("2d", "23h")), (73, ("3d",)), (332, ("13d",))]
)
def test_from_three_days_on_time_is_told_without_hours(hours: float, told: tuple[str, ...]) -> None:
    assert time_parts(int(hours * 3600)) == told
