"""Whole games, watched answer by answer: any variant, any chance."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pbem.bots import plain
from pbem.engine.decisions import Move
from pbem.engine.events import Conquered, Questioned
from pbem.engine.field import ASIDE, alter
from pbem.engine.table import digest
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import Terms
from tests.play import EVERY, Player, answers, chance_of, position, start, twin
from tests.properties.chronicle import carry_out, totals
from tests.properties.mutants import mutants
from tests.properties.offers import check_offers
from tests.properties.refusals import refusal, refused_or_sound
from tests.raider import raid
from tests.trying import tries

GAMES = st.tuples(st.sampled_from(EVERY), st.integers(0, 10_000))


@tries(10)
@given(GAMES, st.sampled_from([raid, plain.choose]))
def test_events_tell_all_and_every_position_is_sound(chosen: tuple[Terms, int], player: Player) -> None:
    terms, seed = chosen
    table, _ = start(terms, seed)
    for power, answer in answers(table, chance_of(terms, seed), player):
        carry_out(table, power, answer)


@tries(10)
@given(GAMES, st.integers(0, 250))
def test_wrong_answers_are_refused_and_change_nothing(chosen: tuple[Terms, int], steps: int) -> None:
    table = position(*chosen, steps)
    chance = Random(steps)
    for decision in game.decisions(table):
        legal = raid(table, decision, chance)
        for wrong in mutants(legal, chance, 60):
            refused_or_sound(table, decision.power, wrong)
        no = refusal(table, "nobody", legal)
        assert no is not None
        assert (no.rule, no.code) == ("§5", "E-ANSWER-NOW")


@tries(8)
@given(GAMES, st.integers(0, 250))
def test_what_is_offered_is_legal(chosen: tuple[Terms, int], steps: int) -> None:
    table = position(*chosen, steps)
    check_offers(table, Random(steps))


@tries(10)
@given(GAMES, st.integers(20, 250))
def test_face_down_generals_conquer_nothing(chosen: tuple[Terms, int], steps: int) -> None:
    terms, seed = chosen
    table = position(terms, seed, steps)
    stage = (table.state.turn, table.state.stage)
    for number, piece in enumerate(table.state.field.pieces):
        alter(table.state.field, number, down=piece.troops > 0 and piece.city >= 0)
    for power, answer in answers(table, chance_of(terms, seed), raid):
        if (table.state.turn, table.state.stage) != stage:
            break
        events = game.apply(table, power, answer)
        if isinstance(answer, Move):
            assert not any(isinstance(event, Conquered | Questioned) for event in events)


@tries(8)
@given(GAMES, st.integers(0, 250))
def test_a_game_goes_on_the_same_from_its_text(chosen: tuple[Terms, int], steps: int) -> None:
    terms, seed = chosen
    table = position(terms, seed, steps)
    copy = twin(table)
    assert copy.state == table.state
    for _, (power, answer) in zip(range(40), answers(table, chance_of(terms, seed), raid), strict=False):
        assert game.apply(table, power, answer) == game.apply(copy, power, answer)
        assert digest(table.state) == digest(copy.state)


def test_the_armies_of_the_introductory_game() -> None:
    table = position(Terms(), 1, 5)
    expected = {"france": 26, "bavaria": 5, "prussia": 22, "saxony": 5, "austria": 28, "pragmatic": 0}
    assert dict(totals(table)) == expected
    assert all(
        piece.city == ASIDE
        for facts, piece in zip(table.rules.common.pieces, table.state.field.pieces, strict=True)
        if facts.power == "pragmatic"
    )
