"""Every version of every Card of Fate in games played at random: nothing breaks, and the position stays sound."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest

from pbem.bots.plain import choose
from pbem.engine.board import SUITS
from pbem.engine.events import BattleJoined
from pbem.engine.field import alter
from pbem.games.friedrich.rules import fate, game
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.invariants import problems
from pbem.games.friedrich.rules.sequence import advance
from pbem.games.friedrich.rules.state import Table, draw_cards
from tests.friedrich.fate_table import bare, begin, hold
from tests.friedrich.random_play import answers, start, twin

TURNS = 3
"""Number of turns that a game goes on once a version has been read."""


@lru_cache(maxsize=8)
def at_the_clock(scenario: str, expert: bool, seed: int) -> Table:
    """A game that has just come to the Clock of Fate at the end of turn 6, played at random."""
    table, _ = start(Terms(scenario, expert), seed)
    chance = Random(seed)
    for power, answer in answers(table, chance, choose):
        game.apply(table, power, answer)
        if table.state.turn > table.rules.game.first_fate:
            break
    table.state.turn -= 1
    table.state.stage, table.state.phase, table.state.begun = "fate", "clock", True
    table.state.owing, table.state.tasks = [], []
    return table


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("number", range(1, 13))
def test_a_version_read_in_a_random_game(number: int, suit: str) -> None:
    """Each in one of two games by turns."""
    scenario, seed = (("four", 1), ("three", 3))[(number + SUITS.index(suit)) % 2]
    table = twin(at_the_clock(scenario, True, seed))
    state = table.state
    generals = [g for g in table.rules.common.generals("imperial") if state.field.pieces[g].city >= 0]
    state.fate.beaten = generals
    state.fate.in_force = []
    fate.carry_out(table, number, SUITS.index(suit))
    assert problems(table) == []
    last = state.turn + TURNS
    if not state.tasks:
        advance(table)
    for power, answer in answers(table, Random(f"{seed} {number} {suit}"), choose):
        game.apply(table, power, answer)
        assert problems(table) == []
        if state.turn > last:
            break
    assert state.turn > last or state.phase == "over"


def crowded(centre: str, seed: int) -> Table:
    """A turn begins with all generals near one city, full hands and enemies everywhere: much is fought out."""
    table = bare()
    state, rules, chance = table.state, table.rules, Random(seed)
    free = sorted(rules.common.board.cities_within(rules.common.board.index[centre], 4))
    chance.shuffle(free)
    for power in rules.powers:
        generals = rules.common.generals(power)
        for general in generals:
            troops = chance.randint(1, rules.troops(power) // len(generals))
            alter(state.field, general, city=free.pop(), troops=troops)
        draw_cards(table, power, 12)
    begin(table, "prussia", "movement")
    return table


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("number", "suit", "centre"),
    [
        (2, "clubs", "Küstrin"), (3, "hearts", "Leipzig"), (3, "diamonds", "Halle"), (3, "clubs", "Leipzig"),
        (4, "spades", "Halle"), (4, "diamonds", "Halle"), (5, "spades", "Halle"), (7, "spades", "Halle"),
        (7, "diamonds", "Leipzig"), (8, "clubs", "Leipzig"), (10, "spades", "Leipzig"), (10, "hearts", "Leipzig"),
        (11, "spades", "Breslau"), (11, "hearts", "Breslau"),
    ],
)  # fmt: skip
def test_a_version_in_a_turn_full_of_combats(number: int, suit: str, centre: str, seed: int) -> None:
    table = crowded(centre, seed)
    hold(table, number, suit)
    turn = table.state.turn
    fought = 0
    for power, answer in answers(table, Random(seed), choose):
        events = game.apply(table, power, answer)
        fought += sum(isinstance(event, BattleJoined) for event in events)
        assert problems(table) == []
        if table.state.turn > turn:
            break
    assert fought


@pytest.mark.parametrize("scenario", ["four", "three"])
@pytest.mark.parametrize("seed", range(4))
def test_strokes_in_any_order_in_a_random_game(scenario: str, seed: int) -> None:
    table = twin(at_the_clock(scenario, True, 1))
    fates = table.state.fate
    chance = Random(seed)
    order = [stroke.number for stroke in table.rules.fate.strokes if stroke.number not in fates.out]
    chance.shuffle(order)
    fates.deck = [*(number for number in fates.deck if number not in order), *order]
    table.state.begun = False
    advance(table)
    for power, answer in answers(table, chance, choose):
        game.apply(table, power, answer)
        assert problems(table) == []
    assert table.state.result is not None
