"""Seats drawn by lot: people join where they are invited, and the first adjudication says who plays which seat.

The lot follows from the root of the deal, so nobody knows it before all have joined, and everybody can draw it again
after the close. Whatever the ledger knows of a person moves with them to the seat that they play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from pbem.seal.deal import drawn_by_lot

from .settings import Settings

if TYPE_CHECKING:
    from .records import Adjudicated
    from .register import Register

T = TypeVar("T")

Lot = Mapping[str, str]
"""For each seat that somebody has joined, the one that they play."""


def lot_of(settings: Settings, root: bytes) -> dict[str, str]:
    """What everybody plays; nothing where seats were chosen."""
    if settings.conduct.seats != "drawn":
        return {}
    joined = sorted(settings.seats)
    return dict(zip(joined, drawn_by_lot(root, joined), strict=True))


def is_due(register: Register) -> bool:
    """Whether the next adjudication draws the seats: the first one, where that was agreed."""
    return register.settings.conduct.seats == "drawn" and register.version == 0


def is_whole(register: Register, lot: Lot) -> bool:
    """Whether a lot gives everybody one seat, where one is drawn, and is none where none is."""
    seats = sorted(register.settings.seats)
    return (sorted(lot), sorted(lot.values())) == ((seats, seats) if is_due(register) else ([], []))


def take_seats(register: Register, number: int, lot: Lot) -> None:
    """Everybody goes over to the seat that the entry of this number gives them, with all that is known of them."""
    register.drawn, register.drawn_at = dict(lot), number
    register.players = moved(register.players, lot)
    register.spare = moved(register.spare, lot)
    register.seqs = moved(register.seqs, lot)
    register.absences = [replace(away, player=lot[away.player]) for away in register.absences]
    register.settings = seated(register.settings, lot)


def moved(known: Mapping[str, T], lot: Lot) -> dict[str, T]:
    """What is known by seat, or by seat and something behind a `/`, by the seats that were drawn."""
    parts = ((key.partition("/"), value) for key, value in known.items())
    return {f"{lot.get(seat, seat)}{mark}{rest}": value for (seat, mark, rest), value in parts}


def seated(settings: Settings, lot: Lot) -> Settings:
    """The settings with what was agreed of people at the seats that they play."""
    people = moved(settings.seats, lot)
    own = settings.moderator.seat
    return replace(
        settings,
        seats={seat: people[seat] for seat in settings.seats},
        moderator=replace(settings.moderator, seat=lot.get(own, own)),
    )


def lot_behind(register: Register, entry: int) -> Lot:
    """The lot by which seats that an entry of this number names are others now."""
    return register.drawn if entry < register.drawn_at else {}


def asked_where_joined(record: Adjudicated) -> list[str]:
    """Whom an adjudication asks, by the seats under which they are known until it is entered."""
    joined = {played: seat for seat, played in record.drawn.items()}
    return [joined.get(player, player) for player in record.next.owing]
