"""Scripts line by line: cards and goals, what ends them, and where a letter or another source goes on."""

from __future__ import annotations

import pytest

from pbem.bots.sensible.fighting import odds, unknown_card
from pbem.bots.weights import Weights
from pbem.campaign.play.sources import OrdersAndPlans, PlayerSource
from pbem.engine.decisions import Play, Stop
from pbem.paper.orders.files import OrderSource, load_orders
from pbem.paper.orders.trial import begin, decisions, step
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource, take_plans

from .ground import OWN, battle, field, fought, plans

LINES = [
    # score, hand, play, own cards, result
    (-9, "d3 d5 d9", "♦3, ♦5", [3, 5], None),
    (-9, "d3 d5 d9", "♦3, stop", [3], -6),
    (-9, "d3 R d9", "♦3, R2, stop", [3, 2], -4),
    (-9, "d3 R d9", "♦3, R to 0", [3, 6], 0),
    (-9, "d3 R d9", "♦3, R to +1", [3, 7], 1),
    (-9, "d3 R d9", "R least, R most", [1], None),
    (-9, "R", "R most, stop", [8], -1),
    (-9, "d3 d5 d9 R", "suit least, suit most", [3, 9], 3),
    (-9, "d3 d5 d10", "suit to 0", [10], 1),
    (-9, "d3 d5 R", "suit least, any to 0", [3, 6], 0),
    (-4, "d3 R", "any to 0", [4], 0),
    (-4, "d3 R", "any least, stop", [3], -1),
]


@pytest.mark.parametrize(("score", "hand", "play", "cards", "result"), LINES)
def test_the_lines_are_played_in_their_order(
    score: int, hand: str, play: str, cards: list[int], result: int | None
) -> None:
    done = fought(*field(score, hand, ""), f"play: {play}")
    assert (done.own, done.result) == (cards, result)


FAULTS = [
    (-9, "d5", "♦7", "W-PLAN-HAND", "§8"),
    (-9, "s7 d5", "♠7", "W-PLAN-SUIT", "§11.1"),
    (-9, "d5", "R3", "W-PLAN-HAND", "§8"),
    (-9, "d5", "R to 0", "W-PLAN-REACH", "§11.1"),
    (-9, "d5", "suit to 0", "W-PLAN-REACH", "§11.1"),
    (-9, "s7", "any least", "W-PLAN-REACH", "§11.1"),
    (0, "d5", "stop", "W-PLAN-MUST", "§11.1"),
]


@pytest.mark.parametrize(("score", "hand", "line", "code", "rule"), FAULTS)
def test_a_line_that_cannot_be_played_is_noted_at_its_place_and_falls_to_else(
    score: int, hand: str, line: str, code: str, rule: str
) -> None:
    asked = fought(*field(score, hand, ""), f"play: [{line}]")
    ((power, fault),) = asked.played.notes
    assert (power, fault.code, fault.section, fault.line, fault.column) == (OWN, code, rule, 4, 14)
    assert asked.own == []
    assert [decision.power for decision in asked.played.waiting] == [OWN]
    stopped = fought(*field(score, hand, ""), f"play: [{line}]\nelse: stop")
    assert (stopped.codes, stopped.result) == ([code], score or 5)


def test_a_kept_card_is_not_played_by_name_unless_there_are_two() -> None:
    assert fought(*field(-5, "d9", ""), "play: ♦9\nkeep: ♦9").codes == ["W-PLAN-HAND"]
    assert fought(*field(-5, "d9 d9", ""), "play: ♦9\nkeep: ♦9").own == [9]


@pytest.mark.parametrize("limit", ["spend: 1", "points: 5", "stop: {ahead: 1}"])
def test_a_limit_ends_the_script(limit: str) -> None:
    done = fought(*field(-5, "d3 d9", ""), f"play: ♦3, ♦9\n{limit}")
    assert (done.own, done.result, done.codes) == ([3], -2, [])


