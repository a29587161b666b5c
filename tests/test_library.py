"""The page on the library is run as it stands, and names all that is public."""

from __future__ import annotations

import doctest
import inspect
import re
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
    helpers = {"known_to", "one_of"}
    assert own - helpers <= set(api.__all__)
    assert helpers.isdisjoint(api.__all__)
    assert sorted(api.__all__, key=lambda name: (not name[0].isupper(), name)) == api.__all__


def test_the_page_names_functions_that_there_are() -> None:
    for name in re.findall(r"api\.(\w+)", PAGE.read_text("utf-8")):
        assert name in {*api.__all__, "__all__"}, name
