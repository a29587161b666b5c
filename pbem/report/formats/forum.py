"""Text for forums: blocks of code that our own text cannot end, and words that contain no markup."""

from __future__ import annotations

import re

JOINER = "\u2060"
"""Invisible character that separates parts which a program would take for a sign."""

HEAD_OF_LETTER = re.compile(r"\bpbem(?=[\"']?\s?:)", re.IGNORECASE)
"""Beginning of a letter, which must not appear in words of people."""
_CODE_TAG = re.compile(r"\[(?=/?code\b)", re.IGNORECASE)
_BACKTICKS = re.compile("`+")
_BRACKET = re.compile(r"\[(?=[/*a-z])", re.IGNORECASE)
_BBCODE = re.compile(
    rf"{_BRACKET.pattern}|{HEAD_OF_LETTER.pattern}|[:;](?=[^\s\d])|8(?=-?\))|@(?=\w)|\bwww(?=\.)", re.IGNORECASE
)
_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#|~^$&]|:(?=[\w+-]+:)|^[-+=]")
_NUMBER_OF_ITEM = re.compile(r"^(\d+)([.)])")
_LINK = re.compile(
    rf"{_BRACKET.pattern}|{HEAD_OF_LETTER.pattern}|@(?=\w)|:(?=//)|/(?=/)|\bwww(?=\.)"
    r"|(?<=\w)\.(?=[^\W\d_]{2})|(?<!\w)[ru](?=/\w)",
    re.IGNORECASE,
)
"""Includes the dot in the name of a site in any script, and `u/` and `r/`: Discourse and Reddit make links of those."""


def bbcode(text: str) -> str:
    """A block for phpBB and XenForo; a tag that would end it is broken up."""
    return f"[code]\n{_CODE_TAG.sub('[ ', text)}[/code]\n"


def markdown(text: str) -> str:
    """A block for Discourse, NodeBB and Reddit, between more backticks than it holds itself."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}{fence}\n"


def bbcode_words(words: str) -> str:
    """Words without any tag, smiley, link or name for phpBB and XenForo."""
    return _BBCODE.sub(lambda found: found.group() + JOINER, words)


def markdown_words(words: str) -> str:
    """Words without any sign, link or name for Markdown; a blank at the end stays, because code may follow."""
    apart = _LINK.sub(lambda found: found.group() + JOINER, words.strip())
    signs = _MARKDOWN.sub(lambda found: "\\" + found.group(), apart)
    before, behind = (" " if end.isspace() else "" for end in (words[:1], words[-1:]))
    return before + _NUMBER_OF_ITEM.sub(r"\1\\\2", signs) + behind
