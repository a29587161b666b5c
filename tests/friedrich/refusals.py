"""Answers that are refused: why, and that they leave no trace."""

from __future__ import annotations

import pytest

from pbem.engine.decisions import Answer
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import canonical
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.state import Table


def code_of(table: Table, power: str, answer: Answer) -> str:
    """The code with which an answer is refused; the position must be the same as before."""
    before = canonical(table.state)
    with pytest.raises(IllegalOrder) as refusal:
        game.apply(table, power, answer)
    assert canonical(table.state) == before
    return refusal.value.code
