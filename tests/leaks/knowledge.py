"""Facts that a reader may know, computed from the engine's view and events."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import msgspec
from msgspec import Struct, field

from pbem.campaign.briefing import Briefing
from pbem.engine.cards import deck_of, is_reserve
from pbem.engine.events import Event
from pbem.engine.field import troops_of
from pbem.engine.memory import Declaration
from pbem.kit import game_of


class Facts(Struct):
    """Everything secret that somebody may know."""

    cards: set[int] = field(default_factory=set)
    """Cards whose place they know: in a hand, played, or shown."""
    reserves: set[int] = field(default_factory=set)
    """Decks of which they know the place of a Reserve."""
    troops: set[tuple[str, int]] = field(default_factory=set)
    """Generals, and how many troops each had."""

    def add(self, other: Facts) -> None:
        """Learn more."""
        self.cards |= other.cards
        self.reserves |= other.reserves
        self.troops |= other.troops


CARDS = ("card", "cards", "own_covered", "hand", "draw")
"""The fields of views and events that hold tactical cards."""


def may_know(briefing: Briefing) -> Facts:
    """Facts that the reader of this briefing may know: of the position, events, and messages."""
    found = Facts()
    if briefing.table is None:
        return found
    view = game_of(briefing.table).view(briefing.table, briefing.powers)
    found.cards = {card for hand in view.hands.values() for card in hand} | cards_in(msgspec.to_builtins(view))
    found.troops = {(piece.name, piece.troops) for piece in view.pieces if piece.troops} | counted(briefing)
    names = [piece.name for piece in briefing.table.rules.common.pieces]
    for event in briefing.news.events:
        found.cards |= cards_in(msgspec.to_builtins(event))
        found.troops |= troops_in(event, names, briefing.powers)
    found.reserves = {deck_of(card) for card in found.cards if is_reserve(card)}
    return found


def counted(briefing: Briefing) -> set[tuple[str, int]]:
    """Generals whose troops everybody can count: the only one of a power, whose troops are public in all, and who has
    declared his strength alone, less the losses that everybody has seen (the memory follows from the public ledger)."""
    assert briefing.table is not None
    common, field = briefing.table.rules.common, briefing.table.state.field
    found = set()
    for power in briefing.table.rules.powers:
        there = [each for each in common.generals(power) if field.pieces[each].city >= 0]
        if len(there) == 1:
            found.add((common.pieces[there[0]].name, troops_of(common, field, power)))
    declared = briefing.memory.declared if briefing.memory else ()
    return found | {(common.pieces[each.generals[0]].name, each.strength) for each in declared if is_alone(each)}


def is_alone(declared: Declaration) -> bool:
    return declared.sure and len(declared.generals) == 1


def cards_in(tree: Any, key: str = "") -> set[int]:
    """The cards of a view or an event."""
    if isinstance(tree, dict):
        return {card for name, value in tree.items() for card in cards_in(value, str(name))}
    if isinstance(tree, list | tuple):
        return {card for value in tree for card in cards_in(value, key)}
    return {tree} if isinstance(tree, int) and key in CARDS else set()


def troops_in(event: Event, names: list[str], powers: Collection[str]) -> set[tuple[str, int]]:
    """The troops of generals that an event told its reader."""
    found: set[tuple[str, int]] = set()
    for key in ("troops", "allotment"):
        told = getattr(event, key, None)
        if isinstance(told, dict):
            found |= {(names[piece], count) for piece, count in told.items()}
    return found


def together(facts: Iterable[Facts]) -> Facts:
    """All of it."""
    found = Facts()
    for each in facts:
        found.add(each)
    return found
