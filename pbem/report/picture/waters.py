"""Rivers and seas, clipped to their map."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from pbem.report.picture.chart import Chart
from pbem.report.picture.geometry import Box, Point, bend, hull_box, inside, number, path, smooth
from pbem.report.picture.scenery import points


def waters(chart: Chart, name: str) -> list[str]:
    theme, stroke, frame = chart.theme, chart.stroke, chart.frame(name)
    out = []
    if rivers := "".join(_river(points(one.line), frame) for one in chart.scenery.rivers if one.map == name):
        wide = number(5.5 * stroke)
        pen = f'stroke="{theme.river}" stroke-width="{wide}" stroke-opacity="0.75" stroke-linecap="round"'
        out.append(f'<path d="{rivers}" fill="none" {pen}/>')
    for sea in chart.scenery.seas:
        if sea.map == name:
            coast = _fine(points(sea.coast))
            out.append(
                f'<path d="{path(clip([*coast, *points(sea.corners)], frame), close=True)}" fill="{theme.sea}"/>'
            )
            shore = "".join(map(path, parts(coast, frame)))
            broad, fine = number(12 * stroke), number(3 * stroke)
            out.append(f'<g fill="none" stroke="{theme.coast}"><path d="{shore}" stroke-width="{fine}"/>')
            out.append(f'<path d="{shore}" stroke-width="{broad}" stroke-opacity="0.25"/></g>')
    return out


def _river(line: list[Point], frame: Box) -> str:
    """River as one curve if it stays on its map, else as the parts of a fine line inside it."""
    west, north, east, south = hull_box(line)
    if west >= frame[0] and north >= frame[1] and east <= frame[2] and south <= frame[3]:
        return smooth(line)
    return "".join(map(path, parts(_fine(line), frame)))


def _fine(line: list[Point]) -> list[Point]:
    """Curve through the points as short straight steps."""
    out = line[:1]
    around = [line[0], *line, line[-1]]
    for a, b, c, d in zip(around, around[1:], around[2:], around[3:], strict=False):
        first, second, end = bend(a, b, c, d)
        for k in range(1, _STEPS + 1):
            t = k / _STEPS
            s = 1 - t
            shares = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
            spots = (b, first, second, end)
            x, y = (sum(share * spot[i] for share, spot in zip(shares, spots, strict=True)) for i in (0, 1))
            out.append((x, y))
    return out


_STEPS = 6
"""Straight steps for one bend of a curve."""


def parts(line: Iterable[Point], frame: Box) -> list[list[Point]]:
    """Parts of a line inside the frame."""
    found: list[list[Point]] = []
    for a, b in pairwise(line):
        step = inside((a, b), frame)
        if step is None:
            continue
        if found and found[-1][-1] == step[0]:
            found[-1].append(step[1])
        else:
            found.append(list(step))
    return found


def clip(corners: list[Point], frame: Box) -> list[Point]:
    """Part of an area inside the frame, cut along one edge of the frame after the other."""
    for axis, sign, edge in ((0, 1, frame[0]), (1, 1, frame[1]), (0, -1, frame[2]), (1, -1, frame[3])):
        left: list[Point] = []
        for a, b in pairwise([*corners[-1:], *corners]):
            deep_a, deep_b = sign * (a[axis] - edge), sign * (b[axis] - edge)
            if (deep_a < 0) != (deep_b < 0):
                share = deep_a / (deep_a - deep_b)
                left.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
            if deep_b >= 0:
                left.append(b)
        corners = left
    return corners
