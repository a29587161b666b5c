"""Calls of battles held against their ends: `python -m tests.calibration --battles 1000`, or `--seconds 600`.

Bots play games. When a battle begins, the side that plays first calls it by `pbem.player.chances`; then it is fought.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import sqrt
from random import Random
from time import process_time
from typing import NamedTuple

from pbem.bots.table import bot_named
from pbem.engine import events as e
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Decision, PlayCard
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.kit import game_of
from pbem.player.chances import Wish, Written, play_worlds
from pbem.player.names import new_table
from pbem.player.tables import FoundTable
from tests.make_strength import write_part


class Called(NamedTuple):
    """A battle: the share of worlds in which who plays first won it, and whether he did. A tie counts half."""

    share: float
    won: float


def result_of(events: list[e.Event], own: tuple[str, ...]) -> float | None:
    """The end of the first battle in these events for these powers: 1 if it was won, a half for a tie."""
    for event in events:
        if isinstance(event, e.BattleTied):
            return 0.5
        if isinstance(event, e.BattleWon):
            return float(event.winner in own)
    return None


def called(table: Table, decision: Decision, wish: Wish) -> float:
    """The call of a battle by who plays first."""
    own = powers_of_player(table, player_of(table, decision.power))
    ends = [result_of(each.events, own) for each in play_worlds(FoundTable(table), own, Written(), wish)]
    return sum(end for end in ends if end is not None) / len(ends)


def battles(game: str, level: str, wish: Wish, seed: int) -> Iterator[Called]:
    """The battles of one game after the other."""
    number = 0
    while True:
        number += 1
        rules = new_table({"game": game}).rules
        policy, chance = bot_named(level, game), Random(f"{seed} {number}")
        table, events = game_of(new_table({"game": game})).start(rules, SeededDealer(f"{seed} {number}"))
        waiting: tuple[float, tuple[str, ...]] | None = None
        while table.state.phase != "over":
            decision = game_of(table).decisions(table)[0]
            if isinstance(decision, PlayCard) and any(isinstance(event, e.BattleJoined) for event in events):
                own = powers_of_player(table, player_of(table, decision.power))
                waiting = called(table, decision, wish), own
            events = game_of(table).apply(table, decision.power, policy(table, decision, chance))
            if waiting and (end := result_of(events, waiting[1])) is not None:
                yield Called(waiting[0], end)
                waiting = None


def row_of(group: list[Called]) -> str:
    """The mean call of some battles, and how many were won, with the interval that holds the true share 19 times of
    20 (Agresti and Coull)."""
    share, won = (sum(values) / len(group) for values in zip(*group, strict=True))
    likely = (won * len(group) + 2) / (len(group) + 4)
    doubt = 1.96 * sqrt(likely * (1 - likely) / (len(group) + 4))
    return f"{100 * share:.0f} | {100 * won:.0f} ± {100 * doubt:.0f} | {len(group)} |"


def table(found: list[Called]) -> list[str]:
    """A row for each tenth of the calls, the middle of the tenth in its middle: 55 to 65 are called 60."""
    tenths = [(tenth, [each for each in found if round(10 * each.share) == tenth]) for tenth in range(11)]
    rows = [f"| {10 * tenth} | {row_of(group)}" for tenth, group in tenths if group]
    heads = "| called, of 100 | the same in the middle | won, of 100 | battles |"
    return [heads, "|---|---|---|---|", *rows, f"| all | {row_of(found)}"]


def main() -> None:
    """Play, and print the table; with `--write` it is written into docs/bots.md."""
    parser = argparse.ArgumentParser(prog="python -m tests.calibration", description=__doc__)
    parser.add_argument("--game", default="maria")
    parser.add_argument("--level", default="sensible", help="who plays the games")
    parser.add_argument("--by", default="sensible", help="who answers in the worlds")
    parser.add_argument("--battles", type=int, default=1000)
    parser.add_argument("--seconds", type=float, help="the most CPU time")
    parser.add_argument("--worlds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write the table into docs/bots.md")
    given = parser.parse_args()
    found: list[Called] = []
    for each in battles(given.game, given.level, Wish(given.worlds, given.by), given.seed):
        found.append(each)
        if len(found) == given.battles or (given.seconds and process_time() > given.seconds):
            break
    print(*table(found), sep="\n")
    if given.write:
        write_part("calibration", table(found))


if __name__ == "__main__":
    main()
