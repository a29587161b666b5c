"""Properties of any plans against each other, whatever the hands."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.decisions import Answer, Play, PlayCard
from pbem.kit import copy_of, dump_position
from pbem.paper.lexicon import SIGNS, SUIT_SIGNS, card_text
from pbem.paper.orders.files import OrderSource, load_orders
from pbem.paper.orders.names import card_in_orders as written
from pbem.paper.orders.trial import begin, decisions, step
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource
from tests.trying import tries

from .ground import OWN, battle, choices, field, fought, plans

SUITS = "cdhs"
TACTICS = ("win", "win-cheaply", "hold", "tie", "lose-least", "decline")

suits = st.sampled_from(SUITS)
cards = st.sampled_from([*(f"{suit}{value}" for suit in SUITS for value in range(2, 11)), "R"])


def hands(most: int = 8) -> st.SearchStrategy[str]:
    """Cards of which the four decks have enough for both sides."""
    return st.lists(cards, max_size=most, unique=True).map(" ".join)


scripts = st.lists(
    st.one_of(
        cards.map(lambda card: card.replace("R", "R3")),
        st.tuples(st.sampled_from(["R", "suit", "any"]), st.sampled_from(["least", "most", "to 0", "to +2"])).map(
            " ".join
        ),
        st.just("stop"),
    ),
    max_size=3,
)


@st.composite
def fights(draw: st.DrawFn) -> str:
    """A plan for a battle, with a script, a tactic and limits as they may come."""
    lines = [f"tactic: {draw(st.sampled_from(TACTICS))}"]
    if script := draw(scripts):
        lines.append(f"play: [{', '.join(script)}]")
    for key, most in (("spend", 4), ("points", 25), ("accept", 6)):
        if draw(st.integers(0, 3)) == 0:
            lines.append(f"{key}: {draw(st.integers(0, most))}")
    if draw(st.integers(0, 3)) == 0:
        lines.append(f"stop: {{behind: {draw(st.integers(1, 20))}, ahead: {draw(st.integers(0, 12))}}}")
    if keep := draw(st.lists(cards, max_size=2, unique=True)):
        lines.append(f"keep: [{', '.join(keep)}]")
    lines.append(f"else: {draw(st.sampled_from(['ask', 'stop']))}")
    return "\n".join(lines)


scores = st.integers(-12, 12)


def sources(table: Any, enemy: str, own: str, against: str) -> tuple[list[PlanSource], Tally]:
    """Both sides' plans at a table."""
    tally = Tally()
    return [
        PlanSource(table, plans(battle(own)), tally),
        PlanSource(table, plans(battle(against), enemy), tally),
    ], tally


@given(scores, suits, suits, hands(), hands(), fights(), fights())
@tries(25)
def test_plans_do_nothing_that_single_cards_could_not_and_never_anything_illegal(
    score: int, suit: str, enemy_suit: str, hand: str, enemy_hand: str, own: str, against: str
) -> None:
    table, enemy = field(score, hand, enemy_hand, suit, enemy_suit)
    by_cards = copy_of(table)
    made, _ = choices(table, *sources(table, enemy, own, against))
    begin(by_cards)
    letters = [
        order_source(by_cards, power, [choice for who, choice in made if who == power]) for power in (OWN, enemy)
    ]
    while isinstance(decisions(by_cards)[0], PlayCard) and (taken := step(by_cards, letters)):
        assert not taken.is_refused
    assert dump_position(by_cards) == dump_position(table)


def order_source(table: Any, power: str, made: list[Answer]) -> OrderSource:
    """The same choices as single cards in a letter."""
    lines = [written(choice.card, choice.value) if isinstance(choice, Play) else "stop" for choice in made]
    text = f"orders: {{{power}: {{play: [{', '.join(lines)}]}}}}"
    return OrderSource(table, load_orders(text.encode(), "orders", table.rules))


@given(scores, suits, suits, hands(), hands(), fights(), fights())
@tries(16)
def test_it_does_not_matter_whose_plan_came_first_and_the_same_plans_lead_to_the_same(
    score: int, suit: str, enemy_suit: str, hand: str, enemy_hand: str, own: str, against: str
) -> None:
    ground = (score, hand, enemy_hand, suit, enemy_suit)
    one = fought(*field(*ground), own, against)
    other = fought(*field(*ground), own, against, enemy_first=True)
    assert one.played == other.played
    assert dump_position(one.table) == dump_position(other.table)


@given(scores, suits, hands(), hands(), fights(), st.lists(cards, min_size=1, max_size=4, unique=True))
@tries(25)
def test_what_is_kept_is_not_spent(
    score: int, suit: str, hand: str, enemy_hand: str, own: str, keep: list[str]
) -> None:
    lines = [line for line in own.splitlines() if not line.startswith("keep")]
    table, enemy = field(score, hand, enemy_hand, suit)
    fought(table, enemy, "\n".join([*lines, f"keep: [{', '.join(keep)}]"]), "tactic: win")
    left = {card_text(card) for card in table.state.cards.hands[OWN]}
    assert {named(card) for card in hand.split() if card in keep} <= left


def named(card: str) -> str:
    """A card as the program writes it."""
    return "R" if card == "R" else f"{SUIT_SIGNS[SIGNS[card[0]]]}{card[1:]}"


@given(scores, suits, hands(), hands(), fights(), st.integers(0, 3), st.integers(0, 20))
@tries(25)
def test_limits_are_never_passed(
    score: int, suit: str, hand: str, enemy_hand: str, own: str, spend: int, points: int
) -> None:
    lines = [line for line in own.splitlines() if not line.startswith(("spend", "points"))]
    done = fought(*field(score, hand, enemy_hand, suit), "\n".join([*lines, f"spend: {spend}", f"points: {points}"]),
                  "tactic: win")  # fmt: skip
    assert len(done.own) <= spend
    assert sum(done.own) <= points


@given(st.integers(-12, -1), suits, hands(), hands())
@tries(10)
def test_declining_loses_exactly_the_difference(score: int, suit: str, hand: str, enemy_hand: str) -> None:
    done = fought(*field(score, hand, enemy_hand, suit), "tactic: decline", "tactic: win")
    assert done.cards == []
    assert done.result == score


@given(scores, hands(9), st.lists(st.integers(2, 10), max_size=6, unique=True))
@tries(50)
def test_winning_cheaply_costs_no_more_points_than_winning(score: int, hand: str, enemy: list[int]) -> None:
    against = f"play: [{', '.join(f's{value}' for value in enemy)}]\ntactic: decline" if enemy else "tactic: decline"
    enemy_hand = " ".join(f"s{value}" for value in enemy)
    dear = fought(*field(score, hand, enemy_hand), "tactic: win", against)
    cheap = fought(*field(score, hand, enemy_hand), "tactic: win-cheaply", against)
    if (dear.result or 0) > 0 and (cheap.result or 0) > 0:
        assert sum(cheap.own) <= sum(dear.own)
    if (cheap.result or 0) > 0:
        assert (dear.result or 0) > 0
