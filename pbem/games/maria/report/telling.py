"""Events and decisions of MARIA for programs: what their fields hold, and what is looked up for the reader."""

from __future__ import annotations

from pbem.engine.cards import points
from pbem.engine.decisions import Decision
from pbem.engine.events import Event
from pbem.games.maria.report.politics import offer_in_words
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.decisions import SelectPolitics
from pbem.games.maria.rules.events import (
    CorpsSent,
    HandShown,
    PoliticsDiscarded,
    PoliticsRevealed,
    PoliticsSelected,
    Relocated,
    TollPaid,
)
from pbem.games.maria.rules.politics_data import PoliticsData
from pbem.report import naming
from pbem.report.game_report import Namer
from pbem.report.telling import listed, owner, plain_data

NAMERS: dict[str, Namer] = {
    "player": plain_data,
    "placed": plain_data,
    "counts": plain_data,
    "order": listed,
    "points": plain_data,
    "politics": listed,
    "political": plain_data,
    "instruction": plain_data,
    "shifts": plain_data,
    "may_execute": plain_data,
    "track": plain_data,
    "end": plain_data,
    "steps": plain_data,
    "change": plain_data,
    "lasting": plain_data,
    "box": plain_data,
    "set_aside": plain_data,
    "status": plain_data,
    "offered_by": plain_data,
    "accepted": plain_data,
    "fortresses": plain_data,
    "votes": plain_data,
    "francis": plain_data,
    "charles": plain_data,
    "candidate": plain_data,
    "scores": listed,
    "turns": plain_data,
    "cancelled": plain_data,
    "allowed": plain_data,
    "powers": listed,
    "words": plain_data,
    "ceded": plain_data,
}
"""What the fields hold that only events and decisions of MARIA have."""

EXCEPTIONS: dict[tuple[str, str], Namer] = {
    ("TrackShifted", "start"): plain_data,
    ("Relocated", "start"): naming.place,
    ("SelectPolitics", "cards"): listed,
}
"""The fields that hold something else than their name says elsewhere."""


def looked_up(rules: MariaRules, told: Event | Decision) -> dict[str, object]:
    """Whose pieces, what cards are worth, and what political cards are called."""
    match told:
        case PoliticsRevealed(numbers) | PoliticsDiscarded(numbers) | SelectPolitics(_, numbers):
            return {"titles": [title(rules.politics, number) for number in numbers]}
        case PoliticsSelected(_, number):
            return {"title": title(rules.politics, number)}
        case Relocated(piece):
            return {"power": owner(rules.common, piece)}
        case CorpsSent() | TollPaid() | HandShown():
            return {"worth": points(rules.common.decks, told.cards)}
    return {}


def title(politics: PoliticsData, number: int) -> str:
    """The title of a political card."""
    return next(card.title for card in politics.cards if card.number == number)


def asked(rules: MariaRules, decision: Decision, language: str) -> dict[str, object]:
    """What the political cards offer that may be selected."""
    if not isinstance(decision, SelectPolitics):
        return {}
    return {"offers": [offer_in_words(rules.politics, number, language) for number in decision.cards]}
