"""Faults of a file with their places, and the exception that refuses a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self, TypeVar

from msgspec.structs import replace

from pbem.faults.wrong import ENGLISH, PbemError, Wrong

AnyWrong = TypeVar("AnyWrong", bound=Wrong)

MOST_FAULTS = 100
"""Number of faults after which reading stops. Nobody reads more at once, and a hostile file must not take much time."""


class Place(NamedTuple):
    """Line and column in a file, counted from 1; both 0 for a value that is not written."""

    line: int
    column: int


class Fault(Wrong, frozen=True):
    """Fault at a line and column of a file, counted from 1. Line 0 means no place."""

    line: int
    column: int

    @classmethod
    def at(cls, line: int, column: int, wrong: Wrong) -> Fault:
        return cls(wrong.code, wrong.message, line, column, rule=wrong.rule, hint=wrong.hint)

    @property
    def place(self) -> str:
        """Return line and column as a suffix of a file's name, such as `:12:3`; empty for line 0."""
        return f":{self.line}:{self.column}" if self.line else ""

    def with_offset(self, lines: int, columns: int = 0) -> Self:
        """Return the fault with its place moved from a part of a text to the whole text. The part begins `lines`
        further down and `columns` further right."""
        found = super().with_offset(lines)
        return replace(found, line=self.line + lines, column=self.column + columns) if self.line else found

    def data(self, language: str = ENGLISH) -> dict[str, str | int]:
        """Return the fault as an object for JSON, with its sentence in this language."""
        return super().data(language) | {"line": self.line, "column": self.column}


def by_place(faults: Iterable[AnyWrong]) -> tuple[AnyWrong, ...]:
    return tuple(sorted(faults, key=_order))


def _order(fault: Wrong) -> tuple[int, int, str, str]:
    line, column = (fault.line, fault.column) if isinstance(fault, Fault) else (0, 0)
    return line, column, fault.code, str(fault.message)


class Refused(PbemError):
    """Exception that refuses a file, or the arguments of a command, with all faults found."""

    def __init__(self, source: str, faults: Iterable[Wrong]) -> None:
        """Store the file's name, `source`, and its faults, sorted by place."""
        self.source = source
        self.faults = by_place(faults)
        super().__init__(source, self.faults)
