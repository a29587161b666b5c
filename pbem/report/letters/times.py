"""Moments as reports tell them: in the time zone of the campaign, with the day of the week."""

from __future__ import annotations

from datetime import date, datetime

from pbem.campaign.clock.clock import Clock, zone_named
from pbem.campaign.clock.timestamps import stamp


def when(moment: datetime, clock: Clock) -> dict[str, object]:
    """A moment as data: in universal time, and as calendar and clock show it in the campaign's zone."""
    local = moment.astimezone(zone_named(clock.zone))
    return {"utc": stamp(moment), **day(local.date()), "time": local.strftime("%H:%M"), "zone": clock.zone}


def day(of: date) -> dict[str, object]:
    """A day as data; the week begins with Monday, which is 0."""
    return {"year": of.year, "month": of.month, "day": of.day, "weekday": of.weekday()}
