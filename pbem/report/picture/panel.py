"""Frame of a picture: title and note, the legend, and the strips above and below."""

from __future__ import annotations

from msgspec import Struct

from pbem.report.picture.chart import Chart
from pbem.report.picture.geometry import Box, number
from pbem.report.picture.legend import ROW, Columns, LegendEntry, draw_columns, draw_row, in_columns, in_rows
from pbem.report.picture.lettering import width, wrap_text
from pbem.report.picture.signs import text

_FEWEST_ROWS, _MOST_ROWS = 4, 40
"""Rows of a legend that are tried for the strip above a board."""


class PictureHeading(Struct, frozen=True):
    """Words at the head of a picture."""

    title: str
    note: str
    caption: str


class _Layout(Struct, frozen=True):
    """Panel that fits its box: title size, lines, legend."""

    unit: float
    title_size: float
    note: tuple[str, ...]
    caption: tuple[str, ...]
    legend: Columns

    @property
    def height(self) -> float:
        """Height of title, caption and note together."""
        lines = 27 * len(self.note) + 36 * len(self.caption) + (18 if self.note else 0)
        return self.title_size * 1.15 + lines * self.unit


def _layout(heading: PictureHeading, found: list[LegendEntry], wide: float, high: float, unit: float) -> _Layout | None:
    """Panel at this scale; None if that is too large for its box."""
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


def panel(chart: Chart, box: Box, heading: PictureHeading, found: list[LegendEntry]) -> str:
    """Title and legend in a given box, as large as possible."""
    unit = chart.unit
    layout = None
    while layout is None and unit > 0.02 * chart.unit:
        layout = _layout(heading, found, box[2] - box[0], box[3] - box[1], unit)
        unit *= 0.95
    return _draw(chart, box, heading, layout) if layout else ""


def header(chart: Chart, heading: PictureHeading, found: list[LegendEntry]) -> tuple[float, str]:
    """Strip with title and legend above the whole board: its height and its drawing."""
    west, north, east, _ = chart.view
    unit = min(chart.unit, (east - west) / 900)
    # The lowest strip that fits at this scale: with more rows the legend is narrower and leaves the title more room.
    for rows in range(_FEWEST_ROWS, _MOST_ROWS):
        high = (rows * ROW + 40) * unit
        layout = _layout(heading, found, east - west, high, unit)
        if layout:
            return high, _draw(chart, (west, north - high, east, north), heading, layout)
    # None fits, as on a very narrow board. Then the height is fixed, and `panel` reduces the scale until all fits.
    high = 12 * ROW * unit
    return high, panel(chart, (west, north - high, east, north), heading, found)


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
    """Empty panel with its two rims."""
    theme = chart.theme
    out = []
    for inset, fill, wide in ((0.0, theme.panel, 5.0), (8 * unit, "none", 1.2)):
        west, north, east, south = box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset
        place = f'x="{number(west)}" y="{number(north)}" width="{number(east - west)}" height="{number(south - north)}"'
        out.append(f'<rect {place} fill="{fill}" stroke="{theme.ink}" stroke-width="{number(wide * unit)}"/>')
    return "".join(out)


def title_strip(chart: Chart, heading: PictureHeading, view: Box | None = None) -> tuple[float, str]:
    """Narrow strip above a part of the board: its height and its drawing."""
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
    return high, "".join(out)


def legend_strip(chart: Chart, found: list[LegendEntry]) -> tuple[float, str]:
    """Strip with the legend below a crop: its height and its drawing."""
    west, _, east, south = chart.view
    unit = min(0.85 * chart.unit, (east - west) / 620)
    rows = in_rows(found, east - west - 20 * unit, unit)
    high = (len(rows) * ROW + 16) * unit
    out = [panel_background(chart, (west, south, east, south + high), unit)]
    for number_, row in enumerate(rows):
        out.append(draw_row(chart, row, (west + 10 * unit, south + (8 + (number_ + 0.5) * ROW) * unit), unit))
    return high, "".join(out)
