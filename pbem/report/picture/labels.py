"""Names of cities. They are placed where they hide as little of the picture as possible and do not overlap each other.
In reduced pictures, names are left out if there is no room for them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

import msgspec
from msgspec import Struct

from pbem.engine.board import CityData
from pbem.report.picture.chart import ARROW, NAME_SIZE, Buckets, Chart, cache_clearers, cache_results
from pbem.report.picture.geometry import (
    Box,
    Segment,
    box_around,
    enlarge,
    holds,
    hull_box,
    intersection,
    length_inside,
    meet,
    overlap,
)
from pbem.report.picture.lettering import LINE, Anchor, Label, two_lines, width

_ROUNDS = 12
"""Largest number of rounds in which names are moved to make room for neighbouring names."""

_CROWDED = 1.6
"""Enlargement of names above which there is no room for most names. Larger names are not moved to make room for each
other."""

_NEIGHBOURS = 15
"""Largest mean number of neighbours of a name. If there are more, names are not moved to make room for each other,
because it would take long and not help. On the boards of the games, the number is a third lower."""

_OVER_ARROW = 14.0
"""Cost of hiding an arrow with a name, for each unit of the arrow's hidden length."""

_DEAR = 120
"""Cost from which a name is left out of a reduced picture, or of a part of a board. For cities that have pieces or are
held by a power, the cost may be twice as high."""

_KEPT_NAMES = 1
"""Number of boards for which the names and their costs stay in memory. They need much memory, and can be read again
quickly."""


class _Choice(Struct, frozen=True, gc=False, array_like=True):
    """Possible place of a name, and the cost of hiding what is there."""

    label: Label
    cost: float
    over_arrows: float = 0.0
    """Part of the cost that comes from arrows which the name hides."""


def place_labels(
    chart: Chart,
    taken: Sequence[Box] = (),
    lines: Sequence[Segment] = (),
    first: Sequence[int] = (),
    window: Box | None = None,
) -> list[Label]:
    """Return the names of cities. They are placed where they hide as little as possible of the rectangles `taken` and
    the segments `lines`. Names of the cities in `first` are placed first.

    In a reduced picture and in a part of the board, names are left out if there is no room for them. With a `window`,
    all names are inside it.
    """
    key = tuple(chart.called), tuple(taken), tuple(lines), tuple(first), window
    if key not in chart.placed:
        found = _place_anew(chart, taken, lines, first, window)
        chart.placed.clear()
        chart.placed[key] = found
    return list(chart.placed[key])


def _place_anew(
    chart: Chart, taken: Sequence[Box], lines: Sequence[Segment], first: Sequence[int], window: Box | None
) -> list[Label]:
    solid: Buckets[Box] = Buckets(chart.spacing * 2)
    for box in taken:
        solid.add(box, box)
    strokes: Buckets[Segment] = Buckets(chart.spacing * 2)
    for segment in lines:
        strokes.add(hull_box(segment), segment)
    board = _names_in_window(chart, _on_bare_board(chart), enlarge(window, -3 * chart.unit) if window else None)
    choices = {city: _ways_over_position(chart, room, ways, solid, strokes) for city, room, ways in board}
    if chart.enlarged < _CROWDED:
        choices = _settle_names(chart, choices)
    if chart.enlarged == 1.0 and not chart.cropped and not window:
        return [ways[0].label for ways in choices.values()]
    return _names_with_room(chart, choices, set(first))


def size_of_name(city: CityData) -> float:
    return 21.0 if city.fortress == "major" else 18.0 if city.fortress else NAME_SIZE


def _ways(chart: Chart, number_: int, name: str) -> list[_Choice]:
    """Return all possible places for a name beside its city's sign, those that look best first. Some names can be split
    over two lines, and some must be."""
    fixed = chart.scenery.two_lines.get(name)
    broken = fixed or two_lines(name)
    ways = [] if fixed else _one_way(chart, number_, (name,), 0.0)
    if broken:
        ways += _one_way(chart, number_, broken, 2.0 if len(name) > 11 else 8.0)
    return ways


