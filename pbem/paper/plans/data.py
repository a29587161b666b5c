"""Plans as they were written: their choices, their conditions, their wishes (docs/plans.md)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.engine.field import OFF
from pbem.engine.nouns import City, Piece, Suit
from pbem.paper.documents.strict import Node
from pbem.paper.lexicon import WrittenCard
from pbem.paper.orders.names import AnyEntry, NamedThing
from pbem.paper.orders.sections import BattleOrder

Tactic = Literal["win", "win-cheaply", "hold", "tie", "lose-least", "cut-losses", "decline"]

Otherwise = Literal["ask", "stop"]
"""Treatment of a choice for which its plan has no answer: the player is asked, or nothing is done."""


class Span(Struct, frozen=True):
    """Whole numbers from `least` to `most`. None means no limit on that side."""

    least: int | None
    most: int | None

    def holds(self, number: int) -> bool:
        """True if a number lies in the span."""
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)


class PlanBounds(Struct, frozen=True):
    """Battles or retreats that a plan is for. An empty field allows all."""

    of: tuple[Piece, ...] = ()
    """Generals of one's own side, of whom at least one must take part."""
    against: tuple[Piece, ...] = ()
    at: tuple[City, ...] = ()
    """Cities in one of which a side must stand."""
    role: Literal["", "attacker", "defender"] = ""


class PlanEnd(Struct, frozen=True):
    """The last turn of a plan, or the last stage of that turn."""

    turn: int
    stage: str = ""


What = Literal["card", "suit", "reserve", "any", "stop"]
Aim = Literal["", "least", "most", "to"]
Strength = Literal["", "strongest", "weakest"]
Pick = Literal["", "highest", "lowest"]
SuitWord = Literal["card", "trump", "leading", "other"]
Pay = Literal["cheapest", "highest", "spare", "never"]
Raid = Literal["costliest", "stay", "off"]


class Script(Struct, frozen=True):
    """One line of a script: a card, a kind of card with a goal, or the end of the play."""

    what: What
    card: WrittenCard | None
    goal: Aim
    score: int
    """Score that the goal `to` wants to reach at least."""
    node: Node


class BattleWish(Struct, frozen=True):
    """Conduct of a combat: first the script, then the tactic, within the limits."""

    play: tuple[Script, ...] = ()
    tactic: Tactic | None = None
    keep: tuple[WrittenCard, ...] = ()
    spend: int | None = None
    """Most cards that one spends in this combat."""
    points: int | None = None
    accept: int | None = None
    """Greatest loss of troops that the plan accepts: it stops if stopping costs no more."""
    behind: int | None = None
    ahead: int | None = None


class RetreatGoal(Struct, frozen=True):
    """Goal of a retreat: a city, a piece, or the word for the trains or the home country of the beaten power."""

    city: City = OFF
    piece: Piece = Piece(-1)
    word: Literal["", "trains", "home"] = ""


class Preference(Struct, frozen=True):
    """One preference about the end of a retreat."""

    kind: Literal["towards", "away-from", "cut-off-from", "never-next-to"]
    goals: tuple[RetreatGoal, ...]


class RetreatWish(Struct, frozen=True):
    """Wish about the retreat of a beaten enemy. An earlier preference counts more."""

    preferences: tuple[Preference, ...]


class GoWish(Struct, frozen=True):
    """Wish about a piece of one's own that must leave its city. An earlier preference counts more."""

    preferences: tuple[Preference, ...]


class AttackWish(Struct, frozen=True):
    """Wish about the order of attacks."""

    order: tuple[BattleOrder, ...] = ()
    by: Strength = ""


