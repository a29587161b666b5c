"""Every question of the game can be answered: what is offered is accepted, what is not offered is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine import march
from pbem.engine.decisions import Allot, Answer, ChooseBattle, ChooseRetreat, Decision, Fight, March, Move, PlayCard
from pbem.engine.rules import IllegalOrder
from pbem.games.friedrich.rules import game, movement
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.decisions import (
    ChooseCities,
    ChooseGeneral,
    GiveCard,
    GivenCard,
    Levy,
    NamedCities,
    NamedGeneral,
    ReturnCards,
    Shift,
    ShiftPieces,
)
from pbem.games.friedrich.rules.events import Shifted
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.fate_table import at, bare, city, place, strike
from tests.friedrich.random_play import EVERY, answers, chance_of, name_of, start, twin
from tests.friedrich.striving import strive

STEPS = 600


def walk(terms: Terms, seed: int, steps: int = STEPS) -> Iterator[tuple[Table, Decision]]:
    """The decisions of a game, each with the table at which it is asked."""
    table, _ = start(terms, seed)
    for power, answer in islice(answers(table, chance_of(terms, seed), strive, transfers=0), steps):
        yield table, game.decision_of(table, power)
        game.apply(table, power, answer)


def options(decision: Decision) -> int:
    """Least number of answers that a decision offers."""
    match decision:
        case ShiftPieces():
            return len(decision.cities)
        case ChooseGeneral():
            return len(decision.generals)
        case ChooseCities():
            return len(decision.cities) - decision.count + 1
        case GiveCard():
            return len(decision.cards) + decision.may_decline
        case ChooseRetreat():
            return len(decision.ends)
        case ChooseBattle():
            return len(decision.battles) - 1
        case ReturnCards():
            return len(decision.cards) - decision.count + 1
        case March():
            return len(decision.pieces) + 1  # to move nothing more is always open
        case Levy():
            return len(decision.hand)
        case PlayCard():
            return len(decision.cards) + (not decision.must)
        case Allot():
            return decision.most * len(decision.least) - decision.troops + 1
    raise TypeError(type(decision).__name__)


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_nobody_is_asked_a_question_without_an_answer(terms: Terms) -> None:
    for seed in range(2):
        for _, decision in walk(terms, seed):
            assert options(decision) > 0, decision


def accepts(table: Table, power: str, answer: Answer) -> bool:
    """True if the game takes this answer."""
    other = twin(table)
    before = other.state
    try:
        game.apply(other, power, answer)
    except IllegalOrder:
        assert other.state == before
        return False
    return True


def offered(table: Table, decision: Decision) -> Iterator[tuple[Answer, bool]]:
    """Answers to a question of fate, to a retreat's or an attack's, and whether they are among those offered."""
    cities, pieces = range(len(table.rules.common.board.cities)), range(len(table.rules.common.pieces))
    match decision:
        case ShiftPieces():
            yield from ((Shift(place), place in decision.cities) for place in cities[::7])
            yield from ((Shift(place), True) for place in decision.cities)
            yield Shift(None), True
        case ChooseGeneral():
            yield from ((NamedGeneral(piece), piece in decision.generals) for piece in pieces)
        case GiveCard():
            cards = [card for hand in table.state.cards.hands.values() for card in hand]
            yield from ((GivenCard(card), card in decision.cards) for card in cards)
            yield GivenCard(None), decision.may_decline
        case ChooseCities(count=1):
            yield from ((NamedCities((place,)), place in decision.cities) for place in cities[::7])
            yield from ((NamedCities((place,)), True) for place in decision.cities)
        case ChooseCities():
            yield NamedCities(decision.cities[: decision.count]), True
            yield NamedCities(decision.cities[-decision.count :]), True
            yield NamedCities(decision.cities[:1]), False
            yield NamedCities(decision.cities[:1] * 2), False
        case ChooseBattle():
            yield from ((Fight(battle), True) for battle in decision.battles)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from([terms for terms in EVERY if terms.expert]), st.integers(0, 10**6))
def test_what_is_offered_is_accepted_and_nothing_else(terms: Terms, seed: int) -> None:
    for table, decision in walk(terms, seed, steps=200):
        for answer, legal in offered(table, decision):
            assert accepts(table, decision.power, answer) is legal, (decision, answer)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(EVERY), st.integers(0, 10**6), st.integers(10, 600))
def test_every_way_that_a_march_shows_is_accepted(terms: Terms, seed: int, steps: int) -> None:
    found: Counter[bool] = Counter()
    for table, decision in islice(walk(terms, seed, steps + 30), steps, None):
        if isinstance(decision, March) and decision.pieces:
            piece = decision.pieces[0]
            try:
                movement.check_movers(table, decision, [piece])
            except IllegalOrder:
                continue
            for way in list(march.destinations(movement.column_of(table, [piece])).values())[:20]:
                found[accepts(table, decision.power, Move((piece,), way))] += 1
    assert not found[False]


def test_a_beaten_hildburghausen_is_pushed_after_the_clock_has_struck() -> None:
    """Once the clock has struck nobody counts as beaten any more, but what it has asked for stands (card 12)."""
    table = bare()
    table.state.fate.beaten = [place(table, "Hildburghausen", "Jena", 3)]
    victor = place(table, "Ferdinand", "Minden", 2)
    table.state.fate.winner = victor
    strike(table, 12)
    (decision,) = game.decisions(table)
    assert isinstance(decision, ShiftPieces)
    assert city(table, "Weimar") in decision.cities
    assert Shifted(decision.pieces, city(table, "Jena"), city(table, "Weimar")) in game.apply(
        table, "prussia", Shift(city(table, "Weimar"))
    )
    assert at(table, "Hildburghausen") == city(table, "Weimar")
