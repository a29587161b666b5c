"""The games in OpenSpiel; where it is not installed (`pbem[spiel]`) these are passed over."""

from __future__ import annotations

from random import Random

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pbem[spiel])")

import pbem.env.spiel  # noqa: E402

TWO = "pbem(game=maria,scenario=introductory)"


def played(game: object, chance: Random, most: int = 10**6) -> tuple[object, int]:
    """A state after so many choices, or at the end."""
    state, steps = game.new_initial_state(), 0  # type: ignore[attr-defined]
    while not state.is_terminal() and steps < most:
        if state.is_chance_node():
            state.apply_action(chance.randrange(pbem.env.spiel.DEALS))
        else:
            legal = state.legal_actions()
            assert len(legal) > 1
            state.apply_action(chance.choice(legal))
        steps += 1
    return state, steps


def test_a_game_is_played_to_its_end() -> None:
    state, steps = played(pyspiel.load_game(TWO), Random(1))
    assert steps > 50
    assert max(state.returns()) == 1.0  # type: ignore[attr-defined]
    assert len(state.returns()) == 3  # type: ignore[attr-defined]


def test_a_copy_goes_on_for_itself_and_alike() -> None:
    state, _ = played(pyspiel.load_game(TWO), Random(2), most=37)
    other = state.clone()  # type: ignore[attr-defined]
    text = str(state)
    for each in (other, state):
        chance = Random(3)
        for _ in range(20):
            each.apply_action(chance.choice(each.legal_actions()))  # type: ignore[attr-defined]
        if each is other:
            assert str(state) == text
    assert str(state) == str(other)
    assert state.legal_actions() == other.legal_actions()  # type: ignore[attr-defined]


def test_a_state_is_kept_as_its_history() -> None:
    game = pyspiel.load_game(TWO)
    state, _ = played(game, Random(4), most=25)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(state)


def test_every_seat_observes_its_own() -> None:
    game = pyspiel.load_game(TWO)
    state, _ = played(game, Random(5), most=30)
    observer = game.make_py_observer()
    seen = []
    for player in range(game.num_players()):
        observer.set_from(state, player)
        seen.append((observer.tensor.tobytes(), observer.string_from(state, player)))
    assert len(set(seen)) == 3


def test_a_resampled_state_is_the_same_to_its_seat_and_the_same_for_the_same_seed() -> None:
    game = pyspiel.load_game(TWO)
    observer = game.make_py_observer()
    hidden = set()
    for most in (20, 60, 110):
        state, _ = played(game, Random(6), most=most)
        player = state.current_player()  # type: ignore[attr-defined]
        before = [observer.string_from(state, other) for other in range(3)]
        for _ in range(3):
            one, same = (pbem.env.spiel.Resampler(most)(state, player) for _ in range(2))
            told = [observer.string_from(one, other) for other in range(3)]
            assert told == [observer.string_from(same, other) for other in range(3)]
            assert told[player] == before[player]
            assert one.legal_actions() == state.legal_actions()  # type: ignore[attr-defined]
            hidden.add(told[player - 1] == before[player - 1])
            one.apply_action(one.legal_actions()[0])
        assert [observer.string_from(state, other) for other in range(3)] == before
    assert False in hidden


def test_a_state_is_valued_by_the_points_so_far_and_by_the_returns_in_the_end() -> None:
    evaluator = pbem.env.spiel.PointsEvaluator()
    state, _ = played(pyspiel.load_game(TWO), Random(7))
    assert list(evaluator.evaluate(state)) == state.returns()  # type: ignore[attr-defined,arg-type]
    state, _ = played(pyspiel.load_game(TWO), Random(7), most=50)
    assert 0 <= min(evaluator.evaluate(state)) <= max(evaluator.evaluate(state)) < 1  # type: ignore[arg-type]
    assert sum(share for _, share in evaluator.prior(state)) == pytest.approx(1)  # type: ignore[arg-type]
