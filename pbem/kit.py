"""Access to the games: the rules of each game, and the parts of each game that other packages of the program use.

Such a package of the program is called a room, for example `report` or `bots`. A game is a package of its own. For each
room that needs something from the games, it has a module with the room's name. The value `PART` of this module is the
game's part in the room; its type is defined by the room. Games from elsewhere name their packages in the entry point
group `pbem.games`."""

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
    """Sections of a game's rule book. Modules that all games share name these sections in their faults."""

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
    """Return an empty tuple. This is the default for functions that a game may lack."""
    return ()


def no_troops(*given: object) -> int:
    """Return 0. This is the default for functions that count troops, if a game lacks them."""
    return 0


class Game(Struct, Generic[RulesT, StateT, TableT, ViewT], frozen=True, kw_only=True):
    """Functions that apply the rules of one game. Tables passed to them must be of this game."""

    name: str
    title: str
    new_state: Callable[[RulesT], StateT]
    """Return the position at the start, before cards are drawn or markers are placed."""
    start: Callable[[RulesT, Dealer], tuple[TableT, list[Event]]]
    """Start a game: return its table, with the first hands dealt, and the events up to the first decision."""
    advance: Callable[[TableT], list[Event]]
    """Continue the game from a position that was set up by hand to its first decision, and return the events."""
    decisions: Callable[[TableT], tuple[Decision, ...]]
    decision_of: Callable[[TableT, Power], Decision]
    anytime: Callable[[TableT], tuple[Decision, ...]] = nothing
    """Return the decisions that a player may take at any time and never has to take."""
    apply: Callable[[TableT, Power, Answer], list[Event]]
    set_out: Callable[[TableT, str], object] = nothing
    """Jump on a table to the marches of a later stage of the present turn, without playing the stages between."""
    check_movers: Callable[[TableT, March, Sequence[Piece]], None]
    """Raise `IllegalOrder` for pieces that cannot march together now."""
    column_of: Callable[[TableT, Sequence[Piece]], Column]
    """Return the `Column` for pieces that are about to march. It has the exceptions that this game's rules make for the
    pieces."""
    on_map: Follower = nothing
    """Make the change to the public map that an event causes. This is for types of events that only this game has."""
    view: Callable[[TableT, Collection[Power]], ViewT]
    """Return the position as the players of the given powers may know it."""
    shortage: Callable[[TableT, Power, Collection[Piece]], Sequence[Event]] = nothing
    """Carry out the supply phase of a power as if the given generals were out of supply, and return the events."""
    recruits_before_combat: Callable[[TableT, Power], int] = no_troops
    """Return the largest number of troops that a power can get in its stage before it fights. Cards are not counted."""
    problems: Callable[[TableT], list[Problem]]
    """Return the contradictions in a position: facts that cannot be true at the same time in a game."""
    stages: Callable[[RulesT, int], list[str]]
    """Return all stages that a turn may have, by the rules."""
    phases_of: Callable[[RulesT, str], Sequence[str]]
    """Return the phases of a stage, by the rules."""
    acting_in: Callable[[str], str] = str
    """Return the action stage whose powers act in a given stage. The name of the action stage is spelt as in
    `Alliances.stage`."""
    table: Callable[[RulesT, StateT, Dealer], TableT]
    state: type[StateT]
    later: Callable[[RulesT], Collection[str]] = nothing
    """Return the names of those fields of a state that did not exist yet when the first campaigns with these rules were
    played. Digests of these campaigns do not include the fields."""
    cited: CitedSections


AnyGame: TypeAlias = "Game[Any, Any, Any, Any]"
"""Game with unchecked types, for callers that treat all games alike. The types were checked where the game was
defined."""


AnyTable: TypeAlias = Any
"""Table whose type is known only to the modules of its game."""

AnyDecision: TypeAlias = Any
"""Decision with unchecked type. Its type and that of its answer are compared at run time."""

AnyView: TypeAlias = Any
"""View whose type is known only to the modules of its game. The fields that all views have are listed in
`engine/table.py`."""


def part(game: str, room: str, kind: type[T]) -> T:
    """Return the part that a game has in a room: the value `PART` of the game's module with the name of the room. If
    the game lacks this module, return `kind()`, which has the defaults."""
    found = load_part(game, room) or kind()
    assert isinstance(found, kind), f"{game} brings no {kind.__name__} to the room {room}"
    return found


@cache
def load_part(game: str, room: str) -> object:
    """Return the part that a game has in a room, with unchecked type. Return None if the game lacks the module."""
    name = f"{games()[game]}.{room}"
    return import_module(name).PART if find_spec(name) else None


def game_named(name: str) -> AnyGame:
    return part(name, "rules", Game)


def game_of(table: Table) -> AnyGame:
    return game_named(table.rules.terms.game)


def dump_position(table: Table) -> bytes:
    """Return the position of a table as JSON. Secrets are included, the fields in `Game.later` are not."""
    if later := game_of(table).later(table.rules):
        parts = msgspec.to_builtins(table.state, str_keys=True)
        return msgspec.json.encode({name: each for name, each in parts.items() if name not in later})
    return msgspec.json.encode(table.state)


def restore_table(rules: GameRules, position: bytes, dealer: Dealer) -> Table:
    """Return a table with these rules, this dealer, and a position that `dump_position` has returned."""
    game = game_named(rules.terms.game)
    table: Table = game.table(rules, msgspec.json.decode(position, type=game.state), dealer)
    return table


def copy_of(table: Table, dealer: Dealer | None = None) -> Table:
    """Return a copy of a table. The copy has a position of its own, and `dealer` as its dealer if one is given."""
    return with_parts(table, state=deep_copy(table.state), dealer=dealer or table.dealer)


def with_parts(whole: T, **parts: object) -> T:
    """Return a copy of rules, of a table or of a view, with some fields replaced."""
    assert isinstance(whole, Struct)
    return replace(whole, **parts)


def is_before_combat(table: Table) -> bool:
    """True if pieces can still move or recruits can still be bought in a stage whose combats are yet to come."""
    phases = list(game_of(table).phases_of(table.rules, table.state.stage))
    if not {"movement", "combat", table.state.phase} <= {*phases}:
        return False
    return phases.index("movement") <= phases.index(table.state.phase) < phases.index("combat")
