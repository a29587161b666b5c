"""Deadlines as files for calendar programs (`.ics`), and letters as code blocks for forums."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from pbem.paper.documents.strict import bare, read_yaml
from pbem.post.finding import TAGS
from pbem.post.outgoing import Enclosure

ALARM = timedelta(hours=24)
"""Time between a calendar program's reminder and the deadline."""

_LONGEST = 74
"""Largest number of bytes on a line of a calendar file. The blank at the beginning of a continued line is not
counted."""

_LETTER = re.compile(r"\\?.")
_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


class Appointment(Struct, frozen=True):
    """Deadline for a reader's orders, as an entry for the reader's calendar."""

    name: str
    """Identifier for calendar programs. It is the same in all files for the same stage and reader."""
    title: str
    deadline: datetime


def calendar(appointment: Appointment, version: int, now: datetime) -> Enclosure:
    """Return a calendar file (RFC 5545). `version` is its number among the files for the same stage: calendar programs
    keep the file with the highest number."""
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
    """Return a line broken into pieces of at most `_LONGEST` bytes. No character and no escape sequence is broken."""
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
    """Return a letter as a code block for phpBB and XenForo."""
    return f"[code]\n{_with_line_end(_without_tags(letter))}[/code]\n"


def markdown_block(letter: str) -> str:
    """Return a letter as a code block for Discourse, NodeBB and Reddit. Its fence of backticks is longer than any row
    of backticks in the letter."""
    longest = max((len(run) for run in _BACKTICKS.findall(letter)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}yaml\n{_with_line_end(_without_tags(letter))}{fence}\n"


def _without_tags(letter: str) -> str:
    """Return a letter in which a forum finds no tags. If the letter has texts like tags, it is written again as JSON,
    with an escape in place of each `[` in a text. Its signature stays valid. Raises `Refused` if such a letter cannot
    be read as a document."""
    if not _TAG.search(letter):
        return letter
    written = json.dumps(bare(read_yaml(letter.encode(), "letter")), ensure_ascii=False, indent=1)
    # The pattern finds only brackets within texts, because a bracket of JSON itself is never followed by a letter.
    return _BRACKET.sub(r"\\u005b", written)


def _with_line_end(letter: str) -> str:
    return letter if letter.endswith("\n") else letter + "\n"
