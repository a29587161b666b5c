"""Faults of a file, each at its place, and the refusal of a file for its faults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self, TypeVar

from msgspec.structs import replace

from pbem.faults.wrong import ENGLISH, Wrong

AnyWrong = TypeVar("AnyWrong", bound=Wrong)

MOST_FAULTS = 100
"""After so many faults a file is read no further: nobody reads more at once, and a hostile file costs no time."""


class Fault(Wrong, frozen=True):
    """One thing that is wrong at a place of a file, counted from 1."""

    line: int
    column: int

    @classmethod
    def at(cls, line: int, column: int, wrong: Wrong) -> Fault:
        """What is wrong, at its place."""
        return cls(wrong.code, wrong.message, line, column, rule=wrong.rule, hint=wrong.hint)

    @property
    def place(self) -> str:
        """Where it is, as it is put behind the name of a file; line 0 is no place in it."""
        return f":{self.line}:{self.column}" if self.line else ""

    def moved(self, lines: int, columns: int = 0) -> Self:
        """The fault in a text of which its own was a part, so many lines down and columns to the right."""
        found = super().moved(lines)
        return replace(found, line=self.line + lines, column=self.column + columns) if self.line else found

    def data(self, language: str = ENGLISH) -> dict[str, str | int]:
        """It as JSON has it."""
        return super().data(language) | {"line": self.line, "column": self.column}


def by_place(faults: Iterable[AnyWrong]) -> tuple[AnyWrong, ...]:
    """The faults in the order in which a reader of the file meets them."""
    return tuple(sorted(faults, key=_order))


def _order(fault: Wrong) -> tuple[int, int, str, str]:
    line, column = (fault.line, fault.column) if isinstance(fault, Fault) else (0, 0)
    return line, column, fault.code, str(fault.message)


class Refused(Exception):
    """What cannot be used, a file or a wish, with everything that is wrong with it."""

    def __init__(self, source: str, faults: Iterable[Wrong]) -> None:
        """Refuse what is called `source`; the faults are put in the order of their places."""
        self.source = source
        self.faults = by_place(faults)
        super().__init__(source, self.faults)

    def __str__(self) -> str:
        return "\n".join(fault.told(self.source) for fault in self.faults)
