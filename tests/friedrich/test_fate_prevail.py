"""Possibility of a score above zero by cards, compared with trying every order of every choice of them (card 7)."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from pbem.games.friedrich.rules.effects import Worth, can_end_above_zero, leads_above

SUITED = st.integers(2, 13).map(lambda value: (value, value))
HANDS = st.lists(st.one_of(SUITED, SUITED, st.just((1, 3))), max_size=4)
"""Up to four cards; the Reserve is a small one here, so that it matters what it is declared as."""

SCORES = st.integers(-30, 0)


def by_brute_force(score: int, hand: list[Worth]) -> bool:
    """Try every order, and every value of every Reserve."""
    return any(plays_out(score, order) for order in permutations(hand))


def plays_out(score: int, order: tuple[Worth, ...]) -> bool:
    """True if these cards, one after the other, lead above zero and never to zero."""
    if not order:
        return False
    (low, high), rest = order[0], order[1:]
    after = [score + value for value in range(low, high + 1)]
    return any(now > 0 or (now < 0 and plays_out(now, rest)) for now in after)


@given(SCORES, HANDS)
def test_it_is_known_whether_a_hand_can_end_above_zero(score: int, hand: list[Worth]) -> None:
    assert can_end_above_zero(score, hand) is by_brute_force(score, hand)


@given(SCORES, HANDS)
def test_a_hand_that_can_has_a_card_that_leads_on_and_one_that_cannot_has_none(score: int, hand: list[Worth]) -> None:
    leading = [
        place
        for place, (low, high) in enumerate(hand)
        for value in range(low, high + 1)
        if leads_above(score + value, hand[:place] + hand[place + 1 :])
    ]
    assert bool(leading) is can_end_above_zero(score, hand)


@given(st.lists(SUITED, min_size=10, max_size=12))
def test_a_long_hand_is_answered_at_once(hand: list[Worth]) -> None:
    total = sum(high for _, high in hand)
    assert can_end_above_zero(-total + 1, hand)
    assert not can_end_above_zero(-total, hand)
