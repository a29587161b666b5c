"""Moments as entries of the ledger write them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

# All in UTC and of one length: as texts they compare as they do in time, on which `repairs` and `public_state` rely.
_FORM = "%Y-%m-%dT%H:%M:%SZ"


def stamp(moment: datetime) -> str:
    """A moment as it is written."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def checked_stamp(text: str) -> str:
    """A text that is a written moment or nothing, unchanged; raises `ValueError`."""
    if text:
        parse_moment(text)
    return text


@lru_cache(maxsize=256)
def parse_moment(text: str) -> datetime:
    """A written moment."""
    return datetime.strptime(text, _FORM).replace(tzinfo=UTC)
