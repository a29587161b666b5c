"""Answers of the strong bot that are mixed by chance, and the command that counts habits of bots."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.bots.plain import Policy, retreat_ways
from pbem.bots.sensible.fighting import best_of, harm
from pbem.bots.table import bot_named
from pbem.engine.cards import is_reserve, suit_of
from pbem.engine.decisions import Allot, Answer, ChooseRetreat, Decision, March
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.bots.sensible.politics import affairs_of, place_influence
from pbem.games.maria.bots.sensible.sight import MariaWeights, see
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import PlaceHussars, PlaceInfluence
from pbem.kit import copy_of, game_of

from . import habits
from .friedrich import random_play
from .play import start

TABLES = {
    "maria": lambda: start(Terms("advanced"), "mixed")[0],
    "friedrich": lambda: random_play.start(FriedrichTerms(), "mixed")[0],
}

GIVEN = 12
"""Answers to one question that are compared."""


def asked(game: str, kind: type[Decision], most: int = 3000) -> Iterator[tuple[Any, Any]]:
    """Decisions of one kind in a game of strong bots."""
    table, policy, chance = TABLES[game](), bot_named("strong", game), Random("mixed")
    for _ in range(most):
        if table.state.phase == "over":
            return
        decision = game_of(table).decisions(table)[0]
        if isinstance(decision, kind):
            yield table, decision
        game_of(table).apply(table, decision.power, policy(table, decision, chance))


def answers(policy: Policy, table: Any, decision: Decision) -> list[Answer]:
    """Answers to one decision, each by a chance of its own."""
    return [policy(copy_of(table), decision, Random(number)) for number in range(GIVEN)]


@pytest.mark.parametrize("game", TABLES)
def test_first_allotments_and_first_marches_are_mixed_for_every_power(game: str) -> None:
    strong, sensible, mixed = bot_named("strong", game), bot_named("sensible", game), 0
    for kind in (Allot, March):
        for table, decision in asked(game, kind, 60):
            first = answers(strong, table, decision)
            assert first == answers(strong, table, decision)
            if kind is Allot and sum(decision.least.values()) < decision.troops < decision.most * len(decision.least):
                assert len({repr(each) for each in first}) > 1, decision
                assert len({repr(each) for each in answers(sensible, table, decision)}) == 1
            mixed += len({repr(each) for each in first}) > 1
    assert mixed > 6


def test_retreats_are_drawn_among_those_that_harm_nearly_as_much() -> None:
    policy, mixed = bot_named("strong", "friedrich"), 0
    for table, decision in asked("friedrich", ChooseRetreat):
        ends = retreat_ways(table)
        if len(ends) < 2:
            continue
        strong = game_strong(table, decision)
        worth = {ends[end]: harm(strong, decision.pieces, end) for end in ends}
        for answer in answers(policy, table, decision):
            assert worth[answer.path] > max(worth.values()) - strong.weights.variety
        mixed += len({repr(each) for each in answers(policy, table, decision)}) > 1
        if mixed == 3:
            return
    raise AssertionError(mixed)


def game_strong(table: Any, decision: Decision) -> Any:
    """View of the strong bot of FRIEDRICH."""
    from pbem.games.friedrich.bots.strong import sight_of

    return sight_of(table, decision.power).sight


def test_hussars_do_not_always_go_to_the_same_cities() -> None:
    policy, mixed = bot_named("strong", "maria"), 0
    for table, decision in asked("maria", PlaceHussars):
        mixed += len({repr(each) for each in answers(policy, table, decision)}) > 1
        if mixed:
            return
    raise AssertionError(mixed)


def test_without_variety_no_chance_is_taken_and_the_first_of_equals_is_chosen() -> None:
    table = TABLES["friedrich"]()
    sight = game_strong(table, game_of(table).decisions(table)[0])
    chance = Random(1)
    before = chance.getstate()
    plain = replace(sight.weights, variety=0.0)
    sight.weights = plain
    assert best_of(sight, [3, 1, 2], lambda each: float(each > 1), chance) == 3
    assert chance.getstate() == before
    sight.weights = replace(plain, variety=0.5)
    assert {best_of(sight, [3, 1, 2], lambda each: float(each > 1), chance) for _ in range(40)} == {2, 3}


def test_a_card_that_counts_nothing_is_placed_as_a_bluff_and_comes_back() -> None:
    for table, decision in asked("maria", PlaceInfluence):
        outlook = see(table, decision.power, MariaWeights(bluff=1.0, worth_a_card=1e9))
        answer = place_influence(outlook, decision, Random(1))
        trump = affairs_of(outlook).trump
        back = [card for card in decision.hand if not is_reserve(card) and suit_of(card) != trump]
        if back:
            assert answer.card in back
            never = see(table, decision.power, MariaWeights(worth_a_card=1e9))
            assert place_influence(never, decision, Random(1)).card is None
            return
    raise AssertionError


def test_no_bluff_is_placed_where_it_would_stay_on_the_display() -> None:
    for table, decision in asked("maria", PlaceInfluence):
        terms = replace(table.rules.terms, bluffing=True)
        outlook = see(table, decision.power, MariaWeights(bluff=1.0, worth_a_card=1e9))
        outlook = replace(outlook, rules=replace(outlook.rules, terms=terms))
        assert place_influence(outlook, decision, Random(1)).card is None
        return
    raise AssertionError


def test_habits_are_counted_in_whole_games() -> None:
    told = dict(habits.habits_of({"game": "maria"}, "sensible", 2))
    assert told["games"] == "2"
    assert told["louis: same first allotment, of 2 games"] == "2"
    assert told["first allotment: same of 12 answers"] == "12.0"
    assert float(told["generals out of supply in a game"]) >= 0
    lost, battles = map(int, next(told[each] for each in told if each.startswith("battles")).split(" of "))
    assert 0 <= lost <= battles
    assert all(0 <= int(told[each]) <= lost for each in told if each.startswith("…"))
