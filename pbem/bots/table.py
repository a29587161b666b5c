"""Bots at a table: a whole game played by policies that answer every decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from pbem.bots import uniform
from pbem.bots.ahead import MOST_WORLDS, WORLDS, best_card, seeds_of
from pbem.bots.game_bots import Policy, game_bots
from pbem.engine.decisions import Answer, Decision, PlayCard
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


def best(game: str, worlds: int = WORLDS) -> Policy:
    """The policy that plays a game best, imagining so many worlds where it does."""
    if (at_once := game_bots(game).strong) is None:
        return sensible(game)

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        answer = at_once(table, decision, chance)
        if not isinstance(decision, PlayCard):
            return answer
        return best_card(table, decision, answer, at_once, seeds_of(chance, worlds))

    return choose


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

THINKING = "strong"
"""The one of them behind which may stand how many worlds it imagines: `strong:16` (ADR 33)."""

COUNTS = {str(worlds): worlds for worlds in range(1, MOST_WORLDS + 1)}
"""As how much it thinks is written, each in one way."""


def is_bot(name: str) -> bool:
    """Whether a bot is called that: a level, or `strong:16`."""
    level, mark, worlds = name.partition(":")
    return (level == THINKING and worlds in COUNTS) if mark else level in BOTS


def bot_named(name: str, game: str) -> Policy:
    """The policy of the bot that is called that."""
    level, mark, worlds = name.partition(":")
    return best(game, COUNTS[worlds]) if mark and level == THINKING else LEVELS[name](game)


def seated(by_player: Mapping[str, Policy], otherwise: Policy) -> Policy:
    """Let every player answer by a policy of its own; the players who are not named share one."""

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        player = player_of(table, decision.power)
        return by_player.get(player, otherwise)(table, decision, chance)

    return choose
