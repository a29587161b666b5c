"""Whole games for the tests: every variant, tables that can be copied, and everything that can happen in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import msgspec

from pbem.bots import plain
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Arrange, Decision, Transfer
from pbem.engine.events import Event
from pbem.engine.nouns import Piece
from pbem.engine.table import Table as AnyTable
from pbem.engine.table import canonical
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import MariaRules, Terms
from pbem.games.maria.rules.state import State, Table
from pbem.paper.library import load_rules

from .raider import raid

VARIANTS = [Terms(players=players, edition=edition) for players in (3, 2) for edition in ("2.1", "2.0", "1.0")]
"""Every variant of the introductory game."""

LONGER = [
    *(Terms("silesia-gambit", edition=edition) for edition in ("2.1", "1.0")),
    *(Terms("advanced", players, edition) for players in (3, 2) for edition in ("2.1", "2.0", "1.0")),
    *(Terms("advanced", 3, edition, bluffing=True, placing="simultaneous") for edition in ("2.1", "2.0")),
]
"""Variants of the advanced game and of the Silesia Gambit."""

EVERY = [*VARIANTS, *LONGER]
"""Every variant there is a test for."""

LONGEST = 5000
"""More answers than any game takes: beyond it something goes round in circles."""

Player = Callable[[Table, Decision, Random], Answer]


def name_of(terms: Terms) -> str:
    """A variant in the name of a test."""
    return f"{terms.scenario}-{terms.players}-{terms.edition}{'-bluffing' if terms.bluffing else ''}"


def start(terms: Terms, seed: int | str) -> tuple[Table, list[Event]]:
    """A new game."""
    rules: MariaRules = load_rules(terms)
    return game.start(rules, SeededDealer(str(seed)))


def chance_of(terms: Terms, seed: int | str) -> Random:
    """Chance of the players of a game."""
    return Random(f"{name_of(terms)} {seed}")


def twin(table: Table) -> Table:
    """The same position once more, by way of its text."""
    return Table(table.rules, msgspec.json.decode(canonical(table.state), type=State), table.dealer)


def turn_to_answer(table: Table, chance: Random) -> Decision:
    """One of the open decisions; where there are several, any of them may come first."""
    return chance.choice(game.decisions(table))


def transfer(arrange: Arrange, table: Table, chance: Random) -> Transfer:
    """A new allotment of troops in some stack, at random."""
    return transfer_in(chance.choice(arrange.stacks), table, chance)


def transfer_in(stack: Sequence[Piece], table: AnyTable, chance: Random) -> Transfer:
    """A new allotment of a stack's troops, at random, in any game."""
    left = sum(table.state.field.pieces[general].troops for general in stack)
    most = table.rules.common.limits.troops
    troops: dict[int, int] = {}
    for place, general in enumerate(stack):
        others = len(stack) - place - 1
        troops[general] = chance.randint(max(1, left - others * most), min(most, left - others))
        left -= troops[general]
    return Transfer(troops)


def answers(table: Table, chance: Random, player: Player) -> Iterator[tuple[str, Answer]]:
    """Powers and answers until the game is over; each has to be applied before the next is taken."""
    for _ in range(LONGEST):
        if table.state.phase == "over":
            return
        standing = game.anytime(table)
        if standing and chance.random() < 0.1:
            arrange = chance.choice(standing)
            yield arrange.power, transfer(arrange, table, chance)
        decision = turn_to_answer(table, chance)
        yield decision.power, player(table, decision, chance)
    raise AssertionError(f"no end after {LONGEST} answers")


def play(terms: Terms, seed: int, player: Player = plain.choose) -> tuple[Table, list[Event]]:
    """A whole game."""
    table, events = start(terms, seed)
    for power, answer in answers(table, chance_of(terms, seed), player):
        events += game.apply(table, power, answer)
    return table, events


def position(terms: Terms, seed: int | str, steps: int, player: Player = raid) -> Table:
    """The table after so many answers, or at the end of a shorter game."""
    table, _ = start(terms, seed)
    for (power, answer), _ in zip(answers(table, chance_of(terms, seed), player), range(steps), strict=False):
        game.apply(table, power, answer)
    return table


def moments(terms: Terms, is_wanted: Callable[[Table], bool], count: int) -> list[Table]:
    """The first positions of that kind in the games of a variant."""
    found: list[Table] = []
    for seed in range(200):
        table, _ = start(terms, seed)
        for power, answer in answers(table, chance_of(terms, seed), raid):
            if is_wanted(table):
                found.append(twin(table))
                if len(found) == count:
                    return found
            game.apply(table, power, answer)
    raise AssertionError(f"only {len(found)} such positions")
