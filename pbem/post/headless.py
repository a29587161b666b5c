"""Letters without the line `pbem: 1`, or without their whole head. They are not read, but the refusal names the lines
that are missing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.faults.wrong import Words, wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.found import FoundLetter
from pbem.paper.letter_kinds import STAGED
from pbem.post.finding import is_answered

_BODY = re.compile(r"(?P<body>body)[ ]?:[ \t]*|[ \t]*orders[ ]?:[ \t]*")
_KEY = re.compile(r"(?P<key>kind|campaign|from|stage|basis|seq)[ ]?:[ ](?P<value>.*)|#.*")
_HEAD = ("pbem: 1", "kind", "campaign", "from")
_HEAD_OF_STAGE = ("stage", "basis")
_MOST_LINES = 200
"""Largest number of lines of such a letter that are shown to its writer."""


def headless_letter(text: str, name: Words | str, quoted: Sequence[FoundLetter]) -> FoundLetter | None:
    """Return the first letter in a text that lacks its line `pbem: 1`, with a fault that names the missing lines of its
    head; None if there is no such letter. `name` is the name of the text in the mail. `quoted` are the letters in
    quotations."""
    lines = text.split("\n")
    covered = {number for each in quoted for number in range(each.line, each.line + each.text.count("\n") + 1)}
    for at, line in enumerate(lines):
        if is_answered(lines, at):
            return None
        body = _BODY.fullmatch(line) if at + 1 not in covered else None
        if body and _is_deeper(line, lines[at + 1 : at + 2]):
            first, head = at, dict[str, str]()
            while first and (key := _KEY.fullmatch(lines[first - 1])):
                head[key["key"]] = (key["value"] or "").strip()
                first -= 1
            shown = "\n".join(lines[first : first + _MOST_LINES])
            wanted = _HEAD + (_HEAD_OF_STAGE if head.get("kind", "orders") in STAGED else ())
            missing = [each for each in wanted if each not in head] + ([] if body["body"] else ["body"])
            fault = Fault.at(first + 1, 1, wrong("E-TEXT-HEAD.missing", keys=tuple(missing)))
            return FoundLetter(f"{shown}\n", name, first + 1, faults=(fault,))
    return None


def _is_deeper(above: str, lines: Sequence[str]) -> bool:
    margin = len(above) - len(above.lstrip())
    return any(line.strip() and len(line) - len(line.lstrip()) > margin for line in lines)
