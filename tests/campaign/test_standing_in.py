"""Bots that stand in for the absent and play empty seats: by agreement alone, and nothing for a moderator to gain."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem import __version__
from pbem.bots.plain import choose
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import local_day
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.ledger.entry_checks import Writer
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.play.seated_bots import bot_key, is_bots, letter_due, play_bots
from pbem.campaign.proof.sharing import verify_together
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Conduct
from pbem.engine.table import digest
from pbem.lab.bot_campaign import bot_players_of
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter, sign_letter
from pbem.seal.keys import new_key
from tests.campaign.simulated import DAY, HOUR, SimulatedTable
from tests.protocol import second

BOT = f"sensible/{__version__}"
SEAT = "frederick"


def begun(root: Path, **conduct: Any) -> SimulatedTable:
    """A campaign of three people who have agreed on a bot."""
    return SimulatedTable(root, conduct=Conduct(**({"stand_in": BOT} | conduct))).begun()


def away(campaign: Campaign, days: int = 30, bot: str = BOT, after: int = 0) -> int:
    """A player is away, and a bot stands in."""
    first = local_day(campaign.now + after * DAY, campaign.settings.clock)
    settings = replace(campaign.settings, clock=replace(campaign.settings.clock, absences=99))
    campaign.state.public.settings = settings if days > 21 else campaign.settings
    return rulings.enter_absence(campaign, Absence(SEAT, first, first + (days - 1) * DAY, "", bot))


def people_order(table: SimulatedTable, campaign: Campaign) -> None:
    """Everybody orders who owes something and has not ordered, but for who is away."""
    public = campaign.public
    assert public.next is not None
    for player in public.next.owing:
        if player != SEAT and player not in public.pending and player not in public.next.answered:
            table.deliver(campaign, table.write(campaign, player))


def go_on(table: SimulatedTable, campaign: Campaign, rounds: int = 1) -> None:
    """Some rounds, as the moderator's commands go on."""
    for _ in range(rounds):
        assert play_bots(campaign) == []
        people_order(table, campaign)
        campaign.now += HOUR
        if isinstance(adjudicating.adjudicate(campaign), adjudicating.Lock):
            for player, pending in list(campaign.public.pending.items()):
                if player != SEAT and pending.slots:
                    table.deliver(campaign, table.players[player].reveal(campaign.state))
            assert play_bots(campaign) == []
            adjudicating.adjudicate(campaign)
        assert play_bots(campaign) == []


def until_asked(table: SimulatedTable, campaign: Campaign) -> None:
    """Play on until the seat is asked, its player answering what comes before."""
    while SEAT not in campaign.public.next.owing:  # type: ignore[union-attr]
        table.round(campaign)


def closed(table: SimulatedTable, campaign: Campaign) -> None:
    """Keep what was done, and publish everything."""
    table.now = campaign.now
    campaign.save()


def codes(table: SimulatedTable) -> set[str]:
    """Codes of the findings of verifying once everything is published."""
    table.close("far enough")
    found = {finding.fault.code for finding in verify(table.root).findings}
    assert found or second.verify(table.root) == []
    return found


def by_bot(campaign: Campaign) -> list[str]:
    """The letters of bots that stood in, by their kinds."""
    entries = [entry.body for entry in campaign.ledger.entries() if entry.kind == "letter"]
    return [str(body["kind"]) for body in entries if isinstance(body, dict) and "bot" in body]


@pytest.mark.parametrize("sealing", ["moderator", "reveal"])
def test_a_bot_orders_for_who_is_away(tmp_path: Path, sealing: Any) -> None:
    table = begun(tmp_path / "campaign", sealing=sealing)
    with table.open() as campaign:
        away(campaign, 21)
        go_on(table, campaign, 6)
        found = by_bot(campaign)
        assert found.count("orders") > 1
        assert ("reveal" in found) == (sealing == "reveal")
        assert campaign.public.players[SEAT].key == table.players[SEAT].key.public.text
        closed(table, campaign)
    assert codes(table) == set()
    assert verify_together(table.root, 2).findings == []


