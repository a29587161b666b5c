"""Decisions at the Clock of Fate and in the expert game, and their answers (§11, §13)."""

from __future__ import annotations

from typing import Literal

from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Card, City, Piece, Power

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
