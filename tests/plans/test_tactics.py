"""The six tactics and the limits around them, card by card."""

from __future__ import annotations

import pytest

from .ground import field, fought

CASES = [
    # score, own hand, enemy's hand, own plan, enemy's plan, own cards, result
    (-2, "d10 d9 d7", "s5 s4", "tactic: win", "tactic: decline", [7], 5),
    (-2, "d10 d2 d7", "s9 s4", "tactic: win", "tactic: win", [7, 10], 2),
    (-12, "d5 d8 d7", "", "tactic: win", "tactic: decline", [8, 5], 1),
    (-12, "d5 d6", "", "tactic: win", "tactic: decline", [6, 5], -1),
    (-2, "R", "", "tactic: win", "tactic: decline", [8], 6),
    (-2, "R d3", "", "tactic: win", "tactic: decline", [3], 1),
    (-2, "R", "", "tactic: win-cheaply", "tactic: decline", [3], 1),
    (-12, "d5 d6", "", "tactic: win-cheaply", "tactic: decline", [], -12),
    (-12, "d5 d8", "", "tactic: win-cheaply", "tactic: decline", [8, 5], 1),
    (-5, "d5 d6", "", "tactic: hold", "tactic: decline", [5], 0),
    (-5, "d2 d3 d8", "", "tactic: hold", "tactic: decline", [8], 3),
    (-5, "R d2", "", "tactic: hold", "tactic: decline", [2, 3], 0),
    (-5, "d2", "", "tactic: hold", "tactic: decline", [], -5),
    (-7, "d4 d5 d3 d10", "", "tactic: tie", "tactic: decline", [4, 3], 0),
    (-7, "d4 R", "", "tactic: tie", "tactic: decline", [7], 0),
    (-6, "d4 d5 d3 d10", "", "tactic: lose-least", "tactic: decline", [5], -1),
    (-6, "d2 d2 d10 R", "", "tactic: lose-least", "tactic: decline", [2, 2], -2),
    (-6, "d8 R", "", "tactic: lose-least", "tactic: decline", [], -6),
    (-6, "d10 R", "", "tactic: decline", "tactic: win", [], -6),
    (0, "d10 d3 R", "", "tactic: decline", "tactic: decline", [3], 3),
    (0, "R", "", "tactic: decline", "tactic: decline", [], 0),
    (0, "R", "", "tactic: win", "tactic: decline", [8], 8),
    (0, "R", "", "tactic: win-cheaply", "tactic: decline", [1], 1),
    (0, "R", "", "tactic: hold", "tactic: decline", [], 0),
    (-4, "d5 d5", "s3", "tactic: win", "tactic: win", [5, 5], 3),
    # limits
    (-6, "d10 d9 d3 d2", "", "tactic: win\nkeep: ♦10, ♦9", "tactic: decline", [3, 2], -1),
    (-6, "d10 d10 d3", "", "tactic: win\nkeep: ♦10", "tactic: decline", [10], 4),
    (-6, "R R d3", "", "tactic: win\nkeep: R", "tactic: decline", [3, 8], 5),
    (-9, "d4 d3 d2 d2", "", "tactic: win\nspend: 2", "tactic: decline", [4, 3], -2),
    (-9, "d4 d3 d2 d2", "", "tactic: win\npoints: 6", "tactic: decline", [4, 2], -3),
    (-9, "d4 d3 d2 R", "", "tactic: win-cheaply\nspend: 1", "tactic: decline", [], -9),
    (-9, "d4 d3 d2 d2", "", "tactic: win\naccept: 3", "tactic: decline", [4, 3], -2),
    (-9, "d9 d10", "s9 s9", "tactic: win\nstop: {behind: 8}", "tactic: win", [], -9),
    (-5, "d9 d6 d2", "", "tactic: win\nstop: {ahead: 2}", "tactic: decline", [6], 1),
    (-5, "d9 d2 R", "", "tactic: win\nstop: {ahead: 2}", "tactic: decline", [2, 5], 2),
]


@pytest.mark.parametrize(("score", "hand", "enemy_hand", "own", "against", "cards", "result"), CASES)
def test_a_tactic_plays_these_cards(
    score: int, hand: str, enemy_hand: str, own: str, against: str, cards: list[int], result: int
) -> None:
    done = fought(*field(score, hand, enemy_hand), own, against)
    assert done.own == cards
    assert done.result == result
    assert done.codes == []


@pytest.mark.parametrize(("hand", "cards"), [("d8 d5", [8]), ("d6 d5", []), ("d6 d2", [6, 2])])
def test_a_small_stack_is_not_spared_by_cards_that_save_no_troop(hand: str, cards: list[int]) -> None:
    assert fought(*field(-9, hand, "", troops=2), "tactic: lose-least").own == cards


def test_a_loss_is_accepted_by_the_troops_it_costs() -> None:
    assert fought(*field(-9, "d10", "", troops=2), "tactic: win\naccept: 2").own == []
    assert fought(*field(-9, "d10", "", troops=3), "tactic: win\naccept: 2").own == [10]


def test_a_tie_that_cannot_be_is_left_to_the_player_or_stops() -> None:
    done = fought(*field(-7, "d4 d10", ""), "tactic: tie")
    assert (done.own, done.result, done.codes) == ([], None, ["W-PLAN-REACH"])
    done = fought(*field(-7, "d4 d10", ""), "tactic: tie\nelse: stop")
    assert (done.own, done.result, done.codes) == ([], -7, ["W-PLAN-REACH"])


@pytest.mark.parametrize("limit", ["keep: ♦10, ♦9", "spend: 0", "points: 5", "stop: {ahead: 4}"])
@pytest.mark.parametrize("otherwise", ["ask", "stop"])
def test_where_the_rule_demands_a_card_that_may_not_be_spent_the_player_is_asked(limit: str, otherwise: str) -> None:
    done = fought(*field(0, "d10 d9", ""), f"tactic: decline\n{limit}\nelse: {otherwise}")
    assert (done.own, done.result, done.codes) == ([], None, ["W-PLAN-LIMIT"])


def test_the_suit_is_played_before_a_reserve_where_one_must_play() -> None:
    assert fought(*field(0, "d10 R", ""), "tactic: decline").own == [10]
    assert fought(*field(0, "d10 R", ""), "tactic: decline\nkeep: ♦10").own == [1]
