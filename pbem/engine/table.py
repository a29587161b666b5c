"""Parts that all games share: table, players, names of stages, and views, copies and fingerprints of a position."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from operator import methodcaller
from types import NoneType, UnionType
from typing import Any, NamedTuple, Protocol, Self, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, fields, replace

from pbem.engine.cards import Cards, Dealer
from pbem.engine.combat import Duel
from pbem.engine.decisions import Decision, Pairing
from pbem.engine.field import OFF, Field, PieceState, changed_pieces, troops_of
from pbem.engine.nouns import Card, City, Piece, Power, each_piece
from pbem.engine.rules import Kind, Rules
from pbem.engine.troops import Retreat

T = TypeVar("T")

Copy = Callable[[Any], Any]
"""Function that copies values of one type. The type is known only to the caller."""


def deep_copy(value: T) -> T:
    kind: Any = type(value)
    copy = copy_of(kind)
    found: T = value if copy is None else copy(value)
    return found


@cache
def copy_of(kind: Any) -> Copy | None:
    """Return the function that copies values of a type; None for a type whose values never change."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (list, dict):
        item = copy_of(inner[-1])
        if item is None:
            return list.copy if origin is list else dict.copy
        if origin is list:
            return lambda values: list(map(item, values))
        return lambda values: {key: item(value) for key, value in values.items()}
    if origin is set:
        return set.copy
    # A copy shares its tuples with the original, so a mutable member would change in both.
    assert origin is not tuple or not any(map(copy_of, inner)), f"{kind} holds what changes"
    if origin in (Union, UnionType):
        return union_copy(inner)
    if isinstance(kind, type) and issubclass(kind, Struct) and not kind.__struct_config__.frozen:
        return struct_copy(kind)
    return None


def union_copy(kinds: Sequence[Any]) -> Copy | None:
    """Return the function that copies values of a union of types; None if the values never change. If a type of the
    union has values that change, None may be the only other type of the union."""
    changing = [copy for kind in kinds if kind is not NoneType and (copy := copy_of(kind)) is not None]
    if not changing:
        return None
    assert len(changing) == len(kinds) - 1 == 1, f"how are values of {kinds} told apart?"
    copy = changing[0]
    return lambda value: None if value is None else copy(value)


def struct_copy(kind: type[Struct]) -> Copy:
    changing = [(place, copy) for place, field in enumerate(fields(kind)) if (copy := copy_of(field.type))]
    if not changing:
        return methodcaller("__copy__")

    def copy_struct(value: Any) -> Any:
        values = list(astuple(value))
        for place, copy in changing:
            values[place] = copy(values[place])
        return kind(*values)

    return copy_struct


class StageName(NamedTuple):
    """Name of a stage, with its turn: `3/france`."""

    turn: int
    stage: str

    def __str__(self) -> str:
        return f"{self.turn}/{self.stage}"

    @classmethod
    def read(cls, written: str) -> Self | None:
        """Parse the name of a stage. A turn alone, such as `5`, gives a name with an empty stage. Return None for a
        text that does not begin with a turn."""
        turn, _, stage = written.partition("/")
        return cls(int(turn), stage) if turn.isascii() and turn.isdecimal() and len(turn) <= 4 else None


def turn_of(written: str) -> int:
    """Return the turn of a written stage; 0 if the text names no turn."""
    found = StageName.read(written)
    return found.turn if found else 0


def stage_of(table: Table) -> str:
    """Return the turn and the stage of a game, such as `3/france`."""
    return str(StageName(table.state.turn, table.state.stage))


class GameScenario(Protocol):
    """One of the scenarios that the rules of a game offer."""

    @property
    def title(self) -> str: ...
    @property
    def rule(self) -> str:
        """Part of the rule book that describes the scenario."""


class GameTerms(Protocol):
    """Choices, such as scenario and board, from which the rules of a game can be loaded again."""

    @property
    def game(self) -> str: ...
    @property
    def scenario(self) -> str: ...
    @property
    def board(self) -> str:
        """Name or file of the board."""


class GameRules(Protocol):
    """Rules of one game: everything that never changes while it is played."""

    @property
    def terms(self) -> GameTerms: ...
    @property
    def scenario(self) -> GameScenario: ...
    @property
    def common(self) -> Rules:
        """Part of the rules that has the same form in every game."""

    @property
    def powers(self) -> tuple[Power, ...]:
        """Powers that take part, in the order in which they act."""

    @property
    def seats(self) -> Mapping[str, tuple[Power, ...]]:
        """Powers with which each player begins, keyed by player."""


class GameResult(Protocol):
    """Common part of the results of all games."""

    @property
    def winner(self) -> str | None:
        """Player who has won; None in a tie."""


class GameState(Protocol):
    """Position of one game: everything that changes."""

    @property
    def terms(self) -> GameTerms: ...
    @property
    def turn(self) -> int:
        """Number of the turn, counted from 1."""

    @property
    def stage(self) -> str: ...
    @property
    def phase(self) -> str:
        """Phase of the stage; `over` once the game has ended."""

    @property
    def begun(self) -> bool:
        """True if the automatic part of the phase is done, and only decisions are left."""

    @property
    def field(self) -> Field: ...
    @property
    def cards(self) -> Cards: ...
    @property
    def owing(self) -> Sequence[Power]:
        """Powers that still owe an answer in the present phase."""

    @property
    def moved(self) -> Sequence[Piece]:
        """Pieces that may not move any more in the present stage."""

    @property
    def battles(self) -> Sequence[Pairing]:
        """Attacks that are still to be resolved."""

    @property
    def duel(self) -> Duel | None: ...
    @property
    def retreat(self) -> Retreat | None:
        """Retreat still to be chosen; None if there is none."""

    @property
    def result(self) -> GameResult | None: ...


