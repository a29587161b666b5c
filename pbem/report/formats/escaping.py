"""Words of people, made harmless among our own words and in posts for forums.

A name stays on its line, a text stands in a quotation, and invisible characters are shown as their numbers.
"""

from __future__ import annotations

import re

from pbem.paper.documents.characters import UNWANTED, clean_text

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
"""Includes the dot in the name of a site in any script, and `u/` and `r/`: Discourse and Reddit make links of these."""


def bbcode_block(text: str) -> str:
    """A text as a code block for phpBB and XenForo. A tag that would end the block is broken up."""
    return f"[code]\n{_CODE_TAG.sub('[ ', text)}[/code]\n"


def markdown_block(text: str) -> str:
    """A text as a code block for Discourse, NodeBB and Reddit, between more backticks than the text has in a row."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}{fence}\n"


def bbcode_words(words: str) -> str:
    """Words changed so that phpBB and XenForo find no tag, smiley, link or user name in them."""
    return _BBCODE.sub(lambda found: found.group() + JOINER, words)


def markdown_words(words: str) -> str:
    """Words changed so that no sign, link or user name works in Markdown. Spaces at both ends stay, for code beside."""
    apart = _LINK.sub(lambda found: found.group() + JOINER, words.strip())
    signs = _MARKDOWN.sub(lambda found: "\\" + found.group(), apart)
    before, behind = (" " if end.isspace() else "" for end in (words[:1], words[-1:]))
    return before + _NUMBER_OF_ITEM.sub(r"\1\\\2", signs) + behind


LONGEST = 300
"""Most characters of people's words within a line of ours."""

MOST_LINES = 400
"""Most lines of a text in a quotation; the rest is left out."""

QUOTE = "> "
EXACT = ">| "


def one_line(text: str, most: int = LONGEST) -> str:
    """Words of people as part of one of our lines. A word with which a letter begins is broken up: on a page it would
    look like a real letter."""
    line = " ".join(HEAD_OF_LETTER.sub(lambda found: found.group() + JOINER, visible_text(text)).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def as_quotation(text: str) -> str:
    """Text of people as a quotation: every line begins with a sign."""
    return mark_lines(QUOTE, visible_text(text).strip("\n").split("\n"))


def exact_line(text: str) -> str:
    """Text of people as a quotation that keeps every space."""
    return mark_lines(EXACT, visible_text(text).strip("\n").split("\n"))


def mark_lines(sign: str, lines: list[str]) -> str:
    """The lines, each with a sign before it; lines beyond `MOST_LINES` are left out."""
    cut = [*lines[:MOST_LINES], "…"] if len(lines) > MOST_LINES else lines
    return "\n".join((sign + line).rstrip() for line in cut)


def visible_text(text: str) -> str:
    """The text with composed characters, line feeds as line ends, and a number for every invisible character."""
    ends = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return UNWANTED.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", clean_text(ends))
