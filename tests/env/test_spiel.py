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