def test_behind_a_script_comes_the_tactic_or_the_player() -> None:
    assert fought(*field(-9, "d3 d5 d9", ""), "play: ♦3\ntactic: win").own == [3, 9]
    done = fought(*field(-9, "d3 d5 d9", ""), "play: ♦3")
    assert (done.own, done.codes) == ([3], ["W-PLAN-END"])
    assert fought(*field(-9, "d3 d5 d9", ""), "play: ♦3\nelse: stop").result == -6


def test_the_first_plan_that_fits_answers_and_no_other() -> None:
    table, enemy = field(-5, "d3 d9", "")
    begin(table)
    text = (
        battle("when: {suited: 3 or more}\ntactic: decline")
        + battle("role: defender\ntactic: decline")
        + battle("play: ♠10")
        + battle("tactic: win")
    )
    source = PlanSource(table, plans(text), Tally())
    (decision,) = decisions(table)
    verdict = source.judge(decision)
    assert verdict is not None
    assert (verdict.plan.number, verdict.given) == (3, None)
    assert not source.speaks_of(decision)
    assert source.answer(decision) is None
    assert [fault.code for fault in source.why_not(decision)] == ["W-PLAN-HAND"]
    assert enemy not in source.powers()


WHEN = [
    ("score: -5", True), ("score: -4 or more", False), ("start: -5", True), ("mine: 8", True), ("theirs: 13", True),
    ("theirs: 12 or less", False), ("held: 2", True), ("shown: 0", True), ("shown: 1 or more", False),
    ("suited: 2", True), ("reserves: 1", True), ("reserves: 0", False), ("turn: 2", True), ("turn: 3 or more", False),
    ("hand: 4", True), ("score: -5, turn: 3", False), ("mine: 1 to 7", False), ("mine: 7 to 9", True),
    ("loss: 5", True), ("loss: 4 or less", False), ("lead: 9", True), ("chance: 93", True), ("chance: 94", False),
]  # fmt: skip


@pytest.mark.parametrize(("when", "fits"), WHEN)
def test_a_plan_fits_when_all_its_numbers_do(when: str, fits: bool) -> None:
    done = fought(*field(-5, "d3 d9 s4 R", "s3 s4"), f"when: {{{when}}}\ntactic: decline")
    assert (done.result == -5) is fits


@pytest.mark.parametrize("enemy_hand", ["", "s3", "s3 s4", "s3 s4 s5 s6 s7 s8 s9"])
@pytest.mark.parametrize("score", [-2, -5, -8])
def test_a_chance_is_what_the_bots_take_for_the_odds(score: int, enemy_hand: str) -> None:
    """It grows with the lead, and the more cards the enemy holds, the less sure is the lead."""
    table, enemy = field(score, "d9 s4 s5 s6", enemy_hand)
    held = len(enemy_hand.split())
    lead = score + 9 - held * unknown_card(table.rules.common.decks)
    chance = int(100 * odds(Weights(), lead, held))
    assert fought(table, enemy, f"when: {{chance: {chance}}}\ntactic: decline").result == score


def test_no_more_troops_are_lost_than_there_are() -> None:
    done = fought(*field(-9, "d3", "s3", troops=2), "when: {loss: 2}\ntactic: decline")
    assert done.result == -9


def test_cards_that_the_enemy_has_shown_are_counted() -> None:
    table, enemy = field(3, "d10 d9 d8", "s5 s4 s3 s2")
    done = fought(table, enemy, "when: {shown: 2 or less}\ntactic: win-cheaply", "tactic: win-cheaply")
    assert [value for side, value in done.cards if side == "enemy"] == [4, 5, 3]
    assert done.own == [8]


BOUNDS = [
    ("of: {own}", True), ("of: [Traun]", False), ("against: {foe}", True), ("at: {here}", True), ("at: {there}", True),
    ("at: Berlin", False), ("role: attacker", True), ("role: defender", False), ("of: {own}\nat: Berlin", False),
    ("of: [Traun, {own}]", True),
]  # fmt: skip


