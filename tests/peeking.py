"""Bots that are asked in twin worlds, which differ in all that their player may not know. `python -m tests.peeking`
asks every level in 1,000 positions of each kind of game; who answers otherwise in the other world has peeked.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import chain, count, islice
from random import Random
from typing import Any

from msgspec import Struct

from pbem.bots.plain import Policy
from pbem.bots.table import BOTS, bot_named
from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import player_of, powers_of_player
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms
from pbem.kit import game_of

from .friedrich import random_play
from .play import start
from .twins import with_other_secrets

GAMES: dict[str, Terms | FriedrichTerms] = {
    "maria": Terms("advanced"),
    "maria, bluffing": Terms("advanced", bluffing=True),
    "maria for two": Terms("advanced", 2),
    "silesia": Terms("silesia-gambit"),
    "friedrich, expert": FriedrichTerms("four", expert=True),
    "austria": FriedrichTerms("austria"),
}
"""Games with all that they hide."""

LOOK = 0.15
"""Probability that a position is looked at once more with other secrets."""


class Look(Struct, frozen=True):
    """Answers to one question in both worlds."""

    decision: Decision
    answer: Answer
    other: Answer

    @property
    def is_peek(self) -> bool:
        return self.answer != self.other


def table_of(terms: Terms | FriedrichTerms, seed: str) -> Any:
    """A new game."""
    return start(terms, seed)[0] if isinstance(terms, Terms) else random_play.start(terms, seed)[0]


def looks_in(table: Any, policy: Policy, chance: Random, hidden: Random) -> Iterator[Look]:
    """Play a game, and ask now and then in a twin world, too; `hidden` makes the twins."""
    while table.state.phase != "over":
        decision = game_of(table).decisions(table)[0]
        throws = chance.getstate()
        answer = policy(table, decision, chance)
        if hidden.random() < LOOK:
            same_throws = Random()
            same_throws.setstate(throws)
            own = powers_of_player(table, player_of(table, decision.power))
            yield Look(decision, answer, policy(with_other_secrets(table, own, hidden), decision, same_throws))
        game_of(table).apply(table, decision.power, answer)


def looks(terms: Terms | FriedrichTerms, level: str) -> Iterator[Look]:
    """Looks in one game after the other, without end."""
    policy, seeds = bot_named(level, terms.game), (f"peeking {n}" for n in count())
    return chain.from_iterable(
        looks_in(table_of(terms, seed), policy, Random(f"looks {seed}"), Random(seed)) for seed in seeds
    )


def main() -> None:
    """Ask, and tell who has peeked."""
    parser = ArgumentParser(prog="python -m tests.peeking", description=__doc__)
    parser.add_argument("levels", nargs="*", default=[*BOTS])
    parser.add_argument("--positions", type=int, default=1000, help="how many of each kind of game (1000)")
    given = parser.parse_args()
    peeks = 0
    for level in given.levels:
        for name, terms in GAMES.items():
            found = [look for look in islice(looks(terms, level), given.positions) if look.is_peek]
            print(f"{level}, {name}: {len(found)} of {given.positions} answers are others", *found[:1])
            peeks += len(found)
    raise SystemExit(bool(peeks))


if __name__ == "__main__":
    main()
