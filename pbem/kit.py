"""Access to the games: the rules of each game, and its part in each room.

A game is a package with a module for each room. Its part in a room is the value `PART` of that module, of a type that
the room defines. Games from elsewhere name their packages in the entry point group `pbem.games`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.cards import Dealer
from pbem.engine.decisions import Answer, Decision, March
from pbem.engine.events import Event
from pbem.engine.invariants import Problem
from pbem.engine.march import Column
from pbem.engine.memory import Follower
from pbem.engine.nouns import Piece, Power
from pbem.engine.table import GameRules, Table, deep_copy
from pbem.resources import games

T = TypeVar("T")
RulesT = TypeVar("RulesT")
StateT = TypeVar("StateT")
TableT = TypeVar("TableT")
ViewT = TypeVar("ViewT")


class CitedSections(Struct, frozen=True):
    """Sections of a game's rule book that shared modules name in faults."""

    powers: str
    """§ about the powers and players."""
    stages: str
    """§ about the sequence of play."""
    cards: str
    """§ about decks and hands."""
    payments: str
    """§ about payments with cards."""
    battles: str
    """§ about combat."""
    marches: str
    """§ about marches."""


def nothing(*given: object) -> tuple[()]:
    """Return an empty tuple: the default for functions that a game may lack."""
    return ()


class Game(Struct, Generic[RulesT, StateT, TableT, ViewT], frozen=True, kw_only=True):
    """Functions of one game that apply its rules. Every table passed to them must be of this game."""

    name: str
    title: str
    new_state: Callable[[RulesT], StateT]
    """Return the position at the start, before cards are drawn or markers are placed."""
    start: Callable[[RulesT, Dealer], tuple[TableT, list[Event]]]
    """Start a game: return its table, with the first hands dealt, and the events until the first decision."""
    advance: Callable[[TableT], list[Event]]
    """Continue a position that was set up by hand to its first decision, and return the events."""
    decisions: Callable[[TableT], tuple[Decision, ...]]
    decision_of: Callable[[TableT, Power], Decision]
    anytime: Callable[[TableT], tuple[Decision, ...]] = nothing
    """Return the decisions that a player may take at any time and never has to take."""
    apply: Callable[[TableT, Power, Answer], list[Event]]
    set_out: Callable[[TableT, str], object] = nothing
    """Move a table forward to the marches of a stage of the present turn, without playing the stages before it."""
    check_movers: Callable[[TableT, March, Sequence[Piece]], None]
    """Raise `IllegalOrder` for pieces that cannot march together now."""
    column_of: Callable[[TableT, Sequence[Piece]], Column]
    """Return the `Column` of pieces that are about to march, with the exceptions that this game makes for them."""
    on_map: Follower = nothing
    """Change the public map for an event of a type that only this game has."""
    view: Callable[[TableT, Collection[Power]], ViewT]
    """Return the position as the players of some powers may know it."""
    shortage: Callable[[TableT, Power, Collection[Piece]], Sequence[Event]] = nothing
    """Carry out the supply phase of a power as if these generals were out of supply, and return the events."""
    problems: Callable[[TableT], list[Problem]]
    """Return contradictions in a position: facts that cannot occur together in a game."""
    stages: Callable[[RulesT, int], list[str]]
    """Return all stages that a turn may have, by the rules."""
    phases_of: Callable[[RulesT, str], Sequence[str]]
    """Return the phases of a stage, by the rules."""
    acting_in: Callable[[str], str] = str
    """Return the action stage whose powers act in a given stage, in the form of `Alliances.stage`."""
    table: Callable[[RulesT, StateT, Dealer], TableT]
    state: type[StateT]
    later: Callable[[RulesT], Collection[str]] = nothing
    """Return the names of the fields of a state that were added after campaigns with these rules had begun. Digests of
    those campaigns leave these fields out."""
    cited: CitedSections


AnyGame: TypeAlias = "Game[Any, Any, Any, Any]"
"""Game whose types are not checked, for callers that treat all games alike. They were checked where the game was
defined."""


AnyTable: TypeAlias = Any
"""Table whose type is known only to the modules of its game."""

AnyDecision: TypeAlias = Any
"""Decision whose type is compared with that of its answer at run time."""

AnyView: TypeAlias = Any
"""View whose type is known only to the modules of its game. `engine/table.py` has the common fields."""


def part(game: str, room: str, kind: type[T]) -> T:
    """Return the part that a game has in a room: the value `PART` of the game's module with the room's name. For a game
    without this module, return the defaults, `kind()`."""
    found = load_part(game, room) or kind()
    assert isinstance(found, kind), f"{game} brings no {kind.__name__} to the room {room}"
    return found


@cache
def load_part(game: str, room: str) -> object:
    """Return the part that a game has in a room, of unchecked type; None if the game lacks the module."""
    name = f"{games()[game]}.{room}"
    return import_module(name).PART if find_spec(name) else None


def game_named(name: str) -> AnyGame:
    return part(name, "rules", Game)


def game_of(table: Table) -> AnyGame:
    return game_named(table.rules.terms.game)


def dump_position(table: Table) -> bytes:
    """Return the position of a table as JSON, secrets included, without the fields in `Game.later`."""
    if later := game_of(table).later(table.rules):
        parts = msgspec.to_builtins(table.state, str_keys=True)
        return msgspec.json.encode({name: each for name, each in parts.items() if name not in later})
    return msgspec.json.encode(table.state)


def restore_table(rules: GameRules, position: bytes, dealer: Dealer) -> Table:
    """Restore a table with these rules and this dealer from a dumped position."""
    game = game_named(rules.terms.game)
    table: Table = game.table(rules, msgspec.json.decode(position, type=game.state), dealer)
    return table


def copy_of(table: Table, dealer: Dealer | None = None) -> Table:
    """Return a copy of a table with a position of its own, and with another dealer if one is given."""
    return with_parts(table, state=deep_copy(table.state), dealer=dealer or table.dealer)


def with_parts(whole: T, **parts: object) -> T:
    """Return a copy of rules, of a table or of a view, with some fields replaced."""
    assert isinstance(whole, Struct)
    return replace(whole, **parts)
