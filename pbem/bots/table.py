"""Bots at a table: a whole game played by policies that answer every decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from pbem.bots import uniform
from pbem.bots.game_bots import Policy, game_bots
from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event
from pbem.engine.stream import SeededDealer
from pbem.engine.table import GameRules, Table, player_of
from pbem.kit import game_named


def play(rules: GameRules, seed: str, policy: Policy) -> Iterator[tuple[Table, list[Event]]]:
    """Play a game to its end, one decision at a time: the table and what has just happened."""
    chance = Random(seed)  # noqa: S311 - bots need no secrets
    game = game_named(rules.terms.game)
    table, events = game.start(rules, SeededDealer(seed))
    yield table, events
    while table.state.phase != "over":
        decision = game.decisions(table)[0]
        yield table, game.apply(table, decision.power, policy(table, decision, chance))


def winners_of(table: Table) -> list[str]:
    """The players who have won a game that is over, or `nobody`; where several win together, each of them has."""
    result = table.state.result
    assert result is not None
    return [result.winner or "nobody", *getattr(result, "others", ())]


def sensible(game: str) -> Policy:
    """The policy that plays a game sensibly."""
    return game_bots(game).sensible


def best(game: str) -> Policy:
    """The policy that plays a game best."""
    return game_bots(game).strong or sensible(game)


SLIPS = 0.2
"""How many of its answers a beginner gives without thinking."""


def slipping(policy: Policy) -> Policy:
    """A policy that gives some of its answers at random."""

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        return (uniform.choose if chance.random() < SLIPS else policy)(table, decision, chance)

    return choose


LEVELS: Mapping[str, Callable[[str], Policy]] = {
    "random": lambda game: uniform.choose,
    "beginner": lambda game: slipping(sensible(game)),
    "sensible": sensible,
    "strong": best,
}
"""The bots that play every game, the weakest first: how each of them plays a game."""

BOTS = tuple(LEVELS)


def bot_named(bot: str, game: str) -> Policy:
    """The policy behind one of the words in `BOTS`."""
    return LEVELS[bot](game)


def seated(by_player: Mapping[str, Policy], otherwise: Policy) -> Policy:
    """Let every player answer by a policy of its own; the players who are not named share one."""

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        player = player_of(table, decision.power)
        return by_player.get(player, otherwise)(table, decision, chance)

    return choose
