"""Public map: the places of pieces, markers and hussars, derived from public events alone.

No position of the moderator is used, so everybody can follow it from the ledger while a campaign runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from pbem.engine import events as e
from pbem.engine.field import OFF, Field
from pbem.engine.nouns import City, Piece, each_piece
from pbem.engine.rules import Rules


class MapState(Struct):
    """Public facts on the map; pieces by their numbers."""

    places: list[City]
    """City of every piece, below 0 for those off the map."""
    down: list[bool]
    on_top: list[bool]
    """True for each general chosen as supreme commander over one of equal rank (§6)."""
    markers: dict[City, str]
    questions: dict[City, str]
    hussars: list[City]


Follower = Callable[[MapState, Rules, e.Event], object]
"""Function that changes a MapState by an event."""


def map_state_of(field: Field) -> MapState:
    """Public map at the start."""
    return MapState(
        places=[piece.city for piece in field.pieces],
        down=[piece.down for piece in field.pieces],
        on_top=[piece.on_top for piece in field.pieces],
        markers=dict(field.markers),
        questions=dict(field.questions),
        hussars=list(field.hussars),
    )


def follow(on_map: MapState, own: Follower, rules: Rules, events: Iterable[e.Event]) -> None:
    """Change the map by events. `own` knows the events that only this game has."""
    for event in events:
        apply_event(on_map, rules, event)
        own(on_map, rules, event)


def apply_event(on_map: MapState, rules: Rules, event: e.Event) -> None:
    """Change the map by an event that every game has."""
    match event:
        case e.Marched(pieces, _, path) | e.Retreated(pieces, _, path):
            move(on_map, pieces, path[-1])
        case e.GeneralEntered(piece, city) | e.TrainReentered(piece, city):
            move(on_map, (piece,), city)
            on_map.down[piece] = False
        case e.GeneralRemoved(piece) | e.TrainTaken(piece):
            remove(on_map, piece, OFF)
        case e.SupplyLost(piece):
            on_map.down[piece] = True
        case e.SupplyRestored(piece):
            on_map.down[piece] = False
        case e.Stacked(city, commander):
            stack(on_map, rules, city, commander)
        case e.HussarPlaced(hussar, city):
            on_map.hussars[hussar] = city
        case e.HussarRemoved(hussar):
            on_map.hussars[hussar] = OFF
        case e.Conquered(city, _, _, marker):
            on_map.questions.pop(city, None)
            on_map.markers.pop(city, None)
            if marker is not None:
                on_map.markers[city] = marker
        case e.Questioned(city, by):
            on_map.questions[city] = by
        case e.QuestionLifted(city):
            on_map.questions.pop(city, None)


def move(on_map: MapState, pieces: Iterable[Piece], city: City) -> None:
    for piece in pieces:
        on_map.places[piece] = city


def remove(on_map: MapState, piece: Piece, place: City) -> None:
    on_map.places[piece], on_map.down[piece], on_map.on_top[piece] = place, False, False


def stack(on_map: MapState, rules: Rules, city: City, commander: Piece) -> None:
    """Put generals in one city under a commander (§6)."""
    together = [piece for piece, at in each_piece(on_map.places) if at == city and rules.is_general(piece)]
    for general in together:
        on_map.on_top[general] = general == commander
    if rules.facing_spreads and any(on_map.down[general] for general in together):
        for general in together:
            on_map.down[general] = True
