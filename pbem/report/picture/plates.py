"""Pieces with names: a plate for each general of a stack, the commander's on top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.report.picture.chart import Chart
from pbem.report.picture.geometry import Box, Point, number
from pbem.report.picture.lettering import width
from pbem.report.picture.position import DrawnPiece
from pbem.report.picture.signs import PAPER, PEN, PIECE, Marker, piece, text

SPOTS = (
    *((1.0, 0.0), (-1.0, 0.0), (0.55, -1.0), (-0.55, -1.0), (0.55, 1.0), (-0.55, 1.0), (0.0, -1.0), (0.0, 1.0)),
    *((1.0, -0.9), (-1.0, -0.9), (1.0, 0.9), (-1.0, 0.9), (0.8, -1.8), (-0.8, -1.8), (0.8, 1.8), (-0.8, 1.8)),
    *((1.4, 0.0), (-1.4, 0.0), (1.3, -1.6), (-1.3, -1.6), (1.3, 1.6), (-1.3, 1.6)),
)
"""Possible places of plates beside a city, in units of their own size and that of the city's sign."""

_LARGER = 1.22
"""Factor of a piece with a name against one without."""

_ROW = 38.5
_NAME, _TROOPS = 18.0, 20.5
"""Heights of a row and of its letters, before scaling. Readers look for the number of troops, so it is larger."""


def half_sizes(chart: Chart, pieces: Sequence[DrawnPiece]) -> tuple[float, float]:
    """Half the width and half the height of the plates of a stack."""
    wide = max(_disc(chart) + _words_width(chart, one) for one in pieces)
    return wide / 2 + chart.unit, len(pieces) * _ROW * chart.unit / 2


def _disc(chart: Chart) -> float:
    return 2 * PIECE * _LARGER * chart.unit


def _name_size(chart: Chart) -> float:
    return _NAME * chart.unit


def _words_width(chart: Chart, one: DrawnPiece) -> float:
    """Length of a plate beyond the disc at its head."""
    if not one.name:
        return 0.0
    name = width(one.name, _name_size(chart), bold=bool(one.troops)) + 12 * chart.unit
    return name + _troops_width(chart, one)


def _troops_width(chart: Chart, one: DrawnPiece) -> float:
    return width(str(one.troops), _TROOPS * chart.unit, bold=True) + 7 * chart.unit if one.troops else 0.0


def rows(chart: Chart, pieces: Sequence[DrawnPiece], box: Box) -> Iterator[tuple[DrawnPiece, Point]]:
    """Pieces of a stack, each with the middle of its disc."""
    for k, one in enumerate(pieces):
        yield one, (box[0] + chart.unit + _disc(chart) / 2, box[1] + (k + 0.5) * _ROW * chart.unit)


def plate(chart: Chart, one: DrawnPiece, at: Point) -> str:
    """One piece with its disc around `at`, and its name and troops on a plate behind it."""
    unit = chart.unit
    sign = piece(at, _LARGER * unit, chart, Marker(one.power, one.label, one.kind == "train", one.face_down))
    if not one.name:
        return sign
    hue = chart.hue(one.power)
    fill, pen = (PAPER, PEN) if one.face_down else (hue.ink, hue.pen)
    edge = chart.theme.rim if one.face_down else chart.rim(one.power)
    high, wide = 27 * unit, _disc(chart) / 2 + _words_width(chart, one)
    shape = f'x="{number(at[0])}" y="{number(at[1] - high / 2)}" width="{number(wide)}" height="{number(high)}"'
    back = f'<rect {shape} rx="{number(5 * unit)}" fill="{fill}" stroke="{edge}" stroke-width="{number(2 * unit)}"/>'
    return back + _words(chart, one, (at[0] + _disc(chart) / 2 + 4 * unit, at[1]), pen) + sign


def _words(chart: Chart, one: DrawnPiece, start: Point, pen: str) -> str:
    """Name, and behind it the number of troops in larger letters."""
    size, bold = _name_size(chart), ' font-weight="bold"' if one.troops else ""
    out = text((start[0], start[1] + 0.33 * size), one.name, size, pen, anchor="start", extra=bold)
    if one.troops:
        size = _TROOPS * chart.unit
        end = (start[0] + _words_width(chart, one) - 8 * chart.unit, start[1] + 0.35 * size)
        out += text(end, str(one.troops), size, pen, anchor="end", extra=bold)
    return out
