"""The table a game is played at: its rules, its position, and the source of its shuffles."""

from __future__ import annotations

from msgspec import Struct

from pbem.engine.cards import Dealer, draw
from pbem.engine.events import CardsDrawn, DeckShuffled, Event

from .data import MariaRules
from .state import State


class Table(Struct):
    """What every part of the sequence of play works on."""

    rules: MariaRules
    state: State
    dealer: Dealer


def draw_cards(table: Table, power: str, count: int) -> list[Event]:
    """Give a power cards from the draw deck (§8)."""
    drawn, shuffles = draw(table.state.cards, table.rules.common.decks, table.dealer, power, count)
    events: list[Event] = [DeckShuffled(s.number, s.decks, s.cards) for s in shuffles]
    return [*events, CardsDrawn(power, len(drawn), tuple(drawn))]
