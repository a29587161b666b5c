"""Letters in which the line `pbem: 1` or even the whole head is missing. Some have only the orders of a power. Such
letters are refused, and the fault names the missing lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import islice

from pbem.faults.wrong import Words, wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.found import FoundLetter
from pbem.paper.letter_kinds import STAGED
from pbem.paper.library import game_paper_named
from pbem.post.finding import is_answered
from pbem.resources import games

_KEY = re.compile(r"(?P<key>kind|campaign|from|stage|basis|seq)[ ]?:[ ](?P<value>.*)")
_NAME = re.compile(r"[ \t]*(?P<name>[A-Za-z][\w-]{0,30})[ ]?:[ \t]*(?:#.*)?")
_HEAD = ("pbem: 1", "kind", "campaign", "from")
_HEAD_OF_STAGE = ("stage", "basis")
_MOST_LINES = 200
"""Largest number of lines of such a letter that are shown to its writer."""


def headless_letter(text: str, name: Words | str, quoted: Sequence[FoundLetter]) -> FoundLetter | None:
    """Return the first letter in a text in which the line `pbem: 1` is missing. It has a fault that names the missing
    lines of its head. Return None if there is no such letter. `name` is the name of the text within the mail, and
    `quoted` has the letters in quotations."""
    lines = text.split("\n")
    covered = {number for each in quoted for number in range(each.line, each.line + each.text.count("\n") + 1)}
    for at in range(len(lines)):
        if is_answered(lines, at):
            return None
        lost = _lost_above(lines, at) if at + 1 not in covered else None
        if lost is not None:
            first, head = at, dict[str, str]()
            while first and (lines[first - 1].startswith("#") or _KEY.fullmatch(lines[first - 1])):
                first -= 1
                if key := _KEY.fullmatch(lines[first]):
                    head[key["key"]] = key["value"].strip()
            shown = "\n".join(lines[first : first + _MOST_LINES])
            kind = head.get("kind", "orders")
            wanted = _HEAD + (_HEAD_OF_STAGE if kind in STAGED else ())
            missing = (*(each for each in wanted if each not in head), *lost)
            wording = "E-TEXT-HEAD.orders" if kind == "orders" else "E-TEXT-HEAD.missing"
            return FoundLetter(
                f"{shown}\n", name, first + 1, faults=(Fault.at(first + 1, 1, wrong(wording, keys=missing)),)
            )
    return None


def _lost_above(lines: Sequence[str], at: int) -> tuple[str, ...] | None:
    """Return those of the keys `body` and `orders` that are missing above the line `at`. Above a line `body` none is
    missing. Above a line `orders` the key `body` is missing. Above the name of a power, with a section below it, both
    are missing. Return None if no letter begins at this line."""
    found = _NAME.fullmatch(lines[at])
    below = islice(lines, at + 1, at + 1 + _MOST_LINES) if found else ()
    first = next((each for each in below if each.strip() and not each.strip().startswith("#")), "")
    if not found or _margin(first) <= _margin(lines[at]):
        return None
    if found["name"] in ("body", "orders"):
        return () if found["name"] == "body" else ("body",)
    return ("body", "orders") if first.partition(":")[0].strip().casefold() in _sections() else None


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


@cache
def _sections() -> frozenset[str]:
    """Return the names of the sections of all games."""
    return frozenset(section.name for game in games() for section in game_paper_named(game).sections)
