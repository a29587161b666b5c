"""Table of a game: its rules, its position, and the source of its shuffles."""

from __future__ import annotations

from msgspec import Struct

from pbem.engine.cards import Dealer, draw, throw
from pbem.engine.events import CardsDrawn, Event
from pbem.engine.nouns import Card, Power
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.events import CardsThrown
from pbem.games.friedrich.rules.state import State


class Table(Struct):
    """A game in progress, used by every part of the sequence of play."""

    rules: FriedrichRules
    state: State
    dealer: Dealer


def active(table: Table) -> Power:
    """Power whose stage it is (§2)."""
    return Power(table.state.stage)


def plays_on(table: Table, power: Power) -> bool:
    """True if a power takes part and has not left the game."""
    return power in table.rules.powers and power not in table.state.fate.quit


def draw_cards(table: Table, power: Power, count: int) -> tuple[list[Card], list[Event]]:
    """Give a power cards from the draw deck (§3), and return them with the events."""
    drawn, events = draw(table.state.cards, table.rules.common.decks, table.dealer, power, count)
    return drawn, [*events, CardsDrawn(power, len(drawn), tuple(drawn))]


def throw_cards(table: Table, count: int) -> list[Event]:
    """Set cards from the draw deck aside, unseen by anybody."""
    if not count:
        return []
    thrown, events = throw(table.state.cards, table.rules.common.decks, table.dealer, count)
    return [*events, CardsThrown(thrown)]
