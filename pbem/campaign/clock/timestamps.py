"""Moments as entries of the ledger write them."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime
from functools import lru_cache


def stamp(moment: datetime) -> str:
    """A moment as it is written."""
    # All in UTC and of one length: as texts they compare as in time, on which `repairs` and `public_state` rely.
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def checked_stamp(text: str) -> str:
    """A text that is a written moment or nothing, unchanged; raises `ValueError`."""
    if text:
        parse_moment(text)
    return text


def checked_day(text: str) -> str:
    """A text that is a written day, unchanged; raises `ValueError`."""
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError("days are written in one way")
    return text


@lru_cache(maxsize=256)
def parse_moment(text: str) -> datetime:
    """The moment that is written so; raises `ValueError` where none is."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo != UTC or stamp(moment) != text:
        raise ValueError("moments are written in one way")
    return moment


def is_moment(text: str) -> bool:
    """Whether a moment is written so."""
    with suppress(ValueError):
        return bool(parse_moment(text))
    return False
