"""The environments: PettingZoo's own tests, whole games at random, and nothing seen that is hidden."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed (pbem[env])")
pettingzoo = pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (pbem[env])")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from pbem.engine.table import powers_of_player  # noqa: E402
from pbem.env.aec import SeatsEnv, env  # noqa: E402
from pbem.kit import game_of  # noqa: E402
from tests.twins import with_other_secrets  # noqa: E402

GAMES = ({"game": "maria", "players": "2"}, {"game": "maria", "scenario": "advanced"}, {"game": "friedrich"})


@pytest.mark.parametrize("terms", GAMES, ids=str)
def test_what_petting_zoo_asks_of_an_environment(terms: dict[str, str]) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="(We recommend agents|Observation)")
        warnings.filterwarnings("error", message="(Action mask|Agent|The class|The observation contains)")
        api_test(env(**terms), num_cycles=60)
    seed_test(lambda: env(**terms), num_cycles=20)


def played(board: SeatsEnv, chance: Random) -> int:
    """Let everybody take any word that is offered, to the end; how many were taken."""
    steps = 0
    for agent in board.agent_iter():
        seen, _, is_over, is_cut, _ = board.last()
        if is_over or is_cut:
            board.step(None)
            continue
        offered = np.flatnonzero(seen["action_mask"])
        assert offered.tolist() == sorted(board.offered())
        assert len(offered) > 1
        assert board.observation_space(agent).contains(seen)
        board.step(int(chance.choice(offered)))
        steps += 1
    return steps


@pytest.mark.parametrize("terms", GAMES, ids=str)
def test_a_game_by_small_choices_comes_to_its_end(terms: dict[str, str]) -> None:
    board = SeatsEnv(terms)
    board.reset(seed=3)
    rewards: dict[str, float] = {}
    assert played(board, Random(1)) > 50
    assert board.table.state.phase == "over"
    assert board.agents == []
    rewards = board.score.points(board.table)
    assert max(rewards.values()) == 100


def test_who_has_won_is_rewarded_as_in_the_arena() -> None:
    board = SeatsEnv(GAMES[0])
    board.reset(seed=1)
    chance, told = Random(2), dict[str, float]()
    for agent in board.agent_iter():
        seen, reward, is_over, _, _ = board.last()
        if is_over:
            told[agent] = reward
            board.step(None)
            continue
        assert reward == 0
        board.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    points = board.score.points(board.table)
    assert told == {seat: points[seat] / 100 for seat in board.possible_agents}


def test_it_is_cut_off_behind_so_many_steps() -> None:
    board = env(max_cycles=7, **GAMES[0]).unwrapped
    board.reset(seed=1)
    assert played(board, Random(1)) == 7
    assert all(board.truncations.values()) or not board.truncations


def test_seats_of_bots_are_no_agents() -> None:
    board = SeatsEnv({"game": "maria"}, {"louis": "random", "frederick": "random"})
    assert board.possible_agents == ["maria-theresa"]
    board.reset(seed=1)
    assert played(board, Random(1)) > 20
    with pytest.raises(ValueError, match="nobody"):
        SeatsEnv({"game": "maria"}, {"nobody": "random"})


def test_what_is_not_offered_is_refused() -> None:
    board = SeatsEnv(GAMES[0])
    board.reset(seed=1)
    mask = board.observe(board.agent_selection)["action_mask"]
    with pytest.raises(ValueError, match="not offered"):
        board.step(int(np.flatnonzero(mask == 0)[0]))
    with pytest.raises(ValueError, match="not offered"):
        board.step(None)


@pytest.mark.parametrize("terms", GAMES[1:], ids=str)
def test_nobody_observes_what_is_hidden(terms: dict[str, str]) -> None:
    """The same for every seat when everything is dealt anew that its player may not know."""
    board = SeatsEnv(terms)
    board.reset(seed=5)
    chance, hidden, looks = Random(1), Random(2), 0
    while looks < 60 and board.table.state.phase != "over":
        agent: Any = board.agent_selection
        if chance.random() < 0.1:
            for seat in board.possible_agents:
                own = powers_of_player(board.table, seat)
                other = with_other_secrets(board.table, own, hidden)
                mine, theirs = (game_of(table).view(table, own) for table in (board.table, other))
                assert np.array_equal(board.sight.position(mine), board.sight.position(theirs))
                looks += 1
        board.step(int(chance.choice(np.flatnonzero(board.observe(agent)["action_mask"]))))
    assert looks >= 20


def test_a_position_is_told_in_words() -> None:
    board = SeatsEnv(GAMES[0], render_mode="ansi")
    board.reset(seed=1)
    assert "Turn" in str(board.render())
    assert SeatsEnv(GAMES[0]).render() is None
