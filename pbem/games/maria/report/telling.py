"""Events and decisions of MARIA for programs: facts that are looked up for the reader."""

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
from pbem.report.telling import owner


def looked_up_facts(rules: MariaRules, told: Event | Decision) -> dict[str, object]:
    """Owners of pieces, worth of cards, and titles of political cards."""
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
    return next(card.title for card in politics.cards if card.number == number)


def card_offers(rules: MariaRules, decision: Decision, language: str) -> dict[str, object]:
    """Offers of the political cards that may be selected."""
    if not isinstance(decision, SelectPolitics):
        return {}
    return {"offers": [offer_in_words(rules.politics, number, language) for number in decision.cards]}
