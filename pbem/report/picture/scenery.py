"""What is only looked at on one board: rivers, coasts, ranges, the names of lands, where signs stand.

A board file says how the game is played on it; its scenery, an optional file beside it, how pretty it is. All places
are pixels on the board's canvas, and lines are flat lists: x, y, x, y and so on.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.engine.board import Frame
from pbem.report.picture.geometry import Point

Line = tuple[float, ...]


class River(Struct, frozen=True, forbid_unknown_fields=True):
    """A river, from its source down."""

    map: str
    name: str
    line: Line


class Sea(Struct, frozen=True, forbid_unknown_fields=True):
    """A stretch of coast, and the corners that close the sea behind it."""

    map: str
    coast: Line
    corners: Line


class HillRange(Struct, frozen=True, forbid_unknown_fields=True):
    """A range of hills along a line."""

    map: str
    name: str
    line: Line


class LandName(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The name of a land or a sea, written large in the background."""

    map: str
    name: str
    x: float
    y: float
    size: float
    gap: float = 0.0
    turn: float = 0.0
    water: bool = False


class Wilds(Struct, frozen=True, forbid_unknown_fields=True):
    """A place without a city around which the ground belongs to a land all the same."""

    map: str
    land: str
    x: float
    y: float


class BoxPlace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the sign of an off-map box stands, and how far its arrow bends."""

    x: float
    y: float
    w: float
    h: float
    bend: float = 0.0


class Compass(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A compass rose, and how many degrees to the left of upwards its north lies."""

    x: float
    y: float
    turn: float = 0.0


class Scenery(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A whole scenery file; whatever it leaves out is found or left out by the drawing."""

    rivers: tuple[River, ...] = ()
    seas: tuple[Sea, ...] = ()
    ranges: tuple[HillRange, ...] = ()
    land_names: tuple[LandName, ...] = ()
    wilds: tuple[Wilds, ...] = ()
    two_lines: dict[str, tuple[str, str]] = {}
    off_map: dict[str, BoxPlace] = {}
    compasses: tuple[Compass, ...] = ()
    panel: Frame | None = None
    marks: tuple[tuple[str, float, float], ...] = ()


def points(line: Line) -> list[Point]:
    """The points of a flat line."""
    return list(zip(line[::2], line[1::2], strict=False))
