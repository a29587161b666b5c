"""Formats: plain text of 72 columns, a page for mail programs, posts for forums of two kinds."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec
from jinja2 import Environment
from markupsafe import Markup, escape

from pbem.report import blocks as b
from pbem.report.blocks import Block, Code
from pbem.report.formats import forum
from pbem.report.language.templates import NO_BREAK, WIDTH, OwnTemplates, environment, own, wrap_paragraph

UNDER = {1: "=", 2: "=", 3: "-"}
"""Underlining of headings by level; the smallest have none."""
GAP = "  "
"""Space before every cell of a table."""
LEAST_ROOM = 24
"""Width below which a last cell is not wrapped, but put under its row."""
UNDER_A_ROW = 5
QUOTE = "> "


def text(blocks: Sequence[b.Block]) -> str:
    """Blocks as text, with an empty line between them, except where a block belongs to the lines above it."""
    widths = columns(blocks)
    lines: list[str] = []
    before: b.Block | None = None
    for block in blocks:
        drawn = lines_of(block, widths)
        if not drawn:
            continue
        if lines and not close(before, block):
            lines.append("")
        lines += drawn
        before = block
    return "".join(line.rstrip().replace(NO_BREAK, " ") + "\n" for line in lines)


def close(before: b.Block | None, block: b.Block) -> bool:
    """True if a block stands directly under the one before: words and tables under their heading, a key under its
    item."""
    match before, block:
        case (
            (b.Heading(), b.Paragraph() | b.Items())
            | (b.Heading(4) | b.Paragraph(), b.TableBlock())
            | (b.Heading(4), b.Code(letter=True))
            | (b.Items() | b.Paragraph(), b.Code(letter=False))
            | (b.Items(), b.Quote())
        ):
            return True
    return False


def lines_of(block: b.Block, widths: dict[int, list[int]]) -> list[str]:
    """A block as plain text of at most `WIDTH` columns; `widths` are those of tables, by number of columns."""
    match block:
        case b.Heading(level, line):
            title = wrap_paragraph(b.line_text(line), hang=0).split("\n")
            return [*title, UNDER[level] * max(map(len, title))] if level in UNDER else title
        case b.Paragraph(lines):
            return [part for line in lines for part in broken(b.line_text(line), hang=2 if len(lines) > 1 else 0)]
        case b.Items(items):
            return [part for item in items for part in broken("- " + b.line_text(item), hang=2)]
        case b.TableBlock(rows):
            return [part for row in rows for part in row_lines(row, widths.get(len(rows[0]), []))]
        case b.BattleBlock(opening, exchanges, end):
            played = [part for line in exchanges for part in broken(b.line_text(line), indent=4, hang=2)]
            return [*broken(b.line_text(opening), hang=2), *played, *broken(b.line_text(end), indent=2)]
        case b.Quote(lines, exact):
            parts = lines if exact else [part for line in lines for part in textwrap.wrap(line, WIDTH - 2) or [""]]
            return [QUOTE + part for part in parts]
        case b.Code(lines, letter):
            return list(lines) if letter else ["    " + line for line in lines]
        case b.Picture() | b.Folded():
            return []


def broken(line: str, indent: int = 0, hang: int = 0) -> list[str]:
    """A line of words, wrapped; nothing if there are no words."""
    return wrap_paragraph(line, indent, hang).split("\n") if line else []


def columns(blocks: Sequence[b.Block]) -> dict[int, list[int]]:
    """Widths of columns, by number of columns: all tables with as many cells in their first rows are aligned."""
    widths: dict[int, list[int]] = {}
    for block in blocks:
        if isinstance(block, b.TableBlock):
            found = widths.setdefault(len(block.rows[0]), [])
            for row in block.rows:
                if len(row) == 1:
                    continue
                found += [0] * (len(row) - len(found))
                for at, cell in enumerate(row):
                    found[at] = max(found[at], len(b.line_text(cell)))
    return widths


def row_lines(row: Sequence[b.Line], widths: Sequence[int]) -> list[str]:
    """A row. Text that does not fit beside the other cells moves into blank cells before it, or under them."""
    *cells, last = [b.line_text(cell) for cell in row]
    start = "".join(GAP + cell.ljust(width) for cell, width in zip(cells, widths, strict=False)) + GAP
    room = WIDTH - len(start)
    if not cells or (len(last) > room and room < LEAST_ROOM):
        if cells and len(start.rstrip() + GAP + last) <= WIDTH:
            return [start.rstrip().ljust(WIDTH - len(last)) + last]
        under = broken(last, indent=UNDER_A_ROW)
        return [start, *under] if cells else under
    lines = textwrap.wrap(last, room, break_on_hyphens=False) or [""]
    return [start + lines[0], *(" " * len(start) + line for line in lines[1:])]


RED_SUITS = re.compile(r"[♥♦](?:\d+(?:/\d+)?| \d+(?: \d+)*(?= ·|$))?")
"""A red suit with its card and deck, or with the cards of a hand."""


def by_colour(text: str) -> Iterator[tuple[str, bool]]:
    """Parts of a text, each with whether it is red."""
    end = 0
    for found in RED_SUITS.finditer(text):
        if found.start() > end:
            yield text[end : found.start()], False
        yield found.group(), True
        end = found.end()
    if end < len(text):
        yield text[end:], False


FOLDER = "dress"


def page(blocks: Sequence[Block], title: str, language: str, picture: str = "") -> str:
    """A page for mail programs; `picture` is the address of the picture."""
    data = {"title": title, "language": language, "picture": picture, "blocks": as_data(blocks)}
    return pages(own()).get_template("mail.html.j2").render(data)


def bbcode(blocks: Sequence[Block]) -> str:
    """A post for phpBB and XenForo."""
    return post("forum.bbcode.j2", blocks)


def markdown(blocks: Sequence[Block]) -> str:
    """A post for Discourse, NodeBB and Reddit."""
    return post("forum.md.j2", blocks)


def post(name: str, blocks: Sequence[Block]) -> str:
    """A post made by one of the templates, with at most one empty line in a row."""
    written = posts(own()).get_template(name).render(blocks=as_data(blocks)).replace(NO_BREAK, " ")
    return re.sub(r"\n{3,}", "\n\n", written).strip("\n") + "\n"


@lru_cache(maxsize=4)
def pages(own: OwnTemplates | None) -> Environment:
    """Template of pages, which makes every sign in people's words harmless."""
    found = environment([FOLDER], own, autoescape=True)
    found.filters["reddened"] = reddened
    return found


@lru_cache(maxsize=4)
def posts(own: OwnTemplates | None) -> Environment:
    """Templates of posts, with the functions that make people's words harmless there."""
    found = environment([FOLDER], own)
    found.filters |= {
        "bbcode": forum.bbcode_words,
        "markdown": forum.markdown_words,
        "in_code_tags": lambda block: forum.bbcode(as_plain_lines(block)),
        "in_fence": lambda block: forum.markdown(as_plain_lines(block)),
    }
    return found


def reddened(text: str) -> Markup:
    """A text, escaped, with its red cards and suits marked."""
    red = Markup('<span class="suit">{}</span>')
    return Markup("").join(red.format(part) if is_red else escape(part) for part, is_red in by_colour(text))


def as_data(blocks: Sequence[Block]) -> object:
    """Blocks in the form that templates read."""
    return msgspec.to_builtins(blocks)


def as_plain_lines(data: dict[str, object]) -> str:
    """A block as lines in a font of fixed width."""
    block = msgspec.convert(data, Block)
    return "\n".join(block.lines) + "\n" if isinstance(block, Code) else text([block])
