"""Habits of a level of bot, counted in games that it plays with itself: `python -m tests.habits strong --games 12`.

Openings are compared from game to game, and single answers with others to the same question. Trains, battles and supply
are counted.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from time import process_time

from msgspec import Struct, field

from pbem.bots.plain import Policy, game_bots, retreat_ways
from pbem.bots.table import Continuation, bot_named, continuations_above_zero, plays_above_zero, worth
from pbem.engine import events as e
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import (
    Allot,
    Allotment,
    Answer,
    ChooseRetreat,
    Decision,
    March,
    Move,
    Play,
    PlayCard,
    Stop,
)
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table, player_of
from pbem.games.maria.rules.decisions import PlaceHussars, PlaceInfluence
from pbem.kit import copy_of, game_named
from pbem.player.names import new_table

ASKED = 12
"""Number of games that are compared, and of answers to one question."""

JUDGED = 64
"""Number of imagined worlds by which giving up a battle is judged."""


class Habits(Struct):
    """Counts of one game."""

    allotments: dict[str, list[str]] = field(default_factory=dict)
    """First allotments of each seat, in writing."""
    openings: dict[str, list[str]] = field(default_factory=dict)
    """Marches of each seat in the first turn, in writing."""
    same: dict[str, list[int]] = field(default_factory=dict)
    """For each kind of question, how many of twelve answers to it are the most frequent one."""
    battles: int = 0
    folded: int = 0
    """Battles in which a side that has played a card stopped although it could have turned the score by another."""
    relieved: int = 0
    """Those of them in which the side's cards have made its loss smaller."""
    mistaken: int = 0
    """Those of them in which going on would have been worth more (`is_mistake`)."""
    trains: int = 0
    """Trains that enemies took."""
    hungry: int = 0
    """Times that a general was out of supply."""


def kind_of(table: Table, decision: Decision) -> str:
    """The kind under which answers to a question are compared; empty if they are not, or there is only one answer."""
    match decision:
        case Allot():
            return "first allotment"
        case March() if table.state.turn <= 1 and not table.state.moved:
            return "first march"
        case ChooseRetreat() if len(retreat_ways(table)) > 1:
            return "retreat"
        case PlaceHussars():
            return "hussars"
        case PlaceInfluence():
            return "influence"
    return ""


def most_frequent(table: Table, policy: Policy, decision: Decision) -> int:
    """Count, among twelve answers to one question, the most frequent one."""
    answers = [repr(policy(copy_of(table), decision, Random(f"again {number}"))) for number in range(ASKED)]
    return Counter(answers).most_common(1)[0][1]


def played(rules: GameRules, level: str, seed: str) -> Habits:
    """The habits of a level in one game."""
    policy, chance, game = bot_named(level, rules.terms.game), Random(seed), game_named(rules.terms.game)
    table, _ = game.start(rules, SeededDealer(seed))
    found = Habits()
    scores: dict[Power, int] = {}
    at_once = game_bots(rules.terms.game).strong or policy
    while table.state.phase != "over":
        decision = game.decisions(table)[0]
        if kind := kind_of(table, decision):
            found.same.setdefault(kind, []).append(most_frequent(table, policy, decision))
        answer = policy(table, decision, chance)
        note_opening(found, table, decision, answer)
        if isinstance(decision, PlayCard) and isinstance(answer, Play):
            scores.setdefault(decision.power, decision.score)
        if isinstance(decision, PlayCard) and isinstance(answer, Stop) and decision.power in scores:
            note_giving_up(found, table, decision, scores[decision.power], at_once)
        for event in game.apply(table, decision.power, answer):
            match event:
                case e.BattleJoined():
                    found.battles += 1
                    scores = {}
                case e.TrainTaken():
                    found.trains += 1
                case e.SupplyLost():
                    found.hungry += 1
    return found


def note_opening(found: Habits, table: Table, decision: Decision, answer: Answer) -> None:
    """Note an allotment, or a march of the first turn."""
    seat = player_of(table, decision.power)
    if isinstance(answer, Allotment):
        found.allotments.setdefault(seat, []).append(str(sorted(answer.troops.items())))
    if isinstance(answer, Move) and table.state.turn <= 1:
        found.openings.setdefault(seat, []).append(f"{answer.pieces} {answer.path[-1]}")


