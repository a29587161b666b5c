"""Events and decisions of FRIEDRICH for programs: facts that are looked up for the reader."""

from __future__ import annotations

import msgspec

from pbem.engine.board import SUITS
from pbem.engine.decisions import Decision
from pbem.engine.events import Event
from pbem.engine.nouns import Suit
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.events import Starved
from pbem.games.friedrich.rules.fate_data import FateData
from pbem.games.friedrich.rules.fate_events import FateDrawn, GeneralRetired, NothingCame, Shifted, StackCutOff
from pbem.report.telling import owner


def looked_up_facts(rules: FriedrichRules, told: Event | Decision) -> dict[str, object]:
    """Owners of pieces, and titles and effects of Cards of Fate."""
    match told:
        case FateDrawn(card, suit):
            return fate_card(rules.fate, card, suit)
        case NothingCame(card, suit):
            return {"title": fate_card(rules.fate, card, suit)["title"]}
        case StackCutOff(pieces) | Shifted(pieces) | Starved(pieces):
            return {"power": owner(rules.common, pieces[0])}
        case GeneralRetired(piece):
            return {"power": owner(rules.common, piece)}
    return {}


def fate_card(fate: FateData, number: int, suit: Suit | None) -> dict[str, object]:
    """Title of a Card of Fate and effect of the version that is read; a stroke has no effect."""
    if suit is None:
        return {"title": next(stroke.title for stroke in fate.strokes if stroke.number == number), "effect": None}
    version = fate.version(number, SUITS[suit])
    return {"title": version.title, "effect": msgspec.json.decode(msgspec.json.encode(version.effect))}
