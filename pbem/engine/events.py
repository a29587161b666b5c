"""Events: one small typed fact for every change of the position, in the order of play.

Cities, pieces and cards are given by their numbers. Every type of event names its secret fields (`secrets`), which
`seen_by` empties for readers who may not know them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.nouns import Card, City, Deck, Hussar, Piece, Power

Ending = Literal["goals", "survival", "divided", "pools", "scores"]
"""Reason of the end of a game: goals are reached (`goals`), a power wins because the others have not won in time
(`survival`), a player with two goals has reached only one (`divided`), a pool is empty (`pools`), or winter scores
decide (`scores`)."""


CardFlow = Literal[
    "nowhere", "drawn", "revealed", "aside", "regained", "spent", "unseen", "received", "emptied", "shown"
]
"""Movement of the tactical cards of an event. From the movements everybody can count the cards in each place.

Cards from the draw deck are `drawn` into the hand of the event's power, put onto the piles (`revealed`), or laid
`aside` unseen. Cards laid aside are `regained` into the hand. Cards from the hand are `spent` openly, given or set
aside `unseen`, or all put onto the piles (`emptied`). Cards from another hand are `received`. Cards are `shown` if
everybody sees them in the hand of the event's power, or in front of it.
"""


class Event(Struct, frozen=True, tag=True):
    """Something that happened."""

    secrets: ClassVar[tuple[str, ...]] = ()
    """Fields that only players of the event's power may see."""
    private: ClassVar[bool] = False
    """True if other players do not learn of the event at all."""
    reveals: ClassVar[bool] = False
    """True if the acting power learns from the event what it could not know before: a result of chance, or a secret of
    another power."""
    goes: ClassVar[CardFlow] = "nowhere"
    """Movement of the tactical cards that the event names."""
    arms: ClassVar[bool] = False
    """True if generals of the event's power gain or lose troops, and only that power knows which generals."""
    takes_troops: ClassVar[bool] = False
    """True if a general who leaves the map takes all his troops along, so that no general elsewhere gets any."""


class TurnBegan(Event, frozen=True):
    """A new turn begins (§5)."""

    turn: int


class StageBegan(Event, frozen=True):
    """A stage begins: `stage` is its name in the sequence of play (§5)."""

    turn: int
    stage: str


class TroopsAllotted(Event, frozen=True):
    """A power has allocated its troops in secret (§4)."""

    secrets: ClassVar[tuple[str, ...]] = ("troops",)
    power: Power
    troops: dict[Piece, int] | None


class TroopsMoved(Event, frozen=True):
    """A power has changed the allotment of troops in one stack, in secret (§6)."""

    secrets: ClassVar[tuple[str, ...]] = ("troops",)
    private: ClassVar[bool] = True
    power: Power
    troops: dict[Piece, int] | None


class HussarPlaced(Event, frozen=True):
    """A hussar has been put on a city (§7)."""

    hussar: Hussar
    city: City


class HussarRemoved(Event, frozen=True):
    """A hussar has left the board: a piece has entered its city, or its owner has taken it off (§7)."""

    hussar: Hussar
    city: City


class DeckShuffled(Event, frozen=True):
    """A new draw deck has been made (§8)."""

    reveals: ClassVar[bool] = True
    number: int
    """Number of the shuffle; the first is 1."""
    decks: tuple[Deck, ...]
    cards: int
    """Number of cards in the new draw deck."""


class CardsDrawn(Event, frozen=True):
    """A power has taken cards into its hand (§8)."""

    goes: ClassVar[CardFlow] = "drawn"
    reveals: ClassVar[bool] = True
    secrets: ClassVar[tuple[str, ...]] = ("cards",)
    power: Power
    count: int
    cards: tuple[Card, ...] | None


class IncomeLost(Event, frozen=True):
    """A minor power has drawn nothing because an enemy holds its major fortress (§8)."""

    power: Power


class SupplyTraced(Event, frozen=True):
    """A general outside home is in supply, by a path to a train (§9)."""

    piece: Piece
    path: tuple[City, ...]
    toll: int
    """Points that the power pays with cards; 0 without a toll."""


class SupplyRestored(Event, frozen=True):
    """A face-down general is back in supply and face-up again (§9)."""

    piece: Piece


class SupplyLost(Event, frozen=True):
    """A general is out of supply, turned face-down, and loses troops (§9)."""

    piece: Piece
    troops: int


