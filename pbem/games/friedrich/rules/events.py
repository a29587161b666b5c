"""Events that only FRIEDRICH has; the engine has those that both games share."""

from __future__ import annotations

from typing import ClassVar

from pbem.engine.events import CardFlow, Event
from pbem.engine.nouns import Card, City, Piece, Power


class CardsReturned(Event, frozen=True):
    """A power set cards of its income aside, unseen by others (§3)."""

    goes: ClassVar[CardFlow] = "unseen"
    secrets: ClassVar[tuple[str, ...]] = ("cards",)
    power: Power
    count: int
    cards: tuple[Card, ...] | None


class CardsThrown(Event, frozen=True):
    """Cards were set aside from the draw deck, unseen by anybody."""

    goes: ClassVar[CardFlow] = "revealed"
    count: int


class WonTogether(Event, frozen=True):
    """Several players win because their powers have reached their goals at the same time (§12)."""

    players: tuple[str, ...]


class Starved(Event, frozen=True):
    """A face-down stack was out of supply once more, and is gone with all its troops (§9)."""

    pieces: tuple[Piece, ...]
    city: City
    troops: int
