"""Letters that say more than is asked yet: they go on where they stopped, as if each line had been a letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.clock.timing import orders_now
from pbem.campaign.ledger import records as r
from pbem.campaign.letters.arrived import taken_in
from pbem.engine.events import BattleWon, CardPlayed, Event
from pbem.report.letters.receipts import receipt_data
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable, codes
from tests.report.plain import letter_text

COMBAT = """\
turn: 2
stage: prussia
phase: movement
begun: yes
owing: [prussia, saxony]
pieces:
  Friedrich: Trautenau, 3
  Neipperg: Königgrätz, 4
hands:
  prussia: [♠5, ♠4, ♠3, ♠2, ♥2, ♦3]
  austria: [♦10, ♦9, ♦7, ♠10, ♠9, ♥3]
"""
HOLD: dict[str, Tree] = {"prussia": {"move": []}, "saxony": {"move": []}}
WHOLE: dict[str, Tree] = {"prussia": {"move": [], "play": ["♠5", "♠4", "stop"]}, "saxony": {"move": []}}


def prussia(*cards: str) -> dict[str, Tree]:
    return {"prussia": {"play": list(cards)}}


def austria(*cards: str) -> dict[str, Tree]:
    return {"austria": {"play": list(cards)}}


Turns = list[tuple[str, dict[str, Tree]]]

LETTER_BY_LETTER: Turns = [
    ("frederick", HOLD),
    ("frederick", prussia("♠5")),
    ("maria-theresa", austria("♦7")),
    ("frederick", prussia("♠4")),
    ("maria-theresa", austria("♦9")),
    ("frederick", prussia("stop")),
]
ATTACKER_AT_ONCE: Turns = [
    ("frederick", WHOLE),
    ("maria-theresa", austria("♦7")),
    ("maria-theresa", austria("♦9")),
]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    return SimulatedTable(tmp_path_factory.mktemp("carried") / "campaign", position=COMBAT).begun()


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    return begun.copied(tmp_path / "campaign")


def played(table: SimulatedTable, turns: Turns) -> list[Event]:
    """Every letter comes in and is carried out at once."""
    events: list[Event] = []
    for player, orders in turns:
        receipt = table.send(table.letter(player, orders))
        assert receipt.status == "final", codes(receipt)
        events += table.carried_out().outcome.events
    return events


def test_one_letter_for_a_whole_battle_leads_where_a_letter_a_card_does(begun: SimulatedTable, tmp_path: Path) -> None:
    one_by_one, at_once = begun.copied(tmp_path / "one"), begun.copied(tmp_path / "other")
    expected = played(one_by_one, LETTER_BY_LETTER)
    assert len([event for event in expected if isinstance(event, CardPlayed)]) == 4
    assert played(at_once, ATTACKER_AT_ONCE) == expected
    with one_by_one.open() as one, at_once.open() as other:
        assert one.public.next == other.public.next
    one_by_one.assert_verified()
    at_once.close("far enough")
    at_once.assert_verified()


def test_a_plan_can_be_sent_before_anything_is_asked(begun: SimulatedTable, tmp_path: Path) -> None:
    expected = played(begun.copied(tmp_path / "one"), LETTER_BY_LETTER)
    table = begun.copied(tmp_path / "other")
    plan = table.send(table.letter("maria-theresa", sealed={"orders": austria("♦7", "♦9")}))
    assert (plan.status, plan.verdict.missing) == ("final", [])
    table.send(table.letter("frederick", sealed={"orders": WHOLE}))
    done = table.carried_out()
    assert done.outcome.events == expected
    assert done.record.used == (6, 7)
    table.close("far enough")
    table.assert_verified()


def test_a_plan_stays_in_force_until_it_is_used_up_and_a_copy_of_it_is_known(table: SimulatedTable) -> None:
    plan = table.letter("maria-theresa", austria("♦7", "♦9"))
    entry = table.send(plan).entry
    table.send(table.letter("frederick", {"prussia": {"move": [], "play": ["♠5"]}, "saxony": {"move": []}}))
    first = table.carried_out()
    assert first.outcome.remains["maria-theresa"] == {"austria": {"play": 1}}
    again = table.send(plan)
    assert (again.status, again.entry) == ("known", entry)
    table.send(table.letter("frederick", prussia("♠4")))
    second = table.carried_out()
    assert [answer.power for answer in second.outcome.answers] == ["prussia", "austria"]


def test_a_newer_letter_takes_the_place_of_all_that_was_left_of_the_older(table: SimulatedTable) -> None:
    table.send(table.letter("frederick", WHOLE))
    table.adjudicate()
    table.send(table.letter("frederick", prussia("♠3")))
    table.send(table.letter("maria-theresa", austria("♦7")))
    cards = [event for event in table.carried_out().outcome.events if isinstance(event, CardPlayed)]
    assert [(event.power, event.value) for event in cards] == [("austria", 7), ("prussia", 3)]


def test_a_plan_is_gone_with_its_stage(table: SimulatedTable) -> None:
    table.send(table.letter("maria-theresa", austria("♦7", "♦9", "♦10")))
    table.send(table.letter("frederick", WHOLE))
    done = table.carried_out()
    assert done.record.next.stage == "2/austria"
    with table.open() as campaign:
        assert campaign.state.orders_in_force == {}
        assert [orders.accepted for orders in orders_now(campaign.public)] == [None]


TWO_BATTLES = """\
game: friedrich
turn: 2
stage: prussia
phase: combat
pieces: {Keith: "Neisse, 2", Schwerin: "Waldenburg, 2", Browne: "Trautenau, 5", Daun: "Patschkau, 5"}
hands: {prussia: [♦8, ♥9], austria: [♠2]}
"""


@pytest.mark.parametrize(("protocol", "waits"), [(r.PROTOCOL, True), (6, False)])
def test_cards_that_a_battle_leaves_over_do_not_answer_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: int, waits: bool
) -> None:
    """Up to protocol 6 they did."""
    monkeypatch.setattr(r, "PROTOCOL", protocol)
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=TWO_BATTLES).begun()
    fights: dict[str, Tree] = {"prussia": {"battles": ["Keith > Daun", "Schwerin > Browne"], "play": ["♦8", "stop"]}}
    receipt = table.send(table.letter("frederick", fights))
    assert receipt.status == "final"
    with table.open() as campaign:
        taken = taken_in(campaign.public, "frederick")
    table.carried_out()
    with table.open() as campaign:
        told = letter_text(receipt_data(campaign, receipt, taken))
    assert "your orders have been carried out in part" in told
    assert "The attacks in it that have not been begun yet still count, until new" in told
    assert table.send(table.letter("maria-theresa", {"austria": {"play": ["stop"]}})).status == "final"
    done = table.carried_out()
    assert len([event for event in done.outcome.events if isinstance(event, BattleWon)]) == 2 - waits
    assert done.record.next.stage == ("2/prussia" if waits else "2/hanover")
    with table.open() as campaign:
        force = campaign.state.orders_in_force.get("frederick")
        assert not (force and force.has_cards_left)
        assert "in part" not in letter_text(receipt_data(campaign, receipt, taken))
    table.close("far enough")
    table.assert_verified()
