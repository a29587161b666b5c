"""`pbem simulate`: bots play many games. They play at one table, or by letters that are counted, or to try a preset of
plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, TypeAlias

import click
from msgspec import Struct

from pbem.bots.plain import Policy
from pbem.bots.table import play, sensible_policy, winners_of
from pbem.console.options import (
    Hands,
    Telling,
    gather_options,
    new_game_options,
    telling_options,
    terms_given,
    with_progress,
    work_options,
)
from pbem.console.printing import print_json
from pbem.console.refusals import misuse, refusals
from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import GameRules, Table, player_of
from pbem.faults.wrong import words
from pbem.lab.tables import FIGURES, SURE, Row, bots_option, line_up, part_of, policy_of, show_figures, show_table
from pbem.paper.documents.writing import Value, write
from pbem.paper.library import preset_plans
from pbem.paper.plans.files import load_plans
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource
from pbem.player.names import new_table, preset_meant
from pbem.work.executors import Executor

if TYPE_CHECKING:
    from pbem.lab.letters_needed import CountedLetters

BY_HAND = ""
"""Key used instead of a seat for the game in which no seat plays by the preset."""


class PresetGame(Struct, frozen=True):
    """Rules of a game, and the preset of plans to be tried."""

    rules: GameRules
    preset: str


def player_by_preset(games: PresetGame) -> Callable[[str], dict[str, frozenset[str]]]:
    """Return a function that plays several games from one seed, and returns the winners of each game. In the game with
    the key `BY_HAND` no seat plays by the preset. In each other game one seat does, and this seat is the key."""
    return lambda seed: {seat: winners(games, seed, seat) for seat in (BY_HAND, *games.rules.seats)}


def winners(games: PresetGame, seed: str, seat: str) -> frozenset[str]:
    """Play a game in which one seat plays by the preset, and return the winners."""
    tally = Tally()
    policy = policy_with(games, seat, tally)
    for table, events in play(games.rules, seed, policy):  # noqa: B007 - the last one is looked at below
        tally.see(events)
    return frozenset(winners_of(table))


def policy_with(games: PresetGame, seat: str, tally: Tally) -> Policy:
    """Return a policy for all seats. The seat `seat` answers by the plans of the preset if they have an answer. In all
    other cases the sensible bot answers."""
    rules = games.rules
    by_hand = sensible_policy(rules.terms.game)
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
    """Counts of how often each seat wins with the preset and without it."""

    def __init__(self, rules: GameRules, preset: str) -> None:
        self.rules = rules
        self.preset = preset
        self.games = 0
        self.wins: dict[str, Counter[int]] = {seat: Counter() for seat in rules.seats}
        """Results of each seat, as numbers of games. The key 1 is for games that the seat won only with the preset, and
        −1 for games that it won only without it. The key 0 is for games in which the preset made no difference."""
        self.by_hand: Counter[str] = Counter()

    def play(self, executor: Executor, seeds: Sequence[str]) -> Iterator[None]:
        """Play several games for each seed: one in which no seat plays by the preset, and for every seat one in which
        only this seat does. Yield when all games of a seed have been played."""
        for winners in executor.results(player_by_preset, PresetGame(self.rules, self.preset), seeds):
            self.games += 1
            self.by_hand.update(winners[BY_HAND])
            for seat, changes in self.wins.items():
                changes[(seat in winners[seat]) - (seat in winners[BY_HAND])] += 1
            yield

    def data(self) -> dict[str, object]:
        """Return the preset, the number of games, and the figures of each seat."""
        return {"preset": self.preset, "games": self.games, "wins in 100": {s: self.figures(s) for s in self.wins}}

    def figures(self, seat: str) -> Mapping[str, float]:
        """Return four figures of a seat: its wins per 100 games without the preset, its wins with the preset, their
        difference, and half the width of the 95 % confidence interval of the difference."""
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


GAMES, GAMES_BY_LETTER = 100, 10
"""Number of games if the user gives no number: first for games at one table, then for games by letters."""


@dataclass(frozen=True)
class Series:
    """Options of a series of games: the number of games, and the seed from which they are derived."""

    games: int | None
    seed: int

    def seeds(self, usual: int) -> list[str]:
        """Return a seed for each game. `usual` is the number of games if the user gives no number."""
        return [f"{self.seed}/{number}" for number in range(self.games or usual)]


@dataclass(frozen=True)
class SeriesOptions:
    """Options for the kind of a series: the line-up of bots, the wish to count letters, or the preset of plans to
    try."""

    bots: str | None
    letters: bool
    preset: str | None

    def result(self, rules: GameRules) -> Result:
        """Return the object that plays a series of the wanted kind and counts its results."""
        if self.letters:
            return Letters(rules)
        if self.preset is not None:
            return Strength(rules, preset_meant(self.preset, rules.terms.game, "--preset"))
        return GameCounts(rules, line_up(tuple(rules.seats), self.bots, "random"))


@click.command("simulate")
@new_game_options
@click.option("--games", type=click.IntRange(1, 1_000_000), help="How many; left out: 100, or 10 with --letters.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@bots_option
@click.option("--letters", is_flag=True, help="Count the letters that a game by mail costs, with plans and without.")
@click.option("--preset", help="Play every seat by these plans among sensible bots, and by hand: careful, bold, away.")
@work_options
@telling_options
@gather_options("wish", SeriesOptions)
@gather_options("series", Series)
def simulate_command(series: Series, wish: SeriesOptions, hands: Hands, telling: Telling, **terms: str | None) -> None:
    """Let bots play whole games, to try boards and scenarios. Bots answer at random, unless --bots says otherwise.

    With --letters sensible bots write a letter whenever they are asked, and play every game again with the plans of the
    preset `careful`. With --preset sensible bots play every game several times: once by hand, and once for each seat
    with the preset's plans on that seat.
    """
    if sum((wish.bots is not None, wish.letters, wish.preset is not None)) > 1:
        raise click.UsageError(misuse("use-one-of", options=("--bots", "--letters", "--preset")))
    with refusals(telling.json_wanted):
        result = wish.result(new_table(terms_given(terms)).rules)
        seeds = series.seeds(GAMES_BY_LETTER if wish.letters else GAMES)
        for _ in with_progress(result.play(hands.executor(len(seeds)), seeds), len(seeds), telling):
            pass
    if telling.json_wanted:
        print_json(result.data())
    else:
        result.show(telling.language)


class BotGame(Struct, frozen=True):
    """Rules of a game, and the bots that play it."""

    rules: GameRules
    bots: Mapping[str, str]
    """Level of the bot on every seat."""


class GameFigures(Struct):
    """Figures of one simulated game."""

    seconds: float
    """Time that the processor needed, in seconds."""
    decisions: int
    winners: list[str]
    last_turn: int
    events: Counter[str]
    """Number of events of each kind."""


def player_of_games(line_up: BotGame) -> Callable[[str], GameFigures]:
    """Return a function that takes a seed, plays its game with this line-up, and returns the game's figures."""
    policy = policy_of(line_up.bots, line_up.rules.terms.game)

    def play_game(seed: str) -> GameFigures:
        begun, decisions, events = process_time(), 0, Counter[str]()
        for table, happened in play(line_up.rules, seed, policy):  # noqa: B007 - the last one is looked at below
            decisions += 1
            events.update(type(event).__name__ for event in happened)
        return GameFigures(process_time() - begun, decisions, winners_of(table), table.state.turn, events)

    return play_game


