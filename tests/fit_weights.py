"""Search for the weights of the strong bot: `python -m tests.fit_weights maria advanced` plays games in which every
seat has slightly different weights, estimates the value of each difference in points, and writes
`rules/GAME/weights.json` anew.

Half of the seats are trials, the others a sensible or a strong bot's. Trials are kept (`--state FILE`); those of all
rounds count, and a further round begins where the last one ended. Steps are counted from the sensible bot's weights;
with `--finer` they are shorter, and counted from those of the file, so that each such round keeps its own trials.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import exp
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from pbem.bots.plain import Policy, game_bots
from pbem.bots.table import bot_named
from pbem.bots.weights import FILE, Weights, WeightsT, fitted_weights, weights_by_scenario
from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table
from pbem.games.friedrich.bots import sensible as friedrich
from pbem.games.friedrich.bots.sensible.answers import FriedrichWeights
from pbem.games.maria.bots import sensible as maria
from pbem.games.maria.bots.sensible.sight import MariaWeights
from pbem.lab.arena import outcome
from pbem.player.names import new_table
from pbem.resources import data_of

BOTS: dict[str, tuple[Callable[..., Answer], type[Weights]]] = {
    "maria": (maria.choose, MariaWeights),
    "friedrich": (friedrich.choose, FriedrichWeights),
}
"""Function that answers, and its kind of weights, by game."""

STEP = 0.6
"""One step of a weight multiplies it by the exponential of this."""

SMALL_STEP = 0.25
"""The same of those that are parts of a whole."""

FINER = 0.6
"""Factor by which steps are shorter that begin at the weights of the file."""

ADDED = {"stakes": 0.08, "company": 1.5, "abundance": 0.006, "seized": 4.0, "fight_cost": 2.0, "apart": 1.0}
"""Steps of weights that may be zero or less."""

PARTS = ("hope", "spent", "spent_in_need", "spent_in_winter")

MIXED = ("opening", "variety", "uneven", "bluff")
"""Weights that mix answers so that people cannot foresee them. Games between bots say nothing of these, so they stay as
the file has them."""

DOUBT = 1.5
"""The points that a step of most weights is worth less than, before anything is known."""

PACE, MOST = 0.7, 1.6
"""The steps that a point for each is worth, and the most steps that any weight is moved."""

LEAST = 0.35
"""The points a step from which on a weight is moved at all."""

Steps = Mapping[str, float]

Usual = Callable[[Power], Weights]
"""Weights of a power before any step."""


class Trial(Struct, frozen=True):
    """One game: by how many steps each seat that was tried weighed otherwise than usual, and the points of all."""

    steps: dict[str, dict[str, float]]
    points: tuple[float, ...]


def moved(usual: WeightsT, steps: Steps) -> WeightsT:
    """Weight so many steps away from the usual one."""
    found: dict[str, float] = {}
    for name, count in steps.items():
        value, part = getattr(usual, name), name in PARTS
        size = SMALL_STEP if part else STEP
        to = value + count * ADDED[name] if name in ADDED else value * exp(count * size)
        to = min(to, 1.0) if part else to
        found[name] = max(1, round(to)) if isinstance(value, int) else float(f"{to:.3g}")
    return replace(usual, **found)


def policy_at(game: str, usual: Usual, steps: Steps) -> Policy:
    choose = BOTS[game][0]

    @cache
    def weights(power: Power) -> Weights:
        return moved(usual(power), steps)

    def answer(table: Table, decision: Decision, chance: Random) -> Answer:
        return choose(table, decision, chance, weights(decision.power))

    return answer


def usual_of(table: Table, finer: bool) -> Usual:
    """Weights from which steps are counted, for every power: those of the file, or those of the sensible bot."""
    kind = BOTS[table.rules.terms.game][1]
    return lambda power: fitted_weights(table, power, kind) if finer else kind()


def trials(
    rules: GameRules,
    usual: Usual,
    centre: Mapping[str, Steps],
    seeds: Sequence[str],
    seat: str | None = None,
    spread: float = 1.0,
) -> Iterator[Trial]:
    """Games in which half of the seats, or one alone, weigh a little otherwise than at their centre."""
    game = rules.terms.game
    names = [field.name for field in fields(BOTS[game][1]) if field.name not in MIXED]
    others = [bot_named("sensible", game), game_bots(game).strong or bot_named("sensible", game)]
    for seed in seeds:
        chance = Random(seed)
        policies = {each: chance.choice(others) for each in rules.seats}
        tried = [seat] if seat else [each for each in rules.seats if chance.random() < 0.5]
        steps = {
            each: {name: centre.get(each, {}).get(name, 0.0) + chance.gauss(0, spread) for name in names}
            for each in tried
        }
        policies |= {each: policy_at(game, usual, away) for each, away in steps.items()}
        yield Trial(steps, outcome(rules, seed, policies).points)


def slopes(played: Sequence[Trial], seat: str, place: int) -> dict[str, float]:
    """Value of one step of every weight to a seat, by regression; 0 in doubt."""
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
    """Steps with which the next round begins."""
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
    parser.add_argument("--finer", action="store_true", help="shorter steps, from what the file has")
    given = parser.parse_args()
    table = new_table({"game": given.game, "scenario": given.scenario})
    rules, usual = table.rules, usual_of(table, given.finer)
    lines = given.state.read_bytes().splitlines() if given.state.exists() else []
    if given.finer and lines:
        parser.error("trials of another round were counted from what the file had before it")
    played = [msgspec.json.decode(line, type=Trial) for line in lines]
    centre, before = steps_kept(played, rules), len(played)
    seeds = [f"{given.game}/{given.scenario}/{number}" for number in range(before, before + given.games)]
    with given.state.open("ab") as state:
        for trial in trials(rules, usual, centre, seeds, given.seat, FINER if given.finer else 1.0):
            played.append(trial)
            state.write(msgspec.json.encode(trial) + b"\n")
    kind = BOTS[given.game][1]
    path = data_of(given.game) / FILE
    scenarios = {
        name: {power: differing(each, kind()) for power, each in powers.items()}
        for name, powers in weights_by_scenario(given.game, kind).items()
    }
    after = steps_kept(played, rules)
    first = next(iter(scenarios.values()), {})
    before_it = scenarios.get(given.scenario, first)
    scenarios[given.scenario] = before_it | {
        power: differing(moved(usual(power), after[seat]), kind()) | mixed_in(before_it.get(power, {}))
        for seat, powers in rules.seats.items()
        for power in powers
        if seat in after and given.seat in (None, seat)
    }
    path.write_text(written(scenarios), "utf-8")


def mixed_in(weights: Mapping[str, float]) -> dict[str, float]:
    """Those weights that mix answers."""
    return {name: value for name, value in weights.items() if name in MIXED}


def differing(weights: Weights, usual: Weights) -> dict[str, float]:
    """The weights that are not the usual ones."""
    names = [field.name for field in fields(type(usual))]
    return {name: getattr(weights, name) for name in names if getattr(weights, name) != getattr(usual, name)}


if __name__ == "__main__":
    main()
