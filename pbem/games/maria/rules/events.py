"""Events that only MARIA has (§15 to §25), and the changes that they make to the map."""

from __future__ import annotations

from typing import ClassVar, Literal

from pbem.engine import memory as board
from pbem.engine.events import CardFlow, Event
from pbem.engine.field import ASIDE
from pbem.engine.nouns import Card, City, Piece, Power, Suit, each_piece
from pbem.engine.rules import Rules
from pbem.games.maria.rules.politics_data import Political


class PoliticsRevealed(Event, frozen=True):
    """Political cards were turned face-up (§17.1)."""

    reveals: ClassVar[bool] = True
    politics: tuple[Political, ...]


class ElectionCalled(Event, frozen=True):
    """The card of the Imperial Election was drawn: the emperor is elected at the end of this turn (§18)."""

    reveals: ClassVar[bool] = True
    turn: int


class TrumpDrawn(Event, frozen=True):
    """Tactical cards were revealed to find the trump, because no player had won a combat (§17.2). The last card has the
    suit that is trump. `suit` is None if no card with a suit was left."""

    goes: ClassVar[CardFlow] = "revealed"
    reveals: ClassVar[bool] = True
    cards: tuple[Card, ...]
    suit: Suit | None


class TrumpNamed(Event, frozen=True):
    """The player who won the latest combat has named the political trump suit (§17.2)."""

    player: str
    suit: Suit


class InfluencePlaced(Event, frozen=True):
    """A power has placed a card face-down on the political display, or has placed no card (§17.3)."""

    secrets: ClassVar[tuple[str, ...]] = ("card",)
    power: Power
    placed: bool
    card: Card | None


class InfluenceShown(Event, frozen=True):
    """A placed card was turned face-up. If it is neither trump nor a Reserve, it goes back to the hand, or stays
    face-down (§17.4, §25.5)."""

    goes: ClassVar[CardFlow] = "shown"
    reveals: ClassVar[bool] = True
    power: Power
    card: Card
    counts: bool
    """True for a trump or a Reserve, which gives influence."""


class InfluenceRanked(Event, frozen=True):
    """The powers were ranked by their influence (§17.4)."""

    order: tuple[Power, ...]
    points: dict[Power, int]


class PoliticsSelected(Event, frozen=True):
    """A power has selected a political card and announced the parts that it executes (§17.5)."""

    power: Power
    political: Political
    instruction: bool
    shifts: dict[str, int]


class PoliticsConserved(Event, frozen=True):
    """A power keeps its cards on the display (§17.5)."""

    power: Power


class InfluenceSpent(Event, frozen=True):
    """A power's cards on the display were set aside as the price of the card that it selected (§17.5)."""

    goes: ClassVar[CardFlow] = "spent"
    power: Power
    cards: tuple[Card, ...]


class InfluenceReturned(Event, frozen=True):
    """A power took its cards back from the display (§17.5, §25.1)."""

    goes: ClassVar[CardFlow] = "shown"
    power: Power
    cards: tuple[Card, ...]


class InfluenceCovered(Event, frozen=True):
    """A power's cards on the display were turned face-down until the next turn (§25.6)."""

    goes: ClassVar[CardFlow] = "shown"
    power: Power
    cards: tuple[Card, ...]


class PoliticsDiscarded(Event, frozen=True):
    """Political cards that no power selected were discarded (§17.5)."""

    politics: tuple[Political, ...]


class TrackShifted(Event, frozen=True):
    """The marker of a track has moved. Boxes count from 1 (§17.5)."""

    track: str
    start: int
    end: int


class IncomeChanged(Event, frozen=True):
    """A political card changes a power's income (§17.5)."""

    power: Power
    change: int
    lasting: bool
    """True if the change lasts until the end of the game."""


class TroopsGranted(Event, frozen=True):
    """A power got new troops and gave them to its generals in secret (§17.5)."""

    arms: ClassVar[bool] = True
    secrets: ClassVar[tuple[str, ...]] = ("allotment",)
    power: Power
    troops: int
    allotment: dict[Piece, int] | None


class CorpsSent(Event, frozen=True):
    """A general went to his power's off-map box (§17.5)."""

    goes: ClassVar[CardFlow] = "spent"
    takes_troops: ClassVar[bool] = True
    power: Power
    piece: Piece
    cards: tuple[Card, ...]


class CorpsReturned(Event, frozen=True):
    """A general came back from the off-map box (§17.5)."""

    power: Power
    piece: Piece
    city: City


class Relocated(Event, frozen=True):
    """A piece was moved because of politics (§17.5, §19)."""

    piece: Piece
    start: City
    city: City


class MarkersWon(Event, frozen=True):
    """Victory markers went from a power's pool to a victory box (§16)."""

    power: Power
    box: str
    count: int


class MarkersLost(Event, frozen=True):
    """Victory markers went from a victory box back to a power's pool (§16)."""

    power: Power
    box: str
    count: int


