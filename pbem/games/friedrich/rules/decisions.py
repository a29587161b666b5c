"""Decisions that only FRIEDRICH asks; the engine has those that both games share."""

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
