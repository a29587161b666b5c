"""Plans as they were written: what each is for, when it holds, and what it wants (docs/plans.md)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.engine.field import OFF
from pbem.engine.nouns import City, Piece, Suit
from pbem.paper.documents.strict import Node
from pbem.paper.lexicon import WrittenCard
from pbem.paper.orders.names import AnyEntry, Named
from pbem.paper.orders.sections import BattleOrder

Tactic = Literal["win", "win-cheaply", "hold", "tie", "lose-least", "cut-losses", "decline"]

Otherwise = Literal["ask", "stop"]
"""What becomes of a choice that a plan speaks of and cannot make."""


class Span(Struct, frozen=True):
    """Whole numbers from the least to the most; None leaves an end open."""

    least: int | None
    most: int | None

    def holds(self, number: int) -> bool:
        """Whether a number lies within."""
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)


class Bound(Struct, frozen=True):
    """Which battles or retreats a plan is for; what is empty binds nothing."""

    of: tuple[Piece, ...] = ()
    """Generals of one's own side, one of whom takes part."""
    against: tuple[Piece, ...] = ()
    at: tuple[City, ...] = ()
    """Cities, in one of which one of the two sides stands."""
    role: Literal["", "attacker", "defender"] = ""


class Until(Struct, frozen=True):
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
    """What the goal `to` wants to reach at least."""
    node: Node


class BattleWish(Struct, frozen=True):
    """How a combat is fought: a script first, a tactic behind it, limits around both."""

    play: tuple[Script, ...] = ()
    tactic: Tactic | None = None
    keep: tuple[WrittenCard, ...] = ()
    spend: int | None = None
    """The most cards of one's own in this combat."""
    points: int | None = None
    accept: int | None = None
    """The loss of troops with which one stops."""
    behind: int | None = None
    ahead: int | None = None


class RetreatGoal(Struct, frozen=True):
    """A city, a piece, or the word that stands for something of the beaten power."""

    city: City = OFF
    piece: Piece = Piece(-1)
    word: Literal["", "trains", "home"] = ""


class Preference(Struct, frozen=True):
    """One wish about the end of a retreat."""

    kind: Literal["towards", "away-from", "cut-off-from", "never-next-to"]
    goals: tuple[RetreatGoal, ...]


class RetreatWish(Struct, frozen=True):
    """Where a beaten enemy is sent; of two wishes the first written counts more."""

    preferences: tuple[Preference, ...]


class GoWish(Struct, frozen=True):
    """Where a piece of one's own goes that has to leave its city; of two wishes the first written counts more."""

    preferences: tuple[Preference, ...]


class AttackWish(Struct, frozen=True):
    """Which attack comes first."""

    order: tuple[BattleOrder, ...] = ()
    by: Strength = ""


class MusterWish(Struct, frozen=True):
    """How new troops are given out, and what may be paid for them."""

    give: tuple[Piece, ...]
    """Generals in the order in which they are filled; empty gives evenly, or where the enemy is near."""
    to_front: bool = False
    troops: int | None = None
    keep: tuple[WrittenCard, ...] = ()
    keep_points: int = 0
    keep_half: bool = False
    """Whether half of the points in hand are kept."""
    pay: Pay = "cheapest"
    enter_all: bool = False
    """Whether generals come back wherever they can, and a train if the power has none left."""
    enter: tuple[tuple[Piece, tuple[City, ...]], ...] = ()
    """Pieces that come back, each with cities in the order in which they are wanted."""


class TollWish(Struct, frozen=True):
    """How supply through hussars is paid for, and who goes short first if all cannot be paid (MARIA §9)."""

    pay: Pay
    keep: tuple[WrittenCard, ...] = ()
    unsupplied: tuple[Named[Piece], ...] = ()


class RaidWish(Struct, frozen=True):
    """Where hussars go: where the enemy pays most for supply, nowhere else, or from the map (MARIA §7)."""

    raid: Raid


class CorpsWish(Struct, frozen=True):
    """Who goes to the off-map box (MARIA §17.5): the first of these who can, or who has fewest troops."""

    send: tuple[Piece, ...]


class CardWish(Struct, frozen=True):
    """A card, or the highest or lowest of some; with neither it means none at all."""

    card: WrittenCard | None = None
    pick: Pick = ""
    suit: Suit | SuitWord = "card"
    """A suit, any, the political trump, trumps by which one leads, or any but trumps; Reserves are of none of them."""
    values: Span = Span(None, None)


class CardsWish(Struct, frozen=True):
    """Which card is given away, placed or set aside: the first of these that can be."""

    choices: tuple[CardWish, ...]
    keep: tuple[WrittenCard, ...] = ()
    among: frozenset[int] = frozenset()
    """Political cards, of which one has to lie open, or nothing is given (MARIA §17.3)."""


class PoliticsWish(Struct, frozen=True):
    """Political cards in the order in which they are wanted (MARIA §17.5)."""

    choices: tuple[AnyEntry, ...]
    """Each as the section `politics` of an order file has it."""


class WrittenAnswer(Struct, frozen=True):
    """The answer itself, as a section of an order file says it."""

    sections: dict[str, tuple[object, ...]]


class StageOrders(Struct, frozen=True):
    """All that a power does in a later stage, as an order file says it; without a section it withdraws them."""

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
    """That a piece stands in one of some cities, or in none of them; `OFF` is off the map."""

    piece: Piece
    cities: tuple[City, ...]
    is_there: bool


class Conquest(Struct, frozen=True):
    """That a fortress has been conquered, or has not."""

    city: City
    is_conquered: bool


class Plan(Struct, frozen=True):
    """One plan: for which choices it is, under which conditions, what it wants, and what else if that fails."""

    number: int
    """Its place in the list, from 1."""
    kind: str
    """What it is for."""
    wish: Wish
    node: Node
    bound: Bound = Bound()
    when: tuple[tuple[str, Span], ...] = ()
    """Numbers that have to lie within spans, by their names."""
    standing: bool = False
    until: Until | None = None
    otherwise: Otherwise = "ask"
    where: tuple[Whereabouts, ...] = ()
    conquered: tuple[Conquest, ...] = ()

    @property
    def withdraws(self) -> bool:
        """Whether orders ahead have nothing but their stage."""
        return isinstance(self.wish, StageOrders) and not self.wish.sections and self.otherwise == "ask"
