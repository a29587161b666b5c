"""Picture of a reader's theatre. It shows the parts of a board that concern this reader, enlarged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from msgspec import Struct

from pbem.engine.board import BoardData
from pbem.report.picture.chart import Chart, Extent, chart_of
from pbem.report.picture.draw import layers_of
from pbem.report.picture.drawing import Drawing, Inset, Part, Patch
from pbem.report.picture.geometry import Box, Point, area, enlarge, gap, hull_box, meet, number, overlap
from pbem.report.picture.ground import ground
from pbem.report.picture.legend import ROW, draw_row, in_rows, line_width, lines_of_parts
from pbem.report.picture.panel import PictureHeading, title_strip
from pbem.report.picture.position import PictureWords, Position
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.signs import disc
from pbem.report.picture.theme import Theme

ACROSS = (16.0, 24.0)
"""Possible widths of a part, measured in typical distances between cities.

The first width is preferred, because the drawing of the board can then be used for several readers. The second is used
if the pieces are far apart.
"""

_TOO_HIGH = 1.7
"""Largest total height of all parts, as a multiple of their width. If a width in `ACROSS` leads to a greater height,
the next width is tried."""

_TALLEST = 1.0
"""Usual limit for the total height of all parts, as a multiple of their width. They are higher only if the reader's own
pieces need more room."""

_MARGIN = 1.4
"""Smallest distance of a reader's piece from the edge of its part, measured in typical distances between cities."""

_NEAR = 3.0
"""Largest distance at which a point is near enough to the reader's pieces to be shown, measured in typical distances
between cities."""

_LEAST = 0.4
"""Smallest height of one part, as a multiple of its width."""


_ROUNDS = 2
"""Number of times that the program tries to move each part away from the others."""


class Theatre(Struct, frozen=True):
    """Parts of a board that concern a reader. All have the same width. They are in order from north-west to
    south-east."""

    across: float
    """Width of each part, in pixels of the board."""
    windows: tuple[Box, ...]
    title: str = ""
    """Text that is shown above the parts."""

    def holds(self, point: Point) -> bool:
        return any(gap(window, point) == 0 for window in self.windows)


def theatre_around(own: Sequence[Point], others: Iterable[Point], spacing: float, board: Box) -> Theatre | None:
    """Return the parts of a board that show all points in `own`, and as many points of `others` near to them as there
    is room for. Return None if `own` is empty or the board is too small."""
    widths = [across * spacing for across in ACROSS if across * spacing <= board[2] - board[0]]
    if not own or not widths:
        return None
    near = [point for point in others if min(math.dist(point, mine) for mine in own) <= _NEAR * spacing]
    for across in widths:
        groups = sorted(_groups(sorted(set(own)), across - 2 * _MARGIN * spacing))
        heights = [_least_height(group, across, spacing) for group in groups]
        if sum(heights) <= _TOO_HIGH * across:
            break
    more = max(_TALLEST * across - sum(heights), 0.0) / len(groups)
    parts = [
        _window(group, near, (across, high, high + more), spacing, board)
        for group, high in zip(groups, heights, strict=True)
    ]
    for k in [*range(len(parts))] * _ROUNDS:
        rest = parts[:k] + parts[k + 1 :]
        parts[k] = _place_apart(parts[k], rest, (hull_box(groups[k]), heights[k]), spacing, board)
    return Theatre(across, tuple(parts))


def _place_apart(window: Box, others: Sequence[Box], needs: tuple[Box, float], spacing: float, board: Box) -> Box:
    """Return the rectangle `window` after it was moved or made less high, so that it shows less of the rectangles
    `others`. `needs` has a rectangle that must stay inside it, and its smallest height."""
    (must, least), margin, across = needs, _MARGIN * spacing, window[2] - window[0]
    near = [other for other in others if meet(other, window)]
    places = [window]
    for high in _heights(window[3] - window[1], least, spacing) if near else ():
        sides = ((0, across), (1, high))
        starts = [
            {
                _start_of_part((must[k], must[k + 2]), (start, start + long), long, margin, (board[k], board[k + 2]))
                for start in (window[k], *(other[k + 2] for other in near), *(other[k] - long for other in near))
            }
            for k, long in sides
        ]
        places += [(west, north, west + across, north + high) for west, north in product(*map(sorted, starts))]

    def cost(place: Box) -> float:
        twice = sum(overlap(place, other) for other in others)
        return 2 * twice - area(place) + 0.1 * spacing * math.dist(place[:2], window[:2])

    return min(places, key=cost)


def _heights(high: float, least: float, spacing: float) -> Iterator[float]:
    """Yield possible heights of a part, from `high` down to `least`, in steps of `spacing`."""
    while high >= least:
        yield high
        high -= spacing


def _least_height(group: list[Point], across: float, spacing: float) -> float:
    """Return the smallest height of a part of the map that shows a group of points with margins around them. `across`
    is the width of the part, `spacing` the usual distance of cities."""
    _, north, _, south = hull_box(group)
    return max(south - north + 2 * _MARGIN * spacing, _LEAST * across)


def _groups(points: list[Point], most: float) -> Iterator[list[Point]]:
    """Split points into groups, each of which fits into a square with sides of the length `most`. A larger group is
    split at its widest gap."""
    west, north, east, south = hull_box(points)
    if max(east - west, south - north) <= most:
        yield points
        return
    gaps = []
    for axis in (0, 1):
        order = sorted(points, key=lambda point: (point[axis], point))
        steps = [(order[k][axis] - order[k - 1][axis], -k) for k in range(1, len(order))]
        gap, place = max(steps)
        gaps.append((gap, -axis, order[:-place], order[-place:]))
    _, _, first, second = max(gaps)
    yield from _groups(first, most)
    yield from _groups(second, most)


