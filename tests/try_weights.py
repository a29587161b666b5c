"""Trial of changed weights: `python -m tests.try_weights friedrich four trains=2 seized=8` plays games of strong bots
in which every seat makes each change or not, at random, and prints the value of each change in points, for every seat
and for all. Weights joined by commas, `trains=2,seized=8`, are one change.

Good ones are written into `rules/GAME/weights.json` by hand, because yes or no cannot be reached by small steps.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from math import inf, sqrt
from random import Random
from statistics import fmean, variance
from time import process_time

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.plain import Policy
from pbem.bots.weights import fitted_weights
from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import GameRules, Table
from pbem.lab.arena import outcome
from pbem.lab.tables import SURE
from pbem.player.names import new_table
from tests.fit_weights import BOTS

Change = Mapping[str, float]
Changes = Mapping[str, Change]
"""Changed weights of each change, by its name."""


class Try(Struct, frozen=True):
    """One game: what every seat had changed, and its points."""

    changed: dict[str, frozenset[str]]
    points: tuple[float, ...]


def with_changes(game: str, changes: Change) -> Policy:
    """The strong bot's first thoughts, weighed otherwise."""
    choose, kind = BOTS[game]

    def answer(table: Table, decision: Decision, chance: Random) -> Answer:
        return choose(table, decision, chance, replace(fitted_weights(table, decision.power, kind), **changes))

    return answer


def tries(rules: GameRules, changes: Changes, seeds: Sequence[str]) -> Iterator[Try]:
    """Games in which every seat throws a coin for each change."""
    for seed in seeds:
        chance = Random(seed)
        changed = {seat: frozenset(name for name in changes if chance.random() < 0.5) for seat in rules.seats}
        policies = {
            seat: with_changes(
                rules.terms.game, {weight: value for name in names for weight, value in changes[name].items()}
            )
            for seat, names in changed.items()
        }
        yield Try(changed, outcome(rules, seed, policies).points)


def worth(played: Sequence[Try], seat: str, place: int, name: str) -> tuple[float, float]:
    """Value of a change to a seat in points, and the uncertainty to either side."""
    having, lacking = (
        [each.points[place] for each in played if (name in each.changed[seat]) is made] for made in (True, False)
    )
    doubt = sqrt(variance(having) / len(having) + variance(lacking) / len(lacking))
    return fmean(having) - fmean(lacking), SURE * doubt


def change_of(game: str, written: str) -> Change:
    """Return the weights of a change as it is written on the command line."""
    usual = BOTS[game][1]()
    named = dict(each.split("=") for each in written.split(","))
    return {name: type(getattr(usual, name))(value) for name, value in named.items()}


def together(gains: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Mean of the values of a change to all seats, and its uncertainty; seats throw their coins independently."""
    return fmean(gain for gain, _ in gains), sqrt(sum(doubt**2 for _, doubt in gains)) / len(gains)


def main() -> None:
    """Play, and tell."""
    parser = ArgumentParser(prog="python -m tests.try_weights", description=__doc__)
    parser.add_argument("game", choices=BOTS)
    parser.add_argument("scenario")
    parser.add_argument("changes", nargs="+", metavar="NAME=VALUE,…")
    parser.add_argument("--games", type=int, default=400, help="how many games are played (400)")
    parser.add_argument("--seconds", type=float, default=inf, help="the most CPU time")
    given = parser.parse_args()
    rules = new_table({"game": given.game, "scenario": given.scenario}).rules
    changes = {each: change_of(given.game, each) for each in given.changes}
    seeds, end = [f"tried {number}" for number in range(given.games)], process_time() + given.seconds
    played = list(takewhile(lambda _: process_time() < end, tries(rules, changes, seeds)))
    worths = {
        name: {seat: worth(played, seat, place, name) for place, seat in enumerate(rules.seats)} for name in changes
    }
    for name, gains in worths.items():
        for seat, (gain, doubt) in {**gains, "all": together([*gains.values()])}.items():
            print(f"{name}: {seat} {gain:+.1f} ± {doubt:.1f}")
    print(f"{len(played)} games")


if __name__ == "__main__":
    main()
