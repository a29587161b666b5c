"""Votes and proposals that are written by hand: lines in the form that mails give them, and farewells below them."""

from __future__ import annotations

import re

_KEY = re.compile(r"(pbem|kind|campaign|from|stage|basis|seq)[ ]?:[ ]?\S.*")
_VOTE = re.compile(r"(?m)^kind[ ]?:[ ]*(?:vote|proposal)[ \t]*$")
_KIND = re.compile(r"\bkind[ ]?:[ ]*(?:vote|proposal)\b")
_BODY = re.compile(r"body[ ]?:(?:[ ]*\{[^{}]*\}[ \t]*|[ \t]*)\Z")
_PARTS = re.compile(r"\bproposal\b.*\bsays\b|\bsays\b.*\bproposal\b|\bsubject\b", re.DOTALL)
_UNCLEAR = re.compile(r"(?i)\b(?:yes|no|ja|nein|s[ií]|vote|says|proposal)\b|[\w\"'] ?:(?:\s|\Z)|\bpbem\b")
"""Pattern of words that could change the meaning of a vote: answers in all languages, keys of a vote, and the key
`pbem`."""

_REMARK = re.compile(r"[ \t\u00a0]*(?:#|\Z)")
_SIGNATURE = re.compile(r"[ \t\u00a0]*(?:signature\b|-+BEGIN SSH SIGNATURE)")
_DASH = r"[ \t\u00a0]*(?:[-*\u2022\u00b7\u2013\u2014][ \t\u00a0]+)?"
_QUOTES = "`'\"\u2018\u2019\u201a\u201c\u201d\u201e\u00b4"
_DRESSED = re.compile(
    rf"{_DASH}(?P<quote>[{_QUOTES}]?)(?P<line>(?:pbem|kind|campaign|from|stage|basis|seq|body)[ ]?:[ ].*)"
)
DRESSED_HEAD = re.compile(rf"{_DASH}[{_QUOTES}]?pbem[ ]?:[ ]*1[{_QUOTES}]?[ \t\u00a0]*")
"""Pattern of the line `pbem: 1`, with a dash before it or quotes around it."""

MOST_WORDS = 4
"""Largest number of lines of a farewell."""

LONGEST = 60
"""Largest number of characters on a line of a farewell."""


def with_plain_votes(lines: list[str]) -> list[str]:
    """Return the lines of a text with every complete vote or proposal in plain form: without the dashes, quotes and
    indentation that mail programs add. Signed votes, and votes in quotations, are not changed."""
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
    """Return a line of a letter's head, without the dash before it and the quotes around it. Return an empty text for a
    line of blanks, and None for a line that does not belong to the head."""
    if not line.strip(" \t\u00a0"):
        return ""
    found = _DRESSED.fullmatch(line)
    if not found:
        return None
    rest = found["line"].rstrip(" \t\u00a0")
    return rest.rstrip(_QUOTES) if found["quote"] else rest


def without_farewell(lines: list[str]) -> list[str]:
    """Return the lines of a complete vote or proposal, without the farewell below it. Words below it count as a
    farewell if they are short, and cannot be about the vote. If they are not, or if the vote is not complete, return
    all lines."""
    end = _end_of_vote(lines)
    words = [line.strip() for line in lines[end:] if line.strip()]
    is_farewell = len(words) <= MOST_WORDS and all(len(line) <= LONGEST and not _UNCLEAR.search(line) for line in words)
    return lines[:end] if end and is_farewell else lines


def _end_of_vote(lines: list[str]) -> int:
    """Return the index of the first line below a complete vote or proposal. Return 0 if there is none."""
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
