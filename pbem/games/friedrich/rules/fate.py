"""Clock of Fate: the deck, the card read at the end of a turn, and the version of it that counts (§2, §11, §13)."""

from __future__ import annotations

from pbem.engine.board import SUITS
from pbem.engine.cards import OTHER_DECKS
from pbem.engine.events import Event
from pbem.engine.nouns import Suit
from pbem.games.friedrich.rules import instants, offensive, strokes
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.fate_data import Instant
from pbem.games.friedrich.rules.fate_events import FateDrawn, FateShuffled
from pbem.games.friedrich.rules.state import Fate, InForce, Offensive
from pbem.games.friedrich.rules.table import Table


def new_fate(rules: FriedrichRules) -> Fate:
    """Clock before the game: the deck still in order, and in the expert game an open Offensive Option."""
    return Fate(deck=rules.fate.numbers(), offensive=Offensive() if rules.expert else None)


def shuffle(table: Table) -> list[Event]:
    """Shuffle the Cards of Fate. A table may have agreed to keep some strokes out of the first ones (§1)."""
    rules, fate = table.rules, table.state.fate
    if rules.terms.fate_order == "shuffled":
        order, event = shuffle_cards(table, fate.deck)
        fate.deck = order[::-1]
        return [event]
    late = rules.fate.late
    others, first = shuffle_cards(table, [number for number in fate.deck if number not in late.strokes])
    rest, second = shuffle_cards(table, sorted([*others[late.after :], *late.strokes]))
    fate.deck = [*others[: late.after], *rest][::-1]
    return [first, second]


def shuffle_cards(table: Table, numbers: list[int]) -> tuple[list[int], FateShuffled]:
    """Cards in the dealer's order, the top first, as the next shuffle of the game, with its event."""
    order = deal(table, numbers)
    return order, FateShuffled(table.state.cards.shuffles, len(numbers))


def deal(table: Table, numbers: list[int]) -> list[int]:
    """Cards in their new order by the next shuffle of the game, whose number everybody can count."""
    cards = table.state.cards
    order = table.dealer.shuffle(OTHER_DECKS + cards.shuffles, numbers)
    cards.shuffles += 1
    return order


def clock(table: Table) -> list[Event]:
    """Read the top card and carry it out; its choices become tasks (§11).

    Before the first turn of fate the turn just ends. The sequence of play tests victory before and after this.
    """
    state = table.state
    fate = state.fate
    fate.in_force = []
    events = read(table) if state.turn >= table.rules.game.first_fate else []
    fate.beaten = []
    return events


def read(table: Table) -> list[Event]:
    """Turn the top card up: a stroke stays out, any other card goes back to the bottom of the deck (§2)."""
    fate = table.state.fate
    number = fate.drawn = fate.deck.pop()
    if any(stroke.number == number for stroke in table.rules.fate.strokes):
        fate.version = None
        fate.out.append(number)
        return [FateDrawn(number, None), *strokes.strike(table), *offensive.check_ruin(table)]
    fate.deck.insert(0, number)
    suit = fate.version = suit_read(table)
    return [FateDrawn(number, suit), *carry_out(table, number, suit)]


def suit_read(table: Table) -> Suit:
    """Suit of the version that counts: in the expert game that of the latest victor's sector (§13).

    Before the first victory, and when the victor is off the map, it is that of the standard game.
    """
    rules, state = table.rules, table.state
    standard = Suit(SUITS.index(rules.fate.standard))
    victor = state.fate.winner
    if not rules.expert or victor is None:
        return standard
    city = state.field.pieces[victor].city
    return rules.common.board.suit[city] if city >= 0 else standard


def carry_out(table: Table, number: int, suit: Suit) -> list[Event]:
    """Carry out an immediate effect, or store one that holds in the next turn."""
    effect = table.rules.fate.version(number, SUITS[suit]).effect
    if effect is None:
        return []
    if isinstance(effect, Instant):
        return instants.begin(table, number, suit, effect)
    table.state.fate.in_force = [InForce(number, suit, until=table.state.turn + 1)]
    return []
