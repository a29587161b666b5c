"""Seats drawn by lot: who plays what follows from everybody's part of the chance, and people keep what is theirs."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.ledger import seats as ledger_seats
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.ledger.seats import lot_since
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Conduct, Moderator, Seat
from pbem.seal.deal import draw_lot
from tests.campaign.simulated import BEGIN, SimulatedTable
from tests.protocol.second import verify as second
from tests.seal import second as seal

SEED = 40
"""A chance with which nobody plays the seat that they have joined."""

GAMES = {
    "maria": {"scenario": "introductory"},
    "friedrich": {"game": "friedrich", "scenario": "four"},
}


def drawing(root: Path, game: str = "maria", **conduct: str) -> SimulatedTable:
    """A campaign whose seats are drawn."""
    return SimulatedTable(root, seed=SEED, conduct=Conduct(seats="drawn", **conduct), **GAMES[game])  # type: ignore[arg-type]


@pytest.mark.parametrize("sealing", ["moderator", "reveal"])
@pytest.mark.parametrize("game", GAMES)
def test_a_campaign_with_drawn_seats_is_verified(tmp_path: Path, game: str, sealing: str) -> None:
    table = drawing(tmp_path / "c", game, sealing=sealing).begun()
    reading = read_folder(table.root, table.now)
    lot = reading.public.drawn
    assert sorted(lot) == sorted(lot.values()) == sorted(table.settings.seats)
    assert all(joined != played for joined, played in lot.items()), "choose another SEED"
    assert {seat: who.name for seat, who in reading.public.players.items()} == {lot[seat]: seat for seat in lot}
    table.play(3)
    table.assert_verified()
    assert second(table.root) == []
    table.close("enough")
    table.assert_verified()
    assert second(table.root) == []


def test_the_lot_is_that_of_the_protocol() -> None:
    names = ["frederick", "louis", "maria-theresa"]
    found = Counter(tuple(draw_lot(bytes([one, other] * 16), names)) for one in range(16) for other in range(64))
    assert len(found) == 6
    assert min(found.values()) > 100, "every order comes, about as often"
    for number in range(20):
        root = bytes([number] * 32)
        assert draw_lot(root, names) == [names[place] for place in seal.lot(root, 3)]


def test_nothing_of_the_lot_stands_anywhere_before_the_first_adjudication(tmp_path: Path) -> None:
    """Not even the moderator's own sealed file has the root that it follows from."""
    table = drawing(tmp_path / "c")
    table.join()
    with table.open() as campaign:
        assert campaign.public.drawn == {}
        assert campaign.vault.kept.root == "", "the root is not even computed"
        told = briefings(campaign)
    assert all(note.record.__class__.__name__ == "JoinRecord" for each in told.values() for note in each.news.notes)
    assert all(entry.kind != "adjudication" for entry, _ in read_folder(table.root, table.now).entries)


def test_people_take_along_what_is_theirs(tmp_path: Path) -> None:
    """Address, language, how reports come, days away, numbers of letters: all of it is the person's."""
    table = drawing(tmp_path / "a")
    seats = dict.fromkeys(table.settings.seats, Seat())
    first = next(iter(seats))
    seats[first] = Seat(name="Ada", language="de", reports="sealed")
    settings = replace(table.settings, seats=seats, moderator=Moderator("Max", seat=first))
    table.root, table.settings = tmp_path / "b", settings
    plan = NewCampaign(settings, {}, {seat: f"{seat}@example.org" for seat in seats}, "test")
    begin(table.root, plan, b"\x07" * 32, table.moderator, BEGIN)
    table.players[first].language = ""
    table.join()
    other = next(seat for seat in seats if seat != first)
    table.send(table.other_letter(first, "message", {"to": f"{other}, moderator", "text": "who are you?"}))
    start = BEGIN.date() + timedelta(days=1)
    with table.open() as campaign:
        rulings.enter_absence(campaign, Absence(first, start, start + timedelta(days=9)))
        campaign.save()
    table.play(0)
    with table.open() as campaign:
        lot = campaign.public.drawn
        mine = lot[first]
        assert mine != first, "choose another SEED"
        at = campaign.public.drawn_at
        assert (lot_since(campaign.public, at - 1), lot_since(campaign.public, at)) == (lot, {}), (
            "it names them as drawn"
        )
        assert campaign.settings.moderator.seat == mine
        assert campaign.settings.seats[mine] == seats[first]
        assert campaign.public.players[mine].name == first
        assert campaign.public.players[mine].language == "de"
        assert campaign.public.seqs[f"{mine}/message"] == 2
        assert [away.player for away in campaign.public.absences] == [mine]
        assert campaign.vault.addresses == {lot[seat]: f"{seat}@example.org" for seat in seats}
        told = briefings(campaign)
        (message,) = told[lot[other]].news.messages
        assert (message.sender, message.to) == (mine, f"{lot[other]}, moderator")
    table.play(2)
    table.close("enough")
    table.assert_verified()
    assert second(table.root) == []


def test_addresses_go_along_once_when_the_moderator_is_killed_behind_the_entry(tmp_path: Path) -> None:
    table = drawing(tmp_path / "c")
    table.join()
    with table.open() as campaign:
        campaign.vault.addresses = {seat: f"{seat}@example.org" for seat in table.settings.seats}
        campaign.save()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)  # and nothing behind the entry is written
    for _ in range(2):
        with table.open() as campaign:
            lot = campaign.public.drawn
            assert campaign.vault.addresses == {lot[seat]: f"{seat}@example.org" for seat in lot}
            campaign.save()
    table.assert_verified()


def test_after_a_rollback_everybody_keeps_the_seat(tmp_path: Path) -> None:
    table = drawing(tmp_path / "c").begun()
    lot = read_folder(table.root, table.now).public.drawn
    first = read_folder(table.root, table.now).public.since
    table.play(2)
    with table.open() as campaign:
        rulings.rollback(campaign, first, "once more")
        campaign.save()
    table.play(2)
    assert read_folder(table.root, table.now).public.drawn == lot
    table.close("enough")
    table.assert_verified()
    assert second(table.root) == []


def test_who_draws_nothing_where_it_was_agreed_is_found_while_the_game_runs(tmp_path: Path) -> None:
    table = drawing(tmp_path / "c")
    table.join()
    with patch("pbem.campaign.play.secret_state.is_lot_due", return_value=False):
        table.play(0)
    assert {finding.fault.code for finding in verify(table.root).findings} == {"E-VERIFY-LOT"}
    assert [finding.file for finding in second(table.root)] == ["ledger/0005-adjudication.yaml"]


def test_another_lot_is_found_after_the_close(tmp_path: Path) -> None:
    table = drawing(tmp_path / "c")
    table.join()
    with patch(
        "pbem.campaign.play.secret_state.lot_of", lambda settings, root: {seat: seat for seat in settings.seats}
    ):
        table.play(0)
    table.assert_verified()
    table.close("enough")
    (finding,) = verify(table.root).findings
    assert (finding.fault.code, finding.file) == ("E-VERIFY-GAME", "0005-adjudication.yaml")
    assert "drawn" in str(finding.fault.message)
    assert [each.file for each in second(table.root)] == ["ledger/0005-adjudication.yaml"]


def test_chosen_seats_are_not_drawn(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "c", conduct=Conduct(seats="chosen"), scenario="introductory").begun()
    public = read_folder(table.root, table.now).public
    assert public.drawn == {}
    assert not ledger_seats.is_lot_due(public)
    assert "drawn" not in (table.root / "ledger").joinpath("0005-adjudication.yaml").read_text("utf-8")
    table.assert_verified()
    assert second(table.root) == []