def test_deadlines_do_not_move_for_whom_a_bot_stands_in(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    other = table.copied(tmp_path / "other")
    with table.open() as campaign, other.open() as waiting:
        before = campaign.public.deadline
        until_asked(table, campaign)
        away(campaign, 20)
        assert campaign.public.deadline == before
        away(waiting, 20, bot="")
        assert waiting.public.deadline > before


def test_who_comes_back_has_the_seat_again(tmp_path: Path) -> None:
    """A letter of their own takes the place of the bot's, and the bot stays silent from then on."""
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        away(campaign, 21)
        assert play_bots(campaign) == []
        written = campaign.public.pending[SEAT].entry
        campaign.now += HOUR
        table.deliver(campaign, table.write(campaign, SEAT))
        assert campaign.public.pending[SEAT].entry > written
        orders = len(by_bot(campaign))
        for _ in range(3):
            people_order(table, campaign)
            campaign.now += HOUR
            adjudicating.adjudicate(campaign)
            assert play_bots(campaign) == []
            if SEAT in campaign.public.next.owing:  # type: ignore[union-attr]
                assert SEAT not in campaign.public.pending
                table.deliver(campaign, table.write(campaign, SEAT))
        assert len(by_bot(campaign)) == orders == 1
        closed(table, campaign)
    assert codes(table) == set()


def test_before_and_after_its_days_the_bot_is_silent(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        until_asked(table, campaign)
        away(campaign, 2, after=3)
        assert play_bots(campaign) == []
        assert SEAT not in campaign.public.pending
        campaign.now += 3 * DAY
        assert play_bots(campaign) == []
        assert SEAT in campaign.public.pending
        people_order(table, campaign)
        campaign.now += 2 * DAY
        adjudicating.adjudicate(campaign)
        assert play_bots(campaign) == []
        assert SEAT not in campaign.public.pending
        closed(table, campaign)
    assert codes(table) == set()


def test_a_bot_gets_an_empty_seat_and_a_person_takes_it_again(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        rulings.substitute_bot(campaign, SEAT, BOT, "nobody writes any more")
        assert is_bots(campaign.state, SEAT)
        assert campaign.public.players[SEAT].name == "Bot sensible"
        go_on(table, campaign, 4)
        (person,) = bot_players_of([SEAT], choose, "person").values()
        person.seq = 99
        rulings.substitute(campaign, SEAT, person.key.public.text, "a person has come")
        assert not is_bots(campaign.state, SEAT)
        table.players[SEAT] = person
        until_asked(table, campaign)
        table.deliver(campaign, table.write(campaign, SEAT))
        closed(table, campaign)
    assert codes(table) == set()


def test_a_bot_that_stood_in_gets_the_seat(tmp_path: Path) -> None:
    """It has one key for both; its letters are those of the seat from then on, and are checked as such."""
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        until_asked(table, campaign)
        away(campaign, 21)
        go_on(table, campaign, 1)
        rulings.substitute_bot(campaign, SEAT, BOT, "gone for good")
        written = by_bot(campaign)
        go_on(table, campaign, 3)
        assert by_bot(campaign) == written
        closed(table, campaign)
    assert codes(table) == set()


def test_nothing_of_it_without_an_agreement(tmp_path: Path) -> None:
    for name, agreed in (("none", {}), ("other", {"stand_in": f"random/{__version__}"})):
        table = SimulatedTable(tmp_path / name, conduct=Conduct(**agreed)).begun()  # type: ignore[arg-type]
        with table.open() as campaign:
            entries = campaign.ledger.head.number
            for attempt in (lambda it: away(it, 3), lambda it: rulings.substitute_bot(it, SEAT, BOT, "so")):
                with pytest.raises(Refused, match="E-BOT-AGREED"):
                    attempt(campaign)
            assert campaign.ledger.head.number == entries


def test_a_moderator_who_puts_another_bot_there_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A weak one, for the rival of a favourite."""
    table = begun(tmp_path / "campaign")
    weak = f"random/{__version__}"
    with table.open() as campaign:
        monkeypatch.setattr(rulings, "bot_agreed", lambda settings: weak)
        rulings.substitute_bot(campaign, SEAT, weak, "away")
        go_on(table, campaign, 1)
        closed(table, campaign)
    assert codes(table) == {"E-VERIFY-BOT"}


def test_a_moderator_who_plays_with_the_key_of_the_bot_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, put_there in enumerate(
        (lambda it: away(it, 9), lambda it: rulings.substitute_bot(it, SEAT, BOT, "so"))
    ):
        table = begun(tmp_path / f"{number}")
        with monkeypatch.context() as cheating, table.open() as campaign:
            cheating.setattr("pbem.bots.table.bot_named", lambda level, game: choose)
            put_there(campaign)
            go_on(table, campaign, 2)
            closed(table, campaign)
        assert codes(table) == {"E-VERIFY-BOT"}


def test_nobody_chooses_the_luck_of_the_bot(tmp_path: Path) -> None:
    """A player who leaves a seat to it cannot, by numbers of letters or by waiting, change its orders."""
    table, orders = begun(tmp_path / "campaign"), set()
    with table.open() as campaign:
        until_asked(table, campaign)
        table.now = campaign.now
        campaign.save()
    for number in range(3):
        other = table.copied(tmp_path / f"{number}")
        with other.open() as campaign:
            campaign.now += number * HOUR
            if number:
                other.players[SEAT].seq += 40 * number
                other.deliver(campaign, other.write(campaign, SEAT))
                rulings.rule(campaign, "one more entry")
            rulings.substitute_bot(campaign, SEAT, BOT, "gone")
            assert play_bots(campaign) == []
            held = campaign.held_letter(campaign.public.pending[SEAT].entry)
            orders.add(str(held.opened["orders"].body))
    assert len(orders) == 1


def test_a_bot_does_not_order_over_its_player(tmp_path: Path) -> None:
    """Orders of a player who was said to be away stay: neither the program nor a forged letter of the bot replaces
    them."""
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        until_asked(table, campaign)
        table.deliver(campaign, table.write(campaign, SEAT))
        away(campaign, 9)
        before = campaign.ledger.head.number
        assert play_bots(campaign) == []
        assert campaign.ledger.head.number == before
        forged = letter_due(campaign.state, Writer(SEAT, BOT, stands_in=True))
        receipt = adjudicating.take_letter(campaign, read_letter(forged.encode(), "letter"))
        assert [fault.code for fault in receipt.verdict.faults] == ["E-LETTER-BOT"]


def test_a_false_absence_is_over_with_the_next_letter(tmp_path: Path) -> None:
    """A player who is not away at all need only write; then the bot's key is useless."""
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        until_asked(table, campaign)
        away(campaign, 9)
        table.deliver(campaign, table.write(campaign, SEAT))
        table.round(campaign)
        until_asked(table, campaign)
        assert play_bots(campaign) == []
        assert SEAT not in campaign.public.pending
        forged = letter_due(campaign.state, Writer(SEAT, BOT, stands_in=True))
        receipt = adjudicating.take_letter(campaign, read_letter(forged.encode(), "letter"))
        assert [fault.code for fault in receipt.verdict.faults] == ["E-LETTER-BOT"]


def test_orders_of_the_bot_outside_its_days_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        until_asked(table, campaign)
        away(campaign, 2, after=9)
        forged = letter_due(campaign.state, Writer(SEAT, BOT, stands_in=True))
        receipt = adjudicating.take_letter(campaign, read_letter(forged.encode(), "letter"))
        assert not receipt.verdict.is_refused
        people_order(table, campaign)
        campaign.now += HOUR
        adjudicating.adjudicate(campaign)
        closed(table, campaign)
    assert codes(table) == {"E-VERIFY-BOT"}


def test_a_bot_that_was_kept_silent_is_told(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        until_asked(table, campaign)
        away(campaign, 9)
        people_order(table, campaign)
        adjudicating.adjudicate(campaign, force=True)
        closed(table, campaign)
    assert codes(table) == {"W-VERIFY-BOT"}


def test_the_bot_writes_orders_and_reveals_alone(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        away(campaign, 9)
        key = bot_key(campaign.state, SEAT, BOT)
        table.players[SEAT].key = key
        plan = sign_letter(table.players[SEAT].orders(campaign.state).replace("kind: orders", "kind: plan"), key)
        receipt = adjudicating.take_letter(campaign, read_letter(plan.encode(), "letter"))
        assert "E-LETTER-KIND" in {fault.code for fault in receipt.verdict.faults}


def test_a_key_of_somebody_else_is_not_the_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a bot with a key that does not follow from the secret."""
    table = begun(tmp_path / "campaign")
    with monkeypatch.context() as cheating, table.open() as campaign:
        mine = new_key("mine")
        cheating.setattr(rulings, "bot_key", lambda *given: mine)
        away(campaign, 9)
        closed(table, campaign)
    assert codes(table) == {"E-VERIFY-BOT"}


def test_plans_left_behind_answer_before_the_bot(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        until_asked(table, campaign)
        away(campaign, 9)
        public = campaign.state.public
        assert public.next is not None
        public.next = replace(public.next, answered=(SEAT,))
        assert play_bots(campaign) == []
        assert SEAT not in public.pending


def test_it_goes_on_alike_whenever_the_moderator_does(tmp_path: Path) -> None:
    positions = set()
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        away(campaign, 21)
        table.now = campaign.now
        campaign.save()
    for late in range(2):
        with table.copied(tmp_path / f"{late}").open() as campaign:
            for _ in range(2):
                campaign.now += timedelta(minutes=late)
                assert play_bots(campaign) == []
                for seat in ("louis", "maria-theresa"):
                    if not is_bots(campaign.state, seat):
                        rulings.substitute_bot(campaign, seat, BOT, "gone")
                assert play_bots(campaign) == []
                campaign.now += HOUR
                adjudicating.adjudicate(campaign)
            assert campaign.state.table is not None
            positions.add(digest(campaign.state.table.state))
    assert len(positions) == 1
