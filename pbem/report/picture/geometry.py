"""Plane geometry for pictures: points, rectangles, segments, SVG paths, and the Voronoi cells around cities."""

from __future__ import annotations

import math
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import starmap

Point = tuple[float, float]
Segment = tuple[Point, Point]

Box = tuple[float, float, float, float]
"""Sides of a rectangle: west, north, east, south."""


def number(value: float) -> str:
    """Return a number as text for SVG, with at most one decimal."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def path(points: Sequence[Point], *, close: bool = False) -> str:
    """Return SVG path data with straight lines through the points, in relative steps. With `close`, a last line goes
    back to the first point."""
    x, y = (round(value, 1) for value in points[0])
    out = [f"M{number(x)},{number(y)}"]
    for point in points[1:]:
        next_x, next_y = round(point[0], 1), round(point[1], 1)
        if next_x != x or next_y != y:
            out.append(f"l{number(next_x - x)},{number(next_y - y)}")
        x, y = next_x, next_y
    return "".join(out) + ("z" if close else "")


def smooth(points: Sequence[Point]) -> str:
    """Return SVG path data with a curve through the points. The curve is a Catmull-Rom spline, written as Bézier
    curves."""
    out = f"M{number(points[0][0])},{number(points[0][1])}"
    for step in bends(points):
        out += "C" + " ".join(f"{number(x)},{number(y)}" for x, y in step)
    return out


def bends(points: Sequence[Point]) -> Iterator[tuple[Point, Point, Point]]:
    """Yield each step of the curve that `smooth` draws, as its two control points and its end."""
    p = [points[0], *points, points[-1]]
    return starmap(bend, zip(p, p[1:], p[2:], p[3:], strict=False))


def bend(before: Point, start: Point, end: Point, after: Point) -> tuple[Point, Point, Point]:
    """Return the two control points and the end of a curve from `start` to `end`. It is a step of a longer curve, in
    which `before` is the point before `start`, and `after` the point after `end`."""
    first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
    second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
    return first, second, end


def chance(key: str) -> int:
    """Return a number that looks random, but depends on the key alone."""
    return zlib.crc32(key.encode("utf-8", "backslashreplace"))


def wander(start: Point, end: Point, key: str, *, least: float, depth: int = 3) -> list[Point]:
    """Return a winding line between two points. It is bent in the middle, then each half is bent in the same way, up to
    `depth` times.

    Pieces shorter than `least` stay straight. The bends depend on `key`, and are the same in both directions.
    """
    if start > end:
        return wander(end, start, key, least=least, depth=depth)[::-1]
    if depth == 0 or math.dist(start, end) < least:
        return [start, end]
    seed = chance(f"{key}{depth}{start[0]:.0f},{start[1]:.0f}")
    shift = (seed % 1000 / 1000 - 0.5) * 0.34
    middle = (
        (start[0] + end[0]) / 2 - (end[1] - start[1]) * shift,
        (start[1] + end[1]) / 2 + (end[0] - start[0]) * shift,
    )
    first = wander(start, middle, key, least=least, depth=depth - 1)
    return first + wander(middle, end, key, least=least, depth=depth - 1)[1:]


def box_around(point: Point, half_width: float, half_height: float | None = None) -> Box:
    """Return the rectangle around a point. It is a square if `half_height` is not given."""
    half_height = half_width if half_height is None else half_height
    return (point[0] - half_width, point[1] - half_height, point[0] + half_width, point[1] + half_height)


def enlarge(box: Box, margin: float) -> Box:
    return (box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin)


def corners(box: Box) -> tuple[Point, Point]:
    """Return the north-west corner and the south-east corner."""
    return (box[0], box[1]), (box[2], box[3])


def gap(box: Box, point: Point) -> float:
    """Return the distance between a point and a rectangle. It is 0 if the point is inside."""
    return math.hypot(max(box[0] - point[0], 0, point[0] - box[2]), max(box[1] - point[1], 0, point[1] - box[3]))


def is_nearer(box: Box, others: Iterable[Point], own: Point) -> bool:
    """True if the rectangle is nearer to one of the points `others` than to the point `own`."""
    least = gap(box, own)
    return any(gap(box, other) < least for other in others)


def middle(box: Box) -> Point:
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def meet(first: Box, second: Box) -> bool:
    """True if two rectangles overlap."""
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def holds(outer: Box, inner: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def intersection(first: Box, second: Box) -> Box | None:
    """Return the rectangle that two rectangles have in common. Return None if they do not overlap."""
    if not meet(first, second):
        return None
    return (max(first[0], second[0]), max(first[1], second[1]), min(first[2], second[2]), min(first[3], second[3]))


def overlap(first: Box, second: Box) -> float:
    """Return the area that two rectangles have in common."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    if width <= 0:
        return 0.0
    height = min(first[3], second[3]) - max(first[1], second[1])
    return width * height if height > 0 else 0.0


