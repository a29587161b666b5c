"""Calls of battles held against their ends: `python -m tests.calibration --battles 1000`, or `--seconds 600`.

Bots play games. When a battle begins, the side that plays first calls it by `pbem.player.chances`; then it is fought.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
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
from pbem.player.chances import Wish, Written, WrittenAnswers, play_worlds
from pbem.player.names import new_table
from pbem.player.tables import FoundTable
from tests.make_strength import DOCS, write_part


class Called(NamedTuple):
    """A battle: the share of worlds in which who plays first won it, whether he did, and whether he attacks. A tie
    counts half."""

    share: float
    won: float
    attacks: bool


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
        waiting: tuple[float, tuple[str, ...], bool] | None = None
        caller = WrittenAnswers(table, Written())
        while table.state.phase != "over":
            decision = game_of(table).decisions(table)[0]
            if isinstance(decision, PlayCard) and any(isinstance(event, e.BattleJoined) for event in events):
                own = powers_of_player(table, player_of(table, decision.power))
                waiting = called(table, decision, wish), own, decision.power == table.state.duel.attacker
                caller = WrittenAnswers(table, Written(), own)
            # Whoever has called a battle plays on in it as in the worlds of the call.
            taken = caller.carry_out_next() if waiting else None
            events = (
                taken.events if taken else game_of(table).apply(table, decision.power, policy(table, decision, chance))
            )
            caller.see(events)
            if waiting and (end := result_of(events, waiting[1])) is not None:
                yield Called(waiting[0], end, waiting[2])
                waiting = None


class Row(NamedTuple):
    """Some battles: their mean call and the share that was won, of 100, and the distance from it within which the true
    share lies 19 times of 20 (Agresti and Coull)."""

    call: float
    won: float
    doubt: float
    battles: int

    def __str__(self) -> str:
        return f"{self.call:.0f} | {self.won:.0f} ± {self.doubt:.0f} | {self.battles} |"


def row_of(group: Sequence[Called]) -> Row:
    count = len(group)
    share, won = (sum(values) / count for values in (*zip(*group, strict=True),)[:2])
    likely = (won * count + 2) / (count + 4)
    return Row(100 * share, 100 * won, 196 * sqrt(likely * (1 - likely) / (count + 4)), count)


def tenths(found: Sequence[Called]) -> dict[int, Row]:
    """A row for each tenth of the calls, the middle of the tenth in its middle: 55 to 65 are called 60."""
    groups = ((10 * tenth, [each for each in found if round(10 * each.share) == tenth]) for tenth in range(11))
    return {call: row_of(group) for call, group in groups if group}


def table(found: Sequence[Called]) -> list[str]:
    """A row for each tenth, for the calls in the middle by who attacks, and for all."""
    middle = [each for each in found if 0.25 <= each.share <= 0.85]
    groups = {
        "25 to 85, by who attacks": [each for each in middle if each.attacks],
        "25 to 85, by who is attacked": [each for each in middle if not each.attacks],
        "25 to 85": middle,
        "all": found,
    }
    rows = {**tenths(found), **{name: row_of(group) for name, group in groups.items() if group}}
    heads = "| called, of 100 | the same in the middle | won, of 100 | battles |"
    return [heads, "|---|---|---|---|", *(f"| {name} | {row}" for name, row in rows.items())]


SIDE, EDGE = 240, 32
"""Of the chart: length of an axis, and room around it."""


def chart(found: Sequence[Called]) -> str:
    """A chart of the tenths: calls to the right, shares won upwards, with their intervals; true calls lie on the
    line."""

    def across(value: float) -> float:
        return round(EDGE + SIDE * value / 100, 1)

    def up(value: float) -> float:
        return round(EDGE + SIDE * (1 - min(100.0, max(0.0, value)) / 100), 1)

    size = SIDE + 2 * EDGE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" '
        'font-family="sans-serif" font-size="11" fill="#333">',
        f'<rect width="{size}" height="{size}" fill="#fff"/>',
        f'<rect x="{EDGE}" y="{EDGE}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#bbb"/>',
        f'<line x1="{across(0)}" y1="{up(0)}" x2="{across(100)}" y2="{up(100)}" stroke="#bbb"/>',
        f'<text x="{size - EDGE}" y="{size - 4}" text-anchor="end">called, of 100</text>',
        f'<text x="{EDGE}" y="{EDGE - 8}">won, of 100</text>',
    ]
    for tick in (0, 50, 100):
        lines.append(f'<text x="{across(tick)}" y="{up(0) + 14}" text-anchor="middle">{tick}</text>')
        lines.append(f'<text x="{EDGE - 4}" y="{up(tick) + 4}" text-anchor="end">{tick}</text>')
    for row in tenths(found).values():
        x = across(row.call)
        low, high = up(row.won - row.doubt), up(row.won + row.doubt)
        lines.append(f'<line x1="{x}" y1="{low}" x2="{x}" y2="{high}" stroke="#1f4f7a"/>')
        lines.append(f'<circle cx="{x}" cy="{up(row.won)}" r="3.5" fill="#1f4f7a"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def main() -> None:
    """Play, and print the table; with `--write` it is written into docs/bots.md, and the chart is drawn anew."""
    parser = argparse.ArgumentParser(prog="python -m tests.calibration", description=__doc__)
    parser.add_argument("--game", default="maria")
    parser.add_argument("--level", default="sensible", help="who plays the games")
    parser.add_argument("--by", default="sensible", help="who answers in the worlds")
    parser.add_argument("--battles", type=int, default=1000)
    parser.add_argument("--seconds", type=float, help="the most CPU time")
    parser.add_argument("--worlds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write table and chart into docs")
    given = parser.parse_args()
    found: list[Called] = []
    for each in battles(given.game, given.level, Wish(given.worlds, given.by), given.seed):
        found.append(each)
        if len(found) == given.battles or (given.seconds and process_time() > given.seconds):
            break
    print(*table(found), sep="\n")
    if given.write:
        write_part(f"calibration of {given.game}", table(found))
        (DOCS / f"pictures/calibration-{given.game}.svg").write_text(chart(found), "utf-8")


if __name__ == "__main__":
    main()