def _one_way(chart: Chart, number_: int, lines: tuple[str, ...], dear: float) -> list[_Choice]:
    city, unit = chart.data.cities[number_], chart.unit
    size, bold = size_of_name(city) * unit, city.fortress is not None
    wide = max(width(line, size, bold=bold) for line in lines)
    high = size * LINE * len(lines)
    gap = chart.half(city) + 4 * unit
    up = -gap - high - (12 * unit if city.elector else 0.0)
    near, low, top = gap - 3 * unit, gap - unit, up + 3 * unit
    spots: tuple[tuple[float, float, Anchor], ...] = (
        (gap, -high / 2, "start"),
        (-gap, -high / 2, "end"),
        (0, low, "middle"),
        (0, top, "middle"),
        (near, gap - 8 * unit, "start"),
        (near, up + 10 * unit, "start"),
        (-near, gap - 8 * unit, "end"),
        (-near, up + 10 * unit, "end"),
        (wide * 0.28, low, "middle"),
        (-wide * 0.28, low, "middle"),
        (wide * 0.28, top, "middle"),
        (-wide * 0.28, top, "middle"),
        (gap + 16 * unit, -high / 2, "start"),
        (-gap - 16 * unit, -high / 2, "end"),
        (gap * 0.4, low + 9 * unit, "start"),
        (-gap * 0.4, low + 9 * unit, "end"),
        (gap * 0.4, top - 9 * unit, "start"),
        (-gap * 0.4, top - 9 * unit, "end"),
    )
    found = []
    for rank, (dx, dy, anchor) in enumerate(spots):
        x = city.x + dx - (wide if anchor == "end" else wide / 2 if anchor == "middle" else 0.0)
        box = (x, city.y + dy, x + wide, city.y + dy + high)
        label = Label(number_, lines, box, anchor, size, bold)
        found.append(_Choice(label, dear + rank * 1.5 + (12 if rank >= 12 else 0)))
    return found


_Ways = tuple[Box, list[_Choice]]
"""Pair of a rectangle and the possible places of one name, the best first. The rectangle contains all the places."""

_Board = dict[int, _Ways]
"""Possible places of every name in the picture. The key is the index of the city."""

_EncodedWays = dict[int, bytes]
"""Possible places of names, encoded as bytes. The key is the index of the city. If only a part of a board is drawn,
only few of them must be decoded."""


def _names_in_window(
    chart: Chart, board: _Board | _EncodedWays, window: Box | None
) -> Iterator[tuple[int, Box, list[_Choice]]]:
    """Yield the index of each city whose name can be seen in the window, and the possible places of the name there. The
    rectangle between them contains all places of the name."""
    for city, known in board.items():
        if window is None or meet(box_around(chart.at[city], 1), window):
            read: _Ways = msgspec.msgpack.decode(known, type=_Ways) if isinstance(known, bytes) else known
            room, ways = read
            inside = ways if window is None else [way for way in ways if holds(window, way.label.box)]
            if inside:
                yield city, room, inside


@cache_results(_KEPT_NAMES)
def _on_bare_board(chart: Chart) -> _Board | _EncodedWays:
    """Return the possible places of all names, with their costs on a board that has no pieces."""
    if not chart.lasting:
        return dict(_priced_names(chart, dict(enumerate(chart.called))))
    own = {city: one.name for city, one in enumerate(chart.data.cities)}
    if chart.lasting not in _own:
        while len(_own) >= _KEPT_NAMES:
            del _own[next(iter(_own))]
        _own[chart.lasting] = _cached_ways(chart, "", own)
    found = _own[chart.lasting]
    other = {city: chart.called[city] for city in found if chart.called[city] != own[city]}
    return found | _cached_ways(chart, f"{other}", other)


_own: dict[str, _EncodedWays] = {}
cache_clearers.append(_own.clear)


def _cached_ways(chart: Chart, words: str, names: Mapping[int, str]) -> _EncodedWays:
    def make() -> _EncodedWays:
        return {city: msgspec.msgpack.encode(ways) for city, ways in _priced_names(chart, names)}

    return chart.load_or_make_part("names", words, _EncodedWays, make)


def _priced_names(chart: Chart, names: Mapping[int, str]) -> Iterator[tuple[int, _Ways]]:
    for city, name in names.items():
        if chart.has(city) and chart.sees(box_around(chart.at[city], 1)):
            ways = _ways(chart, city, name)
            room = _span(ways)
            yield city, (room, sorted(_price_ways(chart, city, room, ways), key=attrgetter("cost")))


def _price_ways(chart: Chart, number_: int, room: Box, ways: list[_Choice]) -> Iterator[_Choice]:
    """Yield each possible place of a name with a higher cost, if the name would hide signs or roads there, or would be
    at the edge of the map."""
    unit, city = chart.unit, chart.data.cities[number_]
    signs = [box for _, box in chart.signs.near(room)]
    roads = [(segment, 2.6 if main else 1.5) for segment, main in chart.roads.near(room)]
    west, north, east, south = enlarge(
        intersection(chart.frame(city.map), chart.view) or chart.frame(city.map), -5 * unit
    )
    hopeless = 2 * _DEAR if chart.enlarged >= _CROWDED else math.inf
    for way in ways:
        box = way.label.box
        cost = way.cost + 3 * sum(overlap(box, sign) for sign in signs) / unit / unit
        if box[0] < west or box[2] > east or box[1] < north or box[3] > south:
            cost += 4000
        if cost <= hopeless:
            cost += _length_in_box(_filled_part(box, unit), roads) / unit
        yield _Choice(way.label, cost)


