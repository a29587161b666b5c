"""The page on the library is run as it stands, and names all that is public."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem import api

PAGE = Path(__file__).parents[1] / "docs/library.md"


def test_the_page_does_as_it_says() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8")
    assert failed == 0
    assert tried > 40


@pytest.mark.parametrize("name", api.__all__)
def test_every_public_name_says_what_it_is(name: str) -> None:
    """Types and functions have docstrings; what a function raises, it says, or it cannot be refused."""
    found = getattr(api, name)
    if inspect.isclass(found) or inspect.isfunction(found):
        assert inspect.getdoc(found)


def test_nothing_public_is_left_out() -> None:
    own = {name for name, value in vars(api).items() if getattr(value, "__module__", "") == api.__name__}
    helpers = {"known_to", "language_named", "one_of"}
    assert own - helpers <= set(api.__all__)
    assert helpers.isdisjoint(api.__all__)
    assert sorted(api.__all__, key=lambda name: (not name[0].isupper(), name)) == api.__all__


def test_the_page_names_functions_that_there_are() -> None:
    for name in re.findall(r"api\.(\w+)", PAGE.read_text("utf-8")):
        assert name in {*api.__all__, "__all__"}, name


RULES = api.load_rules("maria")
TABLE, EVENTS = api.start(RULES, "refused")
FIRST = api.decisions(TABLE)[1]

REFUSED: dict[str, Callable[[], object]] = {
    "a game": lambda: api.load_rules("chess"),
    "a term": lambda: api.load_rules("maria", scenari="advanced"),
    "a board": lambda: api.load_rules("maria", board="none.yaml"),
    "a section": lambda: api.answer(TABLE, FIRST, {"alot": {"Törring": 5}}),
    "another section": lambda: api.answer(TABLE, FIRST, {"play": ["♣2"]}),
    "no section": lambda: api.answer(TABLE, FIRST, {}),
    "a character": lambda: api.answer(TABLE, FIRST, {"allot": {"Törring": "\0"}}),
    "a number": lambda: api.answer(TABLE, FIRST, {"allot": {"Törring": 1.5}}),  # type: ignore[dict-item]
    "too many": lambda: api.apply(TABLE, FIRST.power, api.answer(TABLE, FIRST, {"allot": {"Törring": 6}})),
    "a power": lambda: api.apply(TABLE, "russia", api.answer(TABLE, FIRST, {"allot": {"Törring": 5}})),
    "a bot": lambda: api.bot("strong:99", "maria"),
    "a bot's game": lambda: api.bot("strong", "chess"),
    "a seat": lambda: api.play(RULES, "x", {"bob": api.bot("random", "maria")}),
    "a position": lambda: api.load_position(b"\xff"),
    "a reader": lambda: api.position_data(TABLE, ["russia"]),
    "a language": lambda: api.tell_position(TABLE, language="xx"),
    "the language of a picture": lambda: api.draw_position(TABLE, language="xx"),
    "the language of an account": lambda: api.account(RULES, EVENTS, "xx"),
    "a folder": lambda: api.verify(PAGE.parent),
    "a ledger": lambda: api.ledger(PAGE.parent),
}
"""Everything that can be refused raises the one error."""


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_is_one_error(what: str) -> None:
    before = api.write_position(TABLE)
    with pytest.raises(api.PbemError) as refused:
        REFUSED[what]()
    assert all(fault.code.startswith("E-") for fault in refused.value.faults)
    assert api.write_position(TABLE) == before


def test_terms_of_two_words_and_numbers_are_taken() -> None:
    assert len(api.load_rules("maria", scenario="advanced", players=2).seats) == 2
    assert api.load_rules("friedrich", scenario="four", fate_order="strokes later").seats
