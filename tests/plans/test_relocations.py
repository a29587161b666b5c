"""Goals that plans give to pieces that have to leave their cities when Saxony changes sides (§19.3)."""

from __future__ import annotations

import pytest

from pbem.engine.events import Stacked
from pbem.games.maria.rules.decisions import GoTo, Relocate
from pbem.paper.orders.trial import begin, decisions, step
from pbem.paper.plans.files import load_plans
from pbem.paper.positions.files import load_position
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource

DEFECTION = """
scenario: advanced
turn: 2
stage: austria
phase: combat
pieces: {Friedrich: "Trautenau, 3", Neipperg: "Königgrätz, 8", Khevenhüller: "Dresden, 6", Rutowski: "Leipzig, 5"}
hands: {prussia: []}
"""
"""Friedrich is about to be beaten; Khevenhüller then goes to Teplitz or to Tetschen."""

REST = """
  prussia:
    - {for: battle, tactic: decline}
  saxony:
    - {for: relocate, towards: home}
  austria:
    - {for: shift, say: yes}
    - {for: retreat, away-from: home}
"""


def gone(plan: str) -> tuple[list[str], list[str], list[str]]:
    """Cities to which plans sent pieces, the decisions that are left, and the reason for the first of them."""
    table = load_position(DEFECTION.encode(), "position")
    read = load_plans(f"plans:{REST}    - {{{plan}}}\n".encode(), "plans", table.rules)
    source = PlanSource(table, read, Tally())
    begin(table)
    cities = []
    while taken := step(table, [source]):
        assert not taken.is_refused
        assert taken.given is not None
        if isinstance(taken.given.answer, GoTo):
            cities.append(table.rules.common.board.cities[taken.given.answer.city].name)
    left = [decision for decision in decisions(table) if isinstance(decision, Relocate)]
    names = [table.rules.common.pieces[decision.piece].name for decision in left]
    return cities, names, [fault.code for decision in left for fault in source.why_not(decision)]


@pytest.mark.parametrize(
    ("wish", "city"),
    [("towards: Chemnitz", "Teplitz"), ("away-from: Chemnitz", "Tetschen"), ("towards: Görlitz", "Tetschen"),
     ("towards: home", "Teplitz"), ("towards: [home, Wien], away-from: Teplitz", "Tetschen")],
)  # fmt: skip
def test_a_piece_goes_where_the_wishes_lead_and_of_equals_to_the_first_in_the_alphabet(wish: str, city: str) -> None:
    assert gone(f"for: relocate, {wish}") == ([city], [], [])


@pytest.mark.parametrize(
    ("of", "left"), [("Khevenhüller", []), ("[Traun, Khevenhüller]", []), ("Traun", ["Khevenhüller"])]
)
def test_a_plan_may_be_for_some_pieces_only(of: str, left: list[str]) -> None:
    assert gone(f"for: relocate, of: {of}, towards: home")[1] == left


def test_the_city_itself_can_be_said() -> None:
    assert gone("for: relocate, say: {Khevenhüller: Tetschen}")[0] == ["Tetschen"]


def test_a_city_that_is_not_open_is_noted_and_left_to_the_player() -> None:
    assert gone("for: relocate, say: {Khevenhüller: Wien}") == ([], ["Khevenhüller"], ["W-PLAN-ILLEGAL"])


def test_in_a_stack_of_equal_rank_who_commands_goes_on_commanding() -> None:
    pieces = "Moritz: 'Zwickau, 5', Törring: 'Tirschenreuth, 3', Khevenhüller: 'Prag, 6', "
    position = DEFECTION.replace('Khevenhüller: "Dresden, 6", ', "").replace("pieces: {", f"pieces: {{{pieces}")
    table = load_position(position.encode(), "position")
    plans = f"plans:{REST}  france:\n    - {{for: relocate, towards: Tirschenreuth}}\n"
    source = PlanSource(table, load_plans(plans.encode(), "plans", table.rules), Tally())
    begin(table)
    events = []
    while taken := step(table, [source]):
        assert not taken.is_refused
        events += taken.events
    (stacked,) = [event for event in events if isinstance(event, Stacked)]
    names = [piece.name for piece in table.rules.common.pieces]
    assert names[stacked.commander] == "Törring"
