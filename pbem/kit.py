"""What everything above asks of each game: its rules here, its part in every room above.

A game is a package of its own with a module for each room, and a room says in a type what a game brings to it. Ours are
known by name; others are found by the entry points of the group `pbem.games`, each the name of such a package.
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
from pbem.engine.copying import copied
from pbem.engine.decisions import Answer, Decision, March
from pbem.engine.events import Event
from pbem.engine.invariants import Problem
from pbem.engine.map_state import Follower
from pbem.engine.march import Column
from pbem.engine.nouns import Piece, Power
from pbem.engine.table import GameRules, Table
from pbem.resources import games

T = TypeVar("T")
RulesT = TypeVar("RulesT")
StateT = TypeVar("StateT")
TableT = TypeVar("TableT")
ViewT = TypeVar("ViewT")


class Cited(Struct, frozen=True):
    """Where a game's rule book speaks of what may be wrong in the files of every game."""

    powers: str
    """Who takes part."""
    stages: str
    cards: str
    """Decks and hands."""
    payments: str
    battles: str
    marches: str


def nothing(*given: object) -> tuple[()]:
    """Whatever may be decided is asked for; no event changes on the map what others do not."""
    return ()


class Game(Struct, Generic[RulesT, StateT, TableT, ViewT], frozen=True, kw_only=True):
    """The rules of one game; a table that a function takes must be one of its own."""

    name: str
    title: str
    new_state: Callable[[RulesT], StateT]
    """The position at the start, before anything is drawn or allotted."""
    start: Callable[[RulesT, Dealer], tuple[TableT, list[Event]]]
    """A new game from its rules, its first hands dealt."""
    advance: Callable[[TableT], list[Event]]
    """Let a position that was set up by hand go on to its first decision."""
    decisions: Callable[[TableT], tuple[Decision, ...]]
    decision_of: Callable[[TableT, Power], Decision]
    anytime: Callable[[TableT], tuple[Decision, ...]] = nothing
    """What may be decided at any time, and never has to be."""
    apply: Callable[[TableT, Power, Answer], list[Event]]
    set_out: Callable[[TableT, str], object] = nothing
    """Let a table go at once to the marches of a stage of this turn, as things stand."""
    check_movers: Callable[[TableT, March, Sequence[Piece]], None]
    """Refuses pieces that cannot march together now."""
    column_of: Callable[[TableT, Sequence[Piece]], Column]
    """Pieces about to march, with what this game lets them do."""
    on_map: Follower = nothing
    """What events that only this game has change on the map."""
    view: Callable[[TableT, Collection[Power]], ViewT]
    """What players of some powers may know."""
    problems: Callable[[TableT], list[Problem]]
    """What is impossible in a position."""
    stages: Callable[[RulesT, int], list[str]]
    """The stages that a turn may have, by the rules."""
    phases_of: Callable[[RulesT, str], Sequence[str]]
    """The phases of a stage, by the rules."""
    acting_in: Callable[[str], str] = str
    """The stage by whose name it is known who acts in a stage (`Alliances.stage`)."""
    table: Callable[[RulesT, StateT, Dealer], TableT]
    """A table from rules, state and dealer."""
    state: type[StateT]
    """The type of its states."""
    later: Callable[[RulesT], Collection[str]] = nothing
    """The parts of a state that came later than campaigns with these rules, whose fingerprints do without them."""
    cited: Cited


AnyGame: TypeAlias = "Game[Any, Any, Any, Any]"
"""A game to whoever treats all alike: that its tables, rules and views fit each other was checked where it was made."""


AnyTable: TypeAlias = Any
"""A table to whoever fills in what each game has of its own; whose game it is, only that game's part knows."""

AnyDecision: TypeAlias = Any
"""A decision to whoever finds by its type what answers it."""

AnyView: TypeAlias = Any
"""A view as only that game's part reads it; what all views have stands in `engine/views.py`."""


def part(game: str, room: str, kind: type[T]) -> T:
    """What a game brings to a room: `PART` in its module of that name, loaded when it is first asked for.

    A game without such a module brings what the room takes for granted.
    """
    found = loaded(game, room) or kind()
    assert isinstance(found, kind), f"{game} brings no {kind.__name__} to the room {room}"
    return found


@cache
def loaded(game: str, room: str) -> object:
    """What a game brings to a room, of whatever type; None where there is no such module."""
    name = f"{games()[game]}.{room}"
    return import_module(name).PART if find_spec(name) else None


def game_named(name: str) -> AnyGame:
    return part(name, "rules", Game)


def game_of(table: Table) -> AnyGame:
    """The game that is played at a table."""
    return game_named(table.rules.terms.game)


def dumped(table: Table) -> bytes:
    """The position of a table as JSON, with everything secret."""
    if later := game_of(table).later(table.rules):
        parts = msgspec.to_builtins(table.state, str_keys=True)
        return msgspec.json.encode({name: each for name, each in parts.items() if name not in later})
    return msgspec.json.encode(table.state)


def restored(rules: GameRules, data: bytes, dealer: Dealer) -> Table:
    """A table with these rules and this dealer, and a position that was dumped."""
    game = game_named(rules.terms.game)
    table: Table = game.table(rules, msgspec.json.decode(data, type=game.state), dealer)
    return table


def copy_of(table: Table, dealer: Dealer | None = None) -> Table:
    """A table of its own with the same position, and perhaps another dealer."""
    return changed(table, state=copied(table.state), dealer=dealer or table.dealer)


def changed(whole: T, **parts: object) -> T:
    """Rules, a table or a view of some game, with other parts in the place of its own."""
    assert isinstance(whole, Struct)
    return replace(whole, **parts)
