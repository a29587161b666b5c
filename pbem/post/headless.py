"""Letters in which the line `pbem: 1` or even the whole head is missing. Some have only the orders of a power. Such
letters are refused, and the fault names the missing lines."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from functools import cache

from pbem.faults.wrong import Words, wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.found import FoundLetter
from pbem.paper.letter_kinds import STAGED
from pbem.paper.library import game_paper_named
from pbem.post.finding import is_answered
from pbem.resources import games

_KEY = re.compile(r"(?P<key>kind|campaign|from|stage|basis|seq)[ ]?:[ ](?P<value>.*)")
_NAME = re.compile(r"[ \t]*(?P<name>[A-Za-z][\w-]{0,30})[ ]?:[ \t]*(?:#.*)?")
_MARKS = re.compile(r"(?:[ \t]*+[>|]+[ ]?)*+")
_ITEM = re.compile(r"[ \t]*+- .{1,80}:[ ]*\S")
_ORDER = re.compile(r"[ \t]*+- .{1,80}:[ ].+|[ \t]+[A-Za-z][\w-]{0,30}[ ]?:(?:[ ].*)?")
_HEAD = ("pbem: 1", "kind", "campaign", "from")
_HEAD_OF_STAGE = ("stage", "basis")
_MOST_LINES = 200
"""Largest number of lines of such a letter that are shown to its writer."""


def headless_letter(text: str, name: Words | str, quoted: Sequence[FoundLetter]) -> FoundLetter | None:
    """Return the first letter in a text that lacks the line `pbem: 1`, with a fault that names the missing lines of its
    head. Return None if there is no such letter.

    `name` is the name of the text within the mail. `quoted` has the letters in quotations. If it is empty, also a
    quotation can be such a letter, provided that something was filled in there.
    """
    lines = text.split("\n")
    covered = {number for each in quoted for number in range(each.line, each.line + each.text.count("\n") + 1)}
    bare = [_MARKS.sub("", line, count=1) for line in lines]
    typed = [at for at, line in enumerate(lines) if line == bare[at] and _ORDER.fullmatch(line)]
    for at in range(len(lines)):
        if is_answered(lines, at):
            return None
        is_quoted = bare[at] != lines[at]
        searched = bare if is_quoted else lines
        lost = _lost_above(searched, at) if at + 1 not in covered and not (is_quoted and quoted) else None
        if lost is not None:
            first, head = at, dict[str, str]()
            while first and (searched[first - 1].startswith("#") or _KEY.fullmatch(searched[first - 1])):
                first -= 1
                if key := _KEY.fullmatch(searched[first]):
                    head[key["key"]] = key["value"].strip()
            if is_quoted and not head and not _is_filled_in(bare, at, typed):
                continue
            shown = "\n".join(lines[first : first + _MOST_LINES])
            kind = head.get("kind", "orders")
            wanted = _HEAD + (_HEAD_OF_STAGE if kind in STAGED else ())
            missing = (*(each for each in wanted if each not in head), *lost)
            wording = "E-TEXT-HEAD.orders" if kind == "orders" else "E-TEXT-HEAD.missing"
            fault = Fault.at(first + 1, 1, wrong(wording, keys=missing))
            return FoundLetter(f"{shown}\n", name, first + 1, is_quoted=is_quoted, faults=(fault,))
    return None


def _is_filled_in(bare: Sequence[str], at: int, typed: Sequence[int]) -> bool:
    """True if an order without marks of quotation stands in the quoted letter from the line `at`. `typed` has the
    numbers of the lines with such orders. The lines in `bare` have no marks. A quotation without such an order may be
    of a report."""
    place, margin = bisect(typed, at), _margin(bare[at])
    if place == len(typed) or typed[place] - at >= _MOST_LINES:
        return False
    within = bare[at + 1 : typed[place]]
    return all(line.strip()[:1] in ("", "#", "-") or _margin(line) > margin for line in within)


def _lost_above(lines: Sequence[str], at: int) -> tuple[str, ...] | None:
    """Return those of the keys `body` and `orders` that are missing above the line `at`. Above a line `body` none is
    missing. Above a line `orders` the key `body` is missing. Above the name of a power, with a section below it, both
    are missing, and above a section with an item of a list. Return None if no letter begins at this line."""
    found = _NAME.fullmatch(lines[at])
    below = lines[at + 1 : at + 1 + _MOST_LINES] if found else ()
    first = next((each for each in below if each.strip() and not each.strip().startswith("#")), "")
    if found and found["name"] in _sections() and _ITEM.match(first):
        return ("body", "orders")
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