def _ways_over_position(
    chart: Chart, room: Box, ways: list[_Choice], solid: Buckets[Box], strokes: Buckets[Segment]
) -> list[_Choice]:
    """Return the possible places of a name with higher costs, if the name would hide pieces or arrows there."""
    unit = chart.unit
    half = ARROW / 2 * chart.stroke
    things, arrows = solid.near(room), [(segment, 1.0) for segment in strokes.near(enlarge(room, half))]
    if not things and not arrows:
        return ways
    found = []
    for way in ways:
        box = way.label.box
        cost = way.cost + 3 * sum(overlap(box, thing) for thing in things) / unit / unit
        over = _OVER_ARROW * _length_in_box(enlarge(_filled_part(box, unit), half), arrows) / unit
        found.append(_Choice(way.label, cost + over, over))
    return sorted(found, key=attrgetter("cost"))


def _filled_part(box: Box, unit: float) -> Box:
    """Return the part of a name's rectangle that is filled with characters."""
    high = box[3] - box[1]
    return (box[0] + unit, box[1] + high * 0.18, box[2] - unit, box[3] - high * 0.12)


def _length_in_box(box: Box, lines: list[tuple[Segment, float]]) -> float:
    """Return the total length of the lines inside the rectangle. Each line is multiplied by its weight."""
    west, north, east, south = box
    total = 0.0
    for segment, weight in lines:
        (ax, ay), (bx, by) = segment
        if (ax < west and bx < west) or (ax > east and bx > east):
            continue
        if not ((ay < north and by < north) or (ay > south and by > south)):
            total += length_inside(box, segment) * weight
    return total


def _settle_names(chart: Chart, choices: dict[int, list[_Choice]]) -> dict[int, list[_Choice]]:
    """Return the possible places of each name. Neighbouring names are moved until they overlap as little as possible,
    and the place that is found in this way becomes the first. If names are too crowded, nothing is changed."""
    reach: Buckets[int] = Buckets(chart.spacing * 3)
    spans = {city: _span(ways) for city, ways in choices.items()}
    for city, span in spans.items():
        reach.add(span, city)
    near = {city: [other for other in reach.near(span) if other != city] for city, span in spans.items()}
    if sum(map(len, near.values())) > _NEIGHBOURS * len(near):
        return choices
    chosen = {city: ways[0] for city, ways in choices.items()}
    restless = set(choices)
    for _ in range(_ROUNDS):
        moved: set[int] = set()
        for city in sorted(restless):
            best = _best(chart, choices[city], [chosen[other].label.box for other in near[city]])
            if best is not chosen[city]:
                chosen[city] = best
                moved.update(near[city])
        if not moved:
            break
        restless = moved
    return {city: [chosen[city], *ways] for city, ways in choices.items()}


def _span(ways: list[_Choice]) -> Box:
    """Return a rectangle that contains all possible places of a name."""
    west, north, east, south = zip(*(way.label.box for way in ways), strict=True)
    return (min(west), min(north), max(east), max(south))


def _best(chart: Chart, ways: list[_Choice], others: list[Box]) -> _Choice:
    """Return the place of a name with the lowest cost. Overlaps with the rectangles `others` add to the cost."""
    side, unit = 4 * chart.unit, chart.unit
    best, least = ways[0], float("inf")
    for way in ways:
        # The places are sorted by cost, and overlaps only add to it. So no later place can cost less.
        if way.cost >= least:
            break
        west, north, east, south = way.label.box
        wide = (west - side, north - unit, east + side, south + unit)
        cost = way.cost + 5 * sum(overlap(wide, other) for other in others) / unit / unit
        if cost < least:
            best, least = way, cost
    return best


def _names_with_room(chart: Chart, choices: dict[int, list[_Choice]], urgent: set[int]) -> list[Label]:
    """Return the names for which there is room. Names of `urgent` cities are placed first, and then those of important
    cities."""

    def weight(number_: int) -> tuple[bool, bool, bool, bool, int]:
        city = chart.data.cities[number_]
        return (number_ not in urgent, city.fortress != "major", not city.elector, chart.is_plain(city), number_)

    kept: Buckets[Label] = Buckets(chart.spacing * 2)
    for city in sorted(choices, key=weight):
        limit = 2 * _DEAR if city in urgent else _DEAR
        over_arrows = 1.0 if chart.enlarged < _CROWDED else 0.0
        ways = ((way, way.cost - over_arrows * way.over_arrows) for way in choices[city])
        free = (way for way, cost in ways if cost < limit and not kept.near(way.label.box))
        way = next(free, None)
        if way is not None:
            kept.add(way.label.box, way.label)
    return sorted(kept.all(), key=lambda label: label.city)
