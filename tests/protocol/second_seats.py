"""Seats that count, and seats that nobody waits for, as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.protocol.second import Campaign


def counted(campaign: Campaign) -> list[str]:
    """Seats of people who have not resigned."""
    return [seat for seat in campaign.players if seat not in campaign.bots and seat not in campaign.resigned]


def is_held(campaign: Campaign, seat: str) -> bool:
    """True if nobody waits for this seat: its player has resigned, and somebody else has not."""
    is_agreed = campaign.settings.get("conduct", {}).get("resigned") == "hold"
    return is_agreed and seat in campaign.resigned and bool(counted(campaign))
