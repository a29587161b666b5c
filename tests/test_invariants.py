"""Every problem that a position can have is found: sound positions, each spoiled in one way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.engine.decisions import Claim, Pairing
from pbem.engine.duel import Duel
from pbem.engine.field import ASIDE, OFF
from pbem.engine.retreat import Retreat
from pbem.maria.data import Terms
from pbem.maria.invariants import problems
from pbem.maria.state import Result
from pbem.maria.table import Table
from tests.play import answers, chance_of, start, twin
from tests.raider import raid

SPOILED: list[tuple[str, str, str, Callable[[Table], None]]] = []
"""The phase of a sound position, the rule that is broken, words of the message, and what spoils it."""


def spoil(phase: str, rule: str, words: str) -> Callable[[Callable[[Table], None]], Callable[[Table], None]]:
    """Add a way to spoil a position."""

    def add(change: Callable[[Table], None]) -> Callable[[Table], None]:
        SPOILED.append((phase, rule, words, change))
        return change

    return add


def sound(phase: str) -> Table:
    """A sound position of the second turn that waits for an answer in this phase."""
    for seed in range(100):
        terms = Terms()
        table, _ = start(terms, seed)
        for power, answer in answers(table, chance_of(terms, seed), raid):
            state = table.state
            waits = phase in (state.phase, "duel" if state.duel else "retreat" if state.retreat else "")
            if waits and (state.turn == 2 or phase in ("allotment", "recruiting", "over")):
                return twin(table)
            game_apply(table, power, answer)
        if phase == "over":
            return table
    raise AssertionError(phase)


def game_apply(table: Table, power: str, answer: object) -> None:
    """One answer."""
    from pbem.maria import game

    game.apply(table, power, answer)  # type: ignore[arg-type]
