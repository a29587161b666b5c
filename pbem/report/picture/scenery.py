"""Scenery of one board: rivers, coasts, hills, names of lands, and places of signs, from an optional file.

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
    """A river, as a line from its source to its mouth."""

    map: str
    name: str
    line: Line


class Sea(Struct, frozen=True, forbid_unknown_fields=True):
    """Sea, as the line of its coast and the corners out at sea that close its area."""

    map: str
    coast: Line
    corners: Line


class HillRange(Struct, frozen=True, forbid_unknown_fields=True):
    map: str
    name: str
    line: Line


class LandName(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Name of a land or a sea, written large in the background."""

    map: str
    name: str
    x: float
    y: float
    size: float
    gap: float = 0.0
    """Space between letters."""
    turn: float = 0.0
    """Angle of the text, in degrees to the right."""
    water: bool = False
    """True for a sea."""


class Wilds(Struct, frozen=True, forbid_unknown_fields=True):
    """Point on a map without a city. Ground that is nearest to this point is drawn as part of `land`."""

    map: str
    land: str
    x: float
    y: float


class BoxPlace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rectangle of an off-map box's sign, and the bend of the arrow from the sign to a city."""

    x: float
    y: float
    w: float
    h: float
    bend: float = 0.0


class Compass(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A compass rose; `turn` is the angle between upwards and its north, in degrees to the left."""

    x: float
    y: float
    turn: float = 0.0


class Scenery(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All data of a scenery file. Parts that the file leaves out are computed or not drawn."""

    rivers: tuple[River, ...] = ()
    seas: tuple[Sea, ...] = ()
    ranges: tuple[HillRange, ...] = ()
    land_names: tuple[LandName, ...] = ()
    wilds: tuple[Wilds, ...] = ()
    two_lines: dict[str, tuple[str, str]] = {}
    """Names of cities that must stand on two lines, with these lines."""
    off_map: dict[str, BoxPlace] = {}
    """Places of the signs of off-map boxes, under the powers to which the boxes belong."""
    compasses: tuple[Compass, ...] = ()
    panel: Frame | None = None
    """Place of the title and the legend; None for a strip above the board."""
    marks: tuple[tuple[str, float, float], ...] = ()
    """Short texts on the board, each with its x and y."""


MOST_PLACES = 3_000
"""Greatest number of points and items of a scenery. The sceneries of the program's boards have some six hundred."""

HILLY = 8
"""Greatest length of all ranges together, as a multiple of the canvas's longer side. It is limited because ranges are
drawn hill by hill."""


def excess(scenery: Scenery, side: int) -> tuple[str, Wrong] | None:
    """Return key and fault of a part of the scenery that would take too long to draw, or None. `side` is the longer
    side of the canvas."""
    lines = {"rivers": [each.line for each in scenery.rivers], "ranges": [each.line for each in scenery.ranges]}
    lines["seas"] = [line for each in scenery.seas for line in (each.coast, each.corners)]
    places = {name: sum(len(line) // 2 + 1 for line in found) for name, found in lines.items()}
    for name in ("land_names", "wilds", "two_lines", "off_map", "compasses", "marks"):
        places[name] = len(getattr(scenery, name))
    most = HILLY * side
    length = sum(math.dist(a, b) for line in lines["ranges"] for a, b in pairwise(points(line)))
    if not length <= most:  # refuses a length that is no number, too
        return "ranges", wrong("E-SCENERY.long", most=most)
    if sum(places.values()) > MOST_PLACES:
        return max(places, key=lambda name: places[name]), wrong("E-SCENERY", most=MOST_PLACES)
    return None


def points(line: Line) -> list[Point]:
    return list(zip(line[::2], line[1::2], strict=False))
