"""Types of the data about Cards of Fate and the expert game (§11, §13). The rules of the effects are in other modules.

A version of a card has at most one effect, of one of the kinds in this module. An instant effect is carried out when
the card is read; a lasting effect holds in the turn after that. Powers, generals, cities and lands are named in the
data only.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

from msgspec import Meta, Struct

from pbem.engine.board import SUITS
from pbem.engine.nouns import Power

Title = Annotated[str, Meta(pattern=r"^[^\n]+\Z")]
"""Text on one line."""


class FateEffect(Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True):
    """Effect of a version of a Card of Fate."""


class Swap(FateEffect, frozen=True):
    """Instant effect: two powers may exchange a tactical card. Neither power sees the other's card before it chooses
    its own."""

    powers: tuple[Power, Power]


class Gain(FateEffect, frozen=True):
    """Instant effect: a general of the power gets a free troop if he has room. If `generals` names any, only they and
    the generals of their stacks can get it."""

    power: Power
    generals: tuple[str, ...] = ()


class Loss(FateEffect, frozen=True):
    """Instant effect: a general of the power loses a troop, but never his last. If `generals` names any, only they and
    the generals of their stacks can lose it."""

    power: Power
    generals: tuple[str, ...] = ()


class Redraw(FateEffect, frozen=True):
    """Instant effect: a power sets a tactical card aside and draws another card."""

    power: Power


class Advance(FateEffect, frozen=True):
    """Instant effect: a power may move the named general by one city, even out of a stack."""

    power: Power
    general: str


class Blockade(FateEffect, frozen=True):
    """Instant effect: a power puts one stack of its victim, in one of the named lands, out of supply."""

    power: Power
    victim: Power
    lands: tuple[str, ...]


class Shortage(FateEffect, frozen=True):
    """Instant effect: generals of the power are turned face-down if their supply path has one of the given lengths, in
    steps. If `generals` names any, this can happen only to them. A ruling may spare generals at home."""

    power: Power
    distances: tuple[int, ...]
    generals: tuple[str, ...] = ()


class Plunder(FateEffect, frozen=True):
    """Instant effect: a power may give its victim a tactical card, and then take a random card of the victim's hand."""

    power: Power
    victim: Power


class Rout(FateEffect, frozen=True):
    """Instant effect: if the named general was beaten in this turn, a power may push him westwards by the given number
    of cities."""

    power: Power
    general: str
    cities: int


class Range(FateEffect, frozen=True):
    """Lasting effect: the named general, and the stack with which he moves, may march up to the given distances:
    `any_road` on roads of all kinds, `main_road` on main roads only."""

    general: str
    any_road: int
    main_road: int


class Pinned(FateEffect, frozen=True):
    """Lasting effect: the named general may not move while he is in the named city or beside it."""

    general: str
    city: str


class Differ(FateEffect, frozen=True):
    """Lasting effect of two generals: the second general may not attack in a suit in which the first general has
    attacked."""

    first: str
    second: str


class Truce(FateEffect, frozen=True):
    """Lasting effect: no general in the named city attacks or is attacked, and no train in the city is taken."""

    city: str


class Ceiling(FateEffect, frozen=True):
    """Lasting effect: in combats between the two named powers no card of more than the given value may be played."""

    powers: tuple[Power, Power]
    most: int


class Bonus(FateEffect, frozen=True):
    """Lasting effect: the first tactical card that a power plays is worth the given number of points more."""

    power: Power
    points: int


class Restrained(FateEffect, frozen=True):
    """Lasting effect: the named general may not end a march beside an enemy general, nor take a train."""

    general: str


class Inseparable(FateEffect, frozen=True):
    """Lasting effect: a stack with the named general may not part so that he is alone."""

    general: str


class Unreinforced(FateEffect, frozen=True):
    """Lasting effect: the named general gets no new troops."""

    general: str


class Prevail(FateEffect, frozen=True):
    """Lasting effect: in combats of the named general, the power must bring its score above zero with its first cards,
    if its cards can do so."""

    power: Power
    general: str


class Sidestep(FateEffect, frozen=True):
    """Lasting effect: a power's stacks may step into an empty city before the named general attacks them."""

    power: Power
    attacker: str


class Untrained(FateEffect, frozen=True):
    """Lasting effect: generals of the power beside an enemy get no new troops. Generals who have got new troops in the
    same turn may not end a march beside an enemy."""

    power: Power


class Worthless(FateEffect, frozen=True):
    """Lasting effect: if the named general is attacked, the first card that his power plays is worth nothing."""

    power: Power
    general: str


class Double(FateEffect, frozen=True):
    """Lasting effect: a power may play the card with this suit and value at twice the value, but only once."""

    power: Power
    suit: str
    value: int


class Cover(FateEffect, frozen=True):
    """Lasting effect: the named general protects objectives up to the given distance in cities."""

    general: str
    cities: int


