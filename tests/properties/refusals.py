"""Properties of a refusal: one kind of exception, with a rule and a code, that changes nothing."""

from __future__ import annotations

import re

from pbem.engine.decisions import Answer
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import digest
from pbem.games.maria.rules.state import Table
from tests.play import twin
from tests.properties.chronicle import carry_out

RULE = re.compile(r"(Silesia Gambit )?§\d+(\.\d+)?")
CODE = re.compile(r"E(-[A-Z]+)+")


def refusal(table: Table, power: str, answer: Answer) -> IllegalOrder | None:
    """Try an answer on a copy of the table: the refusal, or nothing if it is legal and leads to a sound position."""
    copy = twin(table)
    before = digest(copy.state)
    no: IllegalOrder | None = None
    try:
        carry_out(copy, power, answer)
    except IllegalOrder as refused:
        no = refused
    if no is not None:
        assert RULE.fullmatch(no.rule), no.rule
        assert CODE.fullmatch(no.code), no.code
        assert no.message
        assert digest(copy.state) == before
    return no


def refused_or_sound(table: Table, power: str, answer: Answer) -> None:
    """Check that any answer is refused and changes nothing, or is legal and leads to a sound position."""
    before = digest(table.state)
    refusal(table, power, answer)
    assert digest(table.state) == before
