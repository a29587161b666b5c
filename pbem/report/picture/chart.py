"""What all parts of one drawing share: its board, its colours, the size of its signs, and where everything is."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import sha256
from itertools import product
from typing import Generic, TypeVar

from msgspec import Struct

from pbem.cache import remembered
from pbem.engine.board import BoardData, CityData, links
from pbem.paper.boards.place_names import called
from pbem.paper.library import boards, load_board_file
from pbem.report.picture.cells import typical_spacing
from pbem.report.picture.geometry import Box, Point, Segment, chance, common, grown, hull_box, meet
from pbem.report.picture.position import PictureWords, Place, power_marks
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.theme import Hue, Theme, hue_of, hues

NORMAL_SPACING = 92.0
"""How far apart cities lie, in pixels, where signs and names have the sizes that the modules give."""

NAME_SIZE = 16.5
"""The size of the smallest names, before it is scaled."""

ARROW = 9.5
"""How wide the line of an arrow is, likewise."""

READABLE = 9.5
"""The least height, in pixels on the reader's screen, that names are written in."""

MAIL_WIDTH = 1300
"""How wide a whole board is drawn, in pixels, where nothing else is asked for: nearly all names find room, and the
picture is made in half a second."""

_RIM = 52.0
"""How much of the canvas around a map belongs to it, in pixels."""

KEPT = 3
"""How many charts, with what is drawn of them, are kept for the next picture."""

Item = TypeVar("Item")
T = TypeVar("T")


