"""Chart of a board: its colours, the sizes of its signs, and the points where its cities are."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import product
from typing import Generic, TypeVar, cast

from msgspec import Struct

from pbem.cache import load_or_make
from pbem.engine.board import BoardData, CityData, links
from pbem.paper.boards.files import city_names_in
from pbem.paper.library import boards, load_board_file
from pbem.report.picture.geometry import (
    Box,
    Point,
    Segment,
    chance,
    enlarge,
    hull_box,
    intersection,
    meet,
    typical_spacing,
)
from pbem.report.picture.lettering import Label
from pbem.report.picture.position import PictureWords, Place, power_marks
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.theme import Hue, Theme, hue_of, hues

Made = TypeVar("Made", bound=Callable[..., object])

cache_clearers: list[Callable[[], None]] = []
"""Functions that empty the caches. Each empties one cache."""


def cache_results(most: int) -> Callable[[Made], Made]:
    """Return a decorator that caches the results of a function, at most `most` of them, until `put_away` is called."""

    def keep(make: Made) -> Made:
        kept = lru_cache(maxsize=most)(make)
        cache_clearers.append(kept.cache_clear)
        return cast("Made", kept)

    return keep


def put_away() -> None:
    """Empty the caches of all functions with `cache_results`. This frees memory when no more pictures are drawn."""
    for forget in cache_clearers:
        forget()


NORMAL_SPACING = 92.0
"""Distance between neighbouring cities on a board that needs no scaling, in pixels. All sizes of signs and names are
given for this distance ("before scaling")."""

NAME_SIZE = 16.5
"""Size of the smallest names of cities, before scaling."""

ARROW = 9.5
"""Width of an arrow's line, before scaling."""

READABLE = 9.5
"""Smallest height at which names can be read, in pixels on the reader's screen."""

MAIL_WIDTH = 1300
"""Usual width of a picture of the whole board in a mail, in pixels. With this width there is room for nearly all names,
and drawing takes half a second."""

_RIM = 52.0
"""Width of the strip around a map that is shown together with the map, in pixels of the board."""

KEPT = 3
"""Number of charts that are cached for the next picture, with their drawings."""

Item = TypeVar("Item")
T = TypeVar("T")