def length_inside(box: Box, segment: Segment) -> float:
    part = part_inside(segment, box)
    return math.dist(*part) if part else 0.0


def part_inside(segment: Segment, box: Box) -> Segment | None:
    (ax, ay), (bx, by) = segment
    west, north, east, south = box
    if (
        (ax < west and bx < west)
        or (ax > east and bx > east)
        or (ay < north and by < north)
        or (ay > south and by > south)
    ):
        return None
    enter, leave = 0.0, 1.0
    for start, step, low, high in ((ax, bx - ax, box[0], box[2]), (ay, by - ay, box[1], box[3])):
        if abs(step) < 1e-9:
            continue
        near, far = sorted(((low - start) / step, (high - start) / step))
        enter, leave = max(enter, near), min(leave, far)
    if leave <= enter:
        return None
    first = (ax + (bx - ax) * enter, ay + (by - ay) * enter) if enter > 0 else segment[0]
    last = (ax + (bx - ax) * leave, ay + (by - ay) * leave) if leave < 1 else segment[1]
    return first, last


def distance_to(point: Point, segment: Segment) -> float:
    a, b = segment
    along_x, along_y = b[0] - a[0], b[1] - a[1]
    length = along_x * along_x + along_y * along_y
    share = ((point[0] - a[0]) * along_x + (point[1] - a[1]) * along_y) / length if length else 0.0
    share = max(0.0, min(1.0, share))
    return math.dist(point, (a[0] + share * along_x, a[1] + share * along_y))


def point_towards(start: Point, target: Point, distance: float) -> Point:
    length = math.dist(start, target) or 1.0
    return (
        start[0] + (target[0] - start[0]) / length * distance,
        start[1] + (target[1] - start[1]) / length * distance,
    )


def hull_box(points: Iterable[Point]) -> Box:
    """Return the smallest rectangle that contains all points."""
    columns, rows = zip(*points, strict=True)
    return (min(columns), min(rows), max(columns), max(rows))


FRAME = -1
"""Number that stands in place of a neighbour's index, if the side of a cell is on the frame of the map."""

OPEN = -2
"""Number that stands in place of a neighbour's index, if land ends at the side of a cell and nothing lies beyond."""

_HAIR = 0.3
"""Distance in pixels below which two corners count as the same corner."""

Corner = tuple[Point, int]
"""Corner of a cell, with the index of the neighbour on the other side of the edge that begins at this corner."""

Cell = Sequence[Corner]
"""Corners of a cell, in order around the cell."""

Side = Callable[[int, int], list[Point]]
"""Function that returns the line along one side of a cell. It is called with the index of the cell, and the index of
the corner where the side begins."""


