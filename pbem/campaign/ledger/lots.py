"""Seats drawn by lot: people join where they are invited, and the first adjudication says who plays which seat.

The lot follows from the root of the deal, so nobody knows it before all have joined, and everybody can draw it again
after the close. Whatever the ledger knows of a person moves with them to the seat that they play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from pbem.campaign.ledger.public_state import Count
from pbem.campaign.settings import Settings
from pbem.seal.deal import draw_lot

T = TypeVar("T")

Lot = Mapping[str, str]
"""For each seat that somebody has joined, the one that they play."""


def lot_of(settings: Settings, root: bytes) -> dict[str, str]:
    """What everybody plays; nothing where seats were chosen."""
    if settings.conduct.seats != "drawn":
        return {}
    joined = sorted(settings.seats)
    return dict(zip(joined, draw_lot(root, joined), strict=True))


def by_seats_drawn(known: Mapping[str, T], lot: Lot) -> dict[str, T]:
    """What is known by seat, or by what is counted of it, by the seats that were drawn."""
    counts = ((Count.read(key), value) for key, value in known.items())
    return {str(Count(lot.get(count.seat, count.seat), count.kind)): value for count, value in counts}


def seated(settings: Settings, lot: Lot) -> Settings:
    """The settings with what was agreed of people at the seats that they play."""
    people = by_seats_drawn(settings.seats, lot)
    own = settings.moderator.seat
    return replace(
        settings,
        seats={seat: people[seat] for seat in settings.seats},
        moderator=replace(settings.moderator, seat=lot.get(own, own)),
    )