class MusterWish(Struct, frozen=True):
    """Wish about new troops: their distribution, and the limits of their price."""

    give: tuple[Piece, ...]
    """Generals in the order in which they get troops. If it is empty, troops are distributed evenly, or to the
    front."""
    to_front: bool = False
    troops: int | None = None
    keep: tuple[WrittenCard, ...] = ()
    keep_points: int = 0
    keep_half: bool = False
    """True if half of the points in hand are kept."""
    pay: Pay = "cheapest"
    enter_all: bool = False
    """True if generals return wherever they can, and also a train if the power has none left."""
    enter: tuple[tuple[Piece, tuple[City, ...]], ...] = ()
    """Pieces that return, each with its cities, the most wanted first."""


class TollWish(Struct, frozen=True):
    """Wish about the payment for supply through hussars, with the generals that go unsupplied first if not all can be
    paid for (MARIA §9)."""

    pay: Pay
    keep: tuple[WrittenCard, ...] = ()
    unsupplied: tuple[NamedThing[Piece], ...] = ()


class RaidWish(Struct, frozen=True):
    """Wish about the move of hussars: to the place where the enemy pays most for supply, nowhere, or off the map (MARIA
    §7)."""

    raid: Raid


class CorpsWish(Struct, frozen=True):
    """Generals to send to the off-map box (MARIA §17.5): the first who can go. If there are none, it is the general
    with fewest troops."""

    send: tuple[Piece, ...]


class CardWish(Struct, frozen=True):
    """Wish for a card: a certain one, or the highest or lowest of a suit. Without either it is the wish for no card."""

    card: WrittenCard | None = None
    pick: Pick = ""
    suit: Suit | SuitWord = "card"
    """A suit, every suit (`card`), the political trump, trumps that take the lead, or all suits but the trump. A
    Reserve belongs to none of them."""
    values: Span = Span(None, None)


class CardsWish(Struct, frozen=True):
    """Wish for a card to give away, place or set aside. The first possible choice counts."""

    choices: tuple[CardWish, ...]
    keep: tuple[WrittenCard, ...] = ()
    among: frozenset[int] = frozenset()
    """Political cards of which one must be face up; otherwise no card is given (MARIA §17.3)."""


class PoliticsWish(Struct, frozen=True):
    """Wish for political cards, the most wanted first (MARIA §17.5)."""

    choices: tuple[AnyEntry, ...]
    """Choices in the form of the section `politics` of an order file."""


class WrittenAnswer(Struct, frozen=True):
    """The answer itself, written as sections of an order file."""

    sections: dict[str, tuple[object, ...]]


class StageOrders(Struct, frozen=True):
    """Orders of a power for a later stage, written as in an order file. Without sections they withdraw earlier orders
    for the stage."""

    stage: str
    sections: dict[str, tuple[object, ...]]


Wish = (
    BattleWish
    | RetreatWish
    | GoWish
    | AttackWish
    | MusterWish
    | TollWish
    | RaidWish
    | CorpsWish
    | CardsWish
    | PoliticsWish
    | WrittenAnswer
    | StageOrders
)  # fmt: skip


class Whereabouts(Struct, frozen=True):
    """Condition that a piece stands in one of some cities, or in none of them. The city `OFF` means off the map."""

    piece: Piece
    cities: tuple[City, ...]
    is_there: bool


class Conquest(Struct, frozen=True):
    """Condition that a fortress has been conquered, or has not."""

    city: City
    is_conquered: bool


class Plan(Struct, frozen=True):
    """One plan: its choice, its conditions, its wish, and what happens if it has no answer."""

    number: int
    """Position of the plan in its list, from 1."""
    kind: str
    """Topic of the decisions that the plan is for."""
    wish: Wish
    node: Node
    bound: PlanBounds = PlanBounds()
    when: tuple[tuple[str, Span], ...] = ()
    """Names of numbers, each with the span in which the number must lie."""
    standing: bool = False
    until: PlanEnd | None = None
    otherwise: Otherwise = "ask"
    where: tuple[Whereabouts, ...] = ()
    conquered: tuple[Conquest, ...] = ()

    @property
    def withdraws(self) -> bool:
        """True for orders ahead that name only their stage."""
        return isinstance(self.wish, StageOrders) and not self.wish.sections and self.otherwise == "ask"
