"""Layout of blocks for terminals, with the red suits in red.

For output to a pipe or file, this module is not loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from pbem.report import blocks as b
from pbem.report.formats.pages import RED_SUITS, columns, is_close
from pbem.report.language.templates import NO_BREAK

MOST_COLUMNS = 120
"""Largest number of columns that are used, since longer lines tire the eye."""

NARROW = 12
"""Width in characters below which a table's column is not made narrower."""

HELD = "\ue010"
"""Character in place of a blank at which no line may end. It becomes a blank again after lines are broken."""

STYLES = {"red suit": "red", "typed": "cyan", "bar": "dim", "quote": "italic", "code": "dim"}
STATES = {
    "final": "green",
    "taken": "green",
    "draft": "yellow",
    "none": "yellow",
    "not": "yellow",
    "free": "yellow",
    "nothing": "dim",
}
"""Dict from the first word in the state of an order or a seat to the style of this state."""
LATE = "bold red"
"""Style of orders that are missing after the deadline."""
KIND = 12
"""Width, in characters, of the column for the kinds of entries."""
HEADINGS = {1: "bold reverse", 2: "bold underline", 3: "bold", 4: "italic"}


def show_blocks(blocks: Sequence[b.Block]) -> None:
    show(Group(*layout_of(blocks)))


def show(renderable: RenderableType) -> None:
    """Print an object that the library rich can lay out."""
    console = Console(highlight=False, emoji=False, markup=False)
    console.print(KeptBlanks(renderable), width=min(console.width, MOST_COLUMNS))


def show_owed(rows: Sequence[Sequence[str]], states: Sequence[str], is_late: bool) -> None:
    """Print a table of the orders that players must send, each row in the colour of its state. If `is_late`, rows with
    orders that are not final have the style `LATE`."""
    found = Grid.grid(padding=(0, 2, 0, 0))
    for row, state in zip(rows, states, strict=True):
        style = STATES.get(state.split(" ")[0], "")
        found.add_row(*row, style=LATE if is_late and state in ("none yet", "draft", "not revealed") else style)
    show(Padding(found, (0, 0, 0, 2)))


def show_entry(number: int, time: str, kind: str, words: str, blocks: Sequence[b.Block]) -> None:
    """Print a ledger entry: its number, time, kind and words on a line, and the blocks below."""
    found = Grid.grid(padding=(0, 2, 0, 0))
    for width in (4, len(time), KIND):
        found.add_column(width=width, no_wrap=True)
    found.add_column()
    found.add_row(Text(f"{number:4}", "bold"), Text(time, "dim"), Text(kind, "cyan"), Text(words))
    show(found)
    if blocks:
        show(Padding(Group(*layout_of(blocks)), (1, 0, 1, 6)))


def layout_of(blocks: Sequence[b.Block]) -> Iterator[RenderableType]:
    """Yield blocks for rich, with empty lines between unrelated blocks. Pictures are left out."""
    widths = columns(blocks)
    before: b.Block | None = None
    for block in blocks:
        if isinstance(block, b.Picture):
            continue
        if before is not None and not is_close(before, block):
            yield ""
        yield from layout_of_block(block, widths)
        before = block


def layout_of_block(block: b.Block, widths: dict[int, list[int]]) -> Iterator[RenderableType]:
    """Yield the parts of a block for rich. `widths` has the widths of the columns of tables, keyed by the number of
    columns."""
    match block:
        case b.Heading(level, line):
            yield words(line, HEADINGS[level])
        case b.Paragraph(lines):
            for line in lines:
                yield words(line)
        case b.Items(items):
            for item in items:
                yield item_of(words(item))
        case b.TableBlock(rows):
            yield from table(rows, widths.get(len(rows[0]), []))
        case b.BattleBlock():
            yield WithBar(Group(*battle(block)))
        case b.Quote(lines):
            yield WithBar(Text("\n".join(lines), STYLES["quote"], overflow="fold"))
        case b.Code(lines, letter):
            written = "\n".join(lines)
            style = "" if letter else STYLES["code"]
            yield Padding(Text(written, style, overflow="fold"), (0, 0, 0, 0 if letter else 4))


def words(line: b.Line, style: str = "") -> Text:
    """Return a line of words for rich. Words to type and red suits are coloured."""
    found = Text.assemble(*(part(span) for span in line), style=style, overflow="fold")
    found.highlight_regex(RED_SUITS, STYLES["red suit"])
    return found


def part(span: b.TextSpan) -> tuple[str, str]:
    """Return the text of a span, and its style."""
    return span.text.replace(NO_BREAK, HELD), STYLES["typed"] if span.code else ""


def item_of(line: Text) -> Grid:
    """Return an item of a list, with its later lines indented like its first."""
    found = Grid.grid(padding=(0, 1, 0, 0))
    found.add_column(width=1)
    found.add_column()
    found.add_row("•", line)
    return found


def table(rows: Sequence[Sequence[b.Line]], widths: Sequence[int]) -> Iterator[RenderableType]:
    """Yield the rows of a table without lines between them. A single cell spans all columns."""
    for is_across, some in groupby(rows, lambda row: len(row) == 1):
        if is_across:
            for (cell,) in some:
                yield Padding(words(cell), (0, 0, 0, 5))
            continue
        yield Padding(Rows(list(some), widths), (0, 0, 0, 2))


class Rows:
    """Rows of a table, for rich. On a narrow terminal the widest columns shrink."""

    def __init__(self, rows: Sequence[Sequence[b.Line]], widths: Sequence[int]) -> None:
        """Set the rows, and the columns' wanted widths in characters."""
        self._rows, self._widths = rows, list(widths)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths = self._widths[:]
        while widths and sum(widths) + 2 * (len(widths) - 1) > options.max_width and max(widths) > NARROW:
            widths[widths.index(max(widths))] -= 1
        found = Grid.grid(padding=(0, 2, 0, 0))
        for width in widths[:-1]:
            found.add_column(width=width, no_wrap=width <= NARROW)
        found.add_column()
        for row in self._rows:
            found.add_row(*map(words, row))
        yield found


def battle(block: b.BattleBlock) -> Iterator[RenderableType]:
    """Yield the opening of a combat, the cards played, and its end."""
    if b.line_text(block.opening):
        yield words(block.opening)
    for line in block.exchanges:
        yield Padding(words(line), (0, 0, 0, 2))
    if b.line_text(block.end):
        yield words(block.end)


class WithBar:
    """Content with a bar at its left."""

    def __init__(self, inside: RenderableType) -> None:
        """`inside` is the content that stands right of the bar."""
        self.inside = inside

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of the content, each behind the bar."""
        bar = Segment("│ ", Style.parse(STYLES["bar"]))
        for line in console.render_lines(self.inside, options.update_width(options.max_width - 2), pad=False):
            yield bar
            yield from line
            yield Segment.line()


class KeptBlanks:
    """Content, for rich, in which lines must not be broken at certain blanks. These blanks are written as `HELD`, and
    become blanks again once lines are broken."""

    def __init__(self, inside: RenderableType) -> None:
        self.inside = inside

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of the content, without blanks at their ends."""
        for line in console.render_lines(self.inside, options, pad=False):
            while line and not line[-1].text.strip():
                line.pop()
            if line:
                line[-1] = line[-1]._replace(text=line[-1].text.rstrip())
            for segment in line:
                yield segment._replace(text=segment.text.replace(HELD, " "))
            yield Segment.line()
