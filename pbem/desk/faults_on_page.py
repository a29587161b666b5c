"""Faults for the page, without hints that name a command."""

from __future__ import annotations

import re

from msgspec.structs import replace

from pbem.faults.wrong import Words, Wrong, words_in_language

COMMAND = re.compile(r"\bpbem [a-z]|(?<![\w-])--[a-z]")
"""Words that are typed in a terminal: a command of the program, or an option."""


def fault_on_page(fault: Wrong, language: str) -> dict[str, str | int]:
    """Return the data of a fault, with a hint for the page in place of a hint that names a command."""
    data = fault.data(language)
    if COMMAND.search(str(data["hint"])):
        on_page = replace(fault.hint, part="desk") if isinstance(fault.hint, Words) else ""
        data["hint"] = words_in_language(on_page, language)
    return data
