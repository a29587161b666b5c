"""The Clock of Fate: the deck, the card read at the end of a turn, and which of its versions counts (§2, §11, §13)."""

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
    """The clock before the game: a deck still in order; the expert game keeps the Offensive Option open."""
    return Fate(deck=rules.fate.numbers(), offensive=Offensive() if rules.expert else None)


def shuffle(table: Table) -> list[Event]:
    """Shuffle the Cards of Fate; a table may have agreed that some strokes do not come among the first (§1)."""
    rules, fate = table.rules, table.state.fate
    if rules.terms.fate_order == "shuffled":
        order, event = shuffled(table, fate.deck)
        fate.deck = order[::-1]
        return [event]
    late = rules.fate.late
    others, first = shuffled(table, [number for number in fate.deck if number not in late.strokes])
    rest, second = shuffled(table, sorted([*others[late.after :], *late.strokes]))
    fate.deck = [*others[: late.after], *rest][::-1]
    return [first, second]


def shuffled(table: Table, numbers: list[int]) -> tuple[list[int], FateShuffled]:
    """Cards in the order that the dealer gives them, as the next shuffle of the game, the top first."""
    order = deal(table, numbers)
    return order, FateShuffled(table.state.cards.shuffles, len(numbers))


def deal(table: Table, numbers: list[int]) -> list[int]:
    """The next shuffle of the game, which anybody can count: the cards in their new order."""
    cards = table.state.cards
    order = table.dealer.shuffle(OTHER_DECKS + cards.shuffles, numbers)
    cards.shuffles += 1
    return order


def clock(table: Table) -> list[Event]:
    """Read the top card and carry it out; what it lets anybody decide becomes a task (§11).

    Before the first turn of fate the turn just ends. Victory is tested before and after this, by the sequence of play.
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
    """The suit of the version that counts: in the expert game that of the sector of the latest victor (§13).

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
    """Do at once what a version asks for at once; keep what holds in the next turn."""
    effect = table.rules.fate.version(number, SUITS[suit]).effect
    if effect is None:
        return []
    if isinstance(effect, Instant):
        return instants.begin(table, number, suit, effect)
    table.state.fate.in_force = [InForce(number, suit, until=table.state.turn + 1)]
    return []
