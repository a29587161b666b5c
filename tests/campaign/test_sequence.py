"""Powers of one player that act together: check, receipt, adjudication and verification find the same sequence."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from pbem.campaign.ledger import records
from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.letters.trying_out import orders_tried_alone
from pbem.campaign.players.letters import with_ahead
from pbem.campaign.settings import Conduct
from pbem.engine.events import Marched
from pbem.engine.table import powers_of_player
from pbem.paper.documents.writing import write
from pbem.paper.orders.files import load_orders
from pbem.paper.positions.files import known_document, load_known
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable, codes

FRANCE = """\
turn: 2
stage: france
phase: movement
begun: yes
owing: [france, bavaria]
pieces: {Törring: "Passau, 3", Belle-Isle: "Straubing, 5", Rutowski: "Dresden, 4", Friedrich: "Meißen, 4"}
"""
LEAVES_AND_ENTERS: dict[str, Tree] = {
    "france": {"move": [{"Belle-Isle": "Passau"}]},
    "bavaria": {"move": [{"Törring": "Linz"}]},
}
SAXONY_FIRST: dict[str, dict[str, Tree]] = {
    "prussia": {"move": [{"Friedrich": "Dresden"}]},
    "saxony": {"move": [{"Rutowski": "Pirna"}]},
}
STILL: dict[str, Tree] = {"france": {"move": []}, "bavaria": {"move": []}}


def begun(root: Path, misorders: Literal["hold", "return"] = "hold", position: str = FRANCE) -> SimulatedTable:
    return SimulatedTable(root / "campaign", position=position, conduct=Conduct(misorders=misorders)).begun()


def marchers(table: SimulatedTable, done: object) -> list[str]:
    """Powers that marched, in order."""
    with table.open() as campaign:
        pieces = campaign.rules.common.pieces
    events = done.outcome.events  # type: ignore[attr-defined]
    return [pieces[event.pieces[0]].name for event in events if isinstance(event, Marched)]


@pytest.mark.parametrize("misorders", ["hold", "return"])
def test_orders_that_some_sequence_makes_legal_are_taken_and_carried_out(
    tmp_path: Path, misorders: Literal["hold", "return"]
) -> None:
    table = begun(tmp_path, misorders)
    receipt = table.send(table.letter("louis", LEAVES_AND_ENTERS))
    assert (receipt.status, codes(receipt)) == ("final", [])
    done = table.carried_out()
    assert done.outcome.slips == []
    assert marchers(table, done) == ["Törring", "Belle-Isle"]
    table.close("far enough")
    table.assert_verified()


def test_check_finds_it_in_what_a_report_tells(tmp_path: Path) -> None:
    table = begun(tmp_path)
    with table.open() as campaign:
        assert campaign.state.table is not None
        own = powers_of_player(campaign.state.table, "louis")
        told = write(known_document(campaign.state.table, own)).encode()
    known, verdict = load_known(told, "report"), LetterVerdict()
    written = b"orders: {france: {move: [Belle-Isle: Passau]}, bavaria: {move: [T\xc3\xb6rring: Linz]}}"
    carried = orders_tried_alone(known, "louis", load_orders(written, "orders", known.rules), verdict)
    assert (verdict.faults, verdict.missing) == ([], [])
    assert [order.power for order in carried] == ["bavaria", "france"] * 2


def test_a_campaign_of_an_older_protocol_goes_on_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as then:
        then.setattr(records, "PROTOCOL", 3)
        table = begun(tmp_path)
    receipt = table.send(table.letter("louis", LEAVES_AND_ENTERS))
    assert (receipt.status, codes(receipt)) == ("refused", ["E-MARCH-TWICE"])
    assert table.send(table.letter("louis", STILL)).status == "final"
    table.carried_out()
    table.close("far enough")
    table.assert_verified()


def test_orders_ahead_of_two_powers_count_together(tmp_path: Path) -> None:
    table = begun(tmp_path)
    receipt = table.send(table.letter("frederick", with_ahead({}, "2/prussia", SAXONY_FIRST)))
    assert receipt.status == "final", codes(receipt)
    table.send(table.letter("louis", STILL))
    done = table.carried_out()
    assert (done.outcome.slips, done.outcome.notes) == ([], [])
    assert marchers(table, done) == ["Rutowski", "Friedrich der Große"]
    assert done.record.next.stage == "2/austria"
    table.close("far enough")
    table.assert_verified()


def test_ahead_of_one_power_alone_is_not_taken_where_the_other_stays(tmp_path: Path) -> None:
    table = begun(tmp_path)
    blocks = {**SAXONY_FIRST, "saxony": {"move": []}, "prussia": {"move": [{"Friedrich": "Wien"}]}}
    table.send(table.letter("frederick", with_ahead({}, "2/prussia", blocks)))
    table.send(table.letter("louis", STILL))
    done = table.carried_out()
    assert [note.fault.code for note in done.outcome.notes] == ["W-AHEAD-REFUSED"]
    assert done.record.next.owing == {"frederick": ("prussia", "saxony")}
