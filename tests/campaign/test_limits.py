"""Nobody can fill a ledger: letters that the game can do without, and refusals, have so many entries and no more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.campaign.ledger import public_state
from pbem.campaign.ledger.records import RefusedRecord
from pbem.campaign.proof.verifying import verify
from tests.campaign.simulated import SimulatedTable, codes
from tests.protocol import second

FEW = 3


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that are soon reached."""
    for where, name in ((public_state, "MOST_SPARE"), (public_state, "MOST_REFUSED"), (second, "MOST")):
        monkeypatch.setattr(where, name, FEW)


def begun(root: Path, protocol: int = 2) -> SimulatedTable:
    """A campaign of this protocol, waiting for its first orders."""
    with patch("pbem.campaign.ledger.records.PROTOCOL", protocol):
        table = SimulatedTable(root, scenario="introductory")
    return table.begun()


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    """A new campaign."""
    return begun(tmp_path / "here")


def words(table: SimulatedTable) -> str:
    """A message."""
    return table.other_letter("louis", "message", {"to": "all", "text": "Hello."})


def draft(table: SimulatedTable) -> str:
    """Orders that will be replaced."""
    with table.open() as campaign:
        return table.write(campaign, "louis")


def assert_sound(table: SimulatedTable) -> None:
    """Both verifiers agree."""
    table.close("far enough")
    table.assert_verified()
    assert second.verify(table.root) == []


@pytest.mark.parametrize("write", [words, draft])
def test_a_seat_has_so_many_letters_that_the_game_can_do_without(
    table: SimulatedTable, write: Callable[[SimulatedTable], str]
) -> None:
    table.ordered("louis")
    for _ in range(FEW):
        assert table.send(write(table)).status != "refused"
    assert codes(table.send(write(table))) == ["E-LETTER-MANY"]
    assert table.send(table.other_letter("frederick", "message", {"to": "all", "text": "Hello."})).status == "final"
    assert_sound(table)


def test_orders_where_none_are_in_are_always_taken(table: SimulatedTable) -> None:
    for _ in range(FEW):
        table.send(words(table))
    for _ in range(3):
        table.ordered()
        table.carried_out()
    assert_sound(table)


def test_what_the_moderator_writes_costs_nothing(table: SimulatedTable) -> None:
    table.ordered("louis")
    for _ in range(FEW + 1):
        with table.open() as campaign:
            seq = campaign.public.seqs["louis"] + 1
        text = table.letter("louis", {}, key=table.moderator, seq=seq)
        assert table.send(text, acted="ill").status != "refused"
    assert_sound(table)


def test_refusals_are_answered_and_not_entered_any_more(table: SimulatedTable) -> None:
    receipts = [table.send(table.letter("louis", {}, key=table.moderator)) for _ in range(FEW + 2)]
    assert [receipt.status for receipt in receipts] == ["refused"] * (FEW + 2)
    assert len(list((table.root / "ledger").glob("*-refused.yaml"))) == FEW
    assert receipts[-1].entry == receipts[-2].entry
    table.ordered()
    table.carried_out()
    assert_sound(table)


def test_campaigns_of_the_first_protocol_go_on_as_they_began(tmp_path: Path) -> None:
    table = begun(tmp_path / "here", protocol=1)
    for _ in range(FEW + 1):
        assert table.send(words(table)).status == "final"
    assert_sound(table)


def test_a_moderator_who_enters_more_is_found(table: SimulatedTable) -> None:
    with table.open() as campaign:
        for number in range(FEW + 1):
            campaign.add(RefusedRecord(f"{number:064}"))
        campaign.save()
    assert [finding.fault.code for finding in verify(table.root).findings] == ["E-VERIFY-MANY"]
    assert [finding.what for finding in second.verify(table.root)] == ["too much was refused already"]


def test_a_friend_of_the_moderator_cannot_write_more(table: SimulatedTable) -> None:
    with patch("pbem.campaign.letters.judging.has_spent", return_value=False):
        for _ in range(FEW + 1):
            table.send(words(table))
    assert [finding.fault.code for finding in verify(table.root).findings] == ["E-VERIFY-MANY"]
    assert [finding.what for finding in second.verify(table.root)] == ["this seat has had too many letters"]
