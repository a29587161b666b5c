"""Playable cards in combat under the Card of Fate in force, which everybody knows (§11)."""

from __future__ import annotations

from pbem.engine.cards import is_reserve, value_of
from pbem.engine.decisions import PlayCard
from pbem.engine.nouns import Card
from pbem.games.friedrich.rules.effects import card_worth, may_play
from pbem.games.friedrich.rules.state import Table
from pbem.plans.sight import PlayableCard


def chances(table: Table, decision: PlayCard) -> tuple[PlayableCard, ...]:
    """Every card that may be played, with its worth; a Reserve for every value, a doubled card both ways."""
    most = table.rules.common.decks.reserve_most
    found: list[PlayableCard] = []
    for card in decision.cards:
        values = range(1, most + 1) if is_reserve(card) else (0, 2 * value_of(card))
        found += [
            PlayableCard(card, value, worth(table, card, value)) for value in values if may_play(table, card, value)
        ]
    return tuple(found)


def worth(table: Table, card: Card, value: int) -> int:
    """Worth of a card when it is declared so."""
    if table.state.fate.in_force:
        return card_worth(table, card, value)
    return value if is_reserve(card) else value_of(card)
