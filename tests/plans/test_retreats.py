"""Ends that plans choose for the beaten, and their choices besides cards in combat."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.decisions import Answer, ChooseRetreat, Decision, RetreatAlong
from pbem.paper.orders.trial import begin, decisions
from pbem.paper.plans.files import load_plans
from pbem.paper.positions.files import load_position
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource

RETREAT = """
turn: 2
stage: austria
phase: combat
begun: yes
pieces: {Neipperg: "Königgrätz, 4", Friedrich: "Trautenau, 3", prussia train 1: Breslau, saxony train 1: off}
retreat: {start: Trautenau, length: 3, winner: austria, from city: Königgrätz}
"""


def planned(position: str, plan: str, power: str, game: str = "maria") -> tuple[Any, PlanSource, Decision]:
    """The table, a source with a plan, and the decision of a power that the plan may answer."""
    table = load_position(f"game: {game}\n{position}".encode(), "position")
    begin(table)
    decision = next(decision for decision in decisions(table) if decision.power == power)
    lines = "".join(f"    {line}\n" for line in plan.strip().splitlines())
    read = load_plans(f"plans:\n  {power}:\n{lines}".encode(), "plan", table.rules)
    return table, PlanSource(table, read, Tally()), decision


def answers(position: str, plan: str, power: str, game: str = "maria") -> tuple[Any, list[Answer], list[str]]:
    """The table, the answer of a plan if there is one, and why there is none."""
    table, source, decision = planned(position, plan, power, game)
    given = source.answer(decision)
    return table, [given.answer] if given else [], [fault.code for fault in source.why_not(decision)]


def end_of(plan: str) -> str:
    """The city in which a beaten Friedrich ends."""
    table, found, _ = answers(RETREAT, plan, "austria")
    (decision,) = decisions(table)
    assert isinstance(decision, ChooseRetreat)
    (answer,) = found
    assert isinstance(answer, RetreatAlong)
    assert answer.path[-1] in decision.ends
    assert len(answer.path) == 3
    return str(table.rules.common.board.cities[answer.path[-1]].name)


def all_ends() -> list[str]:
    """The cities in which he may end."""
    table = load_position(RETREAT.encode(), "position")
    begin(table)
    (decision,) = decisions(table)
    assert isinstance(decision, ChooseRetreat)
    return [table.rules.common.board.cities[end].name for end in decision.ends]


def test_the_beaten_have_several_ends() -> None:
    assert len(all_ends()) > 2


def distance(one: str, other: str) -> int:
    """Distance between two cities."""
    board = load_position(RETREAT.encode(), "position").rules.common.board
    return int(board.distance(board.index[one])[board.index[other]])


@pytest.mark.parametrize("goal", ["Breslau", "Dresden", "Prag", "Berlin"])
def test_towards_and_away(goal: str) -> None:
    ends = all_ends()
    assert distance(end_of(f"- {{for: retreat, towards: {goal}}}"), goal) == min(distance(end, goal) for end in ends)
    assert distance(end_of(f"- {{for: retreat, away-from: {goal}}}"), goal) == max(distance(end, goal) for end in ends)


def test_of_equal_ends_the_first_in_the_alphabet_is_taken() -> None:
    assert end_of("- {for: retreat, towards: saxony train 1}") == min(all_ends())


def test_the_first_wish_counts_most() -> None:
    ends = all_ends()
    first = end_of("- {for: retreat, towards: Berlin, away-from: Dresden}")
    nearest = min(distance(end, "Berlin") for end in ends)
    tied = [end for end in ends if distance(end, "Berlin") == nearest]
    assert distance(first, "Dresden") == max(distance(end, "Dresden") for end in tied)


def test_trains_of_the_beaten_are_kept_away_from() -> None:
    end = end_of("- {for: retreat, cut-off-from: trains}")
    assert distance(end, "Breslau") == max(distance(one, "Breslau") for one in all_ends())


def test_an_end_beside_a_shunned_place_is_left_out_or_the_player_is_asked() -> None:
    usual = end_of("- {for: retreat, towards: Berlin}")
    other = end_of(f"- {{for: retreat, towards: Berlin, never-next-to: {usual}}}")
    assert distance(usual, other) > 1
    everywhere = ", ".join(all_ends())
    _, found, why = answers(RETREAT, f"- {{for: retreat, never-next-to: [{everywhere}]}}", "austria")
    assert (found, why) == ([], ["W-PLAN-NONE"])


BOUNDS = [
    ("of: Neipperg", True), ("of: Karl", False), ("against: Friedrich", True), ("against: Schwerin", False),
    ("at: Trautenau", True), ("at: Königgrätz", True), ("at: Prag", False), ("role: attacker", False),
]  # fmt: skip


@pytest.mark.parametrize(("bound", "fits"), BOUNDS)
def test_a_retreat_is_bound_like_a_battle(bound: str, fits: bool) -> None:
    _, found, why = answers(RETREAT, f"- {{for: retreat, towards: Berlin, {bound}}}", "austria")
    assert (bool(found), why) == (fits, [])


def test_a_path_may_be_said() -> None:
    table, found, _ = answers(RETREAT, "- {for: retreat, towards: Berlin}", "austria")
    (answer,) = found
    assert isinstance(answer, RetreatAlong)
    cities = [table.rules.common.board.cities[city].name for city in answer.path]
    assert answers(RETREAT, f"- {{for: retreat, say: [{', '.join(cities)}]}}", "austria")[2] == ["W-PLAN-ILLEGAL"]
    assert answers(RETREAT, f"- {{for: retreat, say: [[{', '.join(cities)}]]}}", "austria")[1] == found
