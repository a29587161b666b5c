"""Where a ledger stands with the lot for its seats: whether it is due, whole, and which names an entry has."""

from __future__ import annotations

from pbem.campaign.ledger.lots import Lot
from pbem.campaign.ledger.records import Adjudicated
from pbem.campaign.ledger.register import Register


def is_due(register: Register) -> bool:
    """Whether the next adjudication draws the seats: the first one, where that was agreed."""
    return register.settings.conduct.seats == "drawn" and register.version == 0


def is_whole(register: Register, lot: Lot) -> bool:
    """Whether a lot gives everybody one seat, where one is drawn, and is none where none is."""
    seats = sorted(register.settings.seats)
    return (sorted(lot), sorted(lot.values())) == ((seats, seats) if is_due(register) else ([], []))


def lot_behind(register: Register, entry: int) -> Lot:
    """The lot by which seats that an entry of this number names are others now."""
    return register.drawn if entry < register.drawn_at else {}


def asked_where_joined(record: Adjudicated) -> list[str]:
    """Whom an adjudication asks, by the seats under which they are known until it is entered."""
    joined = {played: seat for seat, played in record.drawn.items()}
    return [joined.get(player, player) for player in record.next.owing]
