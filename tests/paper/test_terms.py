"""The terms of a game in any document: written and read they stay the same, and every fault has its place."""

from __future__ import annotations

import pytest

from pbem.games.maria.rules.data import Terms
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode, read_yaml
from pbem.paper.documents.writing import write
from pbem.paper.library import load_rules, named_rules, read_terms, term_keys, terms_document
from tests.play import EVERY, name_of

RULED = Terms("advanced", rulings=(("ally_income", "1"), ("unpaid", "keep")))


def entries_of(text: str) -> MappingNode:
    """A document as its reader finds it."""
    document = read_yaml(text.encode(), "campaign")
    assert isinstance(document, MappingNode)
    return document


@pytest.mark.parametrize("terms", [*EVERY, RULED], ids=name_of)
def test_terms_are_read_as_they_are_written(terms: Terms) -> None:
    document = terms_document(terms)
    assert set(document) <= set(term_keys("maria"))
    reader = Reader("campaign")
    read_back = read_terms(reader, entries_of(write(document)).items)
    assert (read_back, reader.faults) == (terms, [])
    assert load_rules(read_back) is load_rules(terms)


def test_a_document_may_leave_out_what_is_as_usual() -> None:
    assert read_terms(Reader("campaign"), {}) == Terms()


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("game: chess\n", "E-FORM-WORD", 1),
        ("game: maria\nscenario: waterloo\n", "E-FORM-WORD", 2),
        ("rulings: {ally_income: many}\n", "E-VALUE-TYPE", 1),
    ],
)
def test_wrong_terms_are_noted_at_their_place(text: str, code: str, line: int) -> None:
    reader = Reader("campaign")
    read_terms(reader, entries_of(text).items)
    assert [(fault.code, fault.line) for fault in reader.faults] == [(code, line)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("title: x\nboard: nowhere\n", "E-BOARD-MISSING"),
        ("title: x\nplayers: 2\nscenario: silesia-gambit\n", "E-VALUE-RANGE"),
    ],
)
def test_rules_that_are_not_there_are_refused_where_they_are_named(text: str, code: str) -> None:
    document, reader = entries_of(text), Reader("campaign")
    terms = read_terms(reader, document.items)
    with pytest.raises(Refused) as refused:
        named_rules(reader, terms, None, document.items, document)
    assert [(fault.code, fault.line) for fault in refused.value.faults] == [(code, 2)]
