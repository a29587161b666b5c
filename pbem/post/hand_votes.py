"""Votes and proposals written by hand: their lines as mails show them, and the farewells below them."""

from __future__ import annotations

import re

_KEY = re.compile(r"(pbem|kind|campaign|from|stage|basis|seq)[ ]?:[ ]?\S.*")
_VOTE = re.compile(r"(?m)^kind[ ]?:[ ]*(?:vote|proposal)[ \t]*$")
_KIND = re.compile(r"\bkind[ ]?:[ ]*(?:vote|proposal)\b")
_BODY = re.compile(r"body[ ]?:(?:[ ]*\{[^{}]*\}[ \t]*|[ \t]*)\Z")
_PARTS = re.compile(r"\bproposal\b.*\bsays\b|\bsays\b.*\bproposal\b|\bsubject\b", re.DOTALL)
_UNCLEAR = re.compile(r"(?i)\b(?:yes|no|ja|nein|s[ií]|vote|says|proposal)\b|[\w\"'] ?:(?:\s|\Z)|\bpbem\b")
"""Pattern of words that may change a vote: an answer in any language, a key of a vote, or the name of a key."""

_REMARK = re.compile(r"[ \t\u00a0]*(?:#|\Z)")
_SIGNATURE = re.compile(r"[ \t\u00a0]*(?:signature\b|-+BEGIN SSH SIGNATURE)")
_DASH = r"[ \t\u00a0]*(?:[-*\u2022\u00b7\u2013\u2014][ \t\u00a0]+)?"
_QUOTES = "`'\"\u2018\u2019\u201a\u201c\u201d\u201e\u00b4"
_DRESSED = re.compile(
    rf"{_DASH}(?P<quote>[{_QUOTES}]?)(?P<line>(?:pbem|kind|campaign|from|stage|basis|seq|body)[ ]?:[ ].*)"
)
DRESSED_HEAD = re.compile(rf"{_DASH}[{_QUOTES}]?pbem[ ]?:[ ]*1[{_QUOTES}]?[ \t\u00a0]*")
"""Pattern of the line `pbem: 1` with a dash or quotes around it."""

MOST_WORDS = 4
"""Largest number of lines of words below a vote that are left out."""

LONGEST = 60
"""Largest number of characters of a line of such words."""


def with_plain_votes(lines: list[str]) -> list[str]:
    """Return the lines of a text, with every complete vote or proposal as plain lines: without the dashes, quotes and
    indentation that mail programs add. Signed votes, and votes behind marks of quotation, are left as they are."""
    plain = list(lines)
    at = 0 if any(_KIND.search(line) for line in lines) else len(lines)
    while at < len(lines):
        end, keys = at, set[str]()
        while end < len(lines) and (line := _undressed(lines[end])) is not None:
            key = line.partition(":")[0].strip()
            if line and key in keys:
                break
            keys.add(key)
            end += 1
        run = [_undressed(line) or "" for line in lines[at:end]] if "body" in keys else []
        if _end_of_vote([line for line in run if line]):
            below = next((lines[behind] for behind in range(end, len(lines)) if not _REMARK.match(lines[behind])), "")
            plain[at:end] = lines[at:end] if _SIGNATURE.match(below) else run
        at = max(end, at + 1)
    return plain


def _undressed(line: str) -> str | None:
    """Return a line of a letter's head without dash or quotes around it; empty for a line of blanks, and None for any
    other line."""
    if not line.strip(" \t\u00a0"):
        return ""
    found = _DRESSED.fullmatch(line)
    if not found:
        return None
    rest = found["line"].rstrip(" \t\u00a0")
    return rest.rstrip(_QUOTES) if found["quote"] else rest


def without_farewell(lines: list[str]) -> list[str]:
    """Return the lines of a complete vote or proposal without the farewell below it. Words below it are taken as a
    farewell if they are short, and cannot be about the vote. Other lines are returned unchanged."""
    end = _end_of_vote(lines)
    words = [line.strip() for line in lines[end:] if line.strip()]
    is_farewell = len(words) <= MOST_WORDS and all(len(line) <= LONGEST and not _UNCLEAR.search(line) for line in words)
    return lines[:end] if end and is_farewell else lines


def _end_of_vote(lines: list[str]) -> int:
    """Return the index of the line below a complete vote or proposal; 0 without one."""
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
