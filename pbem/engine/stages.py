"""Names of stages in letters, plans and ledgers: the turn first, `3/france`."""

from __future__ import annotations

from typing import NamedTuple, Self

from pbem.engine.table import Table


class StageName(NamedTuple):
    """A stage of a turn."""

    turn: int
    stage: str

    def __str__(self) -> str:
        return f"{self.turn}/{self.stage}"

    @classmethod
    def read(cls, written: str) -> Self | None:
        """Parse a text that begins with a turn, else None. `5` alone is a turn without a stage."""
        turn, _, stage = written.partition("/")
        return cls(int(turn), stage) if turn.isascii() and turn.isdecimal() and len(turn) <= 4 else None


def turn_of(written: str) -> int:
    """Turn of a written stage; 0 if it names none."""
    found = StageName.read(written)
    return found.turn if found else 0


def stage_of(table: Table) -> str:
    """Stage of a table."""
    return str(StageName(table.state.turn, table.state.stage))
