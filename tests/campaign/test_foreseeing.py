"""Orders ahead are tried when they are written: what never can be is refused, what could not be now is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from pbem.campaign.ledger import records
from pbem.campaign.letters.reminding import faults_foreseen, run_through
from pbem.campaign.players.letters import with_ahead
from pbem.engine.events import Marched
from pbem.engine.table import Table, powers_of_player, stage_of
from pbem.kit import game_of
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.trial import begin
from pbem.paper.positions.files import load_position
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable, codes
from tests.twins import with_other_secrets

MARIA = """\
turn: 2
stage: france
phase: movement
begun: yes
owing: [france, bavaria]
pieces: {Friedrich: "Trautenau, 3", Rutowski: "Dresden, 4", Neipperg: "Brünn, 4", Karl: off}
hands: {prussia: [♠5, ♠4, ♠3, ♠2, ♥2, ♦3], austria: [♦10, ♦9, ♦7, ♠10, ♠9, ♥3]}
"""
FRIEDRICH = """\
game: friedrich
turn: 2
stage: russia
phase: movement
"""


def table_of(position: str) -> Table:
    table = load_position(position.encode(), "position")
    begin(table)
    return table


def told(block: str, power: str = "prussia", player: str = "frederick", position: str = MARIA) -> list[str]:
    """Faults and warnings that are foreseen for a block."""
    table = table_of(position)
    orders = load_orders(f"orders: {{{power}: {{ahead: {block}}}}}".encode(), "orders", table.rules)
    return [fault.code for fault in faults_foreseen(table, player, orders)]


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        ("{stage: 2/prussia, move: [Friedrich: Königgrätz]}", []),
        ("{stage: 2/prussia, move: [Friedrich: Wien]}", ["W-AHEAD-NOW"]),
        ("{stage: 2/prussia, move: [Friedrich: Königgrätz, Friedrich: Trautenau]}", ["E-AHEAD-NEVER"]),
        ("{stage: 2/prussia, move: [Neipperg: Olmütz]}", ["E-AHEAD-NEVER"]),
        ('{stage: 2/prussia, move: [Friedrich: "Berlin, Wien"]}', ["E-AHEAD-NEVER"]),
        ('{stage: 2/prussia, move: [train 1: "Glogau, Breslau"]}', ["E-AHEAD-NEVER"]),
        ("{stage: 2/prussia, play: [♠5, stop]}", []),
        ("{stage: 2/prussia, play: [♠9, stop]}", ["W-AHEAD-CARD"]),
        ("{stage: 2/prussia, where: {Friedrich: Glogau}, move: [Friedrich: Wien]}", []),
        ("{stage: 2/prussia, where: {Friedrich: Trautenau}, move: [Friedrich: Wien]}", ["W-AHEAD-NOW"]),
        ("{stage: 2/prussia, else: hold}", []),
        ("{stage: 2/prussia}", []),
    ],
)
def test_what_is_said_of_a_block(block: str, wanted: Sequence[str]) -> None:
    assert [code.partition(".")[0] for code in told(block)] == wanted


def test_a_march_that_is_always_too_far_is_told_with_the_names_that_its_reader_uses() -> None:
    table = table_of(MARIA)
    written = 'orders: {prussia: {ahead: {stage: 2/prussia, move: [Friedrich: "Berlin, Wien"]}}}'
    (fault,) = faults_foreseen(table, "frederick", load_orders(written.encode(), "orders", table.rules))
    assert "Vienna" in fault.sentence("en")


def test_blocks_of_powers_that_act_together_are_tried_together() -> None:
    table = table_of(MARIA.replace("Trautenau, 3", "Meißen, 3"))
    written = """
orders:
  prussia: {ahead: {stage: 2/prussia, move: [Friedrich: Dresden]}}
  saxony: {ahead: {stage: 2/prussia, move: [Rutowski: Pirna]}}
"""
    assert faults_foreseen(table, "frederick", load_orders(written.encode(), "orders", table.rules)) == []


def test_a_block_is_tried_behind_what_comes_before_it() -> None:
    """Sweden goes where Russia leaves room: by orders of its stage, and by orders ahead."""
    position = FRIEDRICH + 'pieces: {Saltikov: "Stralsund, 4", Ehrensvärd: "Greifswald, 4"}\n'
    sweden = "sweden: {ahead: {stage: 2/sweden, move: [Ehrensvärd: Stralsund]}}"
    table = table_of(position)
    for russia, wanted in (("move: []", ["W-AHEAD-NOW"]), ("move: [Saltikov: Demmin]", [])):
        orders = load_orders(f"orders: {{russia: {{{russia}}}, {sweden}}}".encode(), "orders", table.rules)
        assert [fault.code for fault in faults_foreseen(table, "elisabeth", orders)] == wanted


@pytest.mark.parametrize("block", ["move: [Friedrich: Wien]", "move: [Friedrich: Königgrätz], play: [♠9]"])
def test_nothing_that_its_reader_cannot_know_decides_what_is_said(block: str) -> None:
    table, chance = table_of(MARIA), Random("twins")
    written = f"orders: {{prussia: {{ahead: {{stage: 2/prussia, {block}}}}}}}".encode()
    said = faults_foreseen(table, "frederick", load_orders(written, "orders", table.rules))
    for _ in range(5):
        twin = with_other_secrets(table, powers_of_player(table, "frederick"), chance)
        assert faults_foreseen(twin, "frederick", load_orders(written, "orders", table.rules)) == said


def test_a_trial_goes_on_through_orders_ahead() -> None:
    table = table_of(MARIA)
    written = """
