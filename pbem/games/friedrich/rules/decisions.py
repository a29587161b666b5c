"""Questions that only FRIEDRICH asks, those of the Clock of Fate and the expert game among them, and their answers
(§11, §13).
"""

from __future__ import annotations

from typing import Literal

from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Card, City, Piece, Power


class ReturnCards(Decision, frozen=True):
    """Set some of the cards just drawn aside, unseen by others (§3)."""

    cards: tuple[Card, ...]
    count: int


class Levy(Decision, frozen=True):
    """Pay for new troops and trains, and bring generals back (§10); answered by a `Recruitment`."""

    hand: tuple[Card, ...]
    price: int
    """Price of a troop or a train now."""
    most: int
    """Most troops that the power may still recruit."""
    room: dict[Piece, int]
    """Generals who may receive troops, and how many more each can take."""
    entries: dict[Piece, tuple[City, ...]]
    """Generals and trains off the map, and the cities where they may re-enter."""
    one_city: bool
    """True if all of them must re-enter in the same city, because every depot is in enemy hands."""
    early: bool = False
    """True if the power is still moving: it may recruit between its marches, and is asked again after them."""


class CardsBack(Answer, frozen=True):
    """Cards just drawn that a power does not keep (§3)."""

    cards: tuple[Card, ...]


CardFor = Literal["swap", "plunder", "redraw", "offensive"]
"""Purpose of a given card: for another player's, for a random one, for one of the deck, for the Offensive Option."""

GeneralFor = Literal["gain", "loss", "removal"]
"""Purpose of naming a general: he gets a troop, loses one, or leaves the game."""

ShiftFor = Literal["advance", "sidestep", "rout"]
"""Reason of a move outside of one's turn: a free step, a step aside before an attack, a push by the enemy."""

CitiesFor = Literal["blockade", "garrison"]
"""Purpose of naming cities: a stack in one is put out of supply, objectives fall back."""


class ChooseGeneral(Decision, frozen=True):
    """Name one of these generals."""

    reason: GeneralFor
    generals: tuple[Piece, ...]


class GiveCard(Decision, frozen=True):
    """Give or set aside one of these tactical cards, or none where that is allowed."""

    reason: CardFor
    partner: Power
    """The other power concerned; none if the card is only set aside."""
    cards: tuple[Card, ...]
    may_decline: bool


class ShiftPieces(Decision, frozen=True):
    """Move pieces to one of these cities outside their turn, or leave them where they are."""

    reason: ShiftFor
    pieces: tuple[Piece, ...]
    start: City
    cities: tuple[City, ...]


class ChooseCities(Decision, frozen=True):
    """Name so many of these cities."""

    reason: CitiesFor
    cities: tuple[City, ...]
    count: int


class NamedGeneral(Answer, frozen=True):
    """General who was asked for."""

    general: Piece


class GivenCard(Answer, frozen=True):
    """Card given; None for none."""

    card: Card | None = None


class Shift(Answer, frozen=True):
    """City that the pieces move to; None to leave them where they are."""

    city: City | None = None


class NamedCities(Answer, frozen=True):
    """Cities that were asked for."""

    cities: tuple[City, ...]
