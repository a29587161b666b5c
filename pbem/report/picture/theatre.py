"""Theatre of a reader: the parts of a board that are shown enlarged, around his pieces and events near them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from pbem.report.picture.geometry import Box, Point, hull_box

ACROSS = (16.0, 24.0)
"""Widths of a part, in typical distances between cities.

The first is preferred, so that readers share its drawing; the second is for pieces that stand too far apart.
"""

_TOO_HIGH = 1.7
"""Most height of all parts of the first width, in widths."""

_TALLEST = 1.0
"""Height of all parts together, in widths, if one's own pieces do not need more."""

_MARGIN = 1.4
"""Least distance of a piece from the edge of its part, in typical distances between cities."""

_NEAR = 3.0
"""Distance from one's own pieces within which something matters, in the same unit."""

_LEAST = 0.4
"""Least height of one part, in widths."""


class Theatre(Struct, frozen=True):
    """Parts of one board, all of the same width, from north-west to south-east."""

    across: float
    """Width in pixels of the board."""
    fine: float
    """Pixels for each pixel in a mail; parts of the larger width have no extra ones."""
    windows: tuple[Box, ...]
    title: str = ""
    """Text above the parts."""

    def holds(self, point: Point) -> bool:
        return any(within(window, point) for window in self.windows)


def within(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def theatre_around(own: Sequence[Point], others: Iterable[Point], spacing: float, room: Box) -> Theatre | None:
    """Parts that hold all of one's own points, and nearby other points; None where the board is too small."""
    widths = [across * spacing for across in ACROSS if across * spacing <= room[2] - room[0]]
    if not own or not widths:
        return None
    near = [point for point in others if min(math.dist(point, mine) for mine in own) <= _NEAR * spacing]
    for across in widths:
        groups = sorted(_groups(sorted(set(own)), across - 2 * _MARGIN * spacing))
        heights = [_least_height(group, across, spacing) for group in groups]
        if sum(heights) <= _TOO_HIGH * across:
            break
    more = max(_TALLEST * across - sum(heights), 0.0) / len(groups)
    windows = (
        _window(group, near, (across, high, high + more), spacing, room)
        for group, high in zip(groups, heights, strict=True)
    )
    return Theatre(across, 1.25 if across == widths[0] else 1.0, tuple(windows))


def _least_height(group: list[Point], across: float, spacing: float) -> float:
    """Least height of a part that holds a group."""
    _, north, _, south = hull_box(group)
    return max(south - north + 2 * _MARGIN * spacing, _LEAST * across)


def _groups(points: list[Point], most: float) -> Iterator[list[Point]]:
    """Points in groups that fit into a square, split where the gap between them is widest."""
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


def _window(group: list[Point], near: list[Point], sizes: tuple[float, float, float], spacing: float, room: Box) -> Box:
    """Part that holds a group with a margin around it, and as many nearby points as fit."""
    (across, least, most), margin = sizes, _MARGIN * spacing
    must = hull_box(group)
    seen = [point for point in near if min(math.dist(point, mine) for mine in group) <= _NEAR * spacing]
    wish = hull_box([*group, *seen])
    west = _begin((must[0], must[2]), (wish[0], wish[2]), across, margin, (room[0], room[2]))
    high = math.ceil(max(least, min(wish[3] - wish[1] + margin, most)) / spacing) * spacing
    high = min(high, room[3] - room[1])
    north = _begin((must[1], must[3]), (wish[1], wish[3]), high, margin, (room[1], room[3]))
    return (west, north, west + across, north + high)


def _begin(
    must: tuple[float, float], wish: tuple[float, float], long: float, margin: float, room: tuple[float, float]
) -> float:
    """Start of a part of this length: centred on `wish`, as far as `must` and the board allow."""
    start = (wish[0] + wish[1] - long) / 2
    start = max(min(start, must[0] - margin), must[1] + margin - long)
    return min(max(start, room[0]), room[1] - long)