Instant = Swap | Gain | Loss | Redraw | Advance | Blockade | Shortage | Plunder | Rout
"""Effects that are carried out as soon as the card is read."""

Lasting = (
    Range | Pinned | Differ | Truce | Ceiling | Bonus | Restrained | Inseparable | Unreinforced | Prevail | Sidestep
    | Untrained | Worthless | Double | Cover
)  # fmt: skip
"""Effects that hold in the turn after the card is read."""

Effects = Instant | Lasting


class Version(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One of the four versions of a card: a title in the project's own words, and the effect, if the version has
    one."""

    title: Title
    effect: Effects | None = None


class Versions(Struct, frozen=True, forbid_unknown_fields=True):
    """The four versions of a card."""

    spades: Version
    hearts: Version
    diamonds: Version
    clubs: Version


class FateCard(Struct, frozen=True, forbid_unknown_fields=True):
    """Card of Fate that is no stroke: it has four versions."""

    number: int
    versions: Versions


class Stroke(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the six strokes of fate. Its effects on incomes are in the data of the powers."""

    number: int
    name: Title
    title: Title


class Removal(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Removal of a general for good: the named general, or a general whom the power chooses, but none of the spared
    generals."""

    power: Power
    general: str = ""
    spared: tuple[str, ...] = ()


class Departure(Struct, frozen=True, forbid_unknown_fields=True):
    """Departure of a power once all the named strokes have been drawn, and of a general who leaves with it."""

    power: Power
    strokes: tuple[int, ...]
    removal: Removal


class Heir(Struct, frozen=True, forbid_unknown_fields=True):
    """Condition for a new player of a power: once the powers in `after` have left, the player who began with
    `player_of` gets it."""

    after: tuple[str, ...]
    player_of: Power


class Handover(Struct, frozen=True, forbid_unknown_fields=True):
    """Power that gets a new player once other powers have left, and the conditions for each new player."""

    power: Power
    heirs: tuple[Heir, ...]
    eases: tuple[Power, ...]
    """Powers whose conditions of victory become easier when the power changes its player."""


class Easing(Struct, frozen=True, forbid_unknown_fields=True):
    """Power that needs only its objectives of the first order once the named powers have left."""

    power: Power
    after: tuple[str, ...]


class OffensiveFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of the Offensive Option: of its declaration, and of its failure (§13)."""

    power: Power
    against: Power
    turn: int
    """Turn in which the power may declare the option."""
    least: int
    """Lowest value that the card set aside may have."""
    defeat: int
    """Least score by which the power must be defeated in a combat so that the opponent takes the card."""
    starved_south_of: str
    """Name of a line on the board. The opponent also takes the card if a general of the power starves south of this
    line."""
    ruined_by: tuple[int, ...]
    """Strokes of fate. The option fails once one of them has been drawn and the opponent has taken the card."""
    claim: int
    """Number of objectives that the opponent may count without having conquered them."""
    claim_land: str
    """Land in which the opponent must hold an objective, so that he may count objectives that he does not hold."""


class GarrisonFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Region in which a power must keep a general, once it has conquered all objectives there (§13)."""

    power: Power
    region: str
    count: int
    """Number of objectives that fall back if no general is there."""
    to: Power
    """Power that chooses the objectives that fall back."""


class LateStrokes(Struct, frozen=True, forbid_unknown_fields=True):
    """Strokes that the players may agree to keep out of the first cards."""

    strokes: tuple[int, ...]
    after: int
    """Number of cards at the top of the deck. None of these strokes may be among them."""


class FateData(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """Contents of a file of Cards of Fate."""

    name: str
    note: str
    standard: str
    """Suit of the version that is read in the standard game (§2)."""
    cards: tuple[FateCard, ...]
    strokes: tuple[Stroke, ...]
    departures: tuple[Departure, ...]
    easings: tuple[Easing, ...]
    handover: Handover
    late: LateStrokes
    offensive: OffensiveFacts
    garrison: GarrisonFacts

    @cached_property
    def by_number(self) -> dict[int, FateCard]:
        """Return the cards that are no strokes, keyed by number."""
        return {card.number: card for card in self.cards}

    @cached_property
    def lasting(self) -> dict[tuple[int, int], Lasting | None]:
        """Return the lasting effect of each version, keyed by the numbers of card and suit; None for a version without
        one."""
        found: dict[tuple[int, int], Lasting | None] = {}
        for number in self.by_number:
            for place, suit in enumerate(SUITS):
                effect = self.version(number, suit).effect
                found[number, place] = effect if isinstance(effect, Lasting) else None
        return found

    def version(self, number: int, suit: str) -> Version:
        version: Version = getattr(self.by_number[number].versions, suit)
        return version

    def numbers(self) -> list[int]:
        return sorted([card.number for card in self.cards] + [stroke.number for stroke in self.strokes])
