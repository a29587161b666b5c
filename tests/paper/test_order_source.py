"""Orders meet decisions: attacks that were never due, and what a source tells without giving it away."""

from __future__ import annotations

import pytest

from pbem.engine.decisions import ChooseBattle, Fight
from pbem.games.maria.rules.state import Table
from pbem.paper.documents.faults import Refused
from pbem.paper.orders.files import OrderSource, load_orders
from pbem.paper.orders.trial import Trial, begin, decisions, run
from pbem.paper.positions.files import load_position

POSITION = """
turn: 2
stage: prussia
phase: combat
pieces: {Friedrich: "Trautenau, 6", Neipperg: "Königgrätz, 1", Khevenhüller: "Reichenberg, 6"}
hands: {prussia: [♥5], austria: [♣9]}
"""


def table() -> Table:
    """Friedrich beside two enemies."""
    loaded: Table = load_position(POSITION.encode(), "position")
    begin(loaded)
    return loaded


def tried(orders: str) -> Trial:
    """Trial of orders."""
    now = table()
    return run(now, load_orders(orders.encode(), "orders", now.rules))


@pytest.mark.parametrize("strange", ["Friedrich > Karl", "Berlin > Potsdam"])
def test_an_attack_that_was_never_due_is_passed_over_with_a_warning(strange: str) -> None:
    done = tried(f"orders:\n  prussia:\n    battles:\n      - {strange}\n      - Friedrich > Neipperg\n")
    assert [(fault.code, fault.line) for fault in done.faults] == [("W-BATTLE", 4)]
    assert "Trautenau > Königgrätz" in str(done.faults[0].hint)
    assert type(done.events[0]).__name__ == "BattleJoined"


def test_an_attack_that_was_due_and_has_fallen_away_is_passed_over_in_silence() -> None:
    done = tried(
        "orders:\n  prussia:\n    battles: [Friedrich > Neipperg, Friedrich > Khevenhüller]\n    play: [stop]\n"
        "    retreat: []\n  austria: {play: [stop]}\n"
    )
    assert not [fault for fault in done.faults if fault.code == "W-BATTLE"]


def test_the_last_attack_of_a_list_is_refused_if_it_is_not_due() -> None:
    done = tried("orders: {prussia: {battles: [Friedrich > Karl]}}")
    assert [fault.code for fault in done.faults] == ["E-BATTLE"]


def test_a_source_goes_on_where_another_stopped_and_warns_once() -> None:
    now = table()
    written = b"orders: {prussia: {battles: [Friedrich > Karl, Friedrich > Neipperg, Friedrich > Khevenh\xc3\xbcller]}}"
    (asked,) = decisions(now)
    assert isinstance(asked, ChooseBattle)
    first = OrderSource(now, load_orders(written, "orders", now.rules))
    assert first.speaks_of(asked)
    given = first.answer(asked)
    assert given is not None
    assert [fault.code for fault in given.warnings] == ["W-BATTLE"]
    second = OrderSource(now, load_orders(written, "orders", now.rules), first.remains())
    given = second.answer(asked)
    assert given is not None
    assert given.warnings == ()
    assert given.answer == Fight(asked.battles[1] if "Reichenberg" in name_of(now, asked, 1) else asked.battles[0])
    assert not second.speaks_of(asked)
    assert second.answer(asked) is None


def name_of(now: Table, asked: ChooseBattle, place: int) -> str:
    """City that an attack goes to."""
    return now.rules.common.board.cities[asked.battles[place].defender].name


@pytest.mark.parametrize("written", ["stopp", "stpo", "Stopp"])
def test_a_word_that_is_nearly_stop_is_answered_with_stop(written: str) -> None:
    with pytest.raises(Refused) as refused:
        tried(f"orders: {{prussia: {{play: [{written}]}}}}")
    (fault,) = refused.value.faults
    assert (fault.code, str(fault.hint)) == ("E-CARD-UNKNOWN", "did you mean stop?")