@pytest.mark.parametrize(("bound", "fits"), BOUNDS)
def test_a_plan_may_be_bound_to_generals_cities_and_roles(bound: str, fits: bool) -> None:
    table, enemy = field(-5, "d3", "")
    pieces, cities = table.rules.common.pieces, table.rules.common.board.cities
    places = {
        pieces[number].power: (pieces[number].name, cities[piece.city].name)
        for number, piece in enumerate(table.state.field.pieces)
        if piece.city >= 0
    }
    (own, here), (foe, there) = places[OWN], places[enemy]
    written = bound.format(own=own, foe=foe, here=here, there=there)
    assert (fought(table, enemy, f"{written}\ntactic: decline").result == -5) is fits


TIMES = [
    ("standing: yes", "3/prussia", True), ("standing: no", "3/prussia", False), ("", "3/prussia", False),
    ("", "", True),
    ("until: 2", "1/prussia", True), ("until: 1", "1/prussia", False), ("until: 2/austria", "1/prussia", True),
    ("until: 2/france", "1/prussia", False), ("until: 3/hussars", "1/prussia", True),
]  # fmt: skip


@pytest.mark.parametrize(("time", "stage", "fits"), TIMES)
def test_a_plan_holds_for_its_stage_or_stands(time: str, stage: str, fits: bool) -> None:
    table, _ = field(-5, "d3", "")
    begin(table)
    source = PlanSource(table, plans(battle(f"{time or 'else: ask'}\ntactic: decline")), Tally(), stage=stage)
    assert source.speaks_of(decisions(table)[0]) is fits


def test_another_source_goes_on_where_one_stopped() -> None:
    table, _ = field(-13, "d3 d4 d5", "", troops=2)
    tally = Tally()
    tally.see(begin(table))
    text = plans(battle("play: ♦3, ♦4, ♦5"))
    first = PlanSource(table, text, tally)
    for wanted in (3, 4):
        (decision,) = decisions(table)
        assert first.speaks_of(decision)
        taken = step(table, [first])
        assert taken is not None
        assert taken.given is not None
        assert isinstance(taken.given.answer, Play)
        assert first.used_lines()[OWN] == {"plan 1 in battle 1": wanted - 2}
        tally.see(taken.events)
    second = PlanSource(table, text, tally, first.used_lines())
    given = second.answer(decisions(table)[0])
    assert given is not None
    assert given.node.column == 21
    anew = PlanSource(table, text, Tally(2), first.used_lines())
    assert [fault.code for fault in anew.why_not(decisions(table)[0])] == ["W-PLAN-HAND"]


def test_what_orders_say_comes_before_the_plans() -> None:
    table, _ = field(-13, "d3 d4 d5", "", troops=2)
    tally = Tally()
    tally.see(begin(table))
    orders = load_orders(b"orders: {austria: {play: [d5]}}", "orders", table.rules)
    written = OrdersAndPlans(OrderSource(table, orders), PlanSource(table, plans(battle("play: ♦3, stop")), tally))
    source = PlayerSource(written, None)
    made = []
    while (decision := decisions(table)[0]).power == OWN and source.speaks_of(decision):
        taken = step(table, [source])
        assert taken is not None
        assert taken.given is not None
        tally.see(taken.events)
        made.append(taken.given.answer)
    assert [type(answer) for answer in made] == [Play, Play, Stop]
    assert source.remains() == {OWN: {"play": 0, "plan 1 in battle 1": 2}}
    assert source.take_free_orders(OWN) == []
    assert source.powers() == [OWN]


def test_plans_are_taken_out_of_orders() -> None:
    table, _ = field(-5, "d3", "")
    orders = load_orders(b"orders: {austria: {move: []}}", "orders", table.rules)
    assert take_plans(orders) == {}
    orders.powers[OWN].sections["plans"] = [*plans(battle("tactic: win"))[OWN]]
    assert [plan.kind for plan in take_plans(orders)[OWN]] == ["battle"]
    assert list(orders.powers[OWN].sections) == ["move"]