class Table(Protocol):
    """A game in progress: its rules, its position, and the source of its shuffles."""

    @property
    def rules(self) -> GameRules: ...
    @property
    def state(self) -> GameState: ...
    @property
    def dealer(self) -> Dealer: ...


def player_of(table: Table, power: Power) -> str:
    """Return the present player of a power. Politics and fate may give the power to another player."""
    return table.state.field.alliances.player[power]


def powers_of_player(table: Table, player: str) -> tuple[Power, ...]:
    return tuple(power for power in table.rules.powers if player_of(table, power) == player)


def canonical(state: GameState) -> bytes:
    """Return the canonical text of a position: JSON with sorted keys."""
    return msgspec.json.encode(msgspec.to_builtins(state, str_keys=True), order="sorted")


def digest(state: GameState) -> str:
    """Return the SHA-256 of the canonical text of a position, in hex."""
    return hashlib.sha256(canonical(state)).hexdigest()


class PieceView(Struct, frozen=True, omit_defaults=True):
    """One piece on or off the map. Its troops are known if it is a general of the reader."""

    name: str
    power: Power
    kind: Kind
    rank: int
    city: City
    down: bool = False
    on_top: bool = False
    troops: int | None = None


class DuelView(Struct, frozen=True):
    """A combat in progress, as everybody sees it."""

    attacking_city: City
    defending_city: City
    attacker: Power
    defender: Power
    score: int
    """Score of the power with the right to play."""
    to_play: Power
    """Power with the right to play."""


def piece_view(rules: Rules, field: Field, piece: Piece, own: Collection[Power]) -> PieceView:
    """Return a view of one piece, with its troops if it is a general of one of the `own` powers."""
    facts, now = rules.pieces[piece], field.pieces[piece]
    troops = now.troops if facts.power in own and facts.kind == "general" else None
    return PieceView(facts.name, facts.power, facts.kind, facts.rank, now.city, now.down, now.on_top, troops)


class PieceViews(Struct):
    """Cached views of the pieces in the latest position."""

    pieces: list[PieceState]
    public: list[PieceView]
    """Views without the number of troops, for everybody."""
    own: list[PieceView]
    """Views with the number of troops. Each view is for the player of its piece."""
    troops: dict[Power, int]
    """Troop total of every power."""


class SeenPieces(NamedTuple):
    """Pieces as a player sees them, and the troop totals of all powers."""

    views: tuple[PieceView, ...]
    troops: dict[Power, int]


def seen_pieces(rules: Rules, field: Field, own: tuple[Power, ...], powers: Sequence[Power]) -> SeenPieces:
    """Return all pieces as the player of the powers `own` sees them. `powers` are all powers of the game."""
    latest = rules.cache.get("pieces")
    if not isinstance(latest, PieceViews):
        public = [piece_view(rules, field, piece, ()) for piece, _ in each_piece(field.pieces)]
        totals = {power: troops_of(rules, field, power) for power in powers}
        latest = rules.cache["pieces"] = PieceViews([PieceState(OFF)] * len(public), public, public.copy(), totals)
    for index in changed_pieces(field.pieces, latest.pieces):
        then, now, power = latest.pieces[index], field.pieces[index], rules.pieces[index].power
        latest.pieces[index] = now
        latest.public[index] = seen = piece_view(rules, field, index, ())
        latest.own[index] = replace(seen, troops=now.troops)
        if power in latest.troops and (then.troops != now.troops or (then.city < 0) != (now.city < 0)):
            latest.troops[power] = troops_of(rules, field, power)
    views = latest.public.copy()
    for power in own:
        for general in rules.generals(power):
            views[general] = latest.own[general]
    return SeenPieces(tuple(views), latest.troops.copy())


def duel_view(duel: Duel | None) -> DuelView | None:
    """Return what everybody may know of a combat in progress; None if there is no combat."""
    if duel is None:
        return None
    to_play = duel.attacker if duel.turn == "attacker" else duel.defender
    return DuelView(duel.attacking_city, duel.defending_city, duel.attacker, duel.defender, duel.score, to_play)


class View(Protocol):
    """Position as the players of some powers may know it."""

    @property
    def terms(self) -> GameTerms: ...
    @property
    def powers(self) -> Sequence[Power]: ...
    @property
    def turn(self) -> int: ...
    @property
    def stage(self) -> str: ...
    @property
    def phase(self) -> str: ...
    @property
    def pieces(self) -> Sequence[PieceView]: ...
    @property
    def troops(self) -> Mapping[Power, int]: ...
    @property
    def markers(self) -> Mapping[City, Power]: ...
    @property
    def questions(self) -> Mapping[City, Power]: ...
    @property
    def hand_sizes(self) -> Mapping[Power, int]: ...
    @property
    def hands(self) -> Mapping[Power, Sequence[Card]]: ...
    @property
    def draw_deck(self) -> int: ...
    @property
    def unused_decks(self) -> int: ...
    @property
    def set_aside(self) -> Sequence[int]: ...
    @property
    def moved(self) -> Sequence[Piece]: ...
    @property
    def owing(self) -> Sequence[Power]: ...
    @property
    def duel(self) -> DuelView | None: ...
    @property
    def decisions(self) -> Sequence[Decision]: ...
    @property
    def result(self) -> object: ...
