"""Land around each city: Voronoi cells, in which every point belongs to the nearest city."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from pbem.report.picture.geometry import Box, Point

FRAME = -1
"""Neighbour across an edge on the frame of the map."""

OPEN = -2
"""Neighbour across an edge where a city's land ends without another city."""

_HAIR = 0.3
"""Distance in pixels below which two corners are the same."""

Corner = tuple[Point, int]
"""Corner of a cell, and the neighbour across the edge that starts there."""

Cell = Sequence[Corner]
"""Corners of a cell in order."""

Side = Callable[[int, int], list[Point]]
"""Function that returns the line along a side of a cell, given the cell and the corner where the side starts."""


@lru_cache(maxsize=8)
def typical_spacing(points: Sequence[Point]) -> float:
    """Median distance from each point to its nearest neighbour."""
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
    """Other points, those nearest in x first."""
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
    """Cell of every place inside the frame. With a reach, no land lies farther from its city than that.

    Cached, because a board is drawn for every player and stage.
    """
    lattice = Lattice(places, max(spacing, 1.0) * 2)
    shapes = [_cell(number, places, frame, lattice, reach) for number in range(len(places))]
    corners: dict[tuple[int, int], Point] = {}
    return tuple(tuple((_snap_corner(corner, corners), across) for corner, across in shape) for shape in shapes)


def _snap_corner(corner: Point, known: dict[tuple[int, int], Point]) -> Point:
    """Corner as its neighbours have it: their sums differ from it by rounding only."""
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
    """Places by the square they lie in, to find those near a point without searching all."""

    def __init__(self, places: Sequence[Point], size: float) -> None:
        self.places, self.size = places, size
        self.squares: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for number, (x, y) in enumerate(places):
            self.squares[int(x // size), int(y // size)].append(number)

    def within(self, point: Point, radius: float) -> list[int]:
        """Places at most this far away, the nearest first."""
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
    """Rest of the shape when everything beyond the edge is cut off."""
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
    """Closed lines around all cells of each kind. Neighbours must share whole sides."""
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
    """Groups of connected cells of one kind, in the order of their first members."""
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
