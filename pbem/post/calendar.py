"""Deadlines as calendar entries (`.ics`), and letters as blocks for forums."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from pbem.paper.documents.strict import bare, read_yaml
from pbem.post.finding import TAGS
from pbem.post.outgoing import Enclosure

ALARM = timedelta(hours=24)
"""Time before the deadline at which a calendar reminds of it."""

_LONGEST = 74
"""Most bytes of a line, without the blank before a continued one."""

_LETTER = re.compile(r"\\?.")
_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


class Appointment(Struct, frozen=True):
    """Time until which a reader owes orders."""

    name: str
    """Identifier for programs, always the same for one stage and reader."""
    title: str
    deadline: datetime


def calendar(appointment: Appointment, version: int, now: datetime) -> Enclosure:
    """The file (RFC 5545). Of several for one stage a calendar keeps the one with the highest version."""
    title = _escaped_text(appointment.title)
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"SUMMARY:{title}",
        f"DTSTART:{_moment(appointment.deadline)}",
        f"DTSTAMP:{_moment(now)}",
        f"UID:{_escaped_text(appointment.name)}",
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
    return Enclosure("deadline.ics", "text/calendar", "".join(f"{_folded_lines(line)}\r\n" for line in lines).encode())


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped_text(text: str) -> str:
    return text.translate(_ESCAPES)


def _folded_lines(line: str) -> str:
    """Pieces of a line of at most so many bytes; no character and no escape is split."""
    pieces, used = [""], 0
    for letter in _LETTER.findall(line):
        size = len(letter.encode())
        if used + size > _LONGEST:
            pieces.append("")
            used = 0
        pieces[-1] += letter
        used += size
    return "\r\n ".join(pieces)


_BACKTICKS = re.compile("`+")
_TAG = re.compile(rf"\[/?(?:{TAGS})\b", re.IGNORECASE)
_BRACKET = re.compile(r"\[(?=/?[a-z*])", re.IGNORECASE)


def bbcode_block(letter: str) -> str:
    """Return the letter for phpBB and XenForo."""
    return f"[code]\n{_with_line_end(_without_tags(letter))}[/code]\n"


def markdown_block(letter: str) -> str:
    """Return the letter for Discourse, NodeBB and Reddit, between more backticks than it holds itself."""
    longest = max((len(run) for run in _BACKTICKS.findall(letter)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}yaml\n{_with_line_end(_without_tags(letter))}{fence}\n"


def _without_tags(letter: str) -> str:
    """Return the same letter, by the same signature, without the tags of a forum: as JSON, which spells `[` otherwise.

    Raises `Refused` for what holds tags and is no document.
    """
    if not _TAG.search(letter):
        return letter
    written = json.dumps(bare(read_yaml(letter.encode(), "letter")), ensure_ascii=False, indent=1)
    # Lists of JSON begin with quotes or another bracket: what is found stands in a text.
    return _BRACKET.sub(r"\\u005b", written)


def _with_line_end(letter: str) -> str:
    return letter if letter.endswith("\n") else letter + "\n"
