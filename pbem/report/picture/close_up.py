"""Picture of a reader's theatre: its parts enlarged, and below them the whole board small beside the legend."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.board import BoardData
from pbem.report.picture.chart import Chart, Extent, chart_of
from pbem.report.picture.draw import layers_of
from pbem.report.picture.drawing import Drawing, Inset, Part, Patch
from pbem.report.picture.geometry import Box, enlarge, number
from pbem.report.picture.ground import ground
from pbem.report.picture.legend import ROW, LegendEntry, draw_row, entries_of_parts, in_rows
from pbem.report.picture.panel import PictureHeading, title_strip
from pbem.report.picture.position import PictureWords, Position
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.signs import disc
from pbem.report.picture.theatre import Theatre
from pbem.report.picture.theme import Theme

SEEN = 670
"""Width in pixels at which a mail shows a picture and signs and names are readable."""

_LITTLE = 0.36
"""Share of the width for the small board."""


def chart_of_theatre(
    data: BoardData, scenery: Scenery | None, theme: Theme, words: PictureWords, parts: tuple[Theatre, tuple[str, ...]]
) -> Chart:
    """Chart of some maps of a board, in the size in which a mail shows the parts of a theatre."""
    theatre, maps = parts
    west, _, east, _ = chart_of(data, scenery, theme, words, Extent(maps=maps)).view
    return chart_of(data, scenery, theme, words, Extent(None, round((east - west) * SEEN / theatre.across), maps))


def close_up(chart: Chart, position: Position, theatre: Theatre, density: float = 1.0) -> tuple[Drawing, ...]:
    """Parts of a theatre, to be laid one below the other. `density` is their pixels for each pixel in a mail."""
    room = chart.view
    scale = round((chart.width or 0) * density) / (room[2] - room[0])
    windows = [_snap_window(window, room, scale, round(SEEN * density)) for window in theatre.windows]
    heading = PictureHeading(theatre.title, "", position.caption)
    return tuple(_part(chart, position, (window, windows), scale, heading) for window in windows)


def _snap_window(window: Box, room: Box, scale: float, wide: int) -> Box:
    """Part whose edges lie between pixels of the whole board."""
    left, top = (round((window[k] - room[k]) * scale) for k in (0, 1))
    high = round((window[3] - window[1]) * scale)
    left = min(left, round((room[2] - room[0]) * scale) - wide)
    top = min(top, round((room[3] - room[1]) * scale) - high)
    sides = (left, top, left + wide, top + high)
    return (
        room[0] + sides[0] / scale,
        room[1] + sides[1] / scale,
        room[0] + sides[2] / scale,
        room[1] + sides[3] / scale,
    )


def _part(
    chart: Chart, position: Position, at: tuple[Box, Sequence[Box]], scale: float, heading: PictureHeading
) -> Drawing:
    """One part: the first has the title above it, the last the strip below."""
    window, windows = at
    (west, top, east, edge), around_it, inset = window, [], None
    if window == windows[0]:
        high, drawn = title_strip(chart, heading, window)
        top = window[1] - round(high * scale) / scale
        around_it.append(Patch((west, top, east, window[1]), drawn))
    if window == windows[-1]:
        below, inset = _strip(chart, position, windows)
        around_it.append(below)
        edge = below.box[3]
    part = Part(chart.view, scale, window, (chart.theme.ink, 3 * chart.unit), inset)
    return layers_of(chart, position, (west, top, east, edge), around_it, part)


def _frame(chart: Chart, box: Box, wide: float) -> str:
    west, north, east, south = box
    place = f'x="{number(west)}" y="{number(north)}" width="{number(east - west)}" height="{number(south - north)}"'
    return f'<rect {place} fill="none" stroke="{chart.theme.ink}" stroke-width="{number(wide)}"/>'


def _strip(chart: Chart, position: Position, windows: Sequence[Box]) -> tuple[Patch, Inset]:
    """Small whole board, with the parts marked and every piece as a dot, and the legend beside it."""
    unit, view = chart.unit, chart.view
    west, _, east, south = windows[-1]
    gap = 12 * unit
    little = _LITTLE * (east - west)
    small = little / (view[2] - view[0])
    room = east - west - little - 4 * gap
    laid = in_rows(entries_of_parts(chart, position, windows), room, 0.85 * unit)
    high = max(small * (view[3] - view[1]) + 2 * gap, len(laid) * ROW * 0.85 * unit + 2 * gap)
    box = (west, south, east, south + high)
    inset = (west + gap, south + gap, west + gap + little, south + gap + small * (view[3] - view[1]))
    out = [_around_inset(chart, box, inset), _marks(chart, position, windows, inset, small)]
    out += _legend(chart, laid, (inset[2] + 2 * gap, south + gap), 0.85 * unit)
    grounds = "".join(ground(chart, name) for name in chart.maps)
    return Patch(box, "".join(out)), Inset(inset, grounds)


def _around_inset(chart: Chart, box: Box, inset: Box) -> str:
    """Panel with a hole in which the small board shows."""
    theme = chart.theme
    outer, inner = (f"M{number(w)},{number(n)}H{number(e)}V{number(s)}H{number(w)}z" for w, n, e, s in (box, inset))
    return (
        f'<path d="{outer}{inner}" fill-rule="evenodd" fill="{theme.panel}"/>'
        + _frame(chart, enlarge(box, -2 * chart.unit), 3 * chart.unit)
        + _frame(chart, inset, 2 * chart.unit)
    )


def _marks(chart: Chart, position: Position, windows: Sequence[Box], inset: Box, small: float) -> str:
    """Pieces and parts on the small board."""

    def there(x: float, y: float) -> tuple[float, float]:
        return inset[0] + (x - chart.view[0]) * small, inset[1] + (y - chart.view[1]) * small

    out = []
    for one in reversed(position.pieces):
        rim = f'stroke="{chart.rim(one.power)}" stroke-width="{number(1.5 * chart.unit)}"'
        radius = (7 if one.kind == "general" else 4) * chart.unit
        out.append(disc(there(*chart.at[chart.city(one.city)]), radius, f' fill="{chart.hue(one.power).ink}" {rim}'))
    for window in windows:
        out.append(_frame(chart, (*there(*window[:2]), *there(*window[2:])), 4 * chart.unit))
    return "".join(out)


def _legend(chart: Chart, laid: list[list[LegendEntry]], corner: tuple[float, float], unit: float) -> list[str]:
    """Rows of the legend from a corner on."""
    return [draw_row(chart, row, (corner[0], corner[1] + (k + 0.5) * ROW * unit), unit) for k, row in enumerate(laid)]
