"""`pbem arena`: a contest of two bots. It tells which bot is stronger, on which seat, and how certain this is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, inf, log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Literal

import click
import msgspec
from msgspec import Struct, structs

from pbem import __version__
from pbem.bots.plain import Policy
from pbem.bots.table import VICTORY, Score, bot_named, play
from pbem.console.options import (
    FileToWrite,
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
from pbem.console.refusals import refusals
from pbem.console.surroundings import read_bytes
from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import GameRules, Table, player_of
from pbem.faults.wrong import Words, WrongUse, words, wrong
from pbem.lab.tables import SURE, show_table
from pbem.paper.documents.faults import Refused
from pbem.player.files import write_file
from pbem.player.names import bot_meant, name_meant, new_table
from pbem.work.executors import Executor

LineUp = str
"""Distribution of the two bots over the seats, as a text with one character for each seat, in the order of the seats.
`A` stands for the first bot, `B` for the second."""


class Pair(Struct, frozen=True):
    """Two bots to be compared, and the rules of the game that they play."""

    rules: GameRules
    bots: tuple[str, str]
    seat: str | None = None
    """Name of the only seat on which the bots are compared; None if all seats count."""


class GameResult(Struct, frozen=True):
    """Result of one game."""

    points: tuple[float, ...]
    turn: int


Deal = Mapping[LineUp, GameResult]
"""Results of one deal: a dict from each line-up with which the deal was played to the result of that game."""


def line_ups(seats: int) -> tuple[LineUp, ...]:
    """Return all ways to distribute two bots over the seats."""
    return tuple("".join(each) for each in product("AB", repeat=seats))


def line_ups_of(pair: Pair, seed: str) -> tuple[LineUp, ...]:
    """Return the line-ups with which the deal of a seed is played. If all seats are contested, these are all line-ups.
    If only one seat is contested, there are two: one with each bot on this seat. The bots on the other seats are drawn
    by chance, and are the same in both."""
    seats = tuple(pair.rules.seats)
    if pair.seat is None:
        return line_ups(len(seats))
    chance = Random(f"{seed}/others")  # noqa: S311 - bots need no secrets
    others = {seat: "AB"[chance.random() < 0.5] for seat in seats}
    return tuple("".join((others | {pair.seat: bot}).values()) for bot in "AB")


def player_of_deals(pair: Pair) -> Callable[[str], Deal]:
    """Return a function that takes a seed, plays its deal once with each line-up, and returns the results."""
    rules, game = pair.rules, pair.rules.terms.game
    policies = dict(zip("AB", (bot_named(bot, game) for bot in pair.bots), strict=True))

    def play_deal(seed: str) -> Deal:
        return {
            line_up: outcome(rules, seed, {seat: policies[bot] for seat, bot in zip(rules.seats, line_up, strict=True)})
            for line_up in line_ups_of(pair, seed)
        }

    return play_deal


def outcome(rules: GameRules, seed: str, policies: Mapping[str, Policy]) -> GameResult:
    """Play a game in which every seat has a policy, and return its result. The seed decides the deal and all other
    chance."""
    score = Score(rules)
    for table, _ in play(rules, seed, with_own_chance(policies, seed)):
        score.see(table)
    return GameResult(tuple(score.points(table).values()), table.state.turn)


def with_own_chance(policies: Mapping[str, Policy], seed: str) -> Policy:
    """Return one policy for all seats, made of the policy of each seat. Each seat has a random generator of its own."""
    # With a common generator, the decisions of one seat would change the answers of the others.
    chances = {seat: Random(f"{seed}/{seat}") for seat in policies}  # noqa: S311 - bots need no secrets

    def choose(table: Table, decision: Decision, _: Random) -> Answer:
        seat = player_of(table, decision.power)
        return policies[seat](table, decision, chances[seat])

    return choose


AHEAD = 0.25
"""Smallest mean lead with which a bot counts as stronger, measured in standard deviations of the leads in single
deals."""

ERROR = 0.01
"""Greatest probability with which a verdict may be wrong."""

BOUND = log((1 - ERROR) / ERROR)

LEAST = 16
"""Smallest number of deals for a verdict. With fewer deals the standard deviation is too uncertain."""


Verdict = Literal["first", "second", "even", "open"]


def verdict(differences: Sequence[float]) -> Verdict:
    """Return the verdict on two bots. `differences` has the first bot's lead in each deal. The verdict is `first` or
    `second` for the stronger bot. It is `even` if both are equally strong, and `open` if more deals are needed."""
    count = len(differences)
    if count < LEAST:
        return "open"
    mean, spread = fmean(differences), deviation(differences)
    # If all deals have the same result, there is no doubt about the lead.
    lead = mean / spread if spread else mean * inf if mean else 0.0
    first, second = (count * AHEAD * (each - AHEAD / 2) for each in (lead, -lead))
    if first >= BOUND:
        return "first"
    if second >= BOUND:
        return "second"
    return "even" if max(first, second) <= -BOUND else "open"


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of the values, estimated as for a sample. At least two values are needed."""
    mean = fmean(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def interval(values: Sequence[float]) -> float:
    """Return half the width of the 95 % confidence interval of the mean of the values. Return 0 for fewer than two
    values."""
    return SURE * deviation(values) / sqrt(len(values)) if len(values) > 1 else 0.0


class ContestState:
    """Results of a contest so far, and the verdict to which they lead."""

    def __init__(self, seats: Sequence[str], bots: tuple[str, str], only: str | None = None) -> None:
        """Begin a contest without results. `only` is the contested seat, or None if all seats are contested."""
        self.seats = seats
        self.contested = {place: seat for place, seat in enumerate(seats) if only in (None, seat)}
        self.line_ups = line_ups(len(seats)) if only is None else ()
        """Line-ups with which every deal is played; empty if only one seat is contested, because its line-ups vary with
        the deal."""
        self.bots = bots
        self.deals: list[Deal] = []
        self.differences: list[float] = []
        """First bot's lead in each deal, in points: the mean of its leads on the contested seats."""
        self.verdict: Verdict = "open"

    def add(self, deal: Deal) -> None:
        """Add the results of one deal. Do nothing if there is a verdict already."""
        if self.verdict == "open":
            self.deals.append(deal)
            self.differences.append(fmean(lead_on_seat(deal, place) for place in self.contested))
            self.verdict = verdict(self.differences)

    def data(self) -> dict[str, object]:
        return {
            "bots": {"A": self.bots[0], "B": self.bots[1]},
            "deals": len(self.deals),
            "verdict": self.verdict,
            "ahead": figures(self.differences),
            "seats": {name: self.of_seat(place) for place, name in self.contested.items()},
            "line-ups": {each: self.of_line_up(each) for each in self.line_ups},
        }

    def of_seat(self, seat: int) -> dict[str, dict[str, float]]:
        """Return the mean points of both bots on a seat, under `A` and `B`, and the first bot's lead there, under
        `ahead`."""
        rows = {bot: figures([points(deal, seat, bot) for deal in self.deals]) for bot in "AB"}
        return {**rows, "ahead": figures([lead_on_seat(deal, seat) for deal in self.deals])}

    def of_line_up(self, line_up: LineUp) -> dict[str, object]:
        """Return the results of one line-up: for each seat its wins in a hundred games and its mean points, and the
        mean number of turns."""
        games = [deal[line_up] for deal in self.deals]

        def of_seats(value: Callable[[GameResult, int], float]) -> dict[str, float]:
            return {name: mean([value(game, seat) for game in games]) for seat, name in enumerate(self.seats)}

        return {
            "wins": of_seats(lambda game, seat: 100.0 * (game.points[seat] == VICTORY)),
            "points": of_seats(lambda game, seat: game.points[seat]),
            "turns": mean([game.turn for game in games]),
        }

    def show(self, language: str) -> None:
        """Print the results as tables, and then the verdict."""
        (first, second), turns = self.bots, words("count-turns")
        heads = (words("count-seat"), first, second, words("arena-ahead"))
        seats = [(name, *map(figure_text, self.of_seat(place).values())) for place, name in self.contested.items()]
        whole = [(words("arena-all-seats"), "", "", figure_text(figures(self.differences)))] if self.line_ups else []
        show_table(words("arena-points", first=first), heads, [seats, whole], language)
        if self.line_ups:
            games = [(each, *self.wins_of(each)) for each in self.line_ups]
            title = words("arena-wins", first=first, second=second)
            show_table(title, (words("arena-line-up"), *self.seats, turns), [games], language)
        click.echo(self.in_words().text(language))

    def wins_of(self, line_up: LineUp) -> tuple[str, ...]:
        """Return the text in each cell of a line-up's row: each seat's wins in a hundred games, and the mean number of
        turns."""
        of_all = self.of_line_up(line_up)
        wins = of_all["wins"]
        assert isinstance(wins, dict)
        return (*(f"{share:.0f}" for share in wins.values()), str(of_all["turns"]))

    def in_words(self) -> Words:
        """Return the verdict as a sentence."""
        deals = len(self.deals)
        games = sum(map(len, self.deals))
        match self.verdict:
            case "open":
                return words("arena-open", deals=deals, games=games)
            case "even":
                return words("arena-even", deals=deals, games=games)
        stronger, weaker = self.bots if self.verdict == "first" else reversed(self.bots)
        return words("arena-stronger", stronger=stronger, weaker=weaker, deals=deals, games=games)


def lead_on_seat(deal: Deal, seat: int) -> float:
    """Return the lead of the first bot over the second on a seat in one deal. The lead is the difference of their mean
    points."""
    return points(deal, seat, "A") - points(deal, seat, "B")


def points(deal: Deal, seat: int, bot: str) -> float:
    """Return a bot's mean points on a seat in one deal, over the line-ups in which the bot had this seat."""
    return fmean(game.points[seat] for line_up, game in deal.items() if line_up[seat] == bot)


def figures(values: Sequence[float]) -> dict[str, float]:
    """Return the mean of the values, and half the width of its 95 % confidence interval."""
    return {"mean": mean(values), "give or take": round(interval(values), 1)}


def mean(values: Sequence[float]) -> float:
    """Return the mean of the values, rounded to one decimal place. Return 0 if there are no values."""
    return round(fmean(values), 1) if values else 0.0


def figure_text(figure: dict[str, float]) -> str:
    """Return a mean and half the width of its interval as a text, such as `12.3 ± 4.5`."""
    return f"{figure['mean']} ± {figure['give or take']}"


USUAL = 100
"""Largest number of deals if the user of the command gives no number."""


class ContestFile(Struct, forbid_unknown_fields=True):
    """Content of the state file: the contest and the results of its deals."""

    version: str
    game: str
    terms: dict[str, object]
    bots: tuple[str, str]
    seed: int
    deals: list[Deal]
    seat: str | None = None
    """Seat that is contested; None if all seats are."""


@dataclass(frozen=True)
class Contest:
    """Options of a contest: the contested seat (None for all seats), the largest number of deals, the seed, and the
    path of the state file."""

    seat: str | None
    games: int
    seed: int
    state: Path | None


@click.command("arena")
@click.argument("first")
@click.argument("second")
@new_game_options
@click.option("--seat", help="The one seat that is contested; in the others is either bot, by chance.")
@click.option(
    "--games", type=click.IntRange(1, 10_000), default=USUAL, show_default=True, help="The most deals to play."
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--state", type=FileToWrite(), help="A file that keeps what was played; with it, the contest goes on.")
@work_options
@telling_options
@gather_options("contest", Contest)
def arena_command(
    first: str, second: str, contest: Contest, hands: Hands, telling: Telling, **terms: str | None
) -> None:
    """Compare the strength of two bots: FIRST and SECOND play the same deals in every seat.

    Every deal is played with each way to seat the two bots. A winner gets 100 points, everybody else up to 50 for the
    greatest nearness to victory. The contest ends as soon as it is clear which bot is stronger.
    """
    with refusals(telling.json_wanted):
        bots = (bot_meant(first, "FIRST"), bot_meant(second, "SECOND"))
        if bots[0] == bots[1]:
            raise WrongUse(wrong("use-two-bots", bot=bots[0]), option="SECOND")
        rules = new_table(terms_given(terms)).rules
        seat = name_meant(contest.seat, rules.seats, words("player"), "--seat") if contest.seat else None
        written = msgspec.json.decode(msgspec.json.encode(rules.terms), type=dict[str, object])
        kept = ContestFile(__version__, rules.terms.game, written, bots, contest.seed, [], seat)
        if contest.state and contest.state.exists():
            kept = stored_contest(contest.state, kept)
        standing = ContestState(tuple(rules.seats), bots, seat)
        for deal in kept.deals[: contest.games]:
            standing.add(deal)
        played = play_deals(rules, contest, kept, standing, hands.executor(contest.games))
        for _ in with_progress(played, contest.games - len(kept.deals), telling):
            if standing.verdict != "open":
                break
    if telling.json_wanted:
        print_json({"game": kept.game, "terms": kept.terms, **standing.data()})
    else:
        standing.show(telling.language)


def play_deals(
    rules: GameRules, contest: Contest, state_file: ContestFile, standing: ContestState, executor: Executor
) -> Iterator[None]:
    """Play the missing deals until there is a verdict, and yield after each deal. The results of a deal are added to
    `state_file` and `standing`. If the contest has a path for its state file, the file is written after each deal."""
    seeds = [f"{contest.seed}/{number}" for number in range(len(state_file.deals), contest.games)]
    if standing.verdict != "open":
        return
    for deal in executor.results(player_of_deals, Pair(rules, state_file.bots, state_file.seat), seeds):
        state_file.deals.append(deal)
        standing.add(deal)
        if contest.state:
            write_file(contest.state, msgspec.json.encode(state_file))
        yield


def stored_contest(path: Path, new: ContestFile) -> ContestFile:
    """Return the contest that a state file contains. Raises `Refused` if the file is damaged, or contains another
    contest than `new`."""
    try:
        kept = msgspec.json.decode(read_bytes(str(path)), type=ContestFile)
    except msgspec.DecodeError:
        raise Refused(str(path), [wrong("E-ARENA-STATE")]) from None
    if structs.replace(kept, deals=[]) != new:
        raise Refused(str(path), [wrong("E-ARENA-STATE.other")])
    return kept
