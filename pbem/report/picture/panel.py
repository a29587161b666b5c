"""Things around a picture: the title and the note, the legend, and the strips above and below the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct

from pbem.report.picture.chart import Chart
from pbem.report.picture.geometry import Box, Point, number
from pbem.report.picture.legend import (
    ROW,
    Columns,
    LegendLine,
    draw_columns,
    draw_row,
    in_columns,
    in_rows,
    line_width,
    lines_below,
)
from pbem.report.picture.lettering import width, wrap_text
from pbem.report.picture.position import AbsentPiece, Fact, Position, Track
from pbem.report.picture.signs import Marker, disc, piece, text

_FEWEST_ROWS, _MOST_ROWS = 4, 40
"""Smallest and largest number of rows of the legend that are tried in the strip above a board."""


class PictureHeading(Struct, frozen=True):
    title: str
    note: str
    caption: str


class Strip(NamedTuple):
    height: float
    drawn: str
    """Strip as SVG."""


class _Layout(Struct, frozen=True):
    """Layout of a panel with a title, a caption, a note and a legend: the scale, the lines and the columns."""

    unit: float
    """Number of pixels of the board for each unit in which the panel's sizes are given."""
    title_size: float
    note: tuple[str, ...]
    caption: tuple[str, ...]
    legend: Columns

    @property
    def height(self) -> float:
        lines = 27 * len(self.note) + 36 * len(self.caption) + (18 if self.note else 0)
        return self.title_size * 1.15 + lines * self.unit


