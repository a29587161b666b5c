"""The position of a game of FRIEDRICH: plain typed data, enough to go on from here."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.engine.cards import Cards
from pbem.engine.decisions import Pairing
from pbem.engine.duel import Duel
from pbem.engine.events import Ending
from pbem.engine.field import Field
from pbem.engine.nouns import Card, City, Piece, Power, Suit
from pbem.engine.retreat import Retreat
from pbem.games.friedrich.rules.data import Terms

Phase = Literal[
    "allotment", "cards", "movement", "recruiting", "combat", "retroactive", "supply", "clock", "over",
]  # fmt: skip
"""The phases of a stage (§2); the clock is the one phase of the stage `fate`."""


class Result(Struct, frozen=True):
    """How the game ended; the players besides the winner who win with him stand in `others` (§12)."""

    winner: str | None
    how: Ending
    held: dict[Power, int]
    """How many of the objectives it needs each attacking power holds."""
    others: tuple[str, ...] = ()


class InForce(Struct):
    """A version of a Card of Fate that holds for some time."""

    card: int
    suit: Suit
    until: int
    """The last turn in which it holds."""
    used: bool = False
    """Whether it was over at its first use."""
    suits: list[Suit] = []
    """The suits in which a general has attacked, where another must attack in others."""
    settled: list[Pairing] = []
    """The combats of this phase in which a side's first cards have done what they had to."""


class Task(Struct, frozen=True, tag=True):
    """Something that must be decided before play goes on; the first of the list is asked."""

    power: Power


class VersionTask(Task, frozen=True):
    """What a version of a Card of Fate lets this power decide at once."""

    card: int
    suit: Suit
    step: int = 0
    """Where the version asks more than one question: which of them."""
    laid: Card | None = None
    """The card that an earlier answer has laid out."""


class RemovalTask(Task, frozen=True):
    """A general of this power is to leave the game for good, of its choice (§11)."""


class GarrisonTask(Task, frozen=True):
    """This power takes objectives back, for their conqueror has no general left in the region (§13)."""


class SidestepTask(Task, frozen=True):
    """A stack of this power in this city may step aside before it is attacked."""

    city: City


class DeclareTask(Task, frozen=True):
    """This power declares its Offensive Option now or never (§13)."""


Tasks = VersionTask | RemovalTask | GarrisonTask | SidestepTask | DeclareTask


class Offensive(Struct):
    """What becomes of Prussia's Offensive Option (§13)."""

    declared: bool = False
    card: Card | None = None
    """The card set aside face-up; it stays here until the opponent takes it."""
    taken: bool = False
    """Whether the opponent has taken it."""
    failed: bool = False


class Fate(Struct):
    """The Clock of Fate: what it has struck, and what holds for now (§11)."""

    deck: list[int]
    """The Cards of Fate by number; the top is the last one."""
    out: list[int] = []
    """The strokes drawn so far."""
    in_force: list[InForce] = []
    quit: list[Power] = []
    """The powers that have left the game, those included that take no part in this scenario."""
    eased: list[Power] = []
    """The powers that need only their objectives of the first order."""
    winner: Piece | None = None
    """The general in command of the winners of the latest decided combat (§13)."""
    drawn: int | None = None
    """The latest card drawn."""
    version: Suit | None = None
    """The suit of the version read of it; none for a stroke."""
    beaten: list[Piece] = []
    """The generals who have been beaten in this turn."""
    offensive: Offensive | None = None
    """Only in the expert game."""


class State(Struct):
    """Everything that changes during the game."""

    terms: Terms
    turn: int
    stage: str
    """setup, the power that acts, fate, or the last of these once the game is over (§2)."""
    phase: Phase
    field: Field
    cards: Cards
    fate: Fate
    begun: bool = False
    """Whether what the phase does by itself has been done, and only decisions are left."""
    owing: list[Power] = []
    """The powers that still owe an answer in this phase."""
    moved: list[Piece] = []
    """The pieces that may not move any more in this stage."""
    reinforced: list[Piece] = []
    """The generals who have got new troops in this stage while others could still march."""
    substitute: City | None = None
    """The substitute city in which pieces have come back in this stage (§10)."""
    drawn: list[Card] = []
    """The cards just drawn of which some are to be given back (§3)."""
    battles: list[Pairing] = []
    """The attacks of this combat phase that are still to be resolved (§7)."""
    duel: Duel | None = None
    retreat: Retreat | None = None
    result: Result | None = None
    tasks: list[Tasks] = []
    """What must be decided before anything else."""
