"""Plans as typed values. A plan is for one choice, and has conditions and a wish (docs/plans.md)."""

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
"""Word that tells what is done if a plan has no answer: the player is asked (`ask`), or nothing is done (`stop`)."""


class Span(Struct, frozen=True):
    """Range of whole numbers from `least` to `most`, both included. None means that there is no limit."""

    least: int | None
    most: int | None

    def holds(self, number: int) -> bool:
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)


class PlanBounds(Struct, frozen=True):
    """Battles or retreats for which a plan is meant. An empty field excludes none."""

    of: tuple[Piece, ...] = ()
    """Generals of the plan's own side. At least one of them must take part."""
    against: tuple[Piece, ...] = ()
    """Generals of the enemy. At least one of them must take part."""
    at: tuple[City, ...] = ()
    """Cities. The plan's power, or its enemy, must stand in one of them."""
    role: Literal["", "attacker", "defender"] = ""
    """Role that the plan's power must have in the battle. It is empty if either role will do."""


class PlanEnd(Struct, frozen=True):
    """End of a plan: the last turn for which it is meant, or the last stage."""

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
    """Line of a script for a combat: a certain card, a kind of card with a goal, or the end of the play."""

    what: What
    card: WrittenCard | None
    goal: Aim
    score: int
    """Score that should be reached by this line. It is used only for the goal `to`."""
    node: Node


class BattleWish(Struct, frozen=True):
    """Wish about the cards that are played in a combat. The script comes first, then the tactic. The other fields set
    limits to both."""

    play: tuple[Script, ...] = ()
    tactic: Tactic | None = None
    keep: tuple[WrittenCard, ...] = ()
    """Cards that must not be played."""
    spend: int | None = None
    """Greatest number of cards that the power plays in one combat."""
    points: int | None = None
    """Greatest number of points that the power's cards in one combat may have together."""
    accept: int | None = None
    """Greatest loss of troops that the power accepts. The power stops if stopping costs no more than this."""
    behind: int | None = None
    """Number of points by which the power must be behind the enemy to give up."""
    ahead: int | None = None
    """Greatest lead, in points, that the power wants to have. It plays no card that would lead to a greater one."""


class RetreatGoal(Struct, frozen=True):
    """Goal of a preference: a city, a piece, the trains of the beaten power, or its home country."""

    city: City = OFF
    piece: Piece = Piece(-1)
    word: Literal["", "trains", "home"] = ""
    """Word for the goal: `trains` or `home`. It is empty if the goal is a city or a piece."""


class Preference(Struct, frozen=True):
    """Preference for the city where a retreat ends, or to which a displaced piece goes."""

    kind: Literal["towards", "away-from", "cut-off-from", "never-next-to"]
    goals: tuple[RetreatGoal, ...]


class RetreatWish(Struct, frozen=True):
    """Wish about the retreat of a beaten enemy. Of two preferences, the earlier one counts more."""

    preferences: tuple[Preference, ...]


class GoWish(Struct, frozen=True):
    """Wish about an own piece that must leave its city. Of two preferences, the earlier one counts more."""

    preferences: tuple[Preference, ...]


class AttackWish(Struct, frozen=True):
    """Wish about the sequence of the power's attacks. The attacks in `order` come first. If `by` is given, the others
    follow by the strength of the attacking stack."""

    order: tuple[BattleOrder, ...] = ()
    by: Strength = ""


class MusterWish(Struct, frozen=True):
    """Wish about new troops: the generals who get them, and the cards that may be paid for them."""

    give: tuple[Piece, ...]
    """Generals in the sequence in which they get troops. If the tuple is empty, the troops are distributed evenly. If
    `to_front` is true, the generals at the front get them instead."""
    to_front: bool = False
    troops: int | None = None
    """Greatest number of new troops. None means that there is no limit."""
    keep: tuple[WrittenCard, ...] = ()
    """Cards that must stay in the hand."""
    keep_points: int = 0
    """Number of points that must stay in the hand."""
    keep_half: bool = False
    """True if half of the points in the hand must stay there."""
    pay: Pay = "cheapest"
    enter_all: bool = False
    """True if generals return wherever they can. If the power has no train left, a train returns as well."""
    enter: tuple[tuple[Piece, tuple[City, ...]], ...] = ()
    """Pieces that return. For each there are the cities where it may return, beginning with the most wanted city."""


