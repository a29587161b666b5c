"""Plans as typed values: the choices that they are for, their conditions, and their wishes (docs/plans.md)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.engine.field import OFF
from pbem.engine.nouns import City, Piece, Suit
from pbem.paper.documents.strict import Node
from pbem.paper.lexicon import WrittenCard
from pbem.paper.orders.names import AnyEntry, NamedThing
from pbem.paper.orders.sections import BattleOrder

Tactic = Literal["win", "win-cheaply", "hold", "tie", "lose-least", "cut-losses", "save-troops", "decline"]

Otherwise = Literal["ask", "stop"]
"""Treatment of a choice for which a plan has no answer that fits: the player is asked, or nothing is done."""


class Span(Struct, frozen=True):
    """All whole numbers from `least` to `most`. None means that there is no limit."""

    least: int | None
    most: int | None

    def holds(self, number: int) -> bool:
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)


class PlanBounds(Struct, frozen=True):
    """Limits to the battles or retreats that a plan is for. An empty field sets no limit."""

    of: tuple[Piece, ...] = ()
    """Generals of one's own side. At least one of them must take part."""
    against: tuple[Piece, ...] = ()
    """Generals of the enemy. At least one of them must take part."""
    at: tuple[City, ...] = ()
    """Cities. The plan's power or its enemy must stand in one of these cities."""
    role: Literal["", "attacker", "defender"] = ""
    """Side of the plan's power in the battle."""


class PlanEnd(Struct, frozen=True):
    """End of a plan: the last turn in which it answers. If a stage is named, the plan ends with that stage of the
    turn."""

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
    """One line of a script for a combat: a card, a kind of card with a goal, or the end of the play."""

    what: What
    card: WrittenCard | None
    goal: Aim
    score: int
    """Score that the line wants to reach."""
    node: Node


class BattleWish(Struct, frozen=True):
    """Wish about the conduct of a combat. The script is followed first, then the tactic. The other fields are
    limits."""

    play: tuple[Script, ...] = ()
    tactic: Tactic | None = None
    keep: tuple[WrittenCard, ...] = ()
    """Cards that are not played."""
    spend: int | None = None
    """Most cards that the power plays in one combat."""
    points: int | None = None
    """Most points of cards that the power plays in one combat."""
    accept: int | None = None
    """Greatest loss of troops that the power accepts: it stops if stopping costs no more."""
    behind: int | None = None
    """The power gives up if it is behind by so many points."""
    ahead: int | None = None
    """The power plays nothing that brings it ahead by more points."""


class RetreatGoal(Struct, frozen=True):
    """Goal of a preference: a city, a piece, or the trains or the home country of the beaten power."""

    city: City = OFF
    piece: Piece = Piece(-1)
    word: Literal["", "trains", "home"] = ""
    """`trains` or `home`; empty if the goal is a city or a piece."""


class Preference(Struct, frozen=True):
    """Preference about the city where a retreat, or a piece that must leave its city, ends."""

    kind: Literal["towards", "away-from", "cut-off-from", "never-next-to"]
    goals: tuple[RetreatGoal, ...]


class RetreatWish(Struct, frozen=True):
    """Wish about the retreat of a beaten enemy. Earlier preferences count more than later ones."""

    preferences: tuple[Preference, ...]


class GoWish(Struct, frozen=True):
    """Wish about a piece of one's own that must leave its city. Earlier preferences count more than later ones."""

    preferences: tuple[Preference, ...]


class AttackWish(Struct, frozen=True):
    """Wish about the sequence of one's own attacks: in a written order, or the strongest or weakest enemies first."""

    order: tuple[BattleOrder, ...] = ()
    by: Strength = ""


