"""Questions that only MARIA asks, their answers, and what powers may settle without being asked (§10.1, §20, §21)."""

from __future__ import annotations

from msgspec import field

from pbem.engine.decisions import Answer, Claim, Decision
from pbem.engine.field import OFF
from pbem.engine.nouns import NO_POWER, Card, City, Piece, Power, Suit
from pbem.engine.rules import Rules, check_cities, check_names, check_pieces
from pbem.games.maria.rules.politics_data import Political


class PlaceHussars(Decision, frozen=True):
    """Put hussars on cities, take them off, or leave them where they are (§7)."""

    standing: tuple[City, ...]
    cities: tuple[City, ...]


class Subsidy(Decision, frozen=True):
    """Give a card of this turn's income to a minor power, or keep it (§8)."""

    receiver: Power


class Toll(Decision, frozen=True):
    """Pay for supply paths through hussars (§9)."""

    claims: tuple[Claim, ...]
    hand: tuple[Card, ...]


class HussarPlacement(Answer, frozen=True):
    """The city of each hussar, OFF for one beside the board."""

    cities: tuple[City, ...]


class GiveSubsidy(Answer, frozen=True):
    """Yes or no to the subsidy of this turn."""

    give: bool


class PayToll(Answer, frozen=True):
    """Cards paid, and the generals left unsupplied if all cards together are not enough."""

    cards: tuple[Card, ...]
    unsupplied: tuple[Piece, ...] = ()


class ChooseTrump(Decision, frozen=True):
    """Name the political trump suit, as the player who won the latest combat (§17.2)."""


class PlaceInfluence(Decision, frozen=True):
    """Place a card face-down on the political display, or none (§17.3)."""

    hand: tuple[Card, ...]


class SelectPolitics(Decision, frozen=True):
    """Select a political card, or conserve the cards on the display (§17.5)."""

    cards: tuple[Political, ...]
    """Open political cards that this power may select."""
    may_execute: bool


class SendCorps(Decision, frozen=True):
    """Choose the general who goes to the off-map box (§17.5)."""

    generals: tuple[Piece, ...]
    recruits: tuple[Piece, ...]
    """Those of them who are off the map and first need paid troops."""
    hand: tuple[Card, ...]


class Reinforce(Decision, frozen=True):
    """Give free new troops to generals (§17.5)."""

    troops: int
    room: dict[Piece, int]
    entries: dict[Piece, tuple[City, ...]]


class Relocate(Decision, frozen=True):
    """Choose the city to which a piece has to go (§17.5, §19.1, §19.3)."""

    piece: Piece
    cities: tuple[City, ...]


class ShiftSaxony(Decision, frozen=True):
    """Let Prussia's losses move Saxony's marker, or not (§19.3)."""

    steps: int


class OfferPeace(Decision, frozen=True):
    """Offer Austria peace for Silesia, or not (§19.1)."""


class AcceptPeace(Decision, frozen=True):
    """Accept the peace that was offered, or not (§19.1)."""

    offered_by: Power


class ReduceObjectives(Decision, frozen=True):
    """Give up the fortresses in Core-Austria, or not (§19.2)."""

    fortresses: int


class Vote(Decision, frozen=True):
    """Give electoral votes to one or the other candidate (§18)."""

    votes: int


class CedeSilesia(Decision, frozen=True):
    """Cede Silesia for peace, or not (Silesia Gambit §2.2)."""


class NameTrump(Answer, frozen=True):
    """The political trump suit."""

    suit: Suit


class Influence(Answer, frozen=True):
    """Card placed on the display; None for none."""

    card: Card | None = None


class Politics(Answer, frozen=True):
    """Political card selected, and the parts of it that are executed. No card: conserve; no part: discard."""

    card: Political | None = None
    instruction: bool = False
    shifts: dict[str, int] = field(default_factory=dict)
    grantee: Power = NO_POWER
    """Power that gets the card's gifts, if the card leaves that open."""


class Corps(Answer, frozen=True):
    """General who goes, and the cards paid for his troops if he needs some."""

    general: Piece
    cards: tuple[Card, ...] = ()


class GoTo(Answer, frozen=True):
    """City a piece goes to, and the leader of a stack of equal ranks there."""

    city: City
    commander: Piece | None = None


class Consent(Answer, frozen=True):
    """Yes or no."""

    yes: bool


class Votes(Answer, frozen=True):
    """Number of votes for Charles Albert; the others are for Francis Stephen."""

    charles: int


class OfferSubsidy(Answer, frozen=True):
    """Offer a subsidy contract, or accept one that was offered with the same duration (§20)."""

    giver: Power
    receiver: Power
    turns: int
    accept: bool = False


class CancelSubsidy(Answer, frozen=True):
    """Cancel the contract with a partner, if the partner wants it too (§20)."""

    partner: Power


class AllowStacking(Answer, frozen=True):
    """Let the generals of co-operating powers stack with one's own, or no longer (§10.1)."""

    yes: bool


class MakeAgreement(Answer, frozen=True):
    """Promise something in words (§21)."""

    powers: tuple[Power, ...]
    words: str


Settlement = OfferSubsidy | CancelSubsidy | AllowStacking | MakeAgreement


def check_own_names(rules: Rules, answer: Answer) -> None:
    """Refuse an answer with a city or a piece that does not exist. The rules are not asked here."""
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
