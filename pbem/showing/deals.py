"""Deals that two bots play against each other: every seat by either of them, the same cards and the same chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from random import Random

from msgspec import Struct

from pbem.bots.game_bots import Policy
from pbem.bots.points import Score
from pbem.bots.table import bot_named, play
from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import GameRules, Table, player_of

LineUp = str
"""Who plays the seats, in their order: `A` or `B` for each."""


class Pair(Struct, frozen=True):
    """Which game is played, and by which two bots."""

    rules: GameRules
    bots: tuple[str, str]
    seat: str | None = None
    """The seat that alone is contested, if not all of them are."""


class Outcome(Struct, frozen=True):
    """How one game ended."""

    points: tuple[float, ...]
    """Of each seat."""
    turn: int
    """The last one."""


Deal = Mapping[LineUp, Outcome]
"""The games of one deal."""


def line_ups(seats: int) -> tuple[LineUp, ...]:
    """Every way to seat two bots."""
    return tuple("".join(each) for each in product("AB", repeat=seats))


def line_ups_of(pair: Pair, seed: str) -> tuple[LineUp, ...]:
    """The line-ups of a deal: all; or two, if one seat is contested, with either bot by chance in the others."""
    seats = tuple(pair.rules.seats)
    if pair.seat is None:
        return line_ups(len(seats))
    chance = Random(f"{seed}/others")  # noqa: S311 - bots need no secrets
    others = {seat: "AB"[chance.random() < 0.5] for seat in seats}
    return tuple("".join((others | {pair.seat: bot}).values()) for bot in "AB")


def player_of_deals(pair: Pair) -> Callable[[str], Deal]:
    """Plays the deal of a seed with every line-up that it has."""
    rules, game = pair.rules, pair.rules.terms.game
    policies = dict(zip("AB", (bot_named(bot, game) for bot in pair.bots), strict=True))

    def play_deal(seed: str) -> Deal:
        return {
            line_up: outcome(rules, seed, {seat: policies[bot] for seat, bot in zip(rules.seats, line_up, strict=True)})
            for line_up in line_ups_of(pair, seed)
        }

    return play_deal


def outcome(rules: GameRules, seed: str, policies: Mapping[str, Policy]) -> Outcome:
    """How a game ends in which every seat has a policy."""
    score = Score(rules)
    for table, _ in play(rules, seed, with_own_chance(policies, seed)):
        score.see(table)
    return Outcome(tuple(score.points(table).values()), table.state.turn)


def with_own_chance(policies: Mapping[str, Policy], seed: str) -> Policy:
    """Every seat answers by its own policy and its own chance, which what others ask of theirs does not change."""
    chances = {seat: Random(f"{seed}/{seat}") for seat in policies}  # noqa: S311 - bots need no secrets

    def choose(table: Table, decision: Decision, _: Random) -> Answer:
        seat = player_of(table, decision.power)
        return policies[seat](table, decision, chances[seat])

    return choose