class Buckets(Generic[Item]):
    """Things with a box each, kept by the squares they lie in, to find those near another box."""

    def __init__(self, size: float) -> None:
        self._size = max(size, 1.0)
        self._items: list[tuple[Box, Item]] = []
        self._squares: defaultdict[tuple[int, int], list[int]] = defaultdict(list)

    def add(self, box: Box, item: Item) -> None:
        """Keep a thing, to be found near any place that its box covers."""
        for square in self._covered(box):
            self._squares[square].append(len(self._items))
        self._items.append((box, item))

    def near(self, box: Box) -> list[Item]:
        """The things whose boxes meet this one, in the order they were added."""
        found = {k for square in self._covered(box) if square in self._squares for k in self._squares[square]}
        return [item for other, item in map(self._items.__getitem__, sorted(found)) if meet(other, box)]

    def all(self) -> list[Item]:
        """Everything that is kept."""
        return [item for _, item in self._items]

    def _covered(self, box: Box) -> Iterator[tuple[int, int]]:
        west, north, east, south = [int(value // self._size) for value in box]
        return product(range(west, east + 1), range(north, south + 1))


class Extent(Struct, frozen=True):
    """What of a board a picture shows, and how large."""

    crop: Box | None = None
    """The part of it (west, north, east, south); all of it where there is none."""
    width: int | None = None
    """The width in pixels at which a reader sees it."""
    maps: tuple[str, ...] = ()
    """The maps that are shown, with what is around them; all unless some are named."""


WHOLE = Extent()


class Chart:
    """The sheet of one board, before anything is drawn on it; nothing of it changes, and it knows no position."""

    def __init__(
        self,
        data: BoardData,
        scenery: Scenery | None,
        theme: Theme,
        words: PictureWords,
        extent: Extent,
    ) -> None:
        """Lay out the board for a reader who sees it, or a part of it, to such an extent."""
        crop, width, maps = extent.crop, extent.width, extent.maps
        self.width = width
        self.data, self.theme, self.words = data, theme, words
        self.scenery = scenery or Scenery()
        self.bare = scenery is None
        self.maps = maps or tuple(data.maps)
        self.entire = set(self.maps) == set(data.maps)
        canvas: Box = (0.0, 0.0, float(data.canvas.w), float(data.canvas.h))
        self.view = crop or (canvas if self.entire else self._around_maps(canvas))
        self.cropped = crop is not None
        if self.view[0] >= self.view[2] or self.view[1] >= self.view[3] or (width is not None and width <= 0):
            raise ValueError("a picture must have some width and height")
        self.at: list[Point] = [(float(city.x), float(city.y)) for city in data.cities]
        self.index = {city.name: k for k, city in enumerate(data.cities)}
        self.called = called(data.name, tuple(self.index), words.language)
        self.goals = goals(data)
        self.depots = {city: power for power, cities in data.depots.items() for city in cities}
        self.edges = self._edges()
        self.spacing = self._spacing(canvas)
        natural = self.spacing / NORMAL_SPACING
        seen = 1.0 if width is None else width / (self.view[2] - self.view[0])
        self.enlarged = 1.0 if width is None else max(1.0, READABLE / (NAME_SIZE * natural * seen))
        self.natural = natural
        self.unit = natural * self.enlarged
        self.stroke = natural * math.sqrt(self.enlarged)
        self.sign = natural * math.pow(self.enlarged, 0.75)
        self.hues = hues(data)
        self.marks = power_marks(self._powers(), words)
        self.corners: dict[tuple[int, float, float, tuple[Point, ...]], list[tuple[Box, float]]] = {}
        """Beside which city, and of what size, things were to stand: where they may, and what they would hide there."""
        self.lasting = ""
        """A fingerprint of what all of it was made of but its words and colours, where that may be kept for the next
        command."""
        key = f"{data.name} {theme.name} {self.unit} {self.view}"
        self.suffix = f"{chance(key):08x}"[:4]

    def lie_as(self, other: Chart) -> None:
        """Lie as the same board does in another chart, of other words or colours: what is found there is found here."""
        self.roads, self.signs, self.corners = other.roads, other.signs, other.corners

    def kept(self, what: str, words: str, kind: type[T], make: Callable[[], T]) -> T:
        """What is made of the board and some words; of a board that ships with a game it was perhaps made before."""
        return remembered(what, f"{self.lasting} {words}".encode(), kind, make) if self.lasting else make()

    def _around_maps(self, canvas: Box) -> Box:
        """The part of the canvas that holds the maps shown, with their rims and marks."""
        frames = [self.frame(name) for name in self.maps]
        west, north, east, south = zip(*frames, strict=True)
        hull = grown((min(west), min(north), max(east), max(south)), _RIM)
        return common(hull, canvas) or canvas

    def _edges(self) -> list[tuple[int, int, bool]]:
        found: dict[tuple[int, int], bool] = {}
        for chains, main in ((self.data.main_roads, True), (self.data.roads, False)):
            for a, b in links(chains):
                one, other = sorted((self.index[a], self.index[b]))
                if not (self.has(one) and self.has(other)):
                    continue
                found.setdefault((one, other), main)
        return [(one, other, main) for (one, other), main in sorted(found.items())]

    def _spacing(self, canvas: Box) -> float:
        widest = NORMAL_SPACING * max(canvas[2], canvas[3]) / 1200
        return min(typical_spacing(tuple(self.at)) or widest, widest)

    def _powers(self) -> list[str]:
        return list(dict.fromkeys((*self.data.powers, *self.data.setup, *self.data.off_map)))

    def id(self, name: str) -> str:
        """An id in the drawing, another one in every other drawing, for pages that hold several."""
        return f"{name}-{self.suffix}"

    def hue(self, key: str) -> Hue:
        """The colours of a power or land."""
        return hue_of(self.hues, key)

    def tint(self, key: str) -> str:
        """The ground of a power or land in this theme."""
        hue = self.hue(key)
        return hue.light if self.theme.name == "light" else hue.dark

    def rim(self, key: str) -> str:
        """The rim around signs in the ink of a power or land."""
        return self.theme.bright_rim if self.hue(key).pen == "#ffffff" else self.theme.rim

    def mark(self, power: str) -> str:
        """The letter that stands for a power."""
        return self.marks.get(power) or (self.words.power(power)[:1].upper() or "?")

    def city(self, place: Place) -> int:
        """The index of a city given by name or index; KeyError where the board has no such city."""
        if isinstance(place, str):
            return self.index[place]
        if not 0 <= place < len(self.at):
            raise KeyError(place)
        return place

    def has(self, city: int) -> bool:
        """Whether the city lies on a map that is shown."""
        return self.data.cities[city].map in self.maps

    def visible(self) -> list[CityData]:
        """The cities in the picture."""
        return [city for k, city in enumerate(self.data.cities) if self.has(k) and self.sees(self.sign_box(city))]

    def sees(self, box: Box) -> bool:
        """Whether any of the box is in the picture."""
        return meet(box, self.view)

    def frame(self, name: str) -> Box:
        """The rectangle of one map."""
        frame = self.data.maps[name]
        return (float(frame.x), float(frame.y), float(frame.x + frame.w), float(frame.y + frame.h))

    def half(self, city: CityData) -> float:
        """Half the breadth of a city's sign, with its rim."""
        half = 20 if city.fortress == "major" else 9 if self.is_plain(city) else 12
        return half * self.sign

    def is_plain(self, city: CityData) -> bool:
        """Whether a city has nothing that makes it matter more than its neighbours."""
        return not city.fortress and city.name not in self.goals and city.name not in self.depots

    def segment(self, edge: tuple[int, int, bool]) -> Segment:
        return (self.at[edge[0]], self.at[edge[1]])

    @cached_property
    def roads(self) -> Buckets[tuple[Segment, bool]]:
        """All roads, to find those near a box."""
        found: Buckets[tuple[Segment, bool]] = Buckets(self.spacing * 2)
        for edge in self.edges:
            segment = self.segment(edge)
            found.add(hull_box(segment), (segment, edge[2]))
        return found

    @cached_property
    def signs(self) -> Buckets[tuple[int, Box]]:
        """The signs of all cities with the crowns above them."""
        found: Buckets[tuple[int, Box]] = Buckets(self.spacing * 2)
        for number, city in enumerate(self.data.cities):
            if self.has(number):
                box = self.sign_box(city)
                found.add(box, (number, box))
        return found

    def sign_box(self, city: CityData) -> Box:
        """The room that a city's sign takes."""
        half = self.half(city) + 2 * self.sign
        crown = 12 * self.sign if city.elector else 0.0
        return (city.x - half, city.y - half - crown, city.x + half, city.y + half)


_charts: dict[str, Chart] = {}


def chart_of(
    data: BoardData,
    scenery: Scenery | None,
    theme: Theme,
    words: PictureWords,
    extent: Extent = WHOLE,
) -> Chart:
    """The chart of these; the last ones are kept, for one board is drawn for every player and stage."""
    board = f"{_print_of(data, scenery)} {extent}"
    key = f"{board} {theme.name} {words}"
    chart = _charts.pop(key, None)
    if not chart:
        chart = Chart(data, scenery, theme, words, extent)
        if alike := next((other for its, other in _charts.items() if its.startswith(board)), None):
            chart.lie_as(alike)
    chart.lasting = board if ships(data) else ""
    _charts[key] = chart
    if len(_charts) > KEPT:
        del _charts[next(iter(_charts))]
    return chart


_prints: list[tuple[BoardData, Scenery | None, str]] = []


def _print_of(data: BoardData, scenery: Scenery | None) -> str:
    """A fingerprint of all that a board and its scenery say; the same few are asked for over and over."""
    for board, its, found in _prints:
        if board is data and its is scenery:
            return found
    _prints.append((data, scenery, sha256(repr((data, scenery)).encode()).hexdigest()))
    del _prints[:-KEPT]
    return _prints[-1][2]


def ships(data: BoardData) -> bool:
    """Whether this board is one of those that come with the games, and nobody's own."""
    path = boards().get(data.name)
    return path is not None and load_board_file(path) == data


class PrintedGoal(Struct, frozen=True):
    """An open city printed on the board as an objective: whose, and of which order."""

    power: str
    order: int


def goals(data: BoardData) -> dict[str, PrintedGoal]:
    """Whose objective each city is, by its name."""
    return {
        city: PrintedGoal(power, order)
        for power, mine in data.objectives.items()
        for order, cities in ((1, mine.first), (2, mine.second))
        for city in cities
    }


def heading(a: Point, b: Point) -> float:
    """The direction from a to b, as an angle."""
    return math.atan2(b[1] - a[1], b[0] - a[0])