class GeneralRemoved(Event, frozen=True):
    """A general without troops has left the map (§6)."""

    piece: Piece
    city: City


class Marched(Event, frozen=True):
    """Pieces went along a path; the last city may hold a general whom they join (§10.1)."""

    pieces: tuple[Piece, ...]
    start: City
    path: tuple[City, ...]
    forced: bool


class Stacked(Event, frozen=True):
    """Generals form a stack under a supreme commander (§6)."""

    city: City
    commander: Piece


class TrainTaken(Event, frozen=True):
    """A supply train was eliminated by a general who entered its city (§10.1, §13)."""

    train: Piece
    city: City
    by: Piece


class TrainReentered(Event, frozen=True):
    """A supply train came back to the board, at a price (§10.2)."""

    goes: ClassVar[CardFlow] = "spent"
    train: Piece
    city: City
    withdrawn_from: City
    cards: tuple[Card, ...]


class Conquered(Event, frozen=True):
    """A fortress changed hands (§10.3)."""

    city: City
    by: Power
    loser: Power
    """Power that had the fortress; empty if no power had it."""
    marker: Power | None
    """Power whose marker now lies on the fortress; None without a marker."""
    retroactive: bool = False
    """True if the fortress fell because it lost its protection after a general had left it."""


class Questioned(Event, frozen=True):
    """A general left a protected fortress. The fortress falls if it loses its protection in the present stage
    (§10.3)."""

    city: City
    by: Power


class QuestionLifted(Event, frozen=True):
    """A question mark was removed: the fortress holds (§12)."""

    city: City
    by: Power


class BattleJoined(Event, frozen=True):
    """Two stacks fight; both have stated their strength (§11.1)."""

    reveals: ClassVar[bool] = True
    attackers: tuple[Piece, ...]
    defenders: tuple[Piece, ...]
    attacking_city: City
    defending_city: City
    attacking_troops: int
    defending_troops: int
    score: int


class CardPlayed(Event, frozen=True):
    """A card was played in combat; `score` is the new score of the power that played it (§11.1)."""

    goes: ClassVar[CardFlow] = "spent"
    power: Power
    card: Card
    value: int
    score: int


class BattleTied(Event, frozen=True):
    """A combat ended at zero: nobody loses troops or retreats (§11.1)."""

    attackers: tuple[Piece, ...]
    defenders: tuple[Piece, ...]


class BattleWon(Event, frozen=True):
    """A combat was decided, and the loser gave up troops (§11.1)."""

    winners: tuple[Piece, ...]
    losers: tuple[Piece, ...]
    winner: Power
    loser: Power
    score: int
    """Margin of the defeat."""
    troops: int
    """Troops that the losers lost."""


class Retreated(Event, frozen=True):
    """The beaten stack went back along the path that the winner chose (§11.2)."""

    pieces: tuple[Piece, ...]
    start: City
    path: tuple[City, ...]


class RetreatImpossible(Event, frozen=True):
    """The beaten stack had no way to retreat the full distance and is gone with all its troops (§11.2)."""

    pieces: tuple[Piece, ...]
    city: City
    troops: int


class Recruited(Event, frozen=True):
    """A power paid for new troops and gave them to its generals in secret (§13)."""

    goes: ClassVar[CardFlow] = "spent"
    arms: ClassVar[bool] = True
    secrets: ClassVar[tuple[str, ...]] = ("allotment",)
    power: Power
    troops: int
    cards: tuple[Card, ...]
    allotment: dict[Piece, int] | None


class GeneralEntered(Event, frozen=True):
    """A general who had left the map came back (§13)."""

    piece: Piece
    city: City


class GameEnded(Event, frozen=True):
    """The game is over; no winner means a tie."""

    winner: str | None
    how: Ending
    held: dict[Power, int]
    """For each power the number that decided: fortresses controlled, markers left in the pool, or total of winter
    scores."""


def seen_by(event: Event, powers: Collection[Power]) -> Event | None:
    """Return the event as players of `powers` may see it, with the secret fields of other powers emptied. Return None
    for a private event of another power."""
    if not event.secrets or getattr(event, "power", None) in powers:
        return event
    return None if event.private else replace(event, **dict.fromkeys(event.secrets))


def all_seen_by(events: Iterable[Event], powers: Collection[Power]) -> list[Event]:
    """Return the events as players of `powers` see them (`seen_by`): private events of other powers are left out, and
    secret fields of other powers emptied."""
    return [seen for event in events if (seen := seen_by(event, powers)) is not None]
