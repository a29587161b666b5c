"""Changes on the map by FRIEDRICH's own events (§11, §13)."""

from __future__ import annotations

from pbem.engine import map_state as board
from pbem.engine.events import Event
from pbem.engine.field import ASIDE
from pbem.engine.nouns import City, Power, each_piece
from pbem.engine.rules import Rules
from pbem.games.friedrich.rules.fate_events import (
    GarrisonMissing,
    GeneralRetired,
    OffensiveDeclined,
    OffensiveFailed,
    PowerQuit,
    Shifted,
    StackCutOff,
)


def apply_event(on_map: board.MapState, rules: Rules, event: Event) -> None:
    """Change the map by an event that only FRIEDRICH has."""
    match event:
        case StackCutOff(pieces):
            for piece in pieces:
                on_map.down[piece] = True
        case Shifted(pieces, _, city):
            board.move(on_map, pieces, city)
        case GeneralRetired(piece):
            board.remove(on_map, piece, ASIDE)
        case PowerQuit(power, took_part) if took_part:
            remove_power(on_map, rules, power)
        case OffensiveDeclined(power, cities) | OffensiveFailed(power, cities):
            give_back(on_map, cities)
            on_map.questions = {city: by for city, by in on_map.questions.items() if by != power}
        case GarrisonMissing(_, _, cities):
            give_back(on_map, cities)


def remove_power(on_map: board.MapState, rules: Rules, power: Power) -> None:
    """Remove everything of a power from the map."""
    for piece, facts in each_piece(rules.pieces):
        if facts.power == power:
            board.remove(on_map, piece, ASIDE)
    on_map.markers = {city: by for city, by in on_map.markers.items() if by != power}


def give_back(on_map: board.MapState, cities: tuple[City, ...]) -> None:
    """Remove markers of conquests that count no more."""
    for city in cities:
        on_map.markers.pop(city, None)
