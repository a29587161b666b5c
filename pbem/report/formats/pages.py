"""Formats of a report: plain text of 72 columns, a web page for mail programs, and posts for two kinds of forums."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache

import msgspec
from jinja2 import Environment
from markupsafe import Markup, escape

from pbem.paper.documents.characters import visible_text
from pbem.paper.documents.writing import write
from pbem.report import blocks as b
from pbem.report.blocks import Block, Code
from pbem.report.formats import escaping
from pbem.report.formats.escaping import as_quotation, exact_line, one_line
from pbem.report.language.templates import (
    NO_BREAK,
    WIDTH,
    OwnTemplates,
    TemplateData,
    current_templates,
    environment,
    squeeze,
    template,
    wrap_paragraph,
)
from pbem.seal.canonical import AnyTree

LETTER_TEMPLATES = {
    "report": "campaign_report.txt.j2",
    "receipt": "campaign_receipt.txt.j2",
    "offer": "campaign_offer.txt.j2",
    "invitation": "campaign_invitation.txt.j2",
    "reminder": "campaign_reminder.txt.j2",
}
COVER = "campaign_sealed.txt.j2"
SUBJECTS = "campaign_subjects.txt.j2"


MOST_LINES = 60
"""Largest number of lines of a mail whose sheet can be made shorter."""


def line(text: str, most: int | None = None) -> str:
    """Return the words of a person as one line without markup. The line is cut after `most` characters, or after
    `LONGEST` if `most` is None."""
    return b.plain_words(one_line(text, most) if most else one_line(text))


TOOLS = {
    "line": line,
    "quote": as_quotation,
    "exact": exact_line,
    "insert": b.INSERT.__add__,
    "cell": b.CELL,
    "fold": b.FOLD,
    "width": WIDTH,
}
"""Functions and signs that templates use to insert words of people, and to insert parts that are blocks already.
`width` is the width of a mail."""


def letter_blocks(data: TemplateData) -> list[b.Block]:
    """Return the blocks of a letter of the moderator. They are made by the template for the letter's `kind`."""
    echo: TemplateData = {key: with_empty_lists(value) for key, value in data.get("echo", {}).items()}
    rest = without_plans(echo, [each["power"] for each in data.get("plans", ())])
    texts = {name: write(tree) if tree else "" for name, tree in (("echo_text", echo), ("rest_text", rest))}
    shorter = [{"short_sheet": sheet} for sheet in data.get("shorter_sheets", ())]
    for sheet in ({}, *shorter):
        blocks = template_blocks(LETTER_TEMPLATES[data["kind"]], data | texts, inserted_blocks(data | sheet))
        if not shorter or text(b.short_blocks(blocks, "")).count("\n") <= MOST_LINES:
            break
    return blocks


def without_plans(echo: TemplateData, powers: Sequence[str]) -> TemplateData:
    """Return `echo` without the plans of these powers. `echo` is the part of a letter that its receipt repeats."""
    rest = deepcopy(echo)
    for power in powers:
        del rest["orders"][power]["plans"]
        rest["orders"] = {power: block for power, block in rest["orders"].items() if block}
    return {key: value for key, value in rest.items() if value}


def cover_blocks(data: TemplateData, files: Sequence[str]) -> list[b.Block]:
    """Return the blocks of the text that is sent with a sealed letter and tells no secrets. They list all files of the
    letter, and say which file is for programs."""
    letter = next((name for name in files if ".yaml" in name), files[0])
    return template_blocks(COVER, data | {"files": list(files), "letter": letter}, {})


def template_blocks(name: str, data: dict[str, object], inserts: Mapping[str, Sequence[b.Block]]) -> list[b.Block]:
    return b.parsed_blocks(template_text(name, data, TOOLS), inserts)


def template_text(name: str, data: TemplateData, tools: Mapping[str, object]) -> str:
    """Return the text that the template `name` makes of the data. If it is a template of a campaign, it gets a copy of
    the data."""
    given = deepcopy(data) if current_templates() else data
    return template(data["language"], data["game"], name).render({**given, **tools})


