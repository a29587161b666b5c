"""What the strong bot weighs by: `python -m tests.fit_weights maria advanced` plays games in which every seat weighs a
little otherwise, finds what that was worth in points, and writes `rules/GAME/weights.json` anew.

Half of the seats weigh as the sensible bot does, the others around what the file has so far; so a further round begins
where the last one ended. Trials are kept (`--state FILE`), and those of all rounds count.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from pbem.bots.fitted import FILE, of_game
from pbem.bots.game_bots import Policy, game_bots
from pbem.bots.table import bot_named
from pbem.bots.weights import Weights
from pbem.cli.common import new_table
from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import GameRules, Table
from pbem.games.friedrich.bots import sensible as friedrich
from pbem.games.friedrich.bots.sensible.weights import FriedrichWeights
from pbem.games.maria.bots import sensible as maria
from pbem.games.maria.bots.sensible.weights import MariaWeights
from pbem.resources import data_of
from pbem.showing.deals import outcome

BOTS: dict[str, tuple[Callable[..., Answer], type[Weights]]] = {
    "maria": (maria.choose, MariaWeights),
    "friedrich": (friedrich.choose, FriedrichWeights),
}
"""What answers by which weights."""

STEP = 0.6
"""One step of a weight multiplies it by the exponential of this."""

SMALL_STEP = 0.25
"""The same of those that are parts of a whole."""

ADDED = {"stakes": 0.08, "company": 1.5, "abundance": 0.006, "seized": 4.0, "fight_cost": 2.0}
"""What one step adds to weights that the sensible bot leaves out, or that may fall below nothing."""

PARTS = ("hope", "spent", "spent_in_need", "spent_in_winter")

DOUBT = 1.5
"""The points that a step of most weights is worth less than, before anything is known."""

PACE, MOST = 0.7, 1.6
"""The steps that a point for each is worth, and the most steps that any weight is moved."""

LEAST = 0.35
"""The points a step from which on a weight is moved at all."""

Steps = Mapping[str, float]


class Trial(Struct, frozen=True):
    """One game: by how many steps every seat weighed otherwise than the sensible bot, and its points."""

    steps: dict[str, dict[str, float]]
    points: tuple[float, ...]


def weights_at(kind: type[Weights], steps: Steps) -> Weights:
    """What so many steps away from the usual weights is."""
    moved: dict[str, float] = {}
    for field in fields(kind):
        usual, count = field.default, steps.get(field.name, 0.0)
        if not count:
            continue
        size = SMALL_STEP if field.name in PARTS else STEP
        value = usual + count * ADDED[field.name] if field.name in ADDED else usual * exp(count * size)
        value = min(value, 1.0) if field.name in PARTS else value
        moved[field.name] = max(1, round(value)) if isinstance(usual, int) else float(f"{value:.3g}")
    return kind(**moved)


def policy_at(game: str, steps: Steps) -> Policy:
    choose, kind = BOTS[game]
    weights = weights_at(kind, steps)

    def answer(table: Table, decision: Decision, chance: Random) -> Answer:
        return choose(table, decision, chance, weights)

    return answer


def trials(
    rules: GameRules, centre: Mapping[str, Steps], seeds: Sequence[str], seat: str | None = None
) -> Iterator[Trial]:
    """Games in which every seat weighs as the sensible bot does, or a little otherwise than at its centre.

    If one seat alone is tried, it always does, and the others weigh as the strong bot or as the sensible one.
    """
    game = rules.terms.game
    names = [field.name for field in fields(BOTS[game][1])]
    usual = [bot_named("sensible", game), game_bots(game).strong or bot_named("sensible", game)]

    def near_centre(tried: str, chance: Random) -> dict[str, float]:
        return {name: centre.get(tried, {}).get(name, 0.0) + chance.gauss(0, 1) for name in names}

    for seed in seeds:
        chance = Random(seed)
        policies: dict[str, Policy] = {}
        if seat:
            steps = {seat: near_centre(seat, chance)}
            policies = {each: chance.choice(usual) for each in rules.seats}
        else:
            steps = {
                each: near_centre(each, chance) if chance.random() < 0.5 or not centre else {} for each in rules.seats
            }
        policies |= {tried: policy_at(game, each) for tried, each in steps.items()}
        yield Trial(steps, outcome(rules, seed, policies).points)


def slopes(played: Sequence[Trial], seat: str, place: int) -> dict[str, float]:
    """What one step of every weight is worth to a seat: regression, in doubt nothing."""
    played = [trial for trial in played if seat in trial.steps]
    names = sorted({name for trial in played for name in trial.steps[seat]})
    rows = [[1.0, *(trial.steps[seat].get(name, 0.0) for name in names)] for trial in played]
    points = [trial.points[place] for trial in played]
    mean = sum(points) / len(points)
    doubt = sum((each - mean) ** 2 for each in points) / len(points) / DOUBT**2
    size = len(names) + 1
    left = [[sum(row[i] * row[j] for row in rows) + doubt * (i == j > 0) for j in range(size)] for i in range(size)]
    right = [sum(row[i] * each for row, each in zip(rows, points, strict=True)) for i in range(size)]
    return dict(zip(names, solved(left, right)[1:], strict=True))


def solved(left: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations whose matrix is positive definite."""
    rows = [[*row, value] for row, value in zip(left, right, strict=True)]
    for i, row in enumerate(rows):
        row[:] = [value / row[i] for value in row]
        for other in rows:
            if other is not row:
                factor = other[i]
                other[:] = [value - factor * lead for value, lead in zip(other, row, strict=True)]
    return [row[-1] for row in rows]


