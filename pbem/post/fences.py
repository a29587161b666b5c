"""Letters as blocks for forums, where nothing is changed in them; `extract` reads them back."""

from __future__ import annotations

import json
import re

from pbem.paper.documents.strict import bare, read_yaml
from pbem.post.finding import TAGS

_BACKTICKS = re.compile("`+")
_TAG = re.compile(rf"\[/?(?:{TAGS})\b", re.IGNORECASE)
_BRACKET = re.compile(r"\[(?=/?[a-z*])", re.IGNORECASE)


def bbcode_block(letter: str) -> str:
    """Return the letter for phpBB and XenForo."""
    return f"[code]\n{_ended(_without_tags(letter))}[/code]\n"


def markdown_block(letter: str) -> str:
    """Return the letter for Discourse, NodeBB and Reddit, between more backticks than it holds itself."""
    longest = max((len(run) for run in _BACKTICKS.findall(letter)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}yaml\n{_ended(_without_tags(letter))}{fence}\n"


def _without_tags(letter: str) -> str:
    """Return the same letter, by the same signature, without the tags of a forum: as JSON, which spells `[` otherwise.

    Raises `Refused` for what holds tags and is no document.
    """
    if not _TAG.search(letter):
        return letter
    written = json.dumps(bare(read_yaml(letter.encode(), "letter")), ensure_ascii=False, indent=1)
    # Lists of JSON begin with quotes or another bracket: what is found stands in a text.
    return _BRACKET.sub(r"\\u005b", written)


def _ended(letter: str) -> str:
    return letter if letter.endswith("\n") else letter + "\n"
