"""A deadline as an entry for calendars (`.ics`), which a later one of the same stage takes the place of."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from pbem.post.outgoing import Enclosure

ALARM = timedelta(hours=24)
"""So long before it a calendar reminds of it."""


class Appointment(Struct, frozen=True):
    """Until when somebody owes orders."""

    name: str
    """What it is called for programs: the same for one stage and reader."""
    title: str
    deadline: datetime


def calendar(appointment: Appointment, version: int, now: datetime) -> Enclosure:
    """The file; of several for one stage the one with the highest version holds."""
    from icalendar import Alarm, Calendar, Event  # loads much that nothing else needs

    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", appointment.title)
    alarm.add("trigger", -ALARM)
    event = Event()
    event.add("uid", appointment.name)
    event.add("summary", appointment.title)
    event.add("dtstamp", now)
    event.add("dtstart", appointment.deadline)
    event.add("sequence", version)
    event.add("transp", "TRANSPARENT")
    event.add_component(alarm)
    found = Calendar()
    found.add("prodid", "-//pbem//EN")
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add_component(event)
    return Enclosure("deadline.ics", "text/calendar", found.to_ical())
