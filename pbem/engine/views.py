"""Views of any game: the parts that all views have, and the views of pieces and of a combat in progress."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.combat import Duel
from pbem.engine.decisions import Decision
from pbem.engine.field import OFF, Field, PieceState, changed_pieces, troops_of
from pbem.engine.nouns import Card, City, Piece, Power, each_piece
from pbem.engine.rules import Kind, Rules
from pbem.engine.table import GameTerms


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
    """Views with the number of troops, each for the player of the piece."""
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
    """Return what everybody may know of a combat in progress; None without combat."""
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
