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
from pbem.report.telling import listed, owner, plain

NAMERS: dict[str, Namer] = {
    "player": plain,
    "placed": plain,
    "counts": plain,
    "order": listed,
    "points": plain,
    "politics": listed,
    "political": plain,
    "instruction": plain,
    "shifts": plain,
    "may_execute": plain,
    "track": plain,
    "end": plain,
    "steps": plain,
    "change": plain,
    "lasting": plain,
    "box": plain,
    "set_aside": plain,
    "status": plain,
    "offered_by": plain,
    "accepted": plain,
    "fortresses": plain,
    "votes": plain,
    "francis": plain,
    "charles": plain,
    "candidate": plain,
    "scores": listed,
    "turns": plain,
    "cancelled": plain,
    "allowed": plain,
    "powers": listed,
    "words": plain,
    "ceded": plain,
}
"""What the fields hold that only events and decisions of MARIA have."""

EXCEPTIONS: dict[tuple[str, str], Namer] = {
    ("TrackShifted", "start"): plain,
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
