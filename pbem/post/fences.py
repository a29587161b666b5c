"""Letters as blocks for forums, where nothing is changed in them; `extract` reads them back."""

from __future__ import annotations

import re

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Fault, Refused

_BACKTICKS = re.compile("`+")
_CODE_TAG = re.compile(r"\[/?code\b", re.IGNORECASE)


def bbcode_block(letter: str) -> str:
    """The letter for phpBB and XenForo; raises `Refused` if it holds the tag that would end the block."""
    if found := _CODE_TAG.search(letter):
        line = letter.count("\n", 0, found.start()) + 1
        column = found.start() - letter.rfind("\n", 0, found.start())
        raise Refused("letter", [Fault.at(line, column, wrong("E-TEXT-FENCE", mark=repr(found.group())))])
    return f"[code]\n{_ended(letter)}[/code]\n"


def markdown_block(letter: str) -> str:
    """The letter for Discourse, NodeBB and Reddit, between more backticks than it holds itself."""
    longest = max((len(run) for run in _BACKTICKS.findall(letter)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}yaml\n{_ended(letter)}{fence}\n"


def _ended(letter: str) -> str:
    return letter if letter.endswith("\n") else letter + "\n"
