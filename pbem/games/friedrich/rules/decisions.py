"""Decisions and answers that only FRIEDRICH has. Many belong to the Clock of Fate or the expert game (§11, §13)."""

from __future__ import annotations

from typing import Literal

from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Card, City, Piece, Power


class ReturnCards(Decision, frozen=True):
    """Decision to set some of the cards just drawn aside, without showing them (§3)."""

    is_on_map = False
    cards: tuple[Card, ...]
    count: int


class Levy(Decision, frozen=True):
    """Decision to pay for new troops and trains, and to bring generals back (§10). Its answer is a `Recruitment`."""

    hand: tuple[Card, ...]
    price: int
    """Present price of a troop or a train, in points of tactical cards."""
    most: int
    """Greatest number of troops that the power may still recruit."""
    room: dict[Piece, int]
    """Number of troops that each general has room for."""
    entries: dict[Piece, tuple[City, ...]]
    """Cities where each general and train off the map may re-enter."""
    one_city: bool
    """True if all returning pieces must re-enter in the same city, because enemies stand in every depot."""
    early: bool = False
    """True if the power is still moving. It may recruit between its marches, and is asked again after them."""


class CardsBack(Answer, frozen=True):
    """Answer to `ReturnCards`: the drawn cards that the power sets aside (§3)."""

    cards: tuple[Card, ...]


CardFor = Literal["swap", "plunder", "redraw", "offensive"]
"""Reasons to give a card: in exchange for another player's card (`swap`), for a random card of another player
(`plunder`), for a new card from the deck (`redraw`), or to declare the Offensive Option (`offensive`)."""

GeneralFor = Literal["gain", "loss", "removal"]
"""Reasons to name a general: he gets a troop (`gain`), loses a troop (`loss`), or leaves the game (`removal`)."""

ShiftFor = Literal["advance", "sidestep", "rout"]
"""Reasons to move pieces outside their turn: a free step (`advance`), a step aside before an attack (`sidestep`), or a
push by the enemy (`rout`)."""

CitiesFor = Literal["blockade", "garrison"]
"""Reasons to name cities: the stack in a city is put out of supply (`blockade`), or objectives are taken back because a
garrison is missing (`garrison`)."""


class ChooseGeneral(Decision, frozen=True):
    """Decision to name one of several generals."""

    reason: GeneralFor
    generals: tuple[Piece, ...]


class GiveCard(Decision, frozen=True):
    """Decision to give or set aside one of several tactical cards, or to decline if that is allowed."""

    is_on_map = False
    reason: CardFor
    partner: Power
    """Power that gets the card. For the Offensive Option it is the opponent, who may take the card later. In a `redraw`
    it is `NO_POWER`, because the card is set aside."""
    cards: tuple[Card, ...]
    may_decline: bool


class ShiftPieces(Decision, frozen=True):
    """Decision to move pieces to one of several cities outside their turn, or to leave them where they are."""

    reason: ShiftFor
    pieces: tuple[Piece, ...]
    start: City
    cities: tuple[City, ...]


class ChooseCities(Decision, frozen=True):
    """Decision to name `count` of several cities."""

    reason: CitiesFor
    cities: tuple[City, ...]
    count: int


class NamedGeneral(Answer, frozen=True):
    """Answer to `ChooseGeneral`: the general whom the power chooses."""

    general: Piece


class GivenCard(Answer, frozen=True):
    """Answer to `GiveCard`: the card that the power gives or sets aside; None if it declines."""

    card: Card | None = None


class Shift(Answer, frozen=True):
    """Answer to `ShiftPieces`: the city to which the pieces move; None if they stay."""

    city: City | None = None


class NamedCities(Answer, frozen=True):
    """Answer to `ChooseCities`: the cities that the power chooses."""

    cities: tuple[City, ...]
