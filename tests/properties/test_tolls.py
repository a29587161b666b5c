"""Tolls of rich and poor powers (§9): every payment there is, against the words of the rule."""

from __future__ import annotations

from itertools import combinations

import pytest

from pbem.engine.cards import discard, points
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import PayToll, Toll
from pbem.games.maria.rules.events import HandShown, TollPaid
from pbem.games.maria.rules.state import Table
from tests.play import moments, twin
from tests.properties.chronicle import carry_out
from tests.properties.refusals import refusal

EDITIONS = ("2.1", "1.0")


def is_legal(toll: Toll, answer: PayToll, table: Table) -> bool:
    """True if the rule allows a payment with cards from the hand, by its words."""
    facts, pay_all = table.rules.common.decks, table.rules.common.unpaid == "pay all"
    cost = {claim.piece: len(claim.path) for claim in toll.claims}
    purse, paid = points(facts, toll.hand), points(facts, answer.cards)
    supplied = sum(cost[general] for general in cost if general not in answer.unsupplied)
    if purse >= sum(cost.values()):
        return not answer.unsupplied and paid >= supplied
    if any(supplied + cost[general] <= purse for general in answer.unsupplied):
        return False
    return supplied <= paid and (not pay_all or len(answer.cards) == len(toll.hand))


@pytest.mark.parametrize("edition", EDITIONS)
def test_exactly_the_payments_of_the_rule_are_accepted(edition: str) -> None:
    shown = paid = refused = 0
    for table in moments(Terms(edition=edition), lambda table: bool(table.state.tolls), 8):
        for keep in range(6):
            poor = twin(table)
            power = poor.state.owing[0]
            discard(poor.state.cards, power, poor.state.cards.hands[power][keep:])
            toll = game.decision_of(poor, power)
            assert isinstance(toll, Toll)
            generals = [claim.piece for claim in toll.claims]
            for answer in payments(toll.hand, generals):
                no = refusal(poor, power, answer)
                assert (no is None) == is_legal(toll, answer, poor), (toll, answer, no)
                refused += no is not None
                if no is None:
                    events = carry_out(twin(poor), power, answer)
                    shown += any(isinstance(event, HandShown) for event in events)
                    paid += any(isinstance(event, TollPaid) for event in events)
    assert paid
    assert refused
    assert bool(shown) == (edition == "1.0")


def payments(hand: tuple[int, ...], generals: list[int]) -> list[PayToll]:
    """Every choice of cards with every choice of generals who go without."""
    subsets = [group for size in range(len(hand) + 1) for group in combinations(hand, size)]
    without = [group for size in range(len(generals) + 1) for group in combinations(generals, size)]
    return [PayToll(cards, unsupplied) for cards in subsets for unsupplied in without]
