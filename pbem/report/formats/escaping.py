"""What people have written, made harmless where it stands among our own words.

A name keeps to its line, a message stands in a quotation; what cannot be seen is shown as its number.
"""

from __future__ import annotations

from pbem.paper.documents.characters import UNWANTED, clean
from pbem.report.formats.forum import HEAD_OF_LETTER, JOINER

LONGEST = 300
"""What people write into a line of ours is cut behind so many characters."""

MOST_LINES = 400
"""Of a message that is longer than this the rest is left out."""

QUOTE = "> "
EXACT = ">| "


def one_line(text: str, most: int = LONGEST) -> str:
    """Words of people as part of one of our lines, where no letter begins: in a page it would look like one."""
    line = " ".join(HEAD_OF_LETTER.sub(lambda found: found.group() + JOINER, visible(text)).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def quoted(text: str) -> str:
    """A text of people as a quotation, every line of it behind a sign that it is theirs."""
    return behind(QUOTE, visible(text).strip("\n").split("\n"))


def exact(text: str) -> str:
    """A text on one line in which every blank counts."""
    return behind(EXACT, visible(text).strip("\n").split("\n"))


def behind(sign: str, lines: list[str]) -> str:
    """Every line behind a sign; too many are cut."""
    cut = [*lines[:MOST_LINES], "…"] if len(lines) > MOST_LINES else lines
    return "\n".join((sign + line).rstrip() for line in cut)


def visible(text: str) -> str:
    """The text with composed letters, its line ends as line feeds, and a number for everything that nobody sees."""
    ends = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return UNWANTED.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", clean(ends))