class TollWish(Struct, frozen=True):
    """Wish about the tolls for supply through hussars (MARIA §9). If not all tolls can be paid, the generals in
    `unsupplied` are the first to be left without supply."""

    pay: Pay
    keep: tuple[WrittenCard, ...] = ()
    unsupplied: tuple[NamedThing[Piece], ...] = ()


class RaidWish(Struct, frozen=True):
    """Wish about the place of the hussars (MARIA §7). They go to where the enemy pays most for supply, stay where they
    are, or go off the map."""

    raid: Raid


class CorpsWish(Struct, frozen=True):
    """Wish about the general who is sent to the off-map box (MARIA §17.5). It is the first general in `send` who can
    go. If `send` is empty, it is the general with the fewest troops."""

    send: tuple[Piece, ...]


class CardWish(Struct, frozen=True):
    """Wish for a certain card, or for the highest or lowest card of a suit. If `card` and `pick` are both empty, no
    card is wanted."""

    card: WrittenCard | None = None
    pick: Pick = ""
    suit: Suit | SuitWord = "card"
    """Suit, or a word for several suits. The word `card` means all suits, `trump` the political trump, `leading` those
    trumps that take the lead, and `other` all suits but the trump. A Reserve has no suit."""
    values: Span = Span(None, None)
    """Values that the wanted card may have."""


class CardsWish(Struct, frozen=True):
    """Wish for a card that is given away, placed or set aside. It is the first possible card of `choices` that is not
    in `keep`."""

    choices: tuple[CardWish, ...]
    keep: tuple[WrittenCard, ...] = ()
    among: frozenset[int] = frozenset()
    """Political cards (MARIA §17.3). A card is given only if one of them is face-up. If the set is empty, a card is
    always given."""


class PoliticsWish(Struct, frozen=True):
    """Wish for political cards (MARIA §17.5). The most wanted card comes first."""

    choices: tuple[AnyEntry, ...]
    """Wanted selections, as the section `politics` of an order file has them."""


class WrittenAnswer(Struct, frozen=True):
    """Wish that gives the answer itself. It is written as in the sections of an order file."""

    sections: dict[str, tuple[object, ...]]


class StageOrders(Struct, frozen=True):
    """Orders of a power for a later stage (orders ahead). If there are no sections, and the plan does not end with
    `else: hold`, they only withdraw earlier orders for this stage."""

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
    """Condition about the place of a piece. If `is_there` is true, the piece must be in one of the `cities`. If it is
    false, it must be in none of them. The city `OFF` means that the piece is off the map."""

    piece: Piece
    cities: tuple[City, ...]
    is_there: bool


class Conquest(Struct, frozen=True):
    """Condition about a fortress. If `is_conquered` is true, the fortress must be conquered. If it is false, it must
    not be conquered."""

    city: City
    is_conquered: bool


class Plan(Struct, frozen=True):
    """Plan for one kind of choice, with its conditions and its wish."""

    number: int
    """Position of the plan in its list, counted from 1."""
    kind: str
    """Name of the kind of choice for which the plan is meant."""
    wish: Wish
    node: Node
    bound: PlanBounds = PlanBounds()
    when: tuple[tuple[str, Span], ...] = ()
    """Conditions about numbers. Each is a pair of the name of a number and the range in which the number must be."""
    standing: bool = False
    """True if the plan is also meant for later stages."""
    until: PlanEnd | None = None
    """Last turn or stage for which the plan is meant. It is None if the plan has no end."""
    otherwise: Otherwise = "ask"
    """Word that tells what is done if the plan has no answer: the player is asked (`ask`), or nothing is done
    (`stop`)."""
    where: tuple[Whereabouts, ...] = ()
    """Conditions about places of pieces."""
    conquered: tuple[Conquest, ...] = ()
    """Conditions about fortresses."""

    @property
    def withdraws(self) -> bool:
        """True for orders ahead that have nothing but a stage. They withdraw earlier orders for this stage."""
        return isinstance(self.wish, StageOrders) and not self.wish.sections and self.otherwise == "ask"