class MarkersTaken(Event, frozen=True):
    """Victory markers were taken off fortresses; `set_aside` is the number of them that were set aside (§19)."""

    power: Power
    cities: tuple[City, ...]
    set_aside: int


class MarkersReleased(Event, frozen=True):
    """Markers that had been set aside went back to a power's pool (§19)."""

    power: Power
    count: int


class StatusChanged(Event, frozen=True):
    """A power has changed sides, has become neutral, or is neutral no more (§19)."""

    power: Power
    status: Literal["prussian ally", "neutral", "austrian ally", "at war again"]


class ShiftDeclined(Event, frozen=True):
    """A power declined to move a marker because of losses (§19.3)."""

    power: Power
    steps: int


class PeaceOffered(Event, frozen=True):
    """A power has offered peace (§19.1)."""

    power: Power


class PeaceAnswered(Event, frozen=True):
    """The offer of peace was accepted or declined (§19.1)."""

    power: Power
    accepted: bool


class VotesCast(Event, frozen=True):
    """A power cast its electoral votes (§18)."""

    power: Power
    francis: int
    charles: int


class EmperorElected(Event, frozen=True):
    """An emperor was elected; `votes` is the number of his votes (§18)."""

    candidate: Literal["francis", "charles"]
    votes: int


class WinterScored(Event, frozen=True):
    """The winter scores were written down. They are revealed at the end of the game (§13)."""

    turn: int


class ScoresRevealed(Event, frozen=True):
    """The winter scores of the whole game were revealed (§23)."""

    reveals: ClassVar[bool] = True
    scores: tuple[dict[Power, int], ...]


class SubsidyOffered(Event, frozen=True):
    """A subsidy contract was offered by one of its powers; `power` is the giver (§20)."""

    power: Power
    receiver: Power
    turns: int


class SubsidyAgreed(Event, frozen=True):
    """A subsidy contract was made (§20)."""

    power: Power
    receiver: Power
    turns: int


class SubsidyEnded(Event, frozen=True):
    """A subsidy contract has run out, was cancelled by both powers, or ended with their alliance (§20)."""

    power: Power
    receiver: Power
    cancelled: bool


class SubsidyPaid(Event, frozen=True):
    """A card of the giver's income went to the receiver, unseen by the giver (§20)."""

    power: Power
    receiver: Power


class StackingAllowed(Event, frozen=True):
    """A power allows its partner's generals to stack with its own, or has withdrawn this permission (§10.1)."""

    power: Power
    allowed: bool


class AgreementMade(Event, frozen=True):
    """Powers have made an agreement, and are bound by it (§21)."""

    powers: tuple[Power, ...]
    words: str


class CardsLaidAside(Event, frozen=True):
    """A power has set cards of its income aside, unseen (Silesia Gambit §2.1)."""

    goes: ClassVar[CardFlow] = "aside"
    power: Power
    count: int


class CardsRegained(Event, frozen=True):
    """A power takes the cards that it had set aside into its hand (Silesia Gambit §2.2)."""

    goes: ClassVar[CardFlow] = "regained"
    reveals: ClassVar[bool] = True
    secrets: ClassVar[tuple[str, ...]] = ("cards",)
    power: Power
    count: int
    cards: tuple[Card, ...] | None


class SilesiaCeded(Event, frozen=True):
    """A power has ceded Silesia for peace, or refused to (Silesia Gambit §2.2)."""

    power: Power
    ceded: bool


class PowerLeft(Event, frozen=True):
    """A power has left the game (Silesia Gambit §2.2)."""

    goes: ClassVar[CardFlow] = "emptied"
    power: Power


class SubsidyDecided(Event, frozen=True):
    """A major power gives, or does not give, a subsidy to a minor power in this turn (§8)."""

    giver: Power
    receiver: Power
    given: bool


class TollPaid(Event, frozen=True):
    """A power paid for supply paths that run through hussars (§9)."""

    goes: ClassVar[CardFlow] = "spent"
    power: Power
    cards: tuple[Card, ...]
    owed: int
    """Toll for all supply paths, in points of cards."""


class HandShown(Event, frozen=True):
    """A power showed its whole hand to prove that it cannot pay (§9, edition 1.0)."""

    goes: ClassVar[CardFlow] = "shown"
    power: Power
    cards: tuple[Card, ...]


def apply_event(on_map: board.MapState, rules: Rules, event: Event) -> None:
    """Make the change to the map that an event of MARIA causes."""
    match event:
        case CorpsSent(_, piece):
            board.remove(on_map, piece, ASIDE)
        case CorpsReturned(_, piece, city) | Relocated(piece, _, city):
            board.move(on_map, (piece,), city)
            on_map.on_top[piece] = False
        case MarkersTaken(_, cities):
            for city in cities:
                on_map.markers.pop(city, None)
        case PowerLeft(power):
            for piece, facts in each_piece(rules.pieces):
                if facts.power == power:
                    board.remove(on_map, piece, ASIDE)
