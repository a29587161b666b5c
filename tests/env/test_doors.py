"""Doors for research: worlds for searches, a single seat, choices to imitate, and the examples of each."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed (pbem[env])")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (pbem[env])")

from pbem.bots.table import bot_named  # noqa: E402
from pbem.engine.table import digest, player_of, powers_of_player  # noqa: E402
from pbem.env.aec import SeatsEnv  # noqa: E402
from pbem.env.imitation import ChoiceRecorder, choices_in, is_alike, worded_answer  # noqa: E402
from pbem.env.seat import SeatEnv, env  # noqa: E402
from pbem.kit import game_of  # noqa: E402
from tests.twins import with_other_secrets  # noqa: E402

ROOT = Path(__file__).parents[2]
GAMES = ({"game": "maria"}, {"game": "maria", "scenario": "advanced"}, {"game": "friedrich"})


@pytest.mark.parametrize("terms", GAMES, ids=str)
def test_an_imagined_game_is_the_same_to_its_seat_and_does_not_depend_on_the_truth(terms: dict[str, str]) -> None:
    board, chance = SeatsEnv(terms), Random(4)
    board.reset(seed=4)
    differing = 0
    for step in range(400):
        if board.is_over:
            break
        agent = board.agent_selection
        if not step % 20:
            world = board.imagined(agent, f"{step}")
            for name, part in board.observe(agent).items():
                assert np.array_equal(part, world.observe(agent)[name])
            assert world.offered() == board.offered()
            twin = board.copy()
            twin.table = with_other_secrets(board.table, powers_of_player(board.table, agent), chance)
            twin.asking = board.asking.copy_at(twin.table) if board.asking else None
            assert digest(twin.imagined(agent, f"{step}").table.state) == digest(world.table.state)
            differing += digest(world.table.state) != digest(board.imagined(agent, "other").table.state)
            for other in board.possible_agents:
                elsewhere = board.imagined(other, "other")
                elsewhere.step(min(elsewhere.offered()))
            world.step(chance.choice(sorted(world.offered())))
        board.step(chance.choice(sorted(board.offered())))
    assert differing > 10


@pytest.mark.parametrize("terms", GAMES, ids=str)
def test_a_single_seat_plays_a_game_to_its_end(terms: dict[str, str]) -> None:
    seat = "louis" if terms["game"] == "maria" else "elisabeth"
    board, chance = SeatEnv(terms, seat, "random"), Random(2)
    seen, info = board.reset(seed=5)
    again, _ = SeatEnv(terms, seat, "random").reset(seed=5)
    assert np.array_equal(seen["observation"], again["observation"])
    steps, is_over, reward = 0, False, 0.0
    while not is_over:
        assert board.observation_space.contains(seen)
        assert reward == 0.0
        assert np.flatnonzero(info["action_mask"]).tolist() == sorted(board.board.offered())
        assert np.flatnonzero(board.action_masks()).tolist() == sorted(board.board.offered())
        seen, reward, is_over, is_cut, info = board.step(chance.choice(np.flatnonzero(info["action_mask"]).tolist()))
        assert not is_cut
        steps += 1
    assert steps > 20
    assert 0.0 <= reward <= 1.0
    assert board.board.table.state.phase == "over"
    with pytest.raises(ValueError, match="not offered"):
        board.reset(seed=5)[0], board.step(board.board.vocabulary.size - 1)


def test_a_seat_needs_a_name_and_the_others_bots() -> None:
    with pytest.raises(ValueError, match="no seat"):
        env("nobody", game="maria")
    with pytest.raises(ValueError, match="without a bot"):
        env("louis", {"frederick": "sensible"}, game="maria")
    assert env("louis", {"frederick": "sensible", "maria-theresa": "random"}, game="maria").seat == "louis"


@pytest.mark.parametrize("terms", GAMES, ids=str)
@pytest.mark.parametrize("level", ["sensible", "random"])
def test_the_words_of_an_answer_make_it_again(terms: dict[str, str], level: str) -> None:
    board, chance = SeatsEnv(terms), Random(3)
    board.reset(seed=6)
    policy, asked, lacking = bot_named(level, terms["game"]), 0, []
    table, exact = board.table, 0
    while table.state.phase != "over" and asked < 250:
        decision = game_of(table).decisions(table)[0]
        answer = policy(table, decision, chance)
        found = worded_answer(table, decision, answer, board.vocabulary)
        if found is None:
            lacking.append(type(answer).__name__)
        elif len(found.numbers) < 30:
            chosen = [number for number, offer in zip(found.numbers, found.offers, strict=True) if len(offer) > 1]
            asking = type(board.asking)(table, decision, board.vocabulary) if board.asking else None
            assert asking
            for number in chosen:
                assert number in asking.offered
                asking.take(number)
            assert not asking.is_open
            assert is_alike(asking.final_answer(), answer) or asking.final_answer() == answer
            exact += asking.final_answer() == answer
        game_of(table).apply(table, decision.power, answer)
        asked += 1
    assert len(lacking) < 0.1 * asked, lacking
    assert exact > 0.8 * asked


def test_choices_of_a_closed_campaign_are_read() -> None:
    choices = choices_in(ROOT / "examples" / "vienna-1741")
    assert len(choices) > 100
    assert {choice.seat for choice in choices} > {"louis"}
    for choice in choices:
        assert choice.action_mask[choice.action] == 1
        assert choice.action_mask.sum() > 1
        assert np.abs(choice.observation).max() <= 1.0
    own = choices_in(ROOT / "examples" / "vienna-1741", ["louis"])
    assert [choice.number for choice in own] == [choice.number for choice in choices if choice.seat == "louis"]
    with pytest.raises(ValueError, match="not closed"):
        choices_in(ROOT / "examples" / "potsdam-1756")


def test_choices_that_were_turned_back_are_forgotten() -> None:
    board = SeatsEnv({"game": "maria"})
    board.reset(seed=1)
    recorder = ChoiceRecorder(board.copy().table, lambda line: None)
    policy, chance = bot_named("sensible", "maria"), Random(1)
    for _ in range(12):
        decision = game_of(recorder.table).decisions(recorder.table)[0]
        recorder.answer(0, decision.power, policy(recorder.table, decision, chance))
    assert max(choice.number for choice in recorder.choices) > 4
    recorder.number = 4
    recorder.set_table(board.copy().table)
    assert 0 < max(choice.number for choice in recorder.choices) <= 4
    assert {choice.seat for choice in recorder.choices} <= {
        player_of(board.table, power) for power in board.table.rules.powers
    }
    assert powers_of_player(board.table, recorder.choices[0].seat)


EXAMPLES = {
    "search.py": (["--simulations", "3", "--choices", "2"], "choices: "),
    "single_seat.py": (["--games", "1"], "mean reward"),
    "imitate.py": ([str(ROOT / "examples" / "vienna-1741")], "were called"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_runs(name: str) -> None:
    if name == "search.py" and find_spec("pyspiel") is None:
        pytest.skip("OpenSpiel is not installed (pbem[spiel])")
    words, said = EXAMPLES[name]
    path = ROOT / "examples" / "research" / name
    done = subprocess.run([sys.executable, path, *words], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_every_example_is_run() -> None:
    assert {path.name for path in (ROOT / "examples" / "research").glob("*.py")} == EXAMPLES.keys()
