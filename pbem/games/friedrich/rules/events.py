"""Events that only FRIEDRICH has, including those of the Clock of Fate and the expert game, and the changes that they
make to the map (§11, §13)."""

from __future__ import annotations

from typing import ClassVar

from pbem.engine import memory as board
from pbem.engine.events import CardFlow, Event
from pbem.engine.field import ASIDE
from pbem.engine.nouns import Card, City, Piece, Power, Suit, each_piece
from pbem.engine.rules import Rules


class CardsReturned(Event, frozen=True):
    """A power set cards of its income aside, unseen by others (§3)."""

    goes: ClassVar[CardFlow] = "unseen"
    secrets: ClassVar[tuple[str, ...]] = ("cards",)
    power: Power
    count: int
    cards: tuple[Card, ...] | None


class CardsThrown(Event, frozen=True):
    """Cards were set aside from the draw deck, unseen by any player."""

    goes: ClassVar[CardFlow] = "revealed"
    count: int


class WonTogether(Event, frozen=True):
    """Several players win because their powers have reached their goals at the same time (§12)."""

    players: tuple[str, ...]


class Starved(Event, frozen=True):
    """A face-down stack was out of supply again, and was removed with all its troops (§9)."""

    pieces: tuple[Piece, ...]
    city: City
    troops: int


class FateShuffled(Event, frozen=True):
    """Cards of Fate were shuffled: `cards` is the number of cards, `number` counts the shuffles of the game."""

    reveals: ClassVar[bool] = True
    number: int
    cards: int


class FateDrawn(Event, frozen=True):
    """A Card of Fate was read. `suit` is the suit of the version that was read; None for a stroke, which has no
    versions (§11, §13)."""

    reveals: ClassVar[bool] = True
    fate: int
    suit: Suit | None


class TroopGained(Event, frozen=True):
    """A general got a free troop. Only the power itself knows which general it was."""

    arms: ClassVar[bool] = True
    secrets: ClassVar[tuple[str, ...]] = ("general",)
    power: Power
    general: Piece | None


class TroopLost(Event, frozen=True):
    """A general lost a troop. Only the power itself knows which general it was."""

    arms: ClassVar[bool] = True
    secrets: ClassVar[tuple[str, ...]] = ("general",)
    power: Power
    general: Piece | None


class NothingCame(Event, frozen=True):
    """A version of a Card of Fate was read and had no effect: there was nothing to affect, or a power declined."""

    fate: int
    suit: Suit


class CardOffered(Event, frozen=True):
    """A power has laid a tactical card out for an exchange, or has declined the exchange."""

    secrets: ClassVar[tuple[str, ...]] = ("card",)
    power: Power
    partner: Power
    offered: bool
    card: Card | None


class CardGiven(Event, frozen=True):
    """A power gave another power a tactical card. In this event only the giver knows the card."""

    goes: ClassVar[CardFlow] = "unseen"
    secrets: ClassVar[tuple[str, ...]] = ("card",)
    power: Power
    to: Power
    card: Card | None


class CardReceived(Event, frozen=True):
    """A power took a tactical card from another power. In this event only the receiver knows the card."""

    goes: ClassVar[CardFlow] = "received"
    reveals: ClassVar[bool] = True
    secrets: ClassVar[tuple[str, ...]] = ("card",)
    power: Power
    giver: Power
    card: Card | None


class CardReplaced(Event, frozen=True):
    """A power set a tactical card aside unseen, in order to draw another one."""

    goes: ClassVar[CardFlow] = "unseen"
    secrets: ClassVar[tuple[str, ...]] = ("card",)
    power: Power
    card: Card | None


class StackCutOff(Event, frozen=True):
    """Generals were put out of supply by a Card of Fate."""

    pieces: tuple[Piece, ...]
    city: City


class Shifted(Event, frozen=True):
    """Pieces moved outside their turn, because of a Card of Fate."""

    pieces: tuple[Piece, ...]
    start: City
    city: City


class PowerQuit(Event, frozen=True):
    """A power has left the game; `took_part` is false if the power had no part in the scenario (§11)."""

    goes: ClassVar[CardFlow] = "emptied"
    power: Power
    took_part: bool


class GeneralRetired(Event, frozen=True):
    """A general has left the game for good; `lost` counts his troops that found no room with others (§6, §11)."""

    piece: Piece
    city: City
    lost: int


class PlayerChanged(Event, frozen=True):
    """Another player plays a power from now on (§11)."""

    power: Power
    player: str


class VictoryEased(Event, frozen=True):
    """A power needs only its objectives of the first order from now on (§11)."""

    power: Power


class OffensiveDeclared(Event, frozen=True):
    """A power declared the Offensive Option by setting a card aside (§13)."""

    goes: ClassVar[CardFlow] = "spent"
    power: Power
    card: Card


class OffensiveDeclined(Event, frozen=True):
    """A power did not declare the Offensive Option. Its conquests of the named cities do not count any more (§13)."""

    power: Power
    cities: tuple[City, ...]


class OffensiveCardTaken(Event, frozen=True):
    """The opponent of the Offensive Option has taken the card that was set aside (§13)."""

    goes: ClassVar[CardFlow] = "received"
    power: Power
    card: Card


class OffensiveFailed(Event, frozen=True):
    """The Offensive Option of a power has failed. The power's conquests of the named cities do not count any more
    (§13)."""

    power: Power
    cities: tuple[City, ...]


class GarrisonMissing(Event, frozen=True):
    """Objectives fell back to the power `to`, because their conqueror had no general left in the region (§13)."""

    power: Power
    to: Power
    cities: tuple[City, ...]


def apply_event(on_map: board.MapState, rules: Rules, event: Event) -> None:
    """Make the change to the map that an event of FRIEDRICH causes."""
    match event:
        case StackCutOff(pieces):
            for piece in pieces:
                on_map.down[piece] = True
        case Shifted(pieces, _, city):
            board.move(on_map, pieces, city)
        case GeneralRetired(piece):
            board.remove(on_map, piece, ASIDE)
        case PowerQuit(power, took_part) if took_part:
            for piece, facts in each_piece(rules.pieces):
                if facts.power == power:
                    board.remove(on_map, piece, ASIDE)
            on_map.markers = {city: by for city, by in on_map.markers.items() if by != power}
        case OffensiveDeclined(power, cities) | OffensiveFailed(power, cities):
            remove_markers(on_map, cities)
            on_map.questions = {city: by for city, by in on_map.questions.items() if by != power}
        case GarrisonMissing(_, _, cities):
            remove_markers(on_map, cities)


def remove_markers(on_map: board.MapState, cities: tuple[City, ...]) -> None:
    """Remove from the map the markers of conquests that no longer count."""
    for city in cities:
        on_map.markers.pop(city, None)