class Buckets(Generic[Item]):
    """Index of items that each fill a rectangle. It finds the items near a given rectangle without looking at all
    items."""

    def __init__(self, size: float) -> None:
        self._size = max(size, 1.0)
        self._items: list[tuple[Box, Item]] = []
        self._squares: defaultdict[tuple[int, int], list[int]] = defaultdict(list)

    def add(self, box: Box, item: Item) -> None:
        for square in self._squares_of(box):
            self._squares[square].append(len(self._items))
        self._items.append((box, item))

    def near(self, box: Box) -> list[Item]:
        """Return the items whose rectangles overlap this rectangle, in the order in which they were added."""
        found = {k for square in self._squares_of(box) if square in self._squares for k in self._squares[square]}
        return [item for other, item in map(self._items.__getitem__, sorted(found)) if meet(other, box)]

    def all(self) -> list[Item]:
        return [item for _, item in self._items]

    def _squares_of(self, box: Box) -> Iterator[tuple[int, int]]:
        west, north, east, south = [int(value // self._size) for value in box]
        return product(range(west, east + 1), range(north, south + 1))


class Extent(Struct, frozen=True):
    """Part of a board that a picture shows, and the size in which a reader sees it."""

    crop: Box | None = None
    """Part of the board (west, north, east, south). None means the whole board."""
    width: int | None = None
    """Width in pixels at which a reader sees the picture."""
    maps: tuple[str, ...] = ()
    """Maps that are shown, each with a strip around it. If this is empty, all maps are shown."""
    least: float = READABLE
    """Smallest height of names in a picture that is `width` pixels wide, in pixels."""


WHOLE = Extent()


class Chart:
    """Layout of a board without pieces, for one theme, language and size."""

    def __init__(
        self, board: BoardData, scenery: Scenery | None, theme: Theme, words: PictureWords, extent: Extent
    ) -> None:
        """Lay out the part of a board that `extent` gives. Raises `ValueError` if the part or the size has no width or
        no height."""
        crop, width, maps = extent.crop, extent.width, extent.maps
        self.width = width
        self.data, self.theme, self.words = board, theme, words
        self.scenery = scenery or Scenery()
        self.bare = scenery is None
        self.maps = maps or tuple(board.maps)
        self.entire = set(self.maps) == set(board.maps)
        canvas: Box = (0.0, 0.0, float(board.canvas.w), float(board.canvas.h))
        self.view = crop or (canvas if self.entire else self._around_maps(canvas))
        self.cropped = crop is not None
        if self.view[0] >= self.view[2] or self.view[1] >= self.view[3] or (width is not None and width <= 0):
            raise ValueError("a picture must have some width and height")
        self.at: list[Point] = [(float(city.x), float(city.y)) for city in board.cities]
        self.index = {city.name: k for k, city in enumerate(board.cities)}
        self.called = city_names_in(board.name, tuple(self.index), words.language)
        self.goals = goals(board)
        self.depots = {city: power for power, cities in board.depots.items() for city in cities}
        self.edges = [(one, other, main) for (one, other), main in sorted(self._roads_shown().items())]
        widest = NORMAL_SPACING * max(canvas[2], canvas[3]) / 1200
        # On some boards, cities stand in close pairs. The small distance within a pair says nothing about the room
        # between pairs.
        self.spacing = min(max(typical_spacing(tuple(self.at)), widest / 16) or widest, widest)
        natural = self.spacing / NORMAL_SPACING
        seen = 1.0 if width is None else width / (self.view[2] - self.view[0])
        self.enlarged = 1.0 if width is None else max(1.0, extent.least / (NAME_SIZE * natural * seen))
        self.natural = natural
        self.unit = natural * self.enlarged
        self.stroke = natural * math.sqrt(self.enlarged)
        self.sign = natural * math.pow(self.enlarged, 0.75)
        self.hues = hues(board)
        self.marks = power_marks(list(dict.fromkeys((*board.powers, *board.setup, *board.off_map))), words)
        self.corners: dict[tuple[int, float, float, tuple[Point, ...]], list[tuple[Box, float]]] = {}
        """Rectangles beside a city where a token of a certain size can be drawn. Each has a cost, which depends on what
        the token would hide there."""
        self.placed: dict[object, list[Label]] = {}
        """Names of cities at the places that were found last. The key has the words of the names, and everything for
        which they leave room."""
        self.lasting = ""
        """Digest of the board, its scenery and the extent. It is empty if drawings are not to be stored for the next
        command."""
        key = f"{board.name} {theme.name} {self.unit} {self.view}"
        self.suffix = f"{chance(key):08x}"[:4]

    def load_or_make_part(self, category: str, words: str, kind: type[T], make: Callable[[], T]) -> T:
        """Return the value that `make` computes from the board and `words`. If the board comes with the program, the
        value is cached on disk under `category`."""
        return load_or_make(category, f"{self.lasting} {words}".encode(), kind, make) if self.lasting else make()

    def _roads_shown(self) -> dict[tuple[int, int], bool]:
        """Return the roads between cities on the maps that are shown. The value is True for a main road."""
        found: dict[tuple[int, int], bool] = {}
        for chains, main in ((self.data.main_roads, True), (self.data.roads, False)):
            for a, b in links(chains):
                one, other = sorted((self.index[a], self.index[b]))
                if self.has(one) and self.has(other):
                    found.setdefault((one, other), main)
        return found

    def _around_maps(self, canvas: Box) -> Box:
        """Return the part of the canvas that has the maps in use, with a strip around them."""
        frames = [self.frame(name) for name in self.maps]
        west, north, east, south = zip(*frames, strict=True)
        hull = enlarge((min(west), min(north), max(east), max(south)), _RIM)
        return intersection(hull, canvas) or canvas

    def id(self, name: str) -> str:
        """Return an SVG id for a name. No other drawing has this id."""
        return f"{name}-{self.suffix}"

    def hue(self, key: str) -> Hue:
        return hue_of(self.hues, key)

    def tint(self, key: str) -> str:
        """Return the colour of the ground of a power or land."""
        hue = self.hue(key)
        return hue.light if self.theme.name == "light" else hue.dark

    def rim(self, key: str) -> str:
        """Return the colour of the rim around signs that have the ink of a power or land."""
        return self.theme.bright_rim if self.hue(key).pen == "#ffffff" else self.theme.rim

    def mark(self, power: str) -> str:
        """Return the one or two characters that stand for a power on signs."""
        return self.marks.get(power) or (self.words.power(power)[:1].upper() or "?")

    def city(self, place: Place) -> int:
        """Return the index of a city that is given by name or by index. Raises `KeyError` for an unknown city."""
        if isinstance(place, str):
            return self.index[place]
        if not 0 <= place < len(self.at):
            raise KeyError(place)
        return place

    def has(self, city: int) -> bool:
        """True if the city lies on a map that is shown."""
        return self.data.cities[city].map in self.maps

    @cached_property
    def visible(self) -> tuple[CityData, ...]:
        """Return the cities whose signs are visible in the picture."""
        return tuple(city for k, city in enumerate(self.data.cities) if self.has(k) and self.sees(self.sign_box(city)))

    def sees(self, box: Box) -> bool:
        return meet(box, self.view)

    def frame(self, name: str) -> Box:
        frame = self.data.maps[name]
        return (float(frame.x), float(frame.y), float(frame.x + frame.w), float(frame.y + frame.h))

    def half(self, city: CityData) -> float:
        """Return half the width of a city's sign, with its rim."""
        half = 20 if city.fortress == "major" else 9 if self.is_plain(city) else 12
        return half * self.sign

    def is_plain(self, city: CityData) -> bool:
        """True if a city is neither fortress, objective nor depot."""
        return not city.fortress and city.name not in self.goals and city.name not in self.depots

    def segment(self, edge: tuple[int, int, bool]) -> Segment:
        return (self.at[edge[0]], self.at[edge[1]])

    @cached_property
    def roads(self) -> Buckets[tuple[Segment, bool]]:
        """Return an index of all roads in use. Each has True if it is a main road."""
        found: Buckets[tuple[Segment, bool]] = Buckets(self.spacing * 2)
        for edge in self.edges:
            segment = self.segment(edge)
            found.add(hull_box(segment), (segment, edge[2]))
        return found

    @cached_property
    def signs(self) -> Buckets[tuple[int, Box]]:
        """Return an index of the rectangles that the signs of cities fill, with crowns. It has all cities on maps that
        are shown."""
        found: Buckets[tuple[int, Box]] = Buckets(self.spacing * 2)
        for number, city in enumerate(self.data.cities):
            if self.has(number):
                box = self.sign_box(city)
                found.add(box, (number, box))
        return found

    def sign_box(self, city: CityData) -> Box:
        """Return the rectangle that a city's sign fills. If the city has an elector, the crown above it is included."""
        half = self.half(city) + 2 * self.sign
        crown = 12 * self.sign if city.elector else 0.0
        return (city.x - half, city.y - half - crown, city.x + half, city.y + half)


_charts: dict[str, Chart] = {}


def chart_of(
    board: BoardData, scenery: Scenery | None, theme: Theme, words: PictureWords, extent: Extent = WHOLE
) -> Chart:
    """Return the chart of a board. The charts that were used last are cached."""
    outline = f"{_digest_of(board, scenery)} {extent}"
    key = f"{outline} {theme.name} {words}"
    chart = _charts.pop(key, None)
    if chart is None:
        chart = Chart(board, scenery, theme, words, extent)
        # Places of signs do not depend on words and colours, so they are taken from another chart of this board if
        # there is one.
        same_board = [other for its_key, other in _charts.items() if its_key.startswith(outline)]
        if same_board:
            before = same_board[0]
            chart.roads, chart.signs, chart.corners = before.roads, before.signs, before.corners
            chart.placed = before.placed
    # Drawings are stored for the next command only if the board comes with a game, because nobody edits such a board.
    chart.lasting = outline if ships(board) else ""
    # The chart that was used last is the last in the dict. So the first is the oldest, and is removed.
    _charts[key] = chart
    if len(_charts) > KEPT:
        oldest = next(iter(_charts))
        del _charts[oldest]
    return chart


_digests: list[tuple[BoardData, Scenery | None, str]] = []


def _digest_of(board: BoardData, scenery: Scenery | None) -> str:
    """Return a digest of a board and its scenery."""
    for known, its_scenery, found in _digests:
        if known is board and its_scenery is scenery:
            return found
    _digests.append((board, scenery, sha256(repr((board, scenery)).encode()).hexdigest()))
    del _digests[:-KEPT]
    return _digests[-1][2]


def ships(board: BoardData) -> bool:
    """True if this board comes with one of the games and has not been changed."""
    path = boards().get(board.name)
    return path is not None and load_board_file(path) == board


class PrintedGoal(Struct, frozen=True):
    """Objective as it is printed on the board: the power that must conquer it, and 1 or 2 for its order."""

    power: str
    order: int


def goals(board: BoardData) -> dict[str, PrintedGoal]:
    """Return the objectives of all powers. The key is the name of the city."""
    return {
        city: PrintedGoal(power, order)
        for power, mine in board.objectives.items()
        for order, cities in ((1, mine.first), (2, mine.second))
        for city in cities
    }


def heading(start: Point, end: Point) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])
