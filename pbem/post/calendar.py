"""A deadline as an entry for calendars (`.ics`), which a later one of the same stage takes the place of."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from pbem.post.outgoing import Enclosure

ALARM = timedelta(hours=24)
"""So long before it a calendar reminds of it."""

_LONGEST = 74
"""How many bytes a line has at most, without the blank before one that goes on."""

_LETTER = re.compile(r"\\?.")
_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


class Appointment(Struct, frozen=True):
    """Until when somebody owes orders."""

    name: str
    """What it is called for programs: the same for one stage and reader."""
    title: str
    deadline: datetime


def calendar(appointment: Appointment, version: int, now: datetime) -> Enclosure:
    """The file (RFC 5545); of several for one stage the one with the highest version holds."""
    title = _escaped(appointment.title)
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"SUMMARY:{title}",
        f"DTSTART:{_moment(appointment.deadline)}",
        f"DTSTAMP:{_moment(now)}",
        f"UID:{_escaped(appointment.name)}",
        f"SEQUENCE:{version}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{title}",
        f"TRIGGER:-P{ALARM.days}D",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return Enclosure("deadline.ics", "text/calendar", "".join(f"{_folded(line)}\r\n" for line in lines).encode())


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _folded(line: str) -> str:
    """The line in pieces of at most so many bytes, no letter torn apart and no escaped one either."""
    pieces, used = [""], 0
    for letter in _LETTER.findall(line):
        size = len(letter.encode())
        if used + size > _LONGEST:
            pieces.append("")
            used = 0
        pieces[-1] += letter
        used += size
    return "\r\n ".join(pieces)
