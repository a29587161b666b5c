"""Faults as values: what is wrong with a file, at which place, by which rule, and what would be right."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

MOST_FAULTS = 100
"""After so many faults a file is read no further: nobody reads more at once, and a hostile file costs no time."""


_OTHER_LINE = re.compile(r"((?:\bopened|: ?|\band) on line )([0-9]{1,9})(?= is | and on line |\Z)")
"""How messages of the strict reader name the line of another place."""


class Fault(Struct, frozen=True):
    """One thing that is wrong: a stable code (`E-…` refuses, `W-…` warns), a sentence, and a place counted from 1."""

    code: str
    message: str
    line: int
    column: int
    rule: str = ""
    hint: str = ""

    @property
    def is_warning(self) -> bool:
        """Whether the file can be used as it is."""
        return self.code.startswith("W-")

    def moved(self, lines: int, columns: int = 0) -> Fault:
        """The fault in a text of which this one was a part, so many lines down and columns to the right.

        Other lines that its words name are counted in that text, too.
        """
        message = _OTHER_LINE.sub(lambda found: f"{found[1]}{int(found[2]) + lines}", self.message)
        return replace(self, message=message, line=self.line + lines, column=self.column + columns)

    def told(self, source: str) -> str:
        """The fault as one line: `file:line:column: CODE message (§…) — hint`; line 0 is no place in it."""
        rule = f" ({self.rule})" if self.rule else ""
        hint = f" — {self.hint}" if self.hint else ""
        place = f":{self.line}:{self.column}" if self.line else ""
        return printable(f"{source}{place}: {self.code} {self.message}{rule}{hint}")


def printable(text: str) -> str:
    """A text as one line, with a number for everything that nobody sees: names of files may command a terminal."""
    return "".join(each if each.isprintable() else f"\\u{{{ord(each):x}}}" for each in text)


def by_place(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """The faults in the order in which a reader of the file meets them."""
    return tuple(sorted(faults, key=lambda fault: (fault.line, fault.column, fault.code, fault.message)))


class Refused(Exception):
    """A file that cannot be used, with every fault that was found in it."""

    def __init__(self, source: str, faults: Iterable[Fault]) -> None:
        """Refuse the file called `source`; the faults are put in the order of their places."""
        self.source = source
        self.faults = by_place(faults)
        super().__init__(source, self.faults)

    def __str__(self) -> str:
        return "\n".join(fault.told(self.source) for fault in self.faults)