def _window(
    group: list[Point], near: list[Point], sizes: tuple[float, float, float], spacing: float, board: Box
) -> Box:
    """Return the rectangle of a part of the board. Its middle is that of a group of points and of the points in `near`
    that are close to them. `sizes` has its width, its smallest height and its largest height."""
    (across, least, most), margin = sizes, _MARGIN * spacing
    must = hull_box(group)
    seen = [point for point in near if min(math.dist(point, mine) for mine in group) <= _NEAR * spacing]
    wish = hull_box([*group, *seen])
    west = _start_of_part((must[0], must[2]), (wish[0], wish[2]), across, margin, (board[0], board[2]))
    high = math.ceil(max(least, min(wish[3] - wish[1] + margin, most)) / spacing) * spacing
    high = min(high, board[3] - board[1])
    north = _start_of_part((must[1], must[3]), (wish[1], wish[3]), high, margin, (board[1], board[3]))
    return (west, north, west + across, north + high)


def _start_of_part(
    must: tuple[float, float], wish: tuple[float, float], long: float, margin: float, room: tuple[float, float]
) -> float:
    """Return where a part starts on one axis. The part has the length `long`, its middle is as near as possible to the
    middle of `wish`, and it shows `must` with a margin. It does not go beyond `room`."""
    start = (wish[0] + wish[1] - long) / 2
    start = max(min(start, must[0] - margin), must[1] + margin - long)
    return min(max(start, room[0]), room[1] - long)


SEEN = 670
"""Width in which a mail shows the picture, in pixels."""

_ON_PHONE = 9.05 * SEEN / 360
"""Smallest height of names in a picture of the width `SEEN`. On a telephone 360 pixels wide, such names are nine pixels
high. Names for which there is no room are left out."""

_LITTLE = 0.36
"""Width of the small picture of the whole board beside the legend, as a share of the width of the whole picture."""


def chart_of_theatre(
    board: BoardData, scenery: Scenery | None, theme: Theme, words: PictureWords, parts: tuple[Theatre, tuple[str, ...]]
) -> Chart:
    """Return the chart of a whole board, in the size in which a mail shows the parts of a theatre. `parts` has the
    theatre and the maps in play."""
    theatre, maps = parts
    west, _, east, _ = chart_of(board, scenery, theme, words, Extent(maps=maps)).view
    width = round((east - west) * SEEN / theatre.across)
    return chart_of(board, scenery, theme, words, Extent(None, width, maps, _ON_PHONE))


def close_up(chart: Chart, position: Position, theatre: Theatre, density: float = 1.0) -> tuple[Drawing, ...]:
    """Draw the parts of a theatre, which are to be put one below the other. Each pixel that a mail shows has `density`
    pixels."""
    room = chart.view
    scale = round((chart.width or 0) * density) / (room[2] - room[0])
    windows = [_snap_window(window, room, scale, round(SEEN * density)) for window in theatre.windows]
    heading = PictureHeading(theatre.title, "", position.caption)
    return tuple(_part(chart, position, (window, windows), scale, heading) for window in windows)


def _snap_window(window: Box, room: Box, scale: float, wide: int) -> Box:
    """Return the rectangle `window` rounded to whole pixels and `wide` pixels wide. It stays inside `room`, which is
    the picture of the whole board."""
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
    chart: Chart, position: Position, places: tuple[Box, Sequence[Box]], scale: float, heading: PictureHeading
) -> Drawing:
    """Draw one part of a theatre. The first part has the title above it, the last has the legend below it. `places` has
    the rectangle of this part, and the rectangles of all parts."""
    window, windows = places
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
    """Draw the strip below the last part. It has the legend, and a small picture of the whole board in which the parts
    and the pieces are marked."""
    unit, view = chart.unit, chart.view
    west, _, east, south = windows[-1]
    space, little_unit = 12 * unit, 0.85 * unit
    little = _LITTLE * (east - west)
    small = little / (view[2] - view[0])
    room = east - west - little - 4 * space
    legend_lines = lines_of_parts(chart, position, windows)
    laid = in_rows(legend_lines, room, lambda line: line_width(line, little_unit))
    high = max(small * (view[3] - view[1]), len(laid) * ROW * little_unit) + 2 * space
    box = (west, south, east, south + high)
    inset = (west + space, south + space, west + space + little, south + space + small * (view[3] - view[1]))
    theme = chart.theme
    # This is a panel with a hole, through which the small board is seen.
    outer, inner = (f"M{number(w)},{number(n)}H{number(e)}V{number(s)}H{number(w)}z" for w, n, e, s in (box, inset))
    out = [
        (
            f'<path d="{outer}{inner}" fill-rule="evenodd" fill="{theme.panel}"/>'
            + _frame(chart, enlarge(box, -2 * chart.unit), 3 * chart.unit)
            + _frame(chart, inset, 2 * chart.unit)
        ),
        _marks(chart, position, windows, inset, small),
    ]
    for k, row in enumerate(laid):
        at = (inset[2] + 2 * space, south + space + (k + 0.5) * ROW * little_unit)
        out.append(draw_row(chart, row, at, little_unit))
    grounds = "".join(ground(chart, name) for name in chart.maps)
    return Patch(box, "".join(out)), Inset(inset, grounds)


def _marks(chart: Chart, position: Position, windows: Sequence[Box], inset: Box, small: float) -> str:
    """Draw marks on the small picture of the whole board: a dot for each piece, and a frame around each enlarged
    part."""

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
