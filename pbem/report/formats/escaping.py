"""Functions that change texts of people so that they do no harm in a report or a forum post."""

from __future__ import annotations

import re

from pbem.paper.documents.characters import visible_text
from pbem.report.language.templates import NO_BREAK

JOINER = "\u2060"
"""Invisible character. It is put into a tag, a link or a word so that a forum or a program does not recognize it."""

HEAD_OF_LETTER = re.compile(r"\bpbem(?=[\"']?\s?:)", re.IGNORECASE)
"""Pattern of the beginning of a letter. It must not be in texts of people, which could otherwise be taken for a
letter."""
_KEY_OF_LETTER = re.compile(r" (?=[\"']?(?:kind|campaign|from|stage|basis|seq|body)[\"']?\s?:)", re.IGNORECASE)
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
"""Pattern of the characters with which Discourse and Reddit recognize a link in a text. Among them are the dot in the
name of a site, in every script, and the letters of `u/` and `r/`."""


def bbcode_block(text: str) -> str:
    """Return a text within a code block for phpBB and XenForo. Tags that would end the block are broken up."""
    return f"[code]\n{_CODE_TAG.sub('[ ', text)}[/code]\n"


def markdown_block(text: str) -> str:
    """Return a text within a code block for Discourse, NodeBB and Reddit. The row of backticks at its beginning and end
    is longer than any row in the text."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}{fence}\n"


def bbcode_words(words: str) -> str:
    """Return words in a form that phpBB and XenForo show unchanged. Nothing in them is taken for a tag, a smiley, a
    link or a user name."""
    return _BBCODE.sub(lambda found: found.group() + JOINER, words)


def markdown_words(words: str) -> str:
    """Return words in a form that forums with Markdown show unchanged. Nothing in them is taken for markup, a link or a
    user name. Spaces at both ends stay."""
    apart = _LINK.sub(lambda found: found.group() + JOINER, words.strip())
    signs = _MARKDOWN.sub(lambda found: "\\" + found.group(), apart)
    before, behind = (" " if end.isspace() else "" for end in (words[:1], words[-1:]))
    return before + _NUMBER_OF_ITEM.sub(r"\1\\\2", signs) + behind


_TITLE = str.maketrans({"[": "(", "]": ")", '"': "'"})
# A hyphen within a word, as in names of campaigns, is not markup.
_SIGN = re.compile(rf"_|(?<!\w)-|-(?!\w)|[^-\w\s.,;:/()–…{JOINER}]")


def bbcode_title(words: str) -> str:
    """Return words for the title of a block for phpBB and XenForo. The title is written between brackets."""
    return bbcode_words(words.translate(_TITLE))


def markdown_title(words: str) -> str:
    """Return words for a line of HTML in a post. Signs that mean something in HTML or Markdown are written as character
    numbers."""
    apart = _LINK.sub(lambda found: found.group() + JOINER, words)
    return _SIGN.sub(lambda found: f"&#{ord(found.group())};", apart)


LONGEST = 300
"""Largest length of a text of a person within a line of a report, in characters."""

MOST_LINES = 400
"""Largest number of lines of a quotation. Further lines are left out."""

QUOTE = "> "
EXACT = ">| "


def one_line(text: str, most: int = LONGEST) -> str:
    """Return a text of a person as one line of at most `most` characters. The line cannot be taken for a letter."""
    line = " ".join(HEAD_OF_LETTER.sub(lambda found: found.group() + JOINER, visible_text(text)).split())
    line = _KEY_OF_LETTER.sub(NO_BREAK, line)
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def as_quotation(text: str) -> str:
    """Return a text of a person as a quotation, in the markup of blocks."""
    return mark_lines(QUOTE, visible_text(text).strip("\n").split("\n"))


def exact_line(text: str) -> str:
    """Return a text of a person as a quotation, in the markup of blocks. All its spaces are shown."""
    return mark_lines(EXACT, visible_text(text).strip("\n").split("\n"))


def mark_lines(sign: str, lines: list[str]) -> str:
    """Put a sign before each line. If there are more than `MOST_LINES` lines, the further lines are replaced by an
    ellipsis."""
    cut = [*lines[:MOST_LINES], "…"] if len(lines) > MOST_LINES else lines
    return "\n".join((sign + line).rstrip() for line in cut)
