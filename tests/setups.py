"""Order sheets of the set-up, filled in by what they give already: no test depends on how a sheet shares out troops."""

from __future__ import annotations

import re


def place_of(general: str) -> str:
    """Pattern of the line that gives troops to a general, which is no comment; a mail may quote it."""
    return rf"(?m)^(?![> ]*#)(.*?\b{re.escape(general)}:\s)([0-9]+)"


def troops_in(sheet: str, general: str) -> int:
    """The troops that a sheet gives to a general."""
    ((_, troops),) = re.findall(place_of(general), sheet)
    return int(troops)


def with_troops(sheet: str, **given: int) -> str:
    """A sheet that gives other numbers of troops to some generals, each of whom stands in it once."""
    for general, troops in given.items():
        assert troops_in(sheet, general) != troops
        sheet = re.sub(place_of(general), rf"\g<1>{troops}", sheet)
    return sheet


def with_more(sheet: str, **more: int) -> str:
    """A sheet that gives so many more, or fewer, troops to some generals. It stays right if the sum is nothing."""
    return with_troops(sheet, **{general: troops_in(sheet, general) + each for general, each in more.items()})
