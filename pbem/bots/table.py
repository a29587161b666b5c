"""Bots at a table: whole games played by policies that answer every decision."""

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
    """Play a game to its end, one decision at a time. Yields the table and the latest events."""
    chance = Random(seed)  # noqa: S311 - bots need no secrets
    game = game_named(rules.terms.game)
    table, events = game.start(rules, SeededDealer(seed))
    yield table, events
    while table.state.phase != "over":
        decision = game.decisions(table)[0]
        yield table, game.apply(table, decision.power, policy(table, decision, chance))


def winners_of(table: Table) -> list[str]:
    """Winners of a game that is over, or `nobody`."""
    result = table.state.result
    assert result is not None
    return [result.winner or "nobody", *getattr(result, "others", ())]


def sensible(game: str) -> Policy:
    return game_bots(game).sensible


def best(game: str, worlds: int = WORLDS) -> Policy:
    """Policy that plays a game best. `worlds` is the number of imagined worlds for each candidate card."""
    if (at_once := game_bots(game).strong) is None:
        return sensible(game)

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        answer = at_once(table, decision, chance)
        if not isinstance(decision, PlayCard):
            return answer
        return best_card(table, decision, answer, at_once, seeds_of(chance, worlds))

    return choose


SLIPS = 0.2
"""Share of answers that a beginner gives at random."""


def policy_with_slips(policy: Policy) -> Policy:
    """Policy that gives some of its answers at random."""

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        return (uniform.choose if chance.random() < SLIPS else policy)(table, decision, chance)

    return choose


LEVELS: Mapping[str, Callable[[str], Policy]] = {
    "random": lambda game: uniform.choose,
    "beginner": lambda game: policy_with_slips(sensible(game)),
    "sensible": sensible,
    "strong": best,
}
"""Bots of every game, the weakest first: the policy of each by the game's name."""

BOTS = tuple(LEVELS)

THINKING = "strong"
"""Level whose name may end in a number of imagined worlds: `strong:16` (ADR 33)."""

COUNTS = {str(worlds): worlds for worlds in range(1, MOST_WORLDS + 1)}
"""Numbers of worlds by their only spelling."""


def is_bot(name: str) -> bool:
    """True if a bot has this name: a level, or `strong:16`."""
    level, mark, worlds = name.partition(":")
    return (level == THINKING and worlds in COUNTS) if mark else level in BOTS


def bot_named(name: str, game: str) -> Policy:
    level, mark, worlds = name.partition(":")
    return best(game, COUNTS[worlds]) if mark and level == THINKING else LEVELS[name](game)


def policy_by_player(by_player: Mapping[str, Policy], otherwise: Policy) -> Policy:
    """Policy in which every named player answers by his own policy, and all others by `otherwise`."""

    def choose(table: Table, decision: Decision, chance: Random) -> Answer:
        player = player_of(table, decision.power)
        return by_player.get(player, otherwise)(table, decision, chance)

    return choose