def note_giving_up(found: Habits, table: Table, decision: PlayCard, before: int, policy: Policy) -> None:
    """Note that a side stops which has played a card at the score `before`, unless no card would turn the score."""
    if plays_above_zero(table, decision):
        found.folded += 1
        found.relieved += decision.score > before
        found.mistaken += is_mistake(table, decision, policy)


def is_mistake(table: Table, decision: PlayCard, policy: Policy) -> bool:
    """True if to turn the score would have been worth more than to stop. Both are fought out in `JUDGED` imagined
    worlds by the policy, and the mean difference must be twice as large as its standard error."""

    seeds = [f"judged {number}" for number in range(JUDGED)]

    def worths(continuation: Continuation) -> list[float]:
        return [each for seed in seeds if (each := worth(table, decision, continuation, policy, [seed])) is not None]

    stopped = worths(Continuation(Stop(), policy))
    for continuation in continuations_above_zero(table, decision, policy):
        went = worths(continuation)
        if len(went) < JUDGED:
            continue  # the rules refuse it in some worlds
        gains = [after - before for after, before in zip(went, stopped, strict=True)]
        if fmean(gains) > 2 * stdev(gains) / sqrt(JUDGED):
            return True
    return False


def alike(games: Sequence[dict[str, list[str]]], seat: str) -> int:
    """Count, among the first twelve games, those that are alike most often in this seat."""
    return Counter(str(each.get(seat)) for each in games[:ASKED]).most_common(1)[0][1]


def rows(rules: GameRules, games: Sequence[Habits]) -> Iterator[tuple[str, str]]:
    """Yield what was counted, in words and as a figure."""
    compared = min(ASKED, len(games))
    for seat in rules.seats:
        yield f"{seat}: same first allotment, of {compared} games", str(alike([g.allotments for g in games], seat))
        yield f"{seat}: same first turn, of {compared} games", str(alike([g.openings for g in games], seat))
    for kind in dict.fromkeys(kind for each in games for kind in each.same):
        counts = [count for each in games for count in each.same.get(kind, ())]
        yield f"{kind}: same of {ASKED} answers", f"{fmean(counts):.1f}"
    battles, folded = sum(each.battles for each in games), sum(each.folded for each in games)
    yield (
        "battles in which who has played a card gives up, though another would turn the score",
        f"{folded} of {battles}",
    )
    yield "…: with a smaller loss than before the first card", str(sum(each.relieved for each in games))
    yield "…: though going on would have been worth more", str(sum(each.mistaken for each in games))
    yield "trains taken in a game", f"{fmean(each.trains for each in games):.1f}"
    yield "generals out of supply in a game", f"{fmean(each.hungry for each in games):.1f}"


def habits_of(terms: dict[str, str], level: str, games: int, seconds: float = inf) -> list[tuple[str, str]]:
    """Return the habits in so many games, or in as many as the CPU time allows."""
    rules, found, end = new_table(terms).rules, list[Habits](), process_time() + seconds
    while len(found) < games and process_time() < end:
        found.append(played(rules, level, f"habits {len(found)}"))
    return [("games", str(len(found))), *rows(rules, found)]


def main() -> None:
    """Play, and tell."""
    parser = ArgumentParser(prog="python -m tests.habits", description=__doc__)
    parser.add_argument("level", nargs="?", default="strong")
    parser.add_argument("--game", default="maria")
    parser.add_argument("--scenario", default="")
    parser.add_argument("--games", type=int, default=ASKED)
    parser.add_argument("--seconds", type=float, default=inf, help="the most CPU time")
    given = parser.parse_args()
    terms = {"game": given.game} | ({"scenario": given.scenario} if given.scenario else {})
    for told, figure in habits_of(terms, given.level, given.games, given.seconds):
        print(f"{told}: {figure}")


if __name__ == "__main__":
    main()