def inserted_blocks(data: TemplateData) -> dict[str, list[b.Block]]:
    """Return those parts of a report that are blocks already. The keys are the names with which templates insert
    them."""
    parts: dict[str, list[b.Block]] = {"account": [], "position": [], "picture": [], "sheet": []}
    if data.get("account"):
        parts["account"] = msgspec.convert(data["account"], list[b.Block])
    if data["kind"] == "report" and data["position"]:
        title, *rest = msgspec.convert(data["position"]["blocks"], list[b.Block])
        # Headings within the position have a lower level than the headings of the report.
        parts["position"] = [
            b.Heading(3, block.line) if isinstance(block, b.Heading) and block.level < 3 else block
            for block in (title, *rest)
        ]
        moment = b.line_text(title.line) if isinstance(title, b.Heading) else ""
        parts["picture"] = [b.Picture(". ".join(filter(None, (moment, data["picture"]))))]
    if data.get("sheet"):
        whole, short = (lines_of_letter(data.get(key, "")) for key in ("sheet", "short_sheet"))
        parts["sheet"] = [b.Code(whole, letter=True, short=short)]
    return parts


def lines_of_letter(text: str) -> tuple[str, ...]:
    """Return the lines of a text that is to be copied character by character. Invisible characters are written as
    numbers."""
    return tuple(visible_text(text).rstrip("\n").split("\n")) if text else ()


def with_empty_lists(value: object) -> AnyTree:
    """Replace each empty value by an empty list, also in mappings within the value. Values within lists are not
    changed."""
    if isinstance(value, dict):
        return {key: with_empty_lists(item) for key, item in value.items()}
    return value or []


def subject(data: dict[str, object]) -> str:
    return one_line(squeeze(template_text(SUBJECTS, data, TOOLS | {"line": one_line})))


UNDER = {1: "=", 2: "=", 3: "-"}
"""Character with which headings of each level are underlined. Headings of other levels are not underlined."""
GAP = "  "
"""Blanks between two cells of a table."""
LEAST_ROOM = 24
"""Smallest width, in characters, in which the last cell of a row is wrapped. If there is less room, the cell is put
below its row."""
UNDER_A_ROW = 5
QUOTE = "> "


def text(blocks: Sequence[b.Block]) -> str:
    """Return blocks as plain text."""
    widths = columns(blocks)
    lines: list[str] = []
    before: b.Block | None = None
    for block in blocks:
        drawn = lines_of(block, widths)
        if not drawn:
            continue
        if lines and not is_close(before, block):
            lines.append("")
        lines += drawn
        before = block
    return "".join(line.rstrip().replace(NO_BREAK, " ") + "\n" for line in lines)


def is_close(before: b.Block | None, block: b.Block) -> bool:
    """True if there is no empty line between two blocks. A heading and the text below it are such blocks."""
    match before, block:
        case (
            (b.Heading(), b.Paragraph() | b.Items())
            | (b.Heading(4) | b.Paragraph(), b.TableBlock())
            | (b.Heading(4), b.Code(letter=True))
            | (b.Items() | b.Paragraph(), b.Code(letter=False))
            | (b.Items(), b.Quote())
        ):
            return True
        case b.Paragraph(lines), b.Items():
            return b.line_text(lines[-1]).endswith(":")
    return False


def lines_of(block: b.Block, widths: dict[int, list[int]]) -> list[str]:
    """Return a block as lines of plain text. They are wrapped at `WIDTH`, unless the text is exact. Pictures and folded
    parts have no lines. `widths` is the result of `columns`."""
    match block:
        case b.Heading(level, line, is_bare):
            title = wrap_paragraph(b.line_text(line), hang=0).split("\n")
            return title if is_bare or level not in UNDER else [*title, UNDER[level] * max(map(len, title))]
        case b.Paragraph(lines):
            return [part for line in lines for part in wrapped_line(b.line_text(line), hang=2 if len(lines) > 1 else 0)]
        case b.Items(items):
            return [part for item in items for part in wrapped_line("- " + b.line_text(item), hang=2)]
        case b.TableBlock(rows):
            return [part for row in rows for part in row_lines(row, widths.get(len(rows[0]), []))]
        case b.BattleBlock(opening, exchanges, end):
            played = [part for line in exchanges for part in wrapped_line(b.line_text(line), indent=4, hang=2)]
            return [*wrapped_line(b.line_text(opening), hang=2), *played, *wrapped_line(b.line_text(end), indent=2)]
        case b.Quote(lines, exact):
            parts = lines if exact else [part for line in lines for part in textwrap.wrap(line, WIDTH - 2) or [""]]
            return [QUOTE + part for part in parts]
        case b.Code(lines, letter):
            return list(lines) if letter else ["    " + line for line in lines]
        case b.Picture() | b.FoldedPart():
            return []