def found(played: Sequence[Trial], seat: str, place: int) -> dict[str, float]:
    """By how many steps each weight is moved."""
    worth = slopes(played, seat, place)
    return {name: max(-MOST, min(MOST, PACE * each)) for name, each in worth.items() if abs(each) >= LEAST}


def steps_kept(played: Sequence[Trial], rules: GameRules) -> dict[str, dict[str, float]]:
    """Where the next round begins."""
    return {
        seat: found(played, seat, place)
        for place, seat in enumerate(rules.seats)
        if any(seat in trial.steps for trial in played)
    }


def written(scenarios: Mapping[str, Mapping[str, dict[str, float]]]) -> str:
    """The file of a game: for every scenario and power the weights that are not the usual ones."""
    parts = []
    for scenario, powers in scenarios.items():
        lines = [
            f'    "{power}": {{\n'
            + "\n".join(wrap(json.dumps(each, separators=(", ", ":"))[1:-1], 110, **INDENT))
            + "\n    }"
            for power, each in powers.items()
        ]
        parts.append(f'  "{scenario}": {{\n' + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


INDENT: dict[str, Any] = {"initial_indent": "      ", "subsequent_indent": "      "}


def main() -> None:
    """Play, find, write."""
    parser = ArgumentParser(prog="python -m tests.fit_weights", description=__doc__)
    parser.add_argument("game", choices=BOTS)
    parser.add_argument("scenario")
    parser.add_argument("--games", type=int, default=500, help="the games of this round (500)")
    parser.add_argument("--state", type=Path, required=True, help="a file that keeps the trials of all rounds")
    parser.add_argument("--seat", help="the seat that alone is tried")
    given = parser.parse_args()
    rules = new_table({"game": given.game, "scenario": given.scenario}).rules
    lines = given.state.read_bytes().splitlines() if given.state.exists() else []
    played = [msgspec.json.decode(line, type=Trial) for line in lines]
    centre, first = steps_kept(played, rules), len(played)
    seeds = [f"{given.game}/{given.scenario}/{number}" for number in range(first, first + given.games)]
    with given.state.open("ab") as state:
        for trial in trials(rules, centre, seeds, given.seat):
            played.append(trial)
            state.write(msgspec.json.encode(trial) + b"\n")
    kind = BOTS[given.game][1]
    usual = kind()
    path = data_of(given.game) / FILE
    scenarios = {
        name: {power: differing(each, usual) for power, each in powers.items()}
        for name, powers in of_game(given.game, kind).items()
    }
    after = steps_kept(played, rules)
    first = next(iter(scenarios.values()), {})
    scenarios[given.scenario] = scenarios.get(given.scenario, first) | {
        power: differing(weights_at(kind, after[seat]), usual)
        for seat, powers in rules.seats.items()
        for power in powers
        if given.seat in (None, seat)
    }
    path.write_text(written(scenarios), "utf-8")


def differing(weights: Weights, usual: Weights) -> dict[str, float]:
    """The weights that are not the usual ones."""
    names = [field.name for field in fields(type(usual))]
    return {name: getattr(weights, name) for name in names if getattr(weights, name) != getattr(usual, name)}


if __name__ == "__main__":
    main()
