"""Words of people, made harmless among our own words.

A name stays on its line, a message stands in a quotation, and invisible characters are shown as their numbers.
"""

from __future__ import annotations

from pbem.paper.documents.characters import UNWANTED, clean
from pbem.report.formats.forum import HEAD_OF_LETTER, JOINER

LONGEST = 300
"""Most characters of people's words within a line of ours."""

MOST_LINES = 400
"""Most lines of a message; the rest is left out."""

QUOTE = "> "
EXACT = ">| "


def one_line(text: str, most: int = LONGEST) -> str:
    """Words of people as part of one of our lines. No letter may begin in them: on a page it would look like a real
    one."""
    line = " ".join(HEAD_OF_LETTER.sub(lambda found: found.group() + JOINER, visible(text)).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def quoted(text: str) -> str:
    """Text of people as a quotation: every line begins with a sign that it is theirs."""
    return behind(QUOTE, visible(text).strip("\n").split("\n"))


def exact(text: str) -> str:
    """Text on one line that keeps every blank."""
    return behind(EXACT, visible(text).strip("\n").split("\n"))


def behind(sign: str, lines: list[str]) -> str:
    """The lines, each behind a sign; too many are cut."""
    cut = [*lines[:MOST_LINES], "…"] if len(lines) > MOST_LINES else lines
    return "\n".join((sign + line).rstrip() for line in cut)


def visible(text: str) -> str:
    """The text with composed letters, line feeds as line ends, and a number for every invisible character."""
    ends = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return UNWANTED.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", clean(ends))
