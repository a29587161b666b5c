"""A text for a forum thread: in a block whose layout no forum changes, and which only we can end."""

from __future__ import annotations

import re

_CODE_TAG = re.compile(r"\[(?=/?code\b)", re.IGNORECASE)
_BACKTICKS = re.compile("`+")


def bbcode(text: str) -> str:
    """The text for phpBB and XenForo; a tag that would end the block is taken apart."""
    return f"[code]\n{_CODE_TAG.sub('[ ', text)}[/code]\n"


def markdown(text: str) -> str:
    """The text for Discourse, NodeBB and Reddit, between more backticks than it holds itself."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}{fence}\n"
