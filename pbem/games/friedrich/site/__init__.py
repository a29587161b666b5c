"""What FRIEDRICH's own events change on the map (§11, §13)."""

from __future__ import annotations

from pbem.engine.events import Event
from pbem.engine.field import ASIDE
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
from pbem.site import standing as board


def hear(standing: board.Standing, rules: Rules, event: Event) -> None:
    """Hear an event that only FRIEDRICH has."""
    match event:
        case StackCutOff(pieces):
            for piece in pieces:
                standing.down[piece] = True
        case Shifted(pieces, _, city):
            board.move(standing, pieces, city)
        case GeneralRetired(piece):
            board.remove(standing, piece, ASIDE)
        case PowerQuit(power, took_part) if took_part:
            quit_by(standing, rules, power)
        case OffensiveDeclined(power, cities) | OffensiveFailed(power, cities):
            give_back(standing, cities)
            standing.questions = {city: by for city, by in standing.questions.items() if by != power}
        case GarrisonMissing(_, _, cities):
            give_back(standing, cities)


def quit_by(standing: board.Standing, rules: Rules, power: str) -> None:
    """A power leaves with all that it has on the map."""
    for piece, facts in enumerate(rules.pieces):
        if facts.power == power:
            board.remove(standing, piece, ASIDE)
    standing.markers = {city: by for city, by in standing.markers.items() if by != power}


def give_back(standing: board.Standing, cities: tuple[int, ...]) -> None:
    """Conquests count no more."""
    for city in cities:
        standing.markers.pop(city, None)


PART = board.Hearing(hear)
