"""What a power may be asked only in FRIEDRICH; the questions that both games share stand in the engine."""

from __future__ import annotations

from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Card, City, Piece


class ReturnCards(Decision, frozen=True):
    """Set some of the cards just drawn aside, unseen by others (§3)."""

    cards: tuple[Card, ...]
    count: int


class Levy(Decision, frozen=True):
    """Pay for new troops and trains, and bring generals back (§10); answered by a `Recruitment`."""

    hand: tuple[Card, ...]
    price: int
    """What a troop or a train costs now."""
    most: int
    """The most troops that the power may still recruit."""
    room: dict[Piece, int]
    """The generals who may receive troops, and how many each has room for."""
    entries: dict[Piece, tuple[City, ...]]
    """Generals and trains off the map, and the cities where they may re-enter."""
    one_city: bool
    """Whether all of them must re-enter in the same city, for every depot is in enemy hands."""
    early: bool = False
    """Whether the power is still moving: it may recruit between its marches, and is asked again behind them."""


class CardsBack(Answer, frozen=True):
    """Which of the cards just drawn a power does not keep (§3)."""

    cards: tuple[Card, ...]
