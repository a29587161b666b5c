"""Functions that all imports of boards use: they make names unique, and put maps side by side on a canvas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field

from pbem.engine.board import Canvas, CityData, Fortress, Frame
from pbem.paper.documents.characters import SMILEY_STYLE, UNWANTED, clean_text
from pbem.paper.documents.names import expand

MARGIN = 40
"""Margin around the outermost cities of a map, in pixels."""

UNKNOWN_LAND = "unknown"


class ImportedCity(Struct):
    """City as the file of another program describes it."""

    name: str
    map: str
    x: float
    y: float
    suit: str = "clubs"
    land: str = UNKNOWN_LAND
    traits: tuple[str, ...] = ()


class Layout(Struct):
    """Imported cities as a board has them, and the rectangle of each map."""

    canvas: Canvas
    maps: dict[str, Frame]
    cities: tuple[CityData, ...] = field(default_factory=tuple)


def tidy(text: str) -> str:
    """Return a name without invisible characters and with single blanks."""
    return " ".join(clean_text(SMILEY_STYLE.sub("", UNWANTED.sub(" ", text))).split())


def slug(text: str) -> str:
    """Return a short key made of the name of a land or a map, such as `austrian-netherlands` for `Austrian
    Netherlands`."""
    words = [expand(word) for word in re.split(r"[^\w]+|_+", text)]
    return "-".join(filter(None, words)) or UNKNOWN_LAND


def lay_out(found: list[ImportedCity]) -> Layout:
    """Put the maps side by side, with margins between them, and return the layout. No two cities get the same place."""
    maps: dict[str, Frame] = {}
    shifts: dict[str, tuple[int, int]] = {}
    left = 0
    for name in dict.fromkeys(city.map for city in found):
        mine = [city for city in found if city.map == name]
        west, north = (round(min(getattr(city, axis) for city in mine)) for axis in "xy")
        east, south = (round(max(getattr(city, axis) for city in mine)) for axis in "xy")
        shifts[name] = (left - min(west - MARGIN, 0), -min(north - MARGIN, 0))
        frame = Frame(left, 0, east + shifts[name][0] - left + MARGIN, south + shifts[name][1] + MARGIN)
        maps[name] = frame
        left += frame.w
    canvas = Canvas(left, max((frame.h for frame in maps.values()), default=0))
    return Layout(canvas, maps, tuple(_placed_cities(found, shifts)))


def _placed_cities(found: list[ImportedCity], shifts: dict[str, tuple[int, int]]) -> Iterable[CityData]:
    for city, name in zip(found, _unique_names(found), strict=True):
        right, down = shifts[city.map]
        yield CityData(
            name=name,
            map=city.map,
            x=round(city.x) + right,
            y=round(city.y) + down,
            land=city.land,
            suit=city.suit,  # type: ignore[arg-type]  # the importers give one of the four
            fortress=_fortress(city.traits),
            elector=any("elector" in trait for trait in city.traits),
            traits=city.traits,
        )


def _fortress(traits: tuple[str, ...]) -> Fortress | None:
    for trait in traits:
        if "fortress" in trait:
            return "major" if "major" in trait else "minor"
    return None


def _unique_names(found: list[ImportedCity]) -> list[str]:
    """Return a name for each city, all different. If names are equal, the land, a number, or both are added in
    brackets. A city without a name is called `Nameless`."""
    count = Counter(city.name for city in found)
    names: list[str] = []
    taken: set[str] = set()
    for city in found:
        base = city.name or "Nameless"
        land = "" if city.land == UNKNOWN_LAND else city.land.title()
        name = f"{base} ({land})" if land and count[city.name] > 1 else base
        number = 2
        while name in taken:
            name = f"{base} ({' '.join(filter(None, (land, str(number))))})"
            number += 1
        taken.add(name)
        names.append(name)
    return names
