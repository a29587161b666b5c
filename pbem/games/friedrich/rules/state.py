"""Position of a game of FRIEDRICH as plain typed data, and the table at which it is played."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.engine.cards import Cards, Dealer, draw, throw
from pbem.engine.combat import Duel
from pbem.engine.decisions import Pairing
from pbem.engine.events import CardsDrawn, Ending, Event
from pbem.engine.field import Field
from pbem.engine.nouns import Card, City, Piece, Power, Suit
from pbem.engine.troops import Retreat
from pbem.games.friedrich.rules.data import FriedrichRules, Terms
from pbem.games.friedrich.rules.events import CardsThrown

Phase = Literal[
    "allotment", "cards", "movement", "recruiting", "combat", "retroactive", "supply", "clock", "over",
]  # fmt: skip
"""Phases of a stage (§2), and `over` after the end of the game. The clock is the only phase of the stage `fate`."""


class Result(Struct, frozen=True):
    """Result of the game. `others` are players who win together with the player `winner` (§12)."""

    winner: str | None
    how: Ending
    held: dict[Power, int]
    """Number of needed objectives that each power holds, for the powers that can win by objectives."""
    others: tuple[str, ...] = ()


class InForce(Struct):
    """Version of a Card of Fate that is in force for a time."""

    card: int
    suit: Suit
    until: int
    """Last turn in which the version holds."""
    used: bool = False
    """True if the version is used up."""
    suits: list[Suit] = []
    """Suits in which the first of the two generals of the effect `Differ` has attacked. The second must attack in other
    suits."""
    settled: list[Pairing] = []
    """Combats of the present phase in which a power has brought its score to zero or more with its first cards. In
    these combats the effect `Prevail` demands nothing more."""


class Task(Struct, frozen=True, tag=True):
    """Task of a power: a decision that it must make before play goes on. The position has a list of tasks, of which the
    first is decided next."""

    power: Power


class VersionTask(Task, frozen=True):
    """Task to make the choice that a version of a Card of Fate gives to the power."""

    card: int
    suit: Suit
    step: int = 0
    """Number of the decision, counted from 0, if the version asks for several."""
    laid: Card | None = None
    """Card that another power has laid out with an earlier answer."""


class RemovalTask(Task, frozen=True):
    """Task to choose a general of the power who leaves the game for good (§11)."""


class GarrisonTask(Task, frozen=True):
    """Task to choose objectives to take back from a conqueror who has no general left in their region (§13)."""


class SidestepTask(Task, frozen=True):
    """Task to let the stack in a city step aside before it is attacked, or to leave it there."""

    city: City


class DeclareTask(Task, frozen=True):
    """Task to declare the Offensive Option, or to decline it for the rest of the game (§13)."""


Tasks = VersionTask | RemovalTask | GarrisonTask | SidestepTask | DeclareTask


class Offensive(Struct):
    """State of Prussia's Offensive Option (§13)."""

    declared: bool = False
    card: Card | None = None
    """Card set aside face-up, until the opponent takes it."""
    taken: bool = False
    """True if the opponent has taken the card."""
    failed: bool = False


class Fate(Struct):
    """State of the Clock of Fate: its deck, the strokes drawn so far, and the effects in force (§11)."""

    deck: list[int]
    """Numbers of the Cards of Fate in the deck; the last card is the top."""
    out: list[int] = []
    """Strokes that have been drawn."""
    in_force: list[InForce] = []
    quit: list[Power] = []
    """Powers that have left the game, including those that take no part in the scenario."""
    eased: list[Power] = []
    """Powers whose victory was made easier: they need only their objectives of the first order."""
    winner: Piece | None = None
    """General in command of the winners of the latest decided combat (§13)."""
    drawn: int | None = None
    """Number of the latest card that was read."""
    version: Suit | None = None
    """Suit whose version of the latest card was read; None if that card is a stroke."""
    beaten: list[Piece] = []
    """Generals who have been beaten in the present turn."""
    offensive: Offensive | None = None
    """Offensive Option, in the expert game only."""


class State(Struct):
    """Position of a game: everything that changes during the game."""

    terms: Terms
    turn: int
    stage: str
    """Stage of the turn: `setup`, the power that acts, or `fate` (§2). The end of the game does not change it."""
    phase: Phase
    field: Field
    cards: Cards
    fate: Fate
    begun: bool = False
    """True once the automatic part of the phase has been carried out."""
    owing: list[Power] = []
    """Powers that still owe an answer in the present phase."""
    moved: list[Piece] = []
    """Pieces that may not move any more in the present stage."""
    reinforced: list[Piece] = []
    """Generals who have got new troops in the present stage while others could still march."""
    substitute: City | None = None
    """Substitute city in which pieces have come back in the present stage (§10)."""
    drawn: list[Card] = []
    """Cards just drawn of which some are to be set aside (§3)."""
    battles: list[Pairing] = []
    """Attacks of the present combat phase that are still to be resolved (§7)."""
    duel: Duel | None = None
    retreat: Retreat | None = None
    result: Result | None = None
    tasks: list[Tasks] = []
    """Tasks of powers, which must be decided before play goes on."""


class Table(Struct):
    """Game in progress: its rules, its position, and the dealer of its shuffles."""

    rules: FriedrichRules
    state: State
    dealer: Dealer


def active(table: Table) -> Power:
    """Return the power whose stage it is (§2)."""
    return Power(table.state.stage)


def plays_on(table: Table, power: Power) -> bool:
    return power in table.rules.powers and power not in table.state.fate.quit


def draw_cards(table: Table, power: Power, count: int) -> tuple[list[Card], list[Event]]:
    """Give a power cards from the draw deck (§3), and return the cards and the events."""
    drawn, events = draw(table.state.cards, table.rules.common.decks, table.dealer, power, count)
    return drawn, [*events, CardsDrawn(power, len(drawn), tuple(drawn))]


def throw_cards(table: Table, count: int) -> list[Event]:
    """Set aside cards from the draw deck, unseen by any player."""
    if not count:
        return []
    thrown, events = throw(table.state.cards, table.rules.common.decks, table.dealer, count)
    return [*events, CardsThrown(thrown)]
