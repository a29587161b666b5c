"""Faults of a file with their places, and the exception by which a file is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self, TypeVar

from msgspec.structs import replace

from pbem.faults.wrong import ENGLISH, PbemError, Wrong

AnyWrong = TypeVar("AnyWrong", bound=Wrong)

MOST_FAULTS = 100
"""Number of faults after which no more are looked for. Nobody reads more at once, and a hostile file must not take much
time."""


class Place(NamedTuple):
    """Line and column in a file, counted from 1. Both are 0 for a value that is not written."""

    line: int
    column: int


class Fault(Wrong, frozen=True):
    """Fault of a file, with its line and column, counted from 1. If the line is 0, the fault has no place."""

    line: int
    column: int

    @classmethod
    def at(cls, line: int, column: int, wrong: Wrong) -> Fault:
        return cls(wrong.code, wrong.message, line, column, rule=wrong.rule, hint=wrong.hint)

    @property
    def place(self) -> str:
        """Line and column in the form in which they follow the name of a file, such as `:12:3`. The text is empty if
        the line is 0."""
        return f":{self.line}:{self.column}" if self.line else ""

    def with_offset(self, lines: int, columns: int = 0) -> Self:
        """Return the fault with its place in the whole text. The old place is counted in a part of the text, which
        begins `lines` further down and `columns` further right."""
        found = super().with_offset(lines)
        return replace(found, line=self.line + lines, column=self.column + columns) if self.line else found

    def data(self, language: str = ENGLISH) -> dict[str, str | int]:
        """Return the fault as data for JSON, with its sentence in this language."""
        return super().data(language) | {"line": self.line, "column": self.column}


def by_place(faults: Iterable[AnyWrong]) -> tuple[AnyWrong, ...]:
    return tuple(sorted(faults, key=_order))


def _order(fault: Wrong) -> tuple[int, int, str, str]:
    line, column = (fault.line, fault.column) if isinstance(fault, Fault) else (0, 0)
    return line, column, fault.code, str(fault.message)


class Refused(PbemError):
    """Raised to refuse a file, or the arguments of a command, with all faults that were found."""

    def __init__(self, source: str, faults: Iterable[Wrong]) -> None:
        """Store the name of the file, `source`, and its faults, sorted by place."""
        self.source = source
        self.faults = by_place(faults)
        super().__init__(source, self.faults)
