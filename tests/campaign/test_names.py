"""What players are called: as their letters say, as the settings do, and by nobody else's name."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.ledger.adding_up import add_entry, public_state_at_start
from pbem.campaign.ledger.reading import read_folder
from pbem.campaign.ledger.records import JoinRecord, NewRecord
from pbem.campaign.ledger.replaying import record_in
from pbem.campaign.play import rulings
from pbem.campaign.settings import Seat
from pbem.seal.keys import new_key
from tests.campaign.simulated import NAME, SimulatedTable
from tests.protocol import second
from tests.report.campaign_table import OpenTable


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    """A campaign whose settings name everybody, and whose players do not name themselves."""
    seats = {"louis": Seat(name="Lou"), "frederick": Seat(name="Fritz"), "maria-theresa": Seat(name="Anna")}
    table = OpenTable(tmp_path, seats=seats, scenario="introductory")
    for player, bot_player in table.players.items():
        with table.open() as campaign:
            state = campaign.state
            body = {
                "deal": state.public.secret,
                "token": state.token(player),
                "key": bot_player.key.public.text,
                "entropy": "a long line",
            }
        assert table.send(table.other_letter(player, "join", body)).status == "final"
    return table


def people(table: SimulatedTable) -> list[str]:
    """What the players are called now."""
    return [who.name for who in read_folder(table.root, table.now).public.players.values()]


def test_names_of_the_settings_stay_when_a_letter_names_none(table: SimulatedTable) -> None:
    assert sorted(people(table)) == ["Anna", "Fritz", "Lou"]
    assert "Fritz" in (table.root / "state.yaml").read_text()
    with table.open() as campaign:
        assert [
            record.name for entry in campaign.ledger.entries() if isinstance(record := record_in(entry), JoinRecord)
        ] == [""] * 3
    table.assert_verified()
    assert second.verify(table.root) == []


def test_a_substitute_does_not_go_by_the_name_of_who_went(table: SimulatedTable) -> None:
    with table.open() as campaign:
        rulings.substitute(campaign, "louis", new_key("somebody").public.text, "ill")
        campaign.save()
    assert sorted(people(table)) == ["", "Anna", "Fritz"]
    assert read_folder(table.root, table.now).people[3]["louis"] == "Lou"
    table.assert_verified()
    assert second.verify(table.root) == []


def test_in_older_campaigns_everybody_is_called_as_before(table: SimulatedTable) -> None:
    with table.open() as campaign:
        records = [record_in(entry) for entry in campaign.ledger.entries()]
    first = records[0]
    assert isinstance(first, NewRecord)
    assert first.settings.campaign == NAME
    public = public_state_at_start(replace(first, protocol=1))
    for number, record in enumerate(records[1:], 2):
        add_entry(public, number, "2026-11-21T12:00:00Z", record)
    assert {who.name for who in public.players.values()} == {""}
