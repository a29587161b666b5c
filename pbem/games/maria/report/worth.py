"""Hints on the order sheet: cities where hussars would harm, and trump cards (§7, §17)."""

from __future__ import annotations

from pbem.engine.cards import is_reserve, suit_of, value_of
from pbem.engine.decisions import Decision
from pbem.engine.nouns import Card
from pbem.games.maria.report.politics import printed_card
from pbem.games.maria.report.raids import raids_worth
from pbem.games.maria.report.telling import title
from pbem.games.maria.rules.decisions import ChooseTrump, Influence, PlaceHussars, PlaceInfluence, SelectPolitics
from pbem.games.maria.rules.table import Table, affairs_of
from pbem.report import naming
from pbem.report.game_report import PrintedCard, Worth


def worth_knowing(table: Table, decision: Decision) -> Worth:
    """Hints for a decision."""
    match decision:
        case PlaceHussars():
            return raids_worth(table, decision)
        case PlaceInfluence():
            return influence_worth(table, decision)
    return Worth()


def open_cards(table: Table, decision: Decision, language: str) -> tuple[PrintedCard, ...]:
    """Open political cards, if the decision is about them."""
    match decision:
        case SelectPolitics(_, numbers):
            return tuple(printed_card(table.rules.politics, number, language) for number in numbers)
        case PlaceInfluence() | ChooseTrump():
            return tuple(printed_card(table.rules.politics, number, language) for number in affairs_of(table).open)
    return ()


def influence_worth(table: Table, decision: PlaceInfluence) -> Worth:
    """Trump and open political cards; of the hand the trumps first, then Reserves."""
    affairs = affairs_of(table)

    def last(card: Card) -> tuple[bool, bool, int]:
        return suit_of(card) != affairs.trump, not is_reserve(card), -value_of(card)

    titles = [title(table.rules.politics, number) for number in affairs.open]
    trump = "" if affairs.trump is None else naming.suit(affairs.trump)
    answers = tuple(Influence(card) for card in sorted(decision.hand, key=last))
    return Worth(answers, {"trump": trump, "open": list(affairs.open), "titles": titles})
