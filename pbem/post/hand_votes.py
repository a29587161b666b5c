"""Votes that are written by hand, and the words of farewell below them."""

from __future__ import annotations

import re

_KEY = re.compile(r"(pbem|kind|campaign|from|stage|basis|seq)[ ]?:[ ]?\S.*")
_VOTE = re.compile(r"(?m)^kind[ ]?:[ ]*vote[ \t]*$")
_BODY = re.compile(r"body[ ]?:(?:[ ]*\{[^{}]*\}[ \t]*|[ \t]*)\Z")
_PARTS = re.compile(r"\bproposal\b.*\bsays\b|\bsays\b.*\bproposal\b", re.DOTALL)
_UNCLEAR = re.compile(r"(?i)\b(?:yes|no|ja|nein|s[ií]|vote|says|proposal)\b|[\w\"'] ?:(?:\s|\Z)|\bpbem\b")
"""Pattern of words that may change a vote: an answer in any language, a key, or the name of one."""

MOST_WORDS = 4
"""Largest number of lines of words below a vote that are left out."""

LONGEST = 60
"""Largest number of characters of such a line."""


def without_farewell(lines: list[str]) -> list[str]:
    """Return the lines of an unsigned vote in which nothing is missing without the words below it. The words must be as
    short as a farewell, and must not be about the vote. Otherwise, and for other letters, return the lines
    unchanged."""
    end = _end_of_vote(lines)
    words = [line.strip() for line in lines[end:] if line.strip()]
    is_farewell = len(words) <= MOST_WORDS and all(len(line) <= LONGEST and not _UNCLEAR.search(line) for line in words)
    return lines[:end] if end and is_farewell else lines


def _end_of_vote(lines: list[str]) -> int:
    """Return the index of the line below a whole vote, whose keys are followed by its body; 0 without one."""
    body = next((at for at, line in enumerate(lines) if not _KEY.fullmatch(line)), len(lines))
    head = lines[:body]
    if body == len(lines) or not _BODY.match(lines[body]) or not _VOTE.search("\n".join(head)):
        return 0
    if not {line.partition(":")[0].strip() for line in head} >= {"pbem", "kind", "campaign", "from"}:
        return 0
    end = body + 1
    while end < len(lines) and lines[end].startswith(" ") and "{" not in lines[body]:
        end += 1
    return end if _PARTS.search("\n".join(lines[body:end])) else 0