def _layout(heading: PictureHeading, found: list[LegendLine], wide: float, high: float, unit: float) -> _Layout | None:
    """Return the layout of a panel at this scale. Return None if the panel does not fit into this width and height."""
    laid = in_columns(found, int((high - 36 * unit) // (ROW * unit)), unit)
    room = wide - laid.width - 90 * unit
    if room < 400 * unit:
        return None
    title = heading.title.upper()
    title_size = min(47 * unit, 47 * unit * room / max(width(title, 47 * unit) + 3 * unit * len(title), 1.0))
    note = tuple(wrap_text(heading.note, 20 * unit, room, 4))
    caption = tuple(wrap_text(heading.caption, 27 * unit, room, 3))
    layout = _Layout(unit, title_size, note, caption, laid)
    fits = max(layout.height, laid.height) <= high - 36 * unit and title_size > 22 * unit
    return layout if fits else None


def panel(chart: Chart, box: Box, heading: PictureHeading, found: list[LegendLine]) -> str:
    """Draw the title and the legend in the rectangle `box`, as large as possible. Return an empty text if `box` is too
    small."""
    unit = chart.unit
    layout = None
    while layout is None and unit > 0.02 * chart.unit:
        layout = _layout(heading, found, box[2] - box[0], box[3] - box[1], unit)
        unit *= 0.95
    return _draw(chart, box, heading, layout) if layout else ""


def header(chart: Chart, heading: PictureHeading, found: list[LegendLine]) -> Strip:
    """Draw the strip above the whole board. It has the title and the legend."""
    west, north, east, _ = chart.view
    unit = min(chart.unit, (east - west) / 900)
    # The lowest strip that fits at this scale is taken. With more rows, the legend is narrower, and there is more room
    # for the title.
    for rows in range(_FEWEST_ROWS, _MOST_ROWS):
        high = (rows * ROW + 40) * unit
        layout = _layout(heading, found, east - west, high, unit)
        if layout:
            return Strip(high, _draw(chart, (west, north - high, east, north), heading, layout))
    # If no number of rows fits, as on a very narrow board, this height is taken. `panel` then makes the scale smaller
    # until everything fits.
    high = 12 * ROW * unit
    return Strip(high, panel(chart, (west, north - high, east, north), heading, found))


def _draw(chart: Chart, box: Box, heading: PictureHeading, layout: _Layout) -> str:
    theme, unit = chart.theme, layout.unit
    west, north, east, south = box
    out = [panel_background(chart, box, unit)]
    legend_at = (east - layout.legend.width - 14 * unit, (north + south - layout.legend.height) / 2)
    middle = (west + 30 * unit + legend_at[0]) / 2
    y = (north + south - layout.height) / 2 + layout.title_size * 0.86
    spaced = f' letter-spacing="{number(3 * unit)}"'
    out.append(text((middle, y), heading.title.upper(), layout.title_size, theme.ink, extra=spaced))
    y += layout.title_size * 0.29
    for line in layout.caption:
        y += 36 * unit
        out.append(text((middle, y - 9 * unit), line, 27 * unit, theme.ink, extra=' font-weight="bold"'))
    if layout.note:
        y += 18 * unit
        rule = f"M{number(middle - 150 * unit)},{number(y - 10 * unit)}h{number(300 * unit)}"
        out.append(f'<path d="{rule}" stroke="{theme.ink}" stroke-width="{number(1.3 * unit)}"/>')
    for line in layout.note:
        y += 27 * unit
        out.append(text((middle, y - 7 * unit), line, 20 * unit, theme.ink))
    out.append(draw_columns(chart, layout.legend, legend_at))
    return "".join(out)


def panel_background(chart: Chart, box: Box, unit: float) -> str:
    """Draw an empty panel with two lines around it."""
    theme = chart.theme
    out = []
    for inset, fill, wide in ((0.0, theme.panel, 5.0), (8 * unit, "none", 1.2)):
        west, north, east, south = box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset
        place = f'x="{number(west)}" y="{number(north)}" width="{number(east - west)}" height="{number(south - north)}"'
        out.append(f'<rect {place} fill="{fill}" stroke="{theme.ink}" stroke-width="{number(wide * unit)}"/>')
    return "".join(out)


def title_strip(chart: Chart, heading: PictureHeading, view: Box | None = None) -> Strip:
    """Draw the narrow strip above a part of the board. It has the title."""
    theme, (west, north, east, _) = chart.theme, view or chart.view
    unit = min(chart.unit, (east - west) / 620)
    room = east - west - 40 * unit
    lines = [(line, 26.0, "bold") for line in wrap_text(heading.caption, 26 * unit, room, 2)]
    title = (heading.title.upper(), 21.0, "normal")
    lines.insert(0, title)
    lines += [(line, 16.0, "normal") for line in wrap_text(heading.note, 16 * unit, room, 3)]
    high = (sum(size * 1.32 for _, size, _ in lines) + 22) * unit
    y = north - high + 10 * unit
    box = (west, north - high, east, north)
    out = [panel_background(chart, box, unit)]
    for line, size, weight in lines:
        y += size * 1.32 * unit
        bold = ' font-weight="bold"' if weight == "bold" else ""
        at = (west + 20 * unit, y - 0.3 * size * unit)
        out.append(text(at, line, size * unit, theme.ink, anchor="start", extra=bold))
    return Strip(high, "".join(out))


def legend_strip(chart: Chart, found: list[LegendLine]) -> Strip:
    """Draw the strip below a part of the board. It has the legend."""
    west, _, east, south = chart.view
    unit = min(0.85 * chart.unit, (east - west) / 620)
    rows = in_rows(found, east - west - 20 * unit, lambda line: line_width(line, unit))
    high = (len(rows) * ROW + 16) * unit
    out = [panel_background(chart, (west, south, east, south + high), unit)]
    for number_, row in enumerate(rows):
        out.append(draw_row(chart, row, (west + 10 * unit, south + (8 + (number_ + 0.5) * ROW) * unit), unit))
    return Strip(high, "".join(out))


_SIZE = 19.0
"""Size of the text, before scaling."""

_ROW = 46.0
_BOX = 34.0
"""Height of one box of a political track, before scaling."""


class _Item(Struct, frozen=True):
    """Item in a row of a strip: its width, and the function that draws it. The function is called with the middle of
    the item's left edge."""

    wide: float
    draw: Callable[[Point], str]


def footer(chart: Chart, position: Position | None, below: float) -> Strip:
    """Draw the strip below the map, at the distance `below` from it. It has everything that is off the map, and lines
    for which the legend has no room. If there is nothing to show, its height is 0."""
    west, _, east, edge = chart.view
    unit = min(chart.unit, (east - west) / 620)
    rows = _rows(list(_sections(chart, position, unit)), east - west - 40 * unit)
    if not rows:
        return Strip(0.0, "")
    south = edge + below
    high = (len(rows) * _ROW + 16) * unit
    out = [panel_background(chart, (west, south, east, south + high), unit)]
    for number_, row in enumerate(rows):
        y = south + (8 + (number_ + 0.5) * _ROW) * unit
        out += [item.draw((west + 20 * unit + x, y)) for x, item in row]
    return Strip(high, "".join(out))


def _rows(sections: list[list[_Item]], room: float) -> list[list[tuple[float, _Item]]]:
    """Put the sections of the strip into rows. Return each item with its distance from the left. Two short sections can
    share a row."""
    rows: list[list[tuple[float, _Item]]] = []
    is_half_free = False
    for section in filter(None, sections):
        is_short = sum(item.wide for item in section) <= room / 2
        if is_short and is_half_free:
            rows[-1] += _in_row(section, room / 2)
            is_half_free = False
        else:
            rows += [_in_row(row, 0.0) for row in in_rows(section, room, attrgetter("wide"))]
            is_half_free = is_short
    return rows


def _in_row(items: list[_Item], start: float) -> list[tuple[float, _Item]]:
    """Put items beside each other, the first at `start`. Return each item with its distance from the left."""
    places = accumulate((item.wide for item in items), initial=start)
    return list(zip(places, items, strict=False))


def _sections(chart: Chart, position: Position | None, unit: float) -> Iterator[list[_Item]]:
    """Yield the sections of the strip below the map, as lists of items."""
    if position is None:
        return
    if position.absent:
        found: dict[str, list[AbsentPiece]] = {}
        for one in position.absent:
            found.setdefault(one.where, []).append(one)
        yield [item for where, group in found.items() for item in _absentees(chart, where, group, unit)]
    for tallies in position.tallies:
        heading = _words(chart, f"{tallies.title}:", unit, bold=True)
        yield [heading, *(_tally(chart, power, words, unit) for power, words in tallies.powers.items())]
    if position.tracks:
        yield [_track(chart, track, unit) for track in position.tracks]
    if position.facts:
        room = chart.view[2] - chart.view[0] - 60 * unit
        yield [item for fact in position.facts for item in _fact(chart, fact, unit, room)]
    yield [_legend_item(chart, line, unit) for line in lines_below(chart, position)]


def _words(chart: Chart, words: str, unit: float, *, bold: bool = False) -> _Item:
    size = _SIZE * unit
    weight = ' font-weight="bold"' if bold else ""

    def draw(at: Point) -> str:
        return text((at[0], at[1] + 0.33 * size), words, size, chart.theme.ink, anchor="start", extra=weight)

    return _Item(width(words, size, bold=bold) + 20 * unit, draw)


def _legend_item(chart: Chart, line: LegendLine, unit: float) -> _Item:
    small = 0.85 * unit
    return _Item(line_width(line, small), lambda at: draw_row(chart, [line], at, small))


def _fact(chart: Chart, fact: Fact, unit: float, room: float) -> Iterator[_Item]:
    """Yield the items that show a fact. The first has the heading of the fact. A fact that is wider than `room` has an
    item for each of its lines."""
    size = _SIZE * unit
    heading = f"{fact.title}:"
    wide = width(heading, size, bold=True) + 8 * unit
    first, *rest = wrap_text(fact.words, size, room - wide, 3) or [""]
    words = _words(chart, first, unit)

    def draw(at: Point) -> str:
        foot = (at[0], at[1] + 0.33 * size)
        bold = text(foot, heading, size, chart.theme.ink, anchor="start", extra=' font-weight="bold"')
        return bold + words.draw((at[0] + wide, at[1]))

    yield _Item(wide + words.wide + 12 * unit, draw)
    yield from (_words(chart, line, unit) for line in rest)


def _absentees(chart: Chart, where: str, pieces: list[AbsentPiece], unit: float) -> Iterator[_Item]:
    """Yield the items that show a place off the map: its name `where`, which is empty for lost pieces, and the pieces
    there."""
    yield _words(chart, f"{where or chart.words.absent}:", unit, bold=True)
    for one in pieces:
        yield _Item((44 if one is not pieces[-1] else 64) * unit, _sign(chart, one, unit))


def _sign(chart: Chart, one: AbsentPiece, unit: float) -> Callable[[Point], str]:
    def draw(at: Point) -> str:
        sign = (at[0] + 16 * unit, at[1])
        return piece(sign, unit, chart, Marker(one.power, one.label, one.kind == "train", one.face_down))

    return draw


def _tally(chart: Chart, power: str, count: str, unit: float) -> _Item:
    """Return an item that shows the sign of a power, and the amount `count` beside it."""
    words = _words(chart, count, unit)

    def draw(at: Point) -> str:
        sign = piece((at[0] + 14 * unit, at[1]), 0.85 * unit, chart, Marker(power))
        return sign + words.draw((at[0] + 34 * unit, at[1]))

    return _Item(34 * unit + words.wide + 6 * unit, draw)


def _track(chart: Chart, track: Track, unit: float) -> _Item:
    """Return an item that shows the boxes of a political track beside each other. A red marker is in one of them."""
    heading = _words(chart, f"{track.title}:", unit, bold=True)
    size, small = _BOX * unit, 0.8 * _SIZE * unit
    room = [26 * unit if place == track.at else 0.0 for place in range(1, len(track.boxes) + 1)]
    wides = [
        max(size, left + width(words, small) + 14 * unit if words else 0.0)
        for left, words in zip(room, track.boxes, strict=True)
    ]

    def draw(at: Point) -> str:
        theme, out, x = chart.theme, [heading.draw(at)], at[0] + heading.wide
        for left, words, wide in zip(room, track.boxes, wides, strict=True):
            box = f'x="{number(x)}" y="{number(at[1] - size / 2)}" width="{number(wide)}" height="{number(size)}"'
            rim = f'fill="{theme.blank}" stroke="{theme.ink}" stroke-width="{number(1.6 * unit)}"'
            out.append(f"<rect {box} {rim}/>")
            if left:
                rim = f'fill="{theme.red_suit}" stroke="{theme.rim}" stroke-width="{number(2 * unit)}"'
                out.append(disc((x + 17 * unit, at[1]), 10 * unit, f" {rim}"))
            if words:
                foot = (x + (left + wide) / 2, at[1] + 0.33 * small)
                out.append(text(foot, words, small, theme.ink))
            x += wide
        return f'<g class="track" data-at="{track.at}">{"".join(out)}</g>'

    return _Item(heading.wide + sum(wides) + 30 * unit, draw)