orders:
  france: {move: []}
  bavaria: {move: []}
  prussia: {ahead: {stage: 2/prussia, move: [Friedrich: Königgrätz]}}
  saxony: {ahead: {stage: 2/prussia, move: []}}
"""
    done = run_through(table, load_orders(written.encode(), "orders", table.rules), is_whole=True)
    assert [type(event) for event in done.events].count(Marched) == 1
    assert stage_of(done.table) == "2/austria"
    refused = written.replace("Königgrätz", "Wien")
    done = run_through(table, load_orders(refused.encode(), "orders", table.rules), is_whole=True)
    assert [fault.code for fault in done.faults] == ["W-AHEAD-REFUSED"]
    assert stage_of(done.table) == "2/prussia"
    assert {decision.power for decision in game_of(done.table).decisions(done.table)} == {"prussia"}


def ahead(orders: Mapping[str, Tree]) -> dict[str, Tree]:
    return with_ahead({}, "2/prussia", {"prussia": orders})


RECRUITS = "{stage: 5/prussia, recruit: {pay: [%s], troops: {Friedrich: 2}, enter: {train 1: Spandau}}}"


@pytest.mark.parametrize(
    ("block", "position", "wanted"),
    [
        ("{stage: 3/winter-prussia, recruit: {pay: [♠5, ♠4], troops: {Friedrich: 2}}}", MARIA, []),
        ("{stage: 3/winter-prussia, recruit: {pay: [♠4, ♠3], troops: {Friedrich: 2}}}", MARIA, ["W-AHEAD-PRICE"]),
        ("{stage: 3/winter-prussia, recruit: {troops: {Friedrich: 1}}}", MARIA, ["W-AHEAD-PRICE"]),
        ("{stage: 3/winter-prussia, recruit: none}", MARIA, []),
        ("{stage: 2/prussia, recruit: {troops: {Friedrich: 1}}}", MARIA, []),
        ("{stage: 3/prussia, move: [{re-enter: train 1, at: Glogau, pay: [♠4]}]}", MARIA, []),
        ("{stage: 3/prussia, move: [{re-enter: train 1, at: Glogau, pay: [♠3]}]}", MARIA, ["W-AHEAD-PRICE"]),
        (RECRUITS % "♠9, ♠9", FRIEDRICH + "hands: {prussia: [♠9/1, ♠9/2]}\n", []),
        (RECRUITS % "♠9, ♠8", FRIEDRICH + "hands: {prussia: [♠9/1, ♠8/2]}\n", ["W-AHEAD-PRICE"]),
        (RECRUITS % "♠9, R", FRIEDRICH + "hands: {prussia: [♠9/1, R/2]}\n", []),
    ],
)
def test_cards_too_few_for_what_is_recruited_ahead_are_told(block: str, position: str, wanted: Sequence[str]) -> None:
    assert told(block, position=position) == wanted


def test_receipts_say_it(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=MARIA).begun()
    receipt = table.send(table.letter("frederick", ahead({"move": [{"Friedrich": "Wien"}]})))
    assert (receipt.status, codes(receipt)) == ("final", ["W-AHEAD-NOW"])
    receipt = table.send(table.letter("frederick", ahead({"move": [{"Neipperg": "Olmütz"}]})))
    assert (receipt.status, codes(receipt)) == ("refused", ["W-AHEAD-REPLACED", "E-AHEAD-NEVER"])
    receipt = table.send(table.letter("frederick", sealed={"orders": ahead({"move": [{"Friedrich": "Wien"}]})}))
    assert (receipt.status, codes(receipt)) == ("final", [])


def test_older_campaigns_take_what_they_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as then:
        then.setattr(records, "PROTOCOL", 3)
        table = SimulatedTable(tmp_path / "campaign", position=MARIA).begun()
    receipt = table.send(table.letter("frederick", ahead({"move": [{"Neipperg": "Olmütz"}]})))
    assert (receipt.status, codes(receipt)) == ("final", [])
