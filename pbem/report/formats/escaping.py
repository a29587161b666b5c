"""Changes to texts of people, so that they do no harm in a report or a forum post."""

from __future__ import annotations

import re

from pbem.paper.documents.characters import visible_text
from pbem.report.language.templates import NO_BREAK

JOINER = "\u2060"
"""Invisible character that breaks up a tag, a link or a word, so that a forum or a program does not recognize it."""

HEAD_OF_LETTER = re.compile(r"\bpbem(?=[\"']?\s?:)", re.IGNORECASE)
"""Pattern of the beginning of a letter. Texts that people wrote must not contain it, because they could pass for a
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
"""Pattern of the characters in a text by which Discourse and Reddit recognize a link: among them the dot in the name of
a site in any script, and the letters of `u/` and `r/`."""


def bbcode_block(text: str) -> str:
    """Put a text into a code block for phpBB and XenForo. Tags that would end the block are broken up."""
    return f"[code]\n{_CODE_TAG.sub('[ ', text)}[/code]\n"


def markdown_block(text: str) -> str:
    """Put a text into a code block for Discourse, NodeBB and Reddit. The rows of backticks around it are longer than
    any in the text."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}{fence}\n"


def bbcode_words(words: str) -> str:
    """Change words so that phpBB and XenForo show them as they are, and find no tag, smiley, link or user name in
    them."""
    return _BBCODE.sub(lambda found: found.group() + JOINER, words)


def markdown_words(words: str) -> str:
    """Change words so that forums with Markdown show them as they are, and find no markup, link or user name in them. A
    space at either end stays."""
    apart = _LINK.sub(lambda found: found.group() + JOINER, words.strip())
    signs = _MARKDOWN.sub(lambda found: "\\" + found.group(), apart)
    before, behind = (" " if end.isspace() else "" for end in (words[:1], words[-1:]))
    return before + _NUMBER_OF_ITEM.sub(r"\1\\\2", signs) + behind


_TITLE = str.maketrans({"[": "(", "]": ")", '"': "'"})
# A hyphen within a word, as names of campaigns have it, means nothing.
_SIGN = re.compile(rf"_|(?<!\w)-|-(?!\w)|[^-\w\s.,;:/()–…{JOINER}]")


def bbcode_title(words: str) -> str:
    """Change words for the title of a block for phpBB and XenForo, between brackets."""
    return bbcode_words(words.translate(_TITLE))


def markdown_title(words: str) -> str:
    """Change words for a line of HTML within a post. Signs of HTML and Markdown become their numbers."""
    apart = _LINK.sub(lambda found: found.group() + JOINER, words)
    return _SIGN.sub(lambda found: f"&#{ord(found.group())};", apart)


LONGEST = 300
"""Greatest length, in characters, of a text that somebody wrote within a line of a report."""

MOST_LINES = 400
"""Most lines that a quotation has; the rest of the text is left out."""

QUOTE = "> "
EXACT = ">| "


def one_line(text: str, most: int = LONGEST) -> str:
    """Put a person's text on one line of at most `most` characters. Nothing in the line can pass for a letter of the
    game."""
    line = " ".join(HEAD_OF_LETTER.sub(lambda found: found.group() + JOINER, visible_text(text)).split())
    line = _KEY_OF_LETTER.sub(NO_BREAK, line)
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def as_quotation(text: str) -> str:
    """Write a person's text as a quotation in the markup of blocks."""
    return mark_lines(QUOTE, visible_text(text).strip("\n").split("\n"))


def exact_line(text: str) -> str:
    """Write a person's text as a quotation in the markup of blocks; every space stays."""
    return mark_lines(EXACT, visible_text(text).strip("\n").split("\n"))


def mark_lines(sign: str, lines: list[str]) -> str:
    """Put a sign before each line. An ellipsis replaces all lines after the first `MOST_LINES`."""
    cut = [*lines[:MOST_LINES], "…"] if len(lines) > MOST_LINES else lines
    return "\n".join((sign + line).rstrip() for line in cut)