class MusterWish(Struct, frozen=True):
    """Wish about new troops: the generals who get them, and the cards that may be spent."""

    give: tuple[Piece, ...]
    """Generals in the order in which they get troops. If it is empty, troops are distributed evenly, or with `to_front`
    to the generals at the front."""
    to_front: bool = False
    troops: int | None = None
    """Most new troops; None without a limit."""
    keep: tuple[WrittenCard, ...] = ()
    """Cards that stay in hand."""
    keep_points: int = 0
    """Points of cards that stay in hand."""
    keep_half: bool = False
    """True if half of the points in hand must be kept."""
    pay: Pay = "cheapest"
    enter_all: bool = False
    """True if generals return wherever they can, and also a train if the power has none left."""
    enter: tuple[tuple[Piece, tuple[City, ...]], ...] = ()
    """Pieces that return, each with the cities where it may return, the most wanted city first."""


class TollWish(Struct, frozen=True):
    """Wish about the payment for supply through hussars (MARIA §9). `unsupplied` names the generals who go without
    supply first, if the power cannot pay for all."""

    pay: Pay
    keep: tuple[WrittenCard, ...] = ()
    unsupplied: tuple[NamedThing[Piece], ...] = ()


class RaidWish(Struct, frozen=True):
    """Wish about the move of hussars (MARIA §7): to where the enemy pays most for supply, nowhere, or off the map."""

    raid: Raid


class CorpsWish(Struct, frozen=True):
    """Wish about the general to send to the off-map box (MARIA §17.5). The first general of `send` who can go is sent.
    If `send` is empty, the general with fewest troops is sent."""

    send: tuple[Piece, ...]


class CardWish(Struct, frozen=True):
    """Wish for a card: a certain card, or the highest or lowest of a suit. If both are left out, no card is wanted."""

    card: WrittenCard | None = None
    pick: Pick = ""
    suit: Suit | SuitWord = "card"
    """One suit, or a word for several: every suit, the political trump, trumps that take the lead, all suits but the
    trump. A Reserve has no suit."""
    values: Span = Span(None, None)
    """Values that the card may have."""


class CardsWish(Struct, frozen=True):
    """Wish for a card to give away, place or set aside: the first of `choices` that is possible. Cards of `keep` are
    not chosen."""

    choices: tuple[CardWish, ...]
    keep: tuple[WrittenCard, ...] = ()
    among: frozenset[int] = frozenset()
    """A card is given only if one of these political cards is face up (MARIA §17.3). If the set is empty, the card is
    always given."""


class PoliticsWish(Struct, frozen=True):
    """Wish for political cards (MARIA §17.5). The most wanted comes first."""

    choices: tuple[AnyEntry, ...]
    """The wanted choices, written as in the section `politics` of an order file."""


class WrittenAnswer(Struct, frozen=True):
    """Wish that is the answer itself, written in sections of an order file."""

    sections: dict[str, tuple[object, ...]]


class StageOrders(Struct, frozen=True):
    """Orders of a power for a later stage (orders ahead), written as in an order file. If they are empty and nothing
    else is said, earlier orders for the stage are withdrawn."""

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
    """Condition that a fortress is conquered, or is not."""

    city: City
    is_conquered: bool


class Plan(Struct, frozen=True):
    """One plan: the choice that it is for, its conditions, and its wish."""

    number: int
    """Position of the plan in its list, from 1."""
    kind: str
    """Name of the choice that the plan is for."""
    wish: Wish
    node: Node
    bound: PlanBounds = PlanBounds()
    when: tuple[tuple[str, Span], ...] = ()
    """Conditions about numbers: the name of each, and the limits between which it must lie."""
    standing: bool = False
    """True if the plan also applies in later stages."""
    until: PlanEnd | None = None
    """Last turn or stage of the plan; None if it has no end."""
    otherwise: Otherwise = "ask"
    """Result if the plan has no answer: the player is asked, or nothing is done (`stop`)."""
    where: tuple[Whereabouts, ...] = ()
    """Conditions about places of pieces."""
    conquered: tuple[Conquest, ...] = ()
    """Conditions about fortresses."""

    @property
    def withdraws(self) -> bool:
        """True for orders ahead that name only a stage. Such orders withdraw earlier orders for the stage."""
        return isinstance(self.wish, StageOrders) and not self.wish.sections and self.otherwise == "ask"