def wrapped_line(line: str, indent: int = 0, hang: int = 0) -> list[str]:
    """Return the lines into which a line of words is wrapped. If there are no words, there are no lines. All lines but
    the first are indented by `hang` more."""
    return wrap_paragraph(line, indent, hang).split("\n") if line else []


def columns(blocks: Sequence[b.Block]) -> dict[int, list[int]]:
    """Return the widths of the columns of tables, in characters. The key is the number of columns: all tables with this
    number of columns have the same widths."""
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
    """Return a row of a table as lines of plain text. If the last cell is long, it is wrapped within its column. If
    this column is too narrow, the cell begins further left, where cells before it are blank, or is put on lines of its
    own below the row."""
    *cells, last = [b.line_text(cell) for cell in row]
    start = "".join(GAP + cell.ljust(width) for cell, width in zip(cells, widths, strict=False)) + GAP
    room = WIDTH - len(start)
    if not cells or (len(last) > room and room < LEAST_ROOM):
        if cells and len(start.rstrip() + GAP + last) <= WIDTH:
            return [start.rstrip().ljust(WIDTH - len(last)) + last]
        under = wrapped_line(last, indent=UNDER_A_ROW)
        return [start, *under] if cells else under
    lines = textwrap.wrap(last, room, break_on_hyphens=False) or [""]
    return [start + lines[0], *(" " * len(start) + line for line in lines[1:])]


RED_SUITS = re.compile(r"[♥♦](?:\d+(?:/\d+)?| \d+(?: \d+)*(?= ·|$))?")
"""Pattern of a red suit. The suit may be alone, or followed by the number of a card, its number and deck, or several
numbers."""


def colour_parts(text: str) -> Iterator[tuple[str, bool]]:
    """Split a text into parts. With each part, yield True if it is a red suit or a red card."""
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
    """Return blocks as a web page (HTML) for mail programs. `picture` is the address of the picture, or empty."""
    data = {"title": title, "language": language, "picture": picture, "blocks": as_data(blocks)}
    return pages(current_templates()).get_template("mail.html.j2").render(data)


def bbcode(blocks: Sequence[Block]) -> str:
    """Return blocks as a post for phpBB and XenForo."""
    return post("forum.bbcode.j2", blocks)


def markdown(blocks: Sequence[Block]) -> str:
    """Return blocks as a post for Discourse, NodeBB and Reddit."""
    return post("forum.md.j2", blocks)


def post(name: str, blocks: Sequence[Block]) -> str:
    """Return blocks as a post for a forum. `name` is the name of the template that writes it."""
    written = posts(current_templates()).get_template(name).render(blocks=as_data(blocks)).replace(NO_BREAK, " ")
    return re.sub(r"\n{3,}", "\n\n", written).strip("\n") + "\n"


@lru_cache(maxsize=4)
def pages(own: OwnTemplates | None) -> Environment:
    """Return the environment with the template of web pages. It escapes HTML in all words."""
    found = environment([FOLDER], own, autoescape=True)
    found.filters["reddened"] = with_red_suits
    return found


@lru_cache(maxsize=4)
def posts(own: OwnTemplates | None) -> Environment:
    """Return the environment with the templates of posts. It has filters that make words of people harmless in
    forums."""
    found = environment([FOLDER], own)
    found.filters |= {
        "bbcode": escaping.bbcode_words,
        "markdown": escaping.markdown_words,
        "bbcode_title": escaping.bbcode_title,
        "markdown_title": escaping.markdown_title,
        "in_code_tags": lambda block: escaping.bbcode_block(as_plain_lines(block)),
        "in_fence": lambda block: escaping.markdown_block(as_plain_lines(block)),
    }
    return found


def with_red_suits(text: str) -> Markup:
    """Return a text as HTML in which red suits and cards are marked."""
    if "♥" not in text and "♦" not in text:
        return escape(text)
    red = Markup('<span class="suit">{}</span>')
    return Markup("").join(red.format(part) if is_red else escape(part) for part, is_red in colour_parts(text))


def as_data(blocks: Sequence[Block]) -> object:
    return msgspec.to_builtins(blocks)


def as_plain_lines(data: dict[str, object]) -> str:
    """Return the data of a block as plain text, for a font of fixed width."""
    block = msgspec.convert(data, Block)
    return "\n".join(block.lines) + "\n" if isinstance(block, Code) else text([block])
