"""The cards that may be played in a combat now, and what each counts."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from pbem.engine.cards import is_reserve, value_of
from pbem.engine.decisions import PlayCard
from pbem.engine.nouns import Card
from pbem.engine.table import Table
from pbem.kit import AnyTable


class PlayableCard(Struct, frozen=True):
    """A card that may be played now, as what a Reserve is declared, and what it counts."""

    card: Card
    value: int
    worth: int

    @property
    def is_reserve(self) -> bool:
        return is_reserve(self.card)


FindPlayable = Callable[[AnyTable, PlayCard], tuple[PlayableCard, ...]]
"""Everything that may be played now, at a table of one game."""


def playable_cards(table: Table, decision: PlayCard) -> tuple[PlayableCard, ...]:
    """Every card that may be played for what is printed on it, a Reserve for every value (MARIA §8)."""
    most = table.rules.common.decks.reserve_most
    found: list[PlayableCard] = []
    for card in decision.cards:
        if is_reserve(card):
            found += [PlayableCard(card, value, value) for value in range(1, most + 1)]
        else:
            found.append(PlayableCard(card, 0, value_of(card)))
    return tuple(found)
