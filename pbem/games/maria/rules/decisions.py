"""Decisions that only MARIA asks, their answers, and agreements of powers at any time (§10.1, §20, §21)."""

from __future__ import annotations

from msgspec import field

from pbem.engine.decisions import Answer, Claim, Decision
from pbem.engine.field import OFF
from pbem.engine.nouns import NO_POWER, Card, City, Piece, Power, Suit
from pbem.engine.rules import Rules, check_cities, check_names, check_pieces
from pbem.games.maria.rules.politics_data import Political


class PlaceHussars(Decision, frozen=True):
    """Decision to put hussars on cities, to take them off, or to leave them (§7)."""

    standing: tuple[City, ...]
    cities: tuple[City, ...]


class Subsidy(Decision, frozen=True):
    """Decision to give a card of this turn's income to a minor power, or to keep it (§8)."""

    is_on_map = False
    receiver: Power


class Toll(Decision, frozen=True):
    """Decision to pay for supply paths through hussars (§9)."""

    claims: tuple[Claim, ...]
    hand: tuple[Card, ...]


class HussarPlacement(Answer, frozen=True):
    """Answer to `PlaceHussars`: the city of each hussar; OFF for a hussar beside the board."""

    cities: tuple[City, ...]


class GiveSubsidy(Answer, frozen=True):
    """Answer to `Subsidy`: True if the card is given."""

    give: bool


class PayToll(Answer, frozen=True):
    """Answer to `Toll`: the cards that are paid, and the generals left unsupplied if the hand is not enough."""

    cards: tuple[Card, ...]
    unsupplied: tuple[Piece, ...] = ()


class ChooseTrump(Decision, frozen=True):
    """Decision to name the political trump suit, for the player who won the latest combat (§17.2)."""

    is_on_map = False


class PlaceInfluence(Decision, frozen=True):
    """Decision to place a card face-down on the political display, or no card (§17.3)."""

    is_on_map = False
    hand: tuple[Card, ...]


class SelectPolitics(Decision, frozen=True):
    """Decision to select a political card, or to keep the influence on the display for later (§17.5)."""

    is_on_map = False
    cards: tuple[Political, ...]
    """Open political cards that the power may select."""
    may_execute: bool
    """True if the player may still execute a card in this turn."""


class SendCorps(Decision, frozen=True):
    """Decision to choose the general who goes to the off-map box (§17.5)."""

    generals: tuple[Piece, ...]
    recruits: tuple[Piece, ...]
    """Those of the `generals` who are off the map, and for whose troops the power must pay."""
    hand: tuple[Card, ...]


class Reinforce(Decision, frozen=True):
    """Decision to distribute free troops among generals (§17.5)."""

    troops: int
    room: dict[Piece, int]
    """Troops that each general can still take."""
    entries: dict[Piece, tuple[City, ...]]
    """Cities where each general off the map may re-enter."""


class Relocate(Decision, frozen=True):
    """Decision to choose the city to which a piece has to go (§17.5, §19.1, §19.3)."""

    piece: Piece
    cities: tuple[City, ...]


class ShiftSaxony(Decision, frozen=True):
    """Decision to move Saxony's marker because of an enemy's losses, or to leave it (§19.3)."""

    steps: int
    """Steps by which the marker would move; positive to the right."""


class OfferPeace(Decision, frozen=True):
    """Decision to offer Austria peace for Silesia, or not (§19.1)."""


class AcceptPeace(Decision, frozen=True):
    """Decision to accept the peace that was offered, or not (§19.1)."""

    offered_by: Power


class ReduceObjectives(Decision, frozen=True):
    """Decision to give up the fortresses in Core-Austria, or not (§19.2)."""

    fortresses: tuple[City, ...]
    """Fortresses that would be given up."""


class Vote(Decision, frozen=True):
    """Decision to divide electoral votes between the two candidates (§18)."""

    is_on_map = False
    votes: int
    """Number of votes that the power has."""


class CedeSilesia(Decision, frozen=True):
    """Decision to cede Silesia for peace, or not (Silesia Gambit §2.2)."""


class NameTrump(Answer, frozen=True):
    """Answer to `ChooseTrump`: the suit that becomes political trump."""

    suit: Suit


class Influence(Answer, frozen=True):
    """Answer to `PlaceInfluence`: the card that the power places on the display; None for no card."""

    card: Card | None = None


class Politics(Answer, frozen=True):
    """Answer to `SelectPolitics`: the political card, and the parts of the card that the power executes. If it executes
    no part, the card is discarded. A power that names no card keeps its influence."""

    card: Political | None = None
    instruction: bool = False
    """True if the instructions are executed."""
    shifts: dict[str, int] = field(default_factory=dict)
    """Steps of the arrows that are executed, keyed by track; positive to the right."""
    grantee: Power = NO_POWER
    """Power that receives what the card grants, if the card lets the executing power choose."""


class Corps(Answer, frozen=True):
    """Answer to `SendCorps`: the general who goes to the box, and the cards that pay for his troops, if needed."""

    general: Piece
    cards: tuple[Card, ...] = ()


class GoTo(Answer, frozen=True):
    """Answer to `Relocate`: the city to which the piece goes, and the chosen commander if generals of equal rank stack
    there."""

    city: City
    commander: Piece | None = None


class Consent(Answer, frozen=True):
    """Answer of yes or no to a decision."""

    yes: bool


class Votes(Answer, frozen=True):
    """Answer to `Vote`: the number of votes for Charles Albert. All other votes are for Francis Stephen."""

    charles: int


class OfferSubsidy(Answer, frozen=True):
    """Offer of a subsidy contract, or acceptance of an offer of the same duration (§20)."""

    giver: Power
    receiver: Power
    turns: int
    accept: bool = False
    """True to accept an offer."""


class CancelSubsidy(Answer, frozen=True):
    """Wish to cancel the contract with a partner. The contract ends once the partner has the same wish (§20)."""

    partner: Power


class AllowStacking(Answer, frozen=True):
    """Permission for generals of co-operating powers to stack with the power's own generals, or the withdrawal of this
    permission (§10.1)."""

    yes: bool


class MakeAgreement(Answer, frozen=True):
    """Agreement between powers, in words (§21)."""

    powers: tuple[Power, ...]
    words: str


Settlement = OfferSubsidy | CancelSubsidy | AllowStacking | MakeAgreement


def check_own_names(rules: Rules, answer: Answer) -> None:
    """Raise `IllegalOrder` for an answer that names an unknown city or piece. Nothing else in the answer is checked."""
    match answer:
        case HussarPlacement(cities):
            check_cities(rules, (city for city in cities if city != OFF), "cities")
        case PayToll(_, unsupplied):
            check_pieces(rules, unsupplied, "unsupplied")
        case Corps(general, _):
            check_pieces(rules, [general], "general")
        case GoTo(city, commander):
            check_cities(rules, [city], "city")
            check_pieces(rules, [] if commander is None else [commander], "commander")
        case _:
            check_names(rules, answer)
