"""Plans as typed values: their choices, conditions and wishes (docs/plans.md)."""

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
"""Word for what is done if a plan has no answer that fits: ask the player (`ask`), or do nothing (`stop`)."""


class Span(Struct, frozen=True):
    """Range of whole numbers from `least` to `most`, both included; None sets no limit."""

    least: int | None
    most: int | None

    def holds(self, number: int) -> bool:
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)


class PlanBounds(Struct, frozen=True):
    """Limits to the battles or retreats of a plan. An empty field sets no limit."""

    of: tuple[Piece, ...] = ()
    """Generals of the plan's own side, of whom at least one must take part."""
    against: tuple[Piece, ...] = ()
    """Generals of the enemy, of whom at least one must take part."""
    at: tuple[City, ...] = ()
    """Cities, in one of which the plan's power or its enemy must stand."""
    role: Literal["", "attacker", "defender"] = ""
    """Side that the plan's power must have in the battle; empty for either side."""


class PlanEnd(Struct, frozen=True):
    """End of a plan: with a turn, or with a stage of the turn."""

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
    """Line of a script for a combat: a card, a kind of card with a goal, or the end of the play."""

    what: What
    card: WrittenCard | None
    goal: Aim
    score: int
    """Score that the line wants to reach, for the goal `to`."""
    node: Node


class BattleWish(Struct, frozen=True):
    """Wish about the conduct of a combat. The script is followed first, then the tactic, within the limits of the other
    fields."""

    play: tuple[Script, ...] = ()
    tactic: Tactic | None = None
    keep: tuple[WrittenCard, ...] = ()
    """Cards that are not played."""
    spend: int | None = None
    """Greatest number of cards that the power plays in one combat."""
    points: int | None = None
    """Greatest number of points that the power's cards in one combat may have together."""
    accept: int | None = None
    """Greatest loss of troops that the power accepts: the power stops if a stop costs no more."""
    behind: int | None = None
    """Number of points behind the enemy at which the power gives up."""
    ahead: int | None = None
    """Greatest lead, in points, that the power wants. It plays no card that would bring it further ahead."""


class RetreatGoal(Struct, frozen=True):
    """Goal of a preference: a city, a piece, or the beaten power's trains or home country."""

    city: City = OFF
    piece: Piece = Piece(-1)
    word: Literal["", "trains", "home"] = ""
    """`trains` or `home`; empty if the goal is a city or a piece."""


class Preference(Struct, frozen=True):
    """Preference about the city where a retreat ends, or to which a displaced piece goes."""

    kind: Literal["towards", "away-from", "cut-off-from", "never-next-to"]
    goals: tuple[RetreatGoal, ...]


class RetreatWish(Struct, frozen=True):
    """Wish about the retreat of a beaten enemy. Earlier preferences count more."""

    preferences: tuple[Preference, ...]


class GoWish(Struct, frozen=True):
    """Wish about an own piece that must leave its city. Earlier preferences count more."""

    preferences: tuple[Preference, ...]


class AttackWish(Struct, frozen=True):
    """Wish about the sequence of the power's attacks: first `order`; then, with `by`, all others by the strength of the
    attacking stack."""

    order: tuple[BattleOrder, ...] = ()
    by: Strength = ""


class MusterWish(Struct, frozen=True):
    """Wish about new troops: the generals who get them, and the cards that may be spent."""

    give: tuple[Piece, ...]
    """Generals in the order in which they get troops. If none is named, troops are distributed evenly, or with
    `to_front` to the generals at the front."""
    to_front: bool = False
    troops: int | None = None
    """Greatest number of new troops; None without a limit."""
    keep: tuple[WrittenCard, ...] = ()
    """Cards that stay in hand."""
    keep_points: int = 0
    """Number of points, in cards, that must stay in hand."""
    keep_half: bool = False
    """True if half of the points in hand must stay there."""
    pay: Pay = "cheapest"
    enter_all: bool = False
    """True if generals return wherever they can; so does a train if the power has no train left."""
    enter: tuple[tuple[Piece, tuple[City, ...]], ...] = ()
    """Pieces that return, each with the cities where it may return, the most wanted city first."""


class TollWish(Struct, frozen=True):
    """Wish about the payment for supply through hussars (MARIA §9). Generals of `unsupplied` are the first to go
    without supply."""

    pay: Pay
    keep: tuple[WrittenCard, ...] = ()
    unsupplied: tuple[NamedThing[Piece], ...] = ()


class RaidWish(Struct, frozen=True):
    """Wish about the move of hussars (MARIA §7): where the enemy pays most for supply, no move, or off the map."""

    raid: Raid


class CorpsWish(Struct, frozen=True):
    """Wish about the general to send to the off-map box (MARIA §17.5): the first possible of `send`; if `send` is
    empty, the one with fewest troops."""

    send: tuple[Piece, ...]


class CardWish(Struct, frozen=True):
    """Wish for a certain card, or for the highest or lowest of a suit. Without `card` and `pick`, the wish is for no
    card."""

    card: WrittenCard | None = None
    pick: Pick = ""
    suit: Suit | SuitWord = "card"
    """One suit, or a word: `card` for all suits, `trump` for the political trump, `leading` for trumps that take the
    lead, `other` for all suits but the trump. A Reserve has no suit."""
    values: Span = Span(None, None)
    """Values that the card may have."""


class CardsWish(Struct, frozen=True):
    """Wish for a card to give away, place or set aside: the first possible of `choices`, but none of `keep`."""

    choices: tuple[CardWish, ...]
    keep: tuple[WrittenCard, ...] = ()
    among: frozenset[int] = frozenset()
    """Political cards: a card is given only if one of them is face up (MARIA §17.3). If the set is empty, a card is
    always given."""


class PoliticsWish(Struct, frozen=True):
    """Wish for political cards (MARIA §17.5), the most wanted first."""

    choices: tuple[AnyEntry, ...]
    """The wanted choices, written as in the section `politics` of an order file."""


class WrittenAnswer(Struct, frozen=True):
    """Wish that is the answer itself, written in sections of an order file."""

    sections: dict[str, tuple[object, ...]]


class StageOrders(Struct, frozen=True):
    """Orders of a power for a later stage (orders ahead). Without sections, and without `else: hold`, they only
    withdraw earlier orders for that stage."""

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
    """Condition on the place of a piece. If `is_there`, the piece must be in one of `cities`, otherwise in none of
    them. The city `OFF` means off the map."""

    piece: Piece
    cities: tuple[City, ...]
    is_there: bool


class Conquest(Struct, frozen=True):
    """Condition on a fortress. It must be conquered if `is_conquered`, otherwise it must not be conquered."""

    city: City
    is_conquered: bool


class Plan(Struct, frozen=True):
    """Plan for one choice, with its conditions and its wish."""

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
    """Word for what is done if the plan has no answer: the player is asked, or nothing is done (`stop`)."""
    where: tuple[Whereabouts, ...] = ()
    """Conditions about places of pieces."""
    conquered: tuple[Conquest, ...] = ()
    """Conditions about fortresses."""

    @property
    def withdraws(self) -> bool:
        """True for orders ahead with nothing but a stage, which withdraw earlier orders for it."""
        return isinstance(self.wish, StageOrders) and not self.wish.sections and self.otherwise == "ask"
