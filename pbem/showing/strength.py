"""How well a preset of plans does: the same games, each seat by hand and then by the preset, and who wins how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from random import Random

from msgspec import Struct

from pbem.bots.game_bots import Policy
from pbem.bots.table import play, sensible, winners_of
from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import GameRules, Table, player_of
from pbem.faults.words import words
from pbem.paper.documents.writing import Value, write
from pbem.paper.plans.files import load_plans
from pbem.paper.plans.presets import preset_plans
from pbem.plans.source import PlanSource
from pbem.plans.tally import Tally
from pbem.showing.tables import FIGURES, show_table
from pbem.work.executor import Executor

BY_HAND = ""
"""Nobody's seat: everybody answers by hand."""

SURE = 1.96
"""So many deviations to either side hold nineteen of twenty."""


class ByPreset(Struct, frozen=True):
    """Which game is played, and by which preset."""

    rules: GameRules
    preset: str


def player_by_preset(games: ByPreset) -> Callable[[str], dict[str, frozenset[str]]]:
    """Plays a game of a seed by hand, and once for every seat that has the preset: who wins each."""

    def play_each(seed: str) -> dict[str, frozenset[str]]:
        return {seat: winners(games, seed, seat) for seat in (BY_HAND, *games.rules.seats)}

    return play_each


def winners(games: ByPreset, seed: str, seat: str) -> frozenset[str]:
    """Who wins a game in which one seat has the preset."""
    tally = Tally()
    policy = policy_with(games, seat, tally)
    for table, events in play(games.rules, seed, policy):  # noqa: B007 - the last one is looked at below
        tally.see(events)
    return frozenset(winners_of(table))


def policy_with(games: ByPreset, seat: str, tally: Tally) -> Policy:
    """The best bot everywhere, but for what the plans of this seat answer."""
    rules = games.rules
    by_hand = sensible(rules.terms.game)
    own = rules.seats.get(seat, ())
    plans: dict[str, Value] = {power: preset_plans(rules, games.preset, power, {*own, power}) for power in rules.powers}
    written = load_plans(write({"plans": plans}).encode(), games.preset, rules)
    sources: list[PlanSource] = []

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        if player_of(table, decision.power) == seat:
            if not sources:
                sources.append(PlanSource(table, written, tally))
            if (given := sources[0].answer(decision)) is not None:
                return given.answer
        return by_hand(table, decision, chance)

    return choose


class Strength:
    """Counts wins of each seat, all questions answered by hand, and all that the preset answers by the preset."""

    def __init__(self, rules: GameRules, preset: str) -> None:
        """Nothing has been played yet."""
        self.rules = rules
        self.preset = preset
        self.games = 0
        self.wins: dict[str, Counter[int]] = {seat: Counter() for seat in rules.seats}
        """By seat: how often the preset won as by hand (0), where by hand it had lost (1), and the reverse (−1)."""
        self.by_hand: Counter[str] = Counter()

    def play(self, work: Executor, seeds: Sequence[str]) -> Iterator[None]:
        """Play each game by hand, and once for every seat that has the preset."""
        for winners in work.results(player_by_preset, ByPreset(self.rules, self.preset), seeds):
            self.games += 1
            self.by_hand.update(winners[BY_HAND])
            for seat, changes in self.wins.items():
                changes[(seat in winners[seat]) - (seat in winners[BY_HAND])] += 1
            yield

    def data(self) -> dict[str, object]:
        """Of each seat: how many games in a hundred it wins either way, and the difference, with its interval."""
        return {"preset": self.preset, "games": self.games, "wins in 100": {s: self.figures(s) for s in self.wins}}

    def figures(self, seat: str) -> Mapping[str, float]:
        """The figures of one seat."""
        changes, games = self.wins[seat], self.games
        mean = (changes[1] - changes[-1]) / games
        spread = sqrt(max(0.0, (changes[1] + changes[-1]) / games - mean * mean) / games)
        by_hand = self.by_hand[seat] / games
        shares = {"by hand": by_hand, "preset": by_hand + mean, "difference": mean, "give or take": SURE * spread}
        return {name: round(100 * share, 1) for name, share in shares.items()}

    def show(self, language: str) -> None:
        """Print the figures as a table."""
        names = ("by hand", "preset", "difference", "give or take")
        rows = [(seat, *(str(self.figures(seat)[name]) for name in names)) for seat in self.wins]
        heads = (words("count-seat"), *(FIGURES[name] for name in names))
        show_table(words("count-by-preset", preset=self.preset, games=self.games), heads, [rows], language)
