"""What stands where on the map, as public events alone tell it: no position of the moderator's is looked at.

Everybody can follow it from the ledger, in a campaign that is still running too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy

from msgspec import Struct

from pbem.engine.events import (
    Conquered,
    Event,
    GeneralEntered,
    GeneralRemoved,
    HussarPlaced,
    HussarRemoved,
    Marched,
    Questioned,
    QuestionLifted,
    Retreated,
    Stacked,
    SupplyLost,
    SupplyRestored,
    TrainReentered,
    TrainTaken,
)
from pbem.engine.field import OFF, Field
from pbem.engine.rules import Rules
from pbem.kit import part


class Standing(Struct):
    """What lies on the map; pieces by their numbers."""

    places: list[int]
    """The city of every piece, below 0 for those that are not on the map."""
    down: list[bool]
    on_top: list[bool]
    """Who was chosen as supreme commander over a general of equal rank (§6)."""
    markers: dict[int, str]
    questions: dict[int, str]
    hussars: list[int]

    def copied(self) -> Standing:
        """The same, to be changed apart."""
        return deepcopy(self)


class Hearing(Struct, frozen=True):
    """What one game brings."""

    hear: Callable[[Standing, Rules, Event], None]
    """Changes a standing as an event says that only this game has."""


def standing_of(field: Field) -> Standing:
    """What lies on the map at the start."""
    return Standing(
        places=[piece.city for piece in field.pieces],
        down=[piece.down for piece in field.pieces],
        on_top=[piece.on_top for piece in field.pieces],
        markers=dict(field.markers),
        questions=dict(field.questions),
        hussars=list(field.hussars),
    )


def tell(standing: Standing, game: str, rules: Rules, events: Iterable[Event]) -> None:
    """Let a standing hear what happened."""
    own = part(game, "site", Hearing)
    for event in events:
        hear(standing, rules, event)
        own.hear(standing, rules, event)


def hear(standing: Standing, rules: Rules, event: Event) -> None:
    """Hear an event that every game has."""
    match event:
        case Marched(pieces, _, path) | Retreated(pieces, _, path):
            move(standing, pieces, path[-1])
        case GeneralEntered(piece, city) | TrainReentered(piece, city):
            move(standing, (piece,), city)
            standing.down[piece] = False
        case GeneralRemoved(piece) | TrainTaken(piece):
            remove(standing, piece, OFF)
        case SupplyLost(piece):
            standing.down[piece] = True
        case SupplyRestored(piece):
            standing.down[piece] = False
        case Stacked(city, commander):
            stack(standing, rules, city, commander)
        case HussarPlaced(hussar, city):
            standing.hussars[hussar] = city
        case HussarRemoved(hussar):
            standing.hussars[hussar] = OFF
        case Conquered(city, _, _, marker):
            standing.questions.pop(city, None)
            standing.markers.pop(city, None)
            if marker is not None:
                standing.markers[city] = marker
        case Questioned(city, by):
            standing.questions[city] = by
        case QuestionLifted(city):
            standing.questions.pop(city, None)


def move(standing: Standing, pieces: Iterable[int], city: int) -> None:
    """Pieces stand somewhere else."""
    for piece in pieces:
        standing.places[piece] = city


def remove(standing: Standing, piece: int, place: int) -> None:
    """A piece has left the map."""
    standing.places[piece], standing.down[piece], standing.on_top[piece] = place, False, False


def stack(standing: Standing, rules: Rules, city: int, commander: int) -> None:
    """Generals stand together under one of them (§6)."""
    together = [piece for piece, at in enumerate(standing.places) if at == city and rules.is_general(piece)]
    for general in together:
        standing.on_top[general] = general == commander
    if rules.facing_spreads and any(standing.down[general] for general in together):
        for general in together:
            standing.down[general] = True
