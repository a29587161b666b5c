"""Letters without the line `pbem: 1`. They are not read, but named in the refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.faults.wrong import Words, wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.found import FoundLetter
from pbem.post.finding import is_answered

_BODY = re.compile(r"body[ ]?:[ \t]*")
_KEY = re.compile(r"(?:kind|campaign|from|stage|basis|seq)[ ]?:[ ].*|#.*")
_MOST_LINES = 200
"""Largest number of lines of such a letter that are shown to its writer."""


def headless_letter(text: str, name: Words | str, quoted: Sequence[FoundLetter]) -> FoundLetter | None:
    """Return the first letter in a text that lacks its line `pbem: 1`, with a fault that says so; None if there is
    none. `name` is the name of the text in the mail. `quoted` are the letters that were found in quotations."""
    lines = text.split("\n")
    covered = {number for each in quoted for number in range(each.line, each.line + each.text.count("\n") + 1)}
    for at, line in enumerate(lines):
        if is_answered(lines, at):
            return None
        if at + 1 not in covered and _BODY.fullmatch(line) and _is_indented(lines[at + 1 : at + 2]):
            first = at
            while first and _KEY.fullmatch(lines[first - 1]):
                first -= 1
            shown = "\n".join(lines[first : first + _MOST_LINES])
            fault = Fault.at(first + 1, 1, wrong("E-TEXT-HEAD.missing"))
            return FoundLetter(f"{shown}\n", name, first + 1, faults=(fault,))
    return None


def _is_indented(lines: Sequence[str]) -> bool:
    return any(line.startswith(" ") and line.strip() for line in lines)
