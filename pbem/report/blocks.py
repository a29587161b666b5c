"""What a report consists of, whatever its format: headings, paragraphs, lists, tables, battles, quotations.

Templates of a language write lines in a small markup, and formats get blocks. A line begins with `# ` (a heading, the
more signs the smaller), `- ` (an item of a list), `> ` (a quotation), `>| ` (a quotation set letter by letter), four
blanks (something to copy); the cells of a table stand between marks that nobody can type; `{{ insert("name") }}` stands
where blocks of another origin belong, and `{{ fold }}` with a title before what only the whole of a letter has, and
once more behind it. All other lines are paragraphs, those without an empty line between them close together. What
stands between two backticks is meant to be typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct

CELL = "\ue000"
"""Stands before every cell of a row."""
THEIRS = "\ue001"
"""Stands before words of people, so that they begin no heading and no list."""
BACKTICK = "\ue002"
"""Stands in words of people for a backtick."""
INSERT = "\ue003"
"""Stands before the name of blocks that belong here."""

FOLD = "\ue004"
"""Stands before the title of what only the whole of a letter has, and behind all of it."""


class TextSpan(Struct, frozen=True, omit_defaults=True):
    """A part of a line: words, or something to be typed as it stands."""

    text: str
    code: bool = False


Line = tuple[TextSpan, ...]


class Heading(Struct, frozen=True, tag="heading"):
    """A heading; the title of the whole has the level 1."""

    level: int
    line: Line


class Paragraph(Struct, frozen=True, tag="paragraph"):
    """Lines that stand close together, each beginning anew."""

    lines: tuple[Line, ...]


class Items(Struct, frozen=True, tag="items"):
    """A list."""

    items: tuple[Line, ...]


class TableBlock(Struct, frozen=True, tag="table"):
    """Rows of cells; a row with one cell goes across."""

    rows: tuple[tuple[Line, ...], ...]


class BattleBlock(Struct, frozen=True, tag="battle"):
    """How a combat began, what was played, and how it ended."""

    opening: Line
    exchanges: tuple[Line, ...]
    end: Line


class Quote(Struct, frozen=True, tag="quote"):
    """Words of somebody else; `exact` ones keep their blanks."""

    lines: tuple[str, ...]
    exact: bool = False


class Code(Struct, frozen=True, tag="code", omit_defaults=True):
    """Something to copy letter by letter; a `letter` is to be sent as it stands, and may have a `short` form."""

    lines: tuple[str, ...]
    letter: bool = False
    short: tuple[str, ...] = ()


class Picture(Struct, frozen=True, tag="picture"):
    """Where the map stands, and what it shows, for those who do not see it."""

    shows: str


class Folded(Struct, frozen=True, tag="folded"):
    """What is there for those who want to read on."""

    title: Line
    blocks: tuple[Block, ...]


Block = Heading | Paragraph | Items | TableBlock | BattleBlock | Quote | Code | Picture | Folded


def unfolded(blocks: Sequence[Block]) -> list[Block]:
    """All that a letter says, what was folded under its title."""
    found: list[Block] = []
    for block in blocks:
        found += (Heading(2, block.title), *block.blocks) if isinstance(block, Folded) else (block,)
    return found


def folded_away(blocks: Sequence[Block], place: str) -> list[Block]:
    """A letter without what is folded, but with the place where that stands; what is to be sent in its short form."""
    found: list[Block] = []
    for block in blocks:
        match block:
            case Folded(title):
                leading: Line = (*title, TextSpan(": "), TextSpan(place, code=True))
                before = found[-1] if found else None
                if isinstance(before, Paragraph):
                    found[-1] = Paragraph((*before.lines, leading))
                else:
                    found.append(Paragraph((leading,)))
            case Code(letter=letter, short=short) if short:
                found.append(Code(short, letter))
            case _:
                found.append(block)
    return found


def parsed(markup: str, inserts: Mapping[str, Sequence[Block]] | None = None) -> list[Block]:
    """The blocks of a text in the markup of this page."""
    shown, fold, rest = markup.partition(FOLD)
    found = blocks_in(shown, inserts)
    if fold:
        folded, _, after = rest.partition(FOLD)
        title, _, within = folded.partition("\n")
        found += [Folded(line_of(title), tuple(blocks_in(within, inserts))), *blocks_in(after, inserts)]
    return found


def blocks_in(markup: str, inserts: Mapping[str, Sequence[Block]] | None) -> list[Block]:
    """The blocks of a part in which nothing is folded."""
    found: list[Block] = []
    for kind, group in groupby(markup.split("\n"), kind_of):
        lines = list(group)
        if kind == INSERT:
            for line in lines:
                found += (inserts or {})[line.removeprefix(INSERT)]
        elif kind:
            found += blocks_of(kind, lines)
    return found


def kind_of(line: str) -> str:
    """The sign that a line begins with; nothing for an empty one, a full stop for words."""
    if not line.strip():
        return ""
    if CELL in line:
        return CELL
    sign = re.match(rf"#+ |- |>\||>|    |{INSERT}", line)
    return sign.group() if sign else "."


def blocks_of(kind: str, lines: list[str]) -> list[Block]:
    """Lines that begin alike as blocks."""
    rest = [line.removeprefix(kind) for line in lines]
    if kind.startswith("#"):
        return [Heading(len(kind) - 1, line_of(line)) for line in rest]
    match kind:
        case "- ":
            return [Items(tuple(line_of(line) for line in rest))]
        case ">" | ">|":
            return [Quote(tuple(line.removeprefix(" ") for line in rest), kind == ">|")]
        case "    ":
            return [Code(tuple(rest))]
    if kind == CELL:
        return [TableBlock(tuple(row_of(line) for line in lines))]
    return [Paragraph(tuple(line_of(line) for line in lines))]


def row_of(line: str) -> tuple[Line, ...]:
    """The cells of a row."""
    return tuple(line_of(cell) for cell in line.split(CELL)[1:])


def line_of(text: str) -> Line:
    """A line with what is to be typed apart from the words."""
    parts = text.replace(THEIRS, "").strip().split("`")
    return tuple(TextSpan(part.replace(BACKTICK, "`"), at % 2 == 1) for at, part in enumerate(parts) if part)


def theirs(text: str) -> str:
    """Words of people, or of the account, as part of a line of markup, of which they change nothing."""
    return THEIRS + text.replace("`", BACKTICK)


def line_text(line: Line) -> str:
    """A line as a text without any format."""
    return "".join(f"`{span.text}`" if span.code else span.text for span in line)