@lru_cache(maxsize=8)
def typical_spacing(points: Sequence[Point]) -> float:
    """Return the median of the distances from each point to its nearest neighbour. Return 0 if there are fewer than two
    points."""
    if len(points) < 2:
        return 0.0
    nearest = []
    order = sorted(points)
    for i, point in enumerate(order):
        best = math.inf
        for other in _outwards(order, i):
            if abs(other[0] - point[0]) >= best:
                break
            best = min(best, math.dist(point, other))
        nearest.append(best)
    return sorted(nearest)[len(nearest) // 2]


def _outwards(order: list[Point], start: int) -> Iterator[Point]:
    """Yield all points of `order` except for `order[start]`. `order` must be sorted by x. Points whose x is nearest to
    that of `order[start]` come first."""
    x = order[start][0]
    west, east = start - 1, start + 1
    while west >= 0 or east < len(order):
        if east == len(order) or (west >= 0 and x - order[west][0] <= order[east][0] - x):
            yield order[west]
            west -= 1
        else:
            yield order[east]
            east += 1


@lru_cache(maxsize=8)
def cells(
    places: tuple[Point, ...], frame: Box, spacing: float, reach: float | None = None
) -> tuple[tuple[Corner, ...], ...]:
    """Return the Voronoi cell of each place. With `reach`, the parts of a cell that are farther from its place are cut
    off. `spacing` is the usual distance between neighbouring places."""
    lattice = Lattice(places, max(spacing, 1.0) * 2)
    shapes = [_cell(number, places, frame, lattice, reach) for number in range(len(places))]
    corners: dict[tuple[int, int], Point] = {}
    return tuple(tuple((_snap_corner(corner, corners), across) for corner, across in shape) for shape in shapes)


def _snap_corner(corner: Point, known: dict[tuple[int, int], Point]) -> Point:
    """Return the corner in `known` that is less than `_HAIR` away from `corner`. If there is none, round `corner`, add
    it to `known`, and return it."""
    x, y = corner
    column, row = math.floor(x / _HAIR), math.floor(y / _HAIR)
    for i in (column, column - 1, column + 1):
        for j in (row, row - 1, row + 1):
            other = known.get((i, j))
            if other and abs(other[0] - x) < _HAIR and abs(other[1] - y) < _HAIR:
                return other
    known[column, row] = (round(x, 1), round(y, 1))
    return known[column, row]


class Lattice:
    """Index of places by squares. It finds the places near a point without looking at all places."""

    def __init__(self, places: Sequence[Point], size: float) -> None:
        self.places, self.size = places, size
        self.squares: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for number, (x, y) in enumerate(places):
            self.squares[int(x // size), int(y // size)].append(number)

    def within(self, point: Point, radius: float) -> list[int]:
        """Return the indices of the places that are no farther than `radius` from a point, the nearest first."""
        reach = math.ceil(radius / self.size)
        column, row = int(point[0] // self.size), int(point[1] // self.size)
        if (2 * reach + 1) ** 2 > len(self.squares):
            near: Iterable[int] = range(len(self.places))
        else:
            near = (
                number
                for i in range(column - reach, column + reach + 1)
                for j in range(row - reach, row + reach + 1)
                for number in self.squares.get((i, j), ())
            )
        distances = ((math.dist(point, self.places[number]), number) for number in near)
        return [number for distance, number in sorted(distances) if distance <= radius]


def _cell(number: int, places: Sequence[Point], frame: Box, lattice: Lattice, reach: float | None) -> Cell:
    here = places[number]
    west, north, east, south = frame
    whole: Cell = [((west, north), FRAME), ((east, north), FRAME), ((east, south), FRAME), ((west, south), FRAME)]
    if reach is not None:
        for k in range(14):
            turn = math.tau * k / 14
            edge = (here[0] + reach * math.cos(turn), here[1] + reach * math.sin(turn))
            whole = _cut_off(whole, edge, (math.cos(turn), math.sin(turn)), OPEN)
    radius = lattice.size
    while True:
        shape = _trim(whole, number, places, lattice.within(here, radius))
        needed = 2 * max((math.dist(corner, here) for corner, _ in shape), default=0.0)
        if needed <= radius:
            return shape
        radius = min(needed, radius * 2)


def _trim(shape: Cell, number: int, places: Sequence[Point], near: Iterable[int]) -> Cell:
    here = places[number]
    for other in near:
        there = places[other]
        if there == here:
            continue
        if math.dist(here, there) > 2 * max((math.dist(corner, here) for corner, _ in shape), default=0.0):
            break
        halfway = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)
        shape = _cut_off(shape, halfway, (there[0] - here[0], there[1] - here[1]), other)
    return shape


def _cut_off(shape: Cell, edge: Point, away: Point, beyond: int) -> Cell:
    """Cut a cell along the line that goes through `edge` at right angles to `away`. Return the part on the side from
    which `away` points. `beyond` is the index of the neighbour on the other side of the cut."""
    side = [(corner[0] - edge[0]) * away[0] + (corner[1] - edge[1]) * away[1] for corner, _ in shape]
    if all(value <= 0 for value in side):
        return shape
    left: list[Corner] = []
    for k, (corner, across) in enumerate(shape):
        after = (k + 1) % len(shape)
        if side[k] <= 0:
            left.append((corner, beyond if side[k] == 0 < side[after] else across))
        if (side[k] < 0 < side[after]) or (side[after] < 0 < side[k]):
            share = side[k] / (side[k] - side[after])
            far = shape[after][0]
            crossing = (corner[0] + (far[0] - corner[0]) * share, corner[1] + (far[1] - corner[1]) * share)
            left.append((crossing, beyond if side[k] < 0 else across))
    return left


def outlines(shapes: Sequence[Cell], kind: Sequence[str], side: Side) -> dict[str, list[list[Point]]]:
    """Return closed lines around the joined cells of each kind, and around holes in them. Neighbouring cells must have
    whole sides in common."""
    found: dict[str, list[list[Point]]] = {}
    edges: dict[str, dict[Point, list[list[Point]]]] = {}
    for number, shape in enumerate(shapes):
        for corner, (start, across) in enumerate(shape):
            line = side(number, corner)
            if line[0] != line[-1] and (across < 0 or kind[across] != kind[number]):
                edges.setdefault(kind[number], {}).setdefault(start, []).append(line)
    for name, leaving in edges.items():
        loops = found.setdefault(name, [])
        while leaving:
            start = here = next(iter(leaving))
            loop: list[Point] = []
            while here in leaving:
                line = leaving[here].pop()
                if not leaving[here]:
                    del leaving[here]
                loop += line[:-1]
                here = line[-1]
                if here == start:
                    break
            loops.append(loop)
    return found


def clusters(shapes: Sequence[Cell], kind: Sequence[str]) -> list[list[int]]:
    """Return groups of connected cells of the same kind. Each group is a list of the cells' indices."""
    group: dict[int, int] = {}
    found: list[list[int]] = []
    for start in range(len(shapes)):
        if start in group:
            continue
        group[start] = len(found)
        members = [start]
        for number in members:
            for _, across in shapes[number]:
                if across >= 0 and across not in group and kind[across] == kind[start]:
                    group[across] = len(found)
                    members.append(across)
        found.append(members)
    return found