class GameCounts:
    """Counts of the results in games with one line-up."""

    def __init__(self, rules: GameRules, bots: Mapping[str, str]) -> None:
        self.line_up = BotGame(rules, bots)
        self.games = 0
        self.seconds = 0.0
        self.decisions = 0
        self.winners: Counter[str] = Counter()
        self.last_turns: Counter[int] = Counter()
        self.events: Counter[str] = Counter()

    def play(self, executor: Executor, seeds: Sequence[str]) -> Iterator[None]:
        """Play the games, and count their results."""
        for game in executor.results(player_of_games, self.line_up, seeds):
            self.games += 1
            self.seconds += game.seconds
            self.decisions += game.decisions
            self.winners.update(game.winners)
            self.last_turns[game.last_turn] += 1
            self.events.update(game.events)
            yield

    def data(self) -> dict[str, object]:
        return {
            "games": self.games,
            "bots": dict(self.line_up.bots),
            "winners": dict(self.winners.most_common()),
            "last turn": {str(turn): count for turn, count in sorted(self.last_turns.items())},
            "decisions a game": round(self.decisions / self.games, 1),
            "events a game": {name: round(n / self.games, 2) for name, n in sorted(self.events.items())},
        }

    def show(self, language: str) -> None:
        """Print the figures as a table, including the CPU time."""
        figures = {name: value for name, value in self.data().items() if name != "games"}
        figures["CPU ms a game"] = round(1000 * self.seconds / self.games, 2)
        show_figures(words("count-games", games=self.games), figures, language)


class Letters:
    """Counts of the letters in games that are played twice, without plans and with plans."""

    def __init__(self, rules: GameRules) -> None:
        self.rules = rules
        self.posts: dict[str, list[CountedLetters]] = {"without plans": [], "with plans": []}

    def play(self, executor: Executor, seeds: Sequence[str]) -> Iterator[None]:
        """Play each game twice, and count the letters."""
        from pbem.lab.letters_needed import counter_of_letters

        for ways in executor.results(counter_of_letters, self.rules, seeds):
            for posts, post in zip(self.posts.values(), ways, strict=True):
                posts.append(post)
            yield

    @property
    def games(self) -> int:
        """Number of games that have been played both without plans and with plans."""
        return len(self.posts["with plans"])

    def data(self) -> dict[str, object]:
        ways = {
            way: {"letters a turn": {player: letters(posts, player) for player in self.rules.seats}, **figures(posts)}
            for way, posts in self.posts.items()
        }
        return {"games": self.games, **ways}

    def show(self, language: str) -> None:
        """Print the figures as a table."""
        every = self.posts.values()
        by_player: list[Row] = [
            (part_of("letters a turn", player, language), *(str(letters(posts, player)) for posts in every))
            for player in self.rules.seats
        ]
        ways = [figures(posts) for posts in every]
        others: list[Row] = [(FIGURES[name], *(str(each[name]) for each in ways)) for name in ways[0]]
        heads = (words("count-figure"), *(FIGURES[way] for way in self.posts))
        show_table(words("count-by-letter", games=self.games), heads, [by_player, others], language)


Result: TypeAlias = "GameCounts | Letters | Strength"
"""Object that plays a series of games and counts its results."""


def letters(posts: Sequence[CountedLetters], player: str) -> float:
    """Return the mean number of letters that a player writes per turn."""
    return round(mean(post.letters[player] / post.turns for post in posts), 1)


def figures(posts: Sequence[CountedLetters]) -> dict[str, float]:
    """Return the mean number of adjudications per turn, the largest number of letters that one player wrote in one
    stage, and the mean number of turns."""
    return {
        "adjudications a turn": round(mean(post.rounds / post.turns for post in posts), 1),
        "most letters of a player in a stage": max(max(post.stages.values()) for post in posts),
        "turns a game": round(mean(post.turns for post in posts), 1),
    }
