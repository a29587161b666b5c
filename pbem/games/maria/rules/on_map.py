"""Changes on the map by MARIA's own events (§17.5, §19, Silesia Gambit)."""

from __future__ import annotations

from pbem.engine import map_state as board
from pbem.engine.events import Event
from pbem.engine.field import ASIDE
from pbem.engine.nouns import each_piece
from pbem.engine.rules import Rules
from pbem.games.maria.rules.events import CorpsReturned, CorpsSent, MarkersTaken, PowerLeft, Relocated


def apply_event(on_map: board.MapState, rules: Rules, event: Event) -> None:
    """Change the map by an event that only MARIA has."""
    match event:
        case CorpsSent(_, piece):
            board.remove(on_map, piece, ASIDE)
        case CorpsReturned(_, piece, city) | Relocated(piece, _, city):
            board.move(on_map, (piece,), city)
            on_map.on_top[piece] = False
        case MarkersTaken(_, cities):
            for city in cities:
                on_map.markers.pop(city, None)
        case PowerLeft(power):
            for piece, facts in each_piece(rules.pieces):
                if facts.power == power:
                    board.remove(on_map, piece, ASIDE)
