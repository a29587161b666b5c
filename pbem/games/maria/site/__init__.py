"""What MARIA's own events change on the map (§17.5, §19, Silesia Gambit)."""

from __future__ import annotations

from pbem.engine.events import Event
from pbem.engine.field import ASIDE
from pbem.engine.rules import Rules
from pbem.games.maria.rules.events import CorpsReturned, CorpsSent, MarkersTaken, PowerLeft, Relocated
from pbem.site import standing as board


def hear(standing: board.Standing, rules: Rules, event: Event) -> None:
    """Hear an event that only MARIA has."""
    match event:
        case CorpsSent(_, piece):
            board.remove(standing, piece, ASIDE)
        case CorpsReturned(_, piece, city) | Relocated(piece, _, city):
            board.move(standing, (piece,), city)
            standing.on_top[piece] = False
        case MarkersTaken(_, cities):
            for city in cities:
                standing.markers.pop(city, None)
        case PowerLeft(power):
            for piece, facts in enumerate(rules.pieces):
                if facts.power == power:
                    board.remove(standing, piece, ASIDE)


PART = board.Hearing(hear)
