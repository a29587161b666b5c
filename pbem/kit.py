"""The games there are, and what everything above asks of each: a start, decisions, answers, views."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from pbem.engine.cards import Dealer
from pbem.engine.decisions import Answer, Decision, March
from pbem.engine.events import Event
from pbem.engine.invariants import Problem
from pbem.engine.march import Column
from pbem.engine.table import GameRules, Table


class Game(Struct, frozen=True):
    """One game; a table that a function takes must be one of its own."""

    name: str
    title: str
    new_state: Callable[[Any], Any]
    """The position at the start, before anything is drawn or allotted."""
    start: Callable[[Any, Dealer], tuple[Any, list[Event]]]
    """A new game from its rules, its first hands dealt."""
    advance: Callable[[Any], list[Event]]
    """Let a position that was set up by hand go on to its first decision."""
    decisions: Callable[[Any], tuple[Decision, ...]]
    decision_of: Callable[[Any, str], Decision]
    standing: Callable[[Any], tuple[Decision, ...]]
    """What may be decided at any time, and never has to be."""
    apply: Callable[[Any, str, Answer], list[Event]]
    check_movers: Callable[[Any, March, Sequence[int]], None]
    """Refuses pieces that cannot march together now."""
    column_of: Callable[[Any, Sequence[int]], Column]
    """Pieces about to march, with what this game lets them do."""
    view: Callable[[Any, Collection[str]], Any]
    """What players of some powers may know."""
    problems: Callable[[Any], list[Problem]]
    """What is impossible in a position."""
    stages: Callable[[Any, int], list[str]]
    """The stages that a turn may have, by the rules."""
    phases_of: Callable[[Any, str], Sequence[str]]
    """The phases of a stage, by the rules."""
    table: Callable[[Any, Any, Dealer], Any]
    """A table from rules, state and dealer."""
    state: Any
    """The type of its states."""


def maria() -> Game:
    """MARIA, loaded when it is played."""
    from pbem.games.maria.rules import game, invariants, movement, opening, sequence, state, table, view

    return Game(
        "maria", "MARIA", opening.new_state, game.start, sequence.advance,
        game.decisions, game.decision_of, game.standing, game.apply,
        movement.check_movers, movement.column_of, view.view, invariants.problems,
        sequence.stages, sequence.phases_of, table.Table, state.State,
    )  # fmt: skip


def friedrich() -> Game:
    """FRIEDRICH, loaded when it is played."""
    from pbem.games.friedrich.rules import game, invariants, movement, opening, sequence, state, table, view

    return Game(
        "friedrich", "FRIEDRICH", opening.new_state, game.start, sequence.advance,
        game.decisions, game.decision_of, game.standing, game.apply,
        movement.check_movers, movement.column_of, view.view, invariants.problems,
        sequence.stages, sequence.phases_of, table.Table, state.State,
    )  # fmt: skip


GAMES = {"maria": maria, "friedrich": friedrich}
"""How each game is loaded."""

NAMES = tuple(GAMES)
"""How the games are called in files and on the command line."""


@cache
def game_named(name: str) -> Game:
    """A game by its name; only what is played is loaded."""
    return GAMES[name]()


def game_of(table: Table) -> Game:
    """The game that is played at a table."""
    return game_named(table.rules.terms.game)


def dumped(table: Table) -> bytes:
    """The position of a table as JSON, with everything secret."""
    return msgspec.json.encode(table.state)


def restored(rules: GameRules, data: bytes, dealer: Dealer) -> Any:
    """A table with these rules and this dealer, and a position that was dumped."""
    game = game_named(rules.terms.game)
    return game.table(rules, msgspec.json.decode(data, type=game.state), dealer)


def copy_of(table: Table, dealer: Dealer | None = None) -> Any:
    """A table of its own with the same position, and perhaps another dealer."""
    return restored(table.rules, dumped(table), dealer or table.dealer)
