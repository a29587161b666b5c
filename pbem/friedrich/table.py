"""The table a game is played at: its rules, its position, and the source of its shuffles."""

from __future__ import annotations

from msgspec import Struct

from pbem.engine.cards import Dealer, draw, throw
from pbem.engine.events import CardsDrawn, DeckShuffled, Event

from .data import FriedrichRules
from .events import CardsThrown
from .state import State


class Table(Struct):
    """What every part of the sequence of play works on."""

    rules: FriedrichRules
    state: State
    dealer: Dealer


def active(table: Table) -> str:
    """The power whose stage it is (§2)."""
    return table.state.stage


def player_of(table: Table, power: str) -> str:
    """Who plays a power now (§11)."""
    return table.state.field.alliances.player[power]


def plays_on(table: Table, power: str) -> bool:
    """Whether a power takes part and has not left the game."""
    return power in table.rules.powers and power not in table.state.fate.quit


def draw_cards(table: Table, power: str, count: int) -> tuple[list[int], list[Event]]:
    """Give a power cards from the draw deck (§3): the cards, and what is told of it."""
    drawn, shuffles = draw(table.state.cards, table.rules.common.decks, table.dealer, power, count)
    events: list[Event] = [DeckShuffled(s.number, s.decks, s.cards) for s in shuffles]
    return drawn, [*events, CardsDrawn(power, len(drawn), tuple(drawn))]


def throw_cards(table: Table, count: int) -> list[Event]:
    """Set cards from the draw deck aside, unseen by anybody."""
    if not count:
        return []
    thrown, shuffles = throw(table.state.cards, table.rules.common.decks, table.dealer, count)
    events: list[Event] = [DeckShuffled(s.number, s.decks, s.cards) for s in shuffles]
    return [*events, CardsThrown(thrown)]
