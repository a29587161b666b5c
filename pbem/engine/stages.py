"""Stages as letters, plans and ledgers name them: the turn first, `3/france`."""

from __future__ import annotations

from typing import NamedTuple, Self

from pbem.engine.table import Table


class StageName(NamedTuple):
    """A stage of a turn."""

    turn: int
    stage: str

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.turn}/{self.stage}"

    @classmethod
    def read(cls, written: str) -> Self | None:
        """What was written, if it begins with a turn; `5` alone is a turn and no stage."""
        turn, _, stage = written.partition("/")
        return cls(int(turn), stage) if turn.isascii() and turn.isdecimal() and len(turn) <= 4 else None


def turn_of(written: str) -> int:
    """The turn of a stage as it is written; 0 before there is one."""
    found = StageName.read(written)
    return found.turn if found else 0


def stage_of(table: Table) -> str:
    """The stage in which a table stands."""
    return str(StageName(table.state.turn, table.state.stage))
