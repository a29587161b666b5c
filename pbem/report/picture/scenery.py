"""Scenery of one board, read from an optional file: rivers, coasts, hills, names of lands, and places of signs.

All points are in pixels of the board's canvas. A line is one list of numbers: x, y, x, y and so on.
"""

from __future__ import annotations

import math
from itertools import pairwise

from msgspec import Struct

from pbem.engine.board import Frame
from pbem.faults.wrong import Wrong, wrong
from pbem.report.picture.geometry import Point

Line = tuple[float, ...]


class River(Struct, frozen=True, forbid_unknown_fields=True):
    """River, as a line from its source to its mouth."""

    map: str
    name: str
    line: Line


class Sea(Struct, frozen=True, forbid_unknown_fields=True):
    """Sea: the line of its coast, and corners in the water that close its area."""

    map: str
    coast: Line
    corners: Line


class HillRange(Struct, frozen=True, forbid_unknown_fields=True):
    map: str
    name: str
    line: Line


class LandName(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Name of a land or a sea, which is written large in the background."""

    map: str
    name: str
    x: float
    y: float
    size: float
    gap: float = 0.0
    """Space between letters."""
    turn: float = 0.0
    """Angle by which the text is turned to the right, in degrees."""
    water: bool = False
    """True for the name of a sea."""


class Wilds(Struct, frozen=True, forbid_unknown_fields=True):
    """Point on a map where there is no city. The ground around this point is drawn as a part of `land`."""

    map: str
    land: str
    x: float
    y: float


class BoxPlace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rectangle for the sign of an off-map box, and the point where the arrow from the sign to a city is bent."""

    x: float
    y: float
    w: float
    h: float
    bend: float = 0.0


class Compass(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Compass rose. `turn` is the angle by which its north is turned to the left, in degrees."""

    x: float
    y: float
    turn: float = 0.0


class Scenery(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All data of a scenery file. Parts that are missing in the file are computed or not drawn."""

    rivers: tuple[River, ...] = ()
    seas: tuple[Sea, ...] = ()
    ranges: tuple[HillRange, ...] = ()
    land_names: tuple[LandName, ...] = ()
    wilds: tuple[Wilds, ...] = ()
    two_lines: dict[str, tuple[str, str]] = {}
    """Names of cities that must be written on two lines, with the text of both lines."""
    off_map: dict[str, BoxPlace] = {}
    """Places for the signs of off-map boxes. The key is the power to which the box belongs."""
    compasses: tuple[Compass, ...] = ()
    panel: Frame | None = None
    """Place for the title and the legend. If it is None, they are in a strip above the board."""
    marks: tuple[tuple[str, float, float], ...] = ()
    """Short texts on the board, each with the x and y of its place."""


MOST_PLACES = 3_000
"""Largest number of points and items in a scenery. The sceneries of the program's boards have about six hundred."""

HILLY = 8
"""Largest length of all ranges together, as a multiple of the longer side of the canvas. There is a limit because each
hill of a range is drawn separately."""


def excess(scenery: Scenery, side: int) -> tuple[str, Wrong] | None:
    """Return the key and the fault of a part of the scenery that would take too long to draw. Return None if there is
    no such part. `side` is the length of the canvas's longer side."""
    lines = {"rivers": [each.line for each in scenery.rivers], "ranges": [each.line for each in scenery.ranges]}
    lines["seas"] = [line for each in scenery.seas for line in (each.coast, each.corners)]
    places = {name: sum(len(line) // 2 + 1 for line in found) for name, found in lines.items()}
    for name in ("land_names", "wilds", "two_lines", "off_map", "compasses", "marks"):
        places[name] = len(getattr(scenery, name))
    most = HILLY * side
    length = sum(math.dist(a, b) for line in lines["ranges"] for a, b in pairwise(points(line)))
    if not length <= most:  # this also refuses a length that is no number (NaN)
        return "ranges", wrong("E-SCENERY.long", most=most)
    if sum(places.values()) > MOST_PLACES:
        return max(places, key=lambda name: places[name]), wrong("E-SCENERY", most=MOST_PLACES)
    return None


def points(line: Line) -> list[Point]:
    return list(zip(line[::2], line[1::2], strict=False))
