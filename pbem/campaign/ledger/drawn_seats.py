"""Where a ledger stands with the lot for its seats: whether it is due, whole, and which names an entry has."""

from __future__ import annotations

from pbem.campaign.ledger.lots import Lot
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import AdjudicationRecord


def is_lot_due(public: PublicState) -> bool:
    """Whether the next adjudication draws the seats: the first one, where that was agreed."""
    return public.settings.conduct.seats == "drawn" and public.version == 0


def is_lot_complete(public: PublicState, lot: Lot) -> bool:
    """Whether a lot gives everybody one seat, where one is drawn, and is none where none is."""
    seats = sorted(public.settings.seats)
    return (sorted(lot), sorted(lot.values())) == ((seats, seats) if is_lot_due(public) else ([], []))


def lot_since(public: PublicState, entry: int) -> Lot:
    """The lot by which seats that an entry of this number names are others now."""
    return public.drawn if entry < public.drawn_at else {}


def asked_where_joined(record: AdjudicationRecord) -> list[str]:
    """Whom an adjudication asks, by the seats under which they are known until it is entered."""
    joined = {played: seat for seat, played in record.drawn.items()}
    return [joined.get(player, player) for player in record.next.owing]
