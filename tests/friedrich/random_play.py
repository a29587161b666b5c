"""Whole games of FRIEDRICH, at random unless another player is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import msgspec

from pbem.bots.plain import choose, pick
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Answer, Arrange, Decision
from pbem.engine.events import Event
from pbem.engine.table import canonical
from pbem.games.friedrich.paper.library import load_friedrich
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.data import FriedrichRules, Terms
from pbem.games.friedrich.rules.state import State, Table
from pbem.paper.library import rulings_before
from tests.play import transfer_in

AS_BEFORE = tuple(sorted(rulings_before("friedrich")[1].items()))
"""The rulings by which the oldest campaigns are judged."""

EVERY = [
    Terms("four"),
    Terms("four", expert=True),
    Terms("four", expert=True, fate_order="strokes later", decks=5, east_prussia=False),
    Terms("three", rulings=AS_BEFORE),
    Terms("three", expert=True),
    Terms("west"),
    Terms("austria"),
]
"""Every variant there is a test for."""

LONGEST = 20000
"""More answers than any game takes: beyond it something goes round in circles."""

Player = Callable[[Table, Decision, Random], Answer]


def name_of(terms: Terms) -> str:
    """A variant in the name of a test."""
    return f"{terms.scenario}{'-expert' if terms.expert else ''}{'-later' if terms.fate_order != 'shuffled' else ''}"


def start(terms: Terms, seed: int | str) -> tuple[Table, list[Event]]:
    """A new game."""
    rules: FriedrichRules = load_friedrich(terms)
    return game.start(rules, SeededDealer(str(seed)))


def chance_of(terms: Terms, seed: int | str) -> Random:
    """Chance of the players of a game."""
    return Random(f"{name_of(terms)} {seed}")


def twin(table: Table) -> Table:
    """The same position once more, by way of its text."""
    return Table(table.rules, msgspec.json.decode(canonical(table.state), type=State), table.dealer)


def answers(table: Table, chance: Random, player: Player, transfers: float = 0.05) -> Iterator[tuple[str, Answer]]:
    """Powers and answers until the game is over; each has to be applied before the next is taken."""
    for _ in range(LONGEST):
        if table.state.phase == "over":
            return
        if transfers and chance.random() < transfers:
            standing = [offer for offer in game.anytime(table) if isinstance(offer, Arrange)]
            if standing:
                arrange = pick(chance, standing)
                yield arrange.power, transfer_in(pick(chance, arrange.stacks), table, chance)
        decision = pick(chance, game.decisions(table))
        yield decision.power, player(table, decision, chance)
    raise AssertionError(f"no end after {LONGEST} answers")


def play(terms: Terms, seed: int | str, player: Player = choose, transfers: float = 0.05) -> tuple[Table, list[Event]]:
    """A whole game."""
    table, events = start(terms, seed)
    for power, answer in answers(table, chance_of(terms, seed), player, transfers):
        events += game.apply(table, power, answer)
    return table, events
