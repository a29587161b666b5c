"""The position of a game of MARIA: plain typed data, enough to go on from here."""

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
    """How the game ended; no winner means a tie."""

    winner: str | None
    how: Ending
    held: dict[Power, int]


class Cancellation(NamedTuple):
    """Who wants to cancel a contract with whom (§20); positions have it written."""

    power: Power
    partner: Power

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.power}/{self.partner}"

    @classmethod
    def read(cls, written: str) -> Self:
        """What was written; the partner is empty where none is named."""
        power, _, partner = written.partition("/")
        return cls(Power(power), Power(partner))


class Contract(Struct):
    """A subsidy contract: a card of the giver's income a turn for so many turns (§20)."""

    giver: Power
    receiver: Power
    turns: int
    fixed: bool = False
    """Whether it cannot be cancelled."""
    by: Power = NO_POWER
    """While it is only offered: the power that offers it."""


class Agreement(Struct, frozen=True):
    """What powers have promised each other, in their own words (§21)."""

    powers: tuple[Power, ...]
    words: str
    turn: int


class Task(Struct, frozen=True, tag=True):
    """Something that must be decided before play goes on; the first of the list is asked."""

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
    """The powers whose home countries it may go to; none: it only has to give way."""
    empty: bool = False


class ArriveTask(Task, frozen=True):
    """A piece comes to a city once whoever stood there has given way (§17.5, §19.3)."""

    piece: Piece
    city: City
    corps: bool = False
    """Whether it comes back from an off-map box."""


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
    """What only the advanced game keeps: victory boxes, the political display, and political changes."""

    battle: dict[Power, int]
    """Markers in the battle boxes of each major power (§16)."""
    special: dict[str, Power] = {}
    """The other victory boxes, and whose marker lies there: electors, emperor, italy, silesia (§16)."""
    set_aside: dict[Power, int] = {}
    """Markers that are in no pool for the time being (§19)."""
    scores: list[dict[Power, int]] = []
    """The winter scores, revealed only at the end (§13)."""
    tracks: dict[str, int] = {}
    """The box in which the marker of each track stands."""
    deck: list[Political] = []
    """The political deck; its top is the last card."""
    open: list[Political] = []
    """The political cards that lie face-up."""
    election: bool = False
    """Whether the emperor is elected at the end of this turn (§18)."""
    victor: str | None = None
    """The player who won the latest combat (§17.2)."""
    trump: Suit | None = None
    display: dict[Power, list[Card]] = {}
    """Face-up tactical cards on the display."""
    covered: dict[Power, list[Card]] = {}
    """Face-down ones: just placed, or used to bluff (§17.3, §25)."""
    order: list[Power] = []
    """The powers that may still select, the most influential first (§17.4)."""
    shifts: dict[str, int] = {}
    """Announced shifts, summed (§17.5)."""
    executed: list[str] = []
    """The players who have executed a card this turn (§24)."""
    income: dict[Power, int] = {}
    """Changes of income for this turn only."""
    lasting: dict[Power, int] = {}
    """Changes of income until the end of the game."""
    corps: dict[Power, list[Piece]] = {}
    """Generals in off-map boxes who come back when the expedition ends (§17.5)."""
    drawn: list[Power] = []
    """The powers that have drawn cards this turn (§19.3)."""
    annexed: int = 0
    """The turn in which Silesia was annexed (§19.1)."""
    offered: bool = False
    """Whether peace has been offered and not answered yet."""
    reduced: bool = False
    """Whether objectives have been reduced (§19.2)."""
    votes: dict[Power, int] = {}
    """Votes given for Charles Albert, by power."""
    contracts: list[Contract] = []
    offers: list[Contract] = []
    cancelling: list[str] = []
    """Every `Cancellation`, as it is written (§20)."""
    agreements: list[Agreement] = []


class Gambit(Struct):
    """What only the Silesia Gambit keeps."""

    laid_aside: dict[Power, list[Card]] = {}
    """Cards of the income that nobody has seen, until peace is made."""
    ceded: bool = False
    lacking: dict[Power, int] = {}
    """How many fortresses powers lacked for their goals when peace was made."""
    held: dict[Power, int] = {}
    """How many fortresses of the ceded land powers held then."""


class State(Struct):
    """Everything that changes during the game."""

    terms: Terms
    turn: int
    stage: str
    """setup, politics, hussars, the leading power of an action stage, election, cession, or winter-<leading power>
    (§5); the last of these once the game is over."""
    phase: Phase
    field: Field
    cards: Cards
    begun: bool = False
    """Whether what the phase does by itself has been done, and only decisions are left."""
    owing: list[Power] = []
    """The powers that still owe an answer in this phase."""
    moved: list[Piece] = []
    """The pieces that may not move any more in this stage."""
    tolls: dict[Power, list[Claim]] = {}
    """Supply paths through hussars that are still to be paid for (§9)."""
    battles: list[Pairing] = []
    """The attacks of this combat phase that are still to be resolved (§11.1)."""
    duel: Duel | None = None
    retreat: Retreat | None = None
    result: Result | None = None
    tasks: list[Tasks] = []
    """What must be decided before anything else."""
    affairs: Affairs | None = None
    """Only in the advanced game."""
    gambit: Gambit | None = None
    """Only in the Silesia Gambit."""
