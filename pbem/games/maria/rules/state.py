"""Position of a game of MARIA: plain typed data, enough to continue from it."""

from __future__ import annotations

from typing import Literal, NamedTuple, Self

from msgspec import Struct

from pbem.engine.cards import Cards
from pbem.engine.decisions import Claim, Pairing
from pbem.engine.duel import Duel
from pbem.engine.events import Ending
from pbem.engine.field import Field
from pbem.engine.nouns import NO_POWER, Card, City, Piece, Power, Suit
from pbem.engine.retreat import Retreat
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.politics_data import Political

Phase = Literal[
    "allotment", "trump", "placing", "selecting", "hussars", "cards", "supply", "movement", "combat", "retroactive",
    "aftermath", "cession", "election", "recruiting", "over",
]  # fmt: skip


class Result(Struct, frozen=True):
    """Result of the game; no winner means a tie."""

    winner: str | None
    how: Ending
    held: dict[Power, int]


class Cancellation(NamedTuple):
    """Wish of a power to cancel the contract with a partner (§20). Positions contain it as text."""

    power: Power
    partner: Power

    def __str__(self) -> str:
        return f"{self.power}/{self.partner}"

    @classmethod
    def read(cls, written: str) -> Self:
        """Parse the text; the partner is empty if none is named."""
        power, _, partner = written.partition("/")
        return cls(Power(power), Power(partner))


class Contract(Struct):
    """Subsidy contract: a card of the giver's income each turn, for so many turns (§20)."""

    giver: Power
    receiver: Power
    turns: int
    fixed: bool = False
    """True if it cannot be cancelled."""
    by: Power = NO_POWER
    """Power that offers it, while it is only an offer."""


class Agreement(Struct, frozen=True):
    """Promise between powers, in their own words (§21)."""

    powers: tuple[Power, ...]
    words: str
    turn: int


class Task(Struct, frozen=True, tag=True):
    """Decision that must be taken before play goes on; the first of the list is asked."""

    power: Power


class CorpsTask(Task, frozen=True):
    """A general has to go to the off-map box (§17.5)."""

    lasting: bool = False


class ReinforceTask(Task, frozen=True):
    """New troops are to be given out (§17.5)."""

    troops: int


class RelocateTask(Task, frozen=True):
    """A piece has to go to a nearest city: of some home countries, of all, or of the empty ones (§17.5, §19)."""

    piece: Piece
    homes: tuple[str, ...] = ()
    """Powers whose home countries it may go to; empty if it only has to give way."""
    empty: bool = False


class ArriveTask(Task, frozen=True):
    """A piece comes to a city once pieces there have given way (§17.5, §19.3)."""

    piece: Piece
    city: City
    corps: bool = False
    """True if it comes back from an off-map box."""


class PlaceTrainTask(Task, frozen=True):
    """A train enters at a major fortress at no cost (§19.1)."""

    piece: Piece


class ShiftTask(Task, frozen=True):
    """Losses of the patron may move the defector's marker (§19.3)."""

    steps: int


class RecruitTask(Task, frozen=True):
    """A power that has changed sides may recruit at once, as in winter (§19.3)."""


Tasks = CorpsTask | ReinforceTask | RelocateTask | ArriveTask | PlaceTrainTask | ShiftTask | RecruitTask


class Affairs(Struct):
    """State of the advanced game only: victory boxes, the political display, and political changes."""

    battle: dict[Power, int]
    """Markers in the battle boxes of each major power (§16)."""
    special: dict[str, Power] = {}
    """Other victory boxes with the power of the marker there: electors, emperor, italy, silesia (§16)."""
    set_aside: dict[Power, int] = {}
    """Markers that are in no pool for some time (§19)."""
    scores: list[dict[Power, int]] = []
    """Winter scores, revealed only at the end (§13)."""
    tracks: dict[str, int] = {}
    """Box of each track's marker."""
    deck: list[Political] = []
    """Political deck; its top is the last card."""
    open: list[Political] = []
    """Political cards that lie face-up."""
    election: bool = False
    """True if the emperor is elected at the end of this turn (§18)."""
    victor: str | None = None
    """Player who won the latest combat (§17.2)."""
    trump: Suit | None = None
    display: dict[Power, list[Card]] = {}
    """Face-up tactical cards on the display."""
    covered: dict[Power, list[Card]] = {}
    """Face-down ones: just placed, or used to bluff (§17.3, §25)."""
    order: list[Power] = []
    """Powers that may still select, the most influential first (§17.4)."""
    shifts: dict[str, int] = {}
    """Announced shifts, summed (§17.5)."""
    executed: list[str] = []
    """Players who have executed a card this turn (§24)."""
    income: dict[Power, int] = {}
    """Changes of income for this turn only."""
    lasting: dict[Power, int] = {}
    """Changes of income until the end of the game."""
    corps: dict[Power, list[Piece]] = {}
    """Generals in off-map boxes who come back when the expedition ends (§17.5)."""
    drawn: list[Power] = []
    """Powers that have drawn cards this turn (§19.3)."""
    annexed: int = 0
    """Turn in which Silesia was annexed; 0 if it was not (§19.1)."""
    offered: bool = False
    """True if peace has been offered and not answered yet."""
    reduced: bool = False
    """True if objectives have been reduced (§19.2)."""
    votes: dict[Power, int] = {}
    """Votes given for Charles Albert, by power."""
    contracts: list[Contract] = []
    offers: list[Contract] = []
    cancelling: list[str] = []
    """Every `Cancellation`, as text (§20)."""
    agreements: list[Agreement] = []


class Gambit(Struct):
    """State of the Silesia Gambit only."""

    laid_aside: dict[Power, list[Card]] = {}
    """Cards of the income that nobody has seen, until peace is made."""
    ceded: bool = False
    lacking: dict[Power, int] = {}
    """Fortresses that powers lacked for their goals when peace was made."""
    held: dict[Power, int] = {}
    """Fortresses of the ceded land that powers held then."""


class State(Struct):
    """Everything that changes during the game."""

    terms: Terms
    turn: int
    stage: str
    """setup, politics, hussars, the leading power of an action stage, election, cession, or winter-<leading power>
    (§5). After the end of the game it keeps its last value.
    """
    phase: Phase
    field: Field
    cards: Cards
    begun: bool = False
    """True if the automatic part of the phase is done, and only decisions are left."""
    owing: list[Power] = []
    """Powers that still owe an answer in this phase."""
    moved: list[Piece] = []
    """Pieces that may not move any more in this stage."""
    tolls: dict[Power, list[Claim]] = {}
    """Supply paths through hussars that are still to be paid for (§9)."""
    battles: list[Pairing] = []
    """Attacks of this combat phase that are still to be resolved (§11.1)."""
    duel: Duel | None = None
    retreat: Retreat | None = None
    result: Result | None = None
    tasks: list[Tasks] = []
    """Decisions that must be taken before anything else."""
    affairs: Affairs | None = None
    """Only in the advanced game."""
    gambit: Gambit | None = None
    """Only in the Silesia Gambit."""
