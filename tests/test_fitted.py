"""The file of the strong bot's weights, which must fit the games, and the search for them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pbem.bots.weights import Weights, fitted_weights, weights_by_scenario
from pbem.games.friedrich.bots.sensible.answers import FriedrichWeights
from pbem.games.maria.bots.sensible.sight import MariaWeights
from pbem.player.names import new_table
from tests import fit_weights, try_weights
from tests.fit_weights import MOST, Trial, found, moved, slopes, steps_kept, trials, usual_of, written

KINDS: dict[str, type[Weights]] = {"maria": MariaWeights, "friedrich": FriedrichWeights}


@pytest.mark.parametrize("game", KINDS)
def test_every_power_of_the_games_that_were_played_has_weights_of_its_own(game: str) -> None:
    usual = KINDS[game]()
    for scenario, powers in weights_by_scenario(game, KINDS[game]).items():
        rules = new_table({"game": game, "scenario": scenario}).rules
        assert powers.keys() >= set(rules.powers)
        assert usual not in powers.values()


def test_a_scenario_without_weights_of_its_own_is_weighed_as_the_first() -> None:
    table = new_table({"game": "maria", "scenario": "silesia-gambit"})
    assert fitted_weights(table, table.rules.powers[0], MariaWeights) == fitted_weights(
        new_table({"game": "maria"}), table.rules.powers[0], MariaWeights
    )


def test_what_a_step_is_worth_is_found_among_much_that_is_worth_nothing() -> None:
    chance = Random(1)
    played = []
    for _ in range(400):
        steps = {name: chance.gauss(0, 1) for name in ("guard", "fight", "train", "hope")}
        points = 50 + 6 * steps["guard"] - 9 * steps["hope"] + chance.gauss(0, 20)
        played.append(Trial({"a": steps}, (points,)))
    worth = slopes(played, "a", 0)
    assert worth["guard"] > 3
    assert worth["hope"] < -5
    assert abs(worth["fight"]) + abs(worth["train"]) < 4
    assert found(played, "a", 0)["hope"] == -MOST


def test_steps_move_weights_and_no_part_goes_beyond_the_whole() -> None:
    weights = moved(MariaWeights(), {"guard": 1.0, "stakes": 2.0, "spent_in_winter": 9.0, "band": -9.0})
    assert weights == MariaWeights(guard=13.5, stakes=0.16, spent_in_winter=1.0, band=1)


def test_the_same_seed_makes_the_same_trial() -> None:
    table = new_table({"game": "maria"})
    one, other = (list(trials(table.rules, usual_of(table, finer=False), {}, ["a trial", "another"])) for _ in range(2))
    assert one == other
    assert {seat for trial in one for seat in trial.steps} <= set(table.rules.seats)
    assert all(steps for trial in one for steps in trial.steps.values())
    assert any(trial.steps for trial in one)


def test_steps_are_counted_from_what_the_file_has_if_they_are_to_be_finer() -> None:
    table = new_table({"game": "maria"})
    for power in table.rules.powers:
        assert usual_of(table, finer=False)(power) == MariaWeights()
        assert usual_of(table, finer=True)(power) == fitted_weights(table, power, MariaWeights) != MariaWeights()


def test_trials_that_were_counted_from_another_file_are_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "trials.jsonl"
    state.write_bytes(b'{"steps":{},"points":[0,0,0]}\n')
    words = ["fit_weights", "maria", "introductory", "--finer", "--games", "0", "--state", str(state)]
    monkeypatch.setattr("sys.argv", words)
    monkeypatch.setattr(fit_weights, "data_of", lambda game: tmp_path)
    with pytest.raises(SystemExit):
        fit_weights.main()
    assert "trials of another round" in capsys.readouterr().err


def test_one_seat_alone_is_tried_and_nothing_is_learned_of_the_others() -> None:
    table, seeds = new_table({"game": "maria"}), ["a trial", "another"]
    rules, usual = table.rules, usual_of(table, finer=False)
    one, other = (list(trials(rules, usual, {"louis": {"guard": 50.0}}, seeds, "louis")) for _ in range(2))
    assert one == other
    assert one[0].steps.keys() == {"louis"}
    assert one[0].steps["louis"]["guard"] > 40
    assert steps_kept(one, rules).keys() == {"louis"}


def test_the_file_is_written_as_it_is_read() -> None:
    text = written({"four": {"russia": {"guard": 3.5, "hope": 0.25}}})
    assert text == '{\n  "four": {\n    "russia": {\n      "guard":3.5, "hope":0.25\n    }\n  }\n}\n'


def test_what_a_change_is_worth_is_told_for_every_seat_and_how_sure_that_is() -> None:
    chance = Random(1)
    played = []
    for _ in range(200):
        changed = {seat: frozenset(name for name in ("trains", "hope") if chance.random() < 0.5) for seat in "ab"}
        points = tuple(40 + 10 * ("trains" in changed[seat]) + chance.gauss(0, 10) for seat in "ab")
        played.append(try_weights.Try(changed, points))
    for place, seat in enumerate("ab"):
        gain, doubt = try_weights.worth(played, seat, place, "trains")
        assert abs(gain - 10) < doubt < 4
        nothing, doubt = try_weights.worth(played, seat, place, "hope")
        assert abs(nothing) < doubt < 4


def test_changes_are_tried_on_what_the_strong_bot_weighs_by() -> None:
    rules = new_table({"game": "maria"}).rules
    one, other = (list(try_weights.tries(rules, {"cost": {"fight_cost": -9.0}}, ["a try"])) for _ in range(2))
    assert one == other
    assert set().union(*one[0].changed.values()) == {"cost"}
