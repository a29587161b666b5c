"""Ground of a board: tinted lands, borders, hills, rivers and seas, sectors with their suits, and the names of
lands."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pbem.faults.nouns import REGIONS, nouns
from pbem.report.picture.chart import KEPT, Chart, cache_results
from pbem.report.picture.geometry import (
    OPEN,
    Box,
    Cell,
    Point,
    bend,
    box_around,
    cells,
    chance,
    clusters,
    distance_to,
    enlarge,
    hull_box,
    intersection,
    middle,
    number,
    outlines,
    part_inside,
    path,
    smooth,
    wander,
)
from pbem.report.picture.scenery import points
from pbem.report.picture.signs import ink_of_suit, strokes, suit, text


def waters(chart: Chart, name: str) -> list[str]:
    theme, stroke, frame = chart.theme, chart.stroke, chart.frame(name)
    out = []
    if rivers := "".join(_river(points(one.line), frame) for one in chart.scenery.rivers if one.map == name):
        wide = number(5.5 * stroke)
        pen = f'stroke="{theme.river}" stroke-width="{wide}" stroke-opacity="0.75" stroke-linecap="round"'
        out.append(f'<path d="{rivers}" fill="none" {pen}/>')
    for sea in chart.scenery.seas:
        if sea.map == name:
            coast = _fine_line(points(sea.coast))
            out.append(
                f'<path d="{path(clip([*coast, *points(sea.corners)], frame), close=True)}" fill="{theme.sea}"/>'
            )
            shore = "".join(map(path, parts(coast, frame)))
            broad, fine = number(12 * stroke), number(3 * stroke)
            out.append(f'<g fill="none" stroke="{theme.coast}"><path d="{shore}" stroke-width="{fine}"/>')
            out.append(f'<path d="{shore}" stroke-width="{broad}" stroke-opacity="0.25"/></g>')
    return out


def _river(line: list[Point], frame: Box) -> str:
    """Return SVG path data with those parts of a river that are inside its map."""
    west, north, east, south = hull_box(line)
    if west >= frame[0] and north >= frame[1] and east <= frame[2] and south <= frame[3]:
        return smooth(line)
    return "".join(map(path, parts(_fine_line(line), frame)))


def _fine_line(line: list[Point]) -> list[Point]:
    """Return a curve through the points, as many short straight steps."""
    out = line[:1]
    around = [line[0], *line, line[-1]]
    for a, b, c, d in zip(around, around[1:], around[2:], around[3:], strict=False):
        first, second, end = bend(a, b, c, d)
        for k in range(1, _STEPS + 1):
            t = k / _STEPS
            s = 1 - t
            shares = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
            spots = (b, first, second, end)
            x, y = (sum(share * spot[i] for share, spot in zip(shares, spots, strict=True)) for i in (0, 1))
            out.append((x, y))
    return out


_STEPS = 6
"""Number of straight steps that replace one bend of a curve."""


def parts(line: Iterable[Point], frame: Box) -> list[list[Point]]:
    """Return the parts of a line that lie inside the frame."""
    found: list[list[Point]] = []
    for a, b in pairwise(line):
        step = part_inside((a, b), frame)
        if step is None:
            continue
        if found and found[-1][-1] == step[0]:
            found[-1].append(step[1])
        else:
            found.append(list(step))
    return found


def clip(corners: list[Point], frame: Box) -> list[Point]:
    """Return the corners of that part of an area that lies inside the frame."""
    for axis, sign, edge in ((0, 1, frame[0]), (1, 1, frame[1]), (0, -1, frame[2]), (1, -1, frame[3])):
        left: list[Point] = []
        for a, b in pairwise([*corners[-1:], *corners]):
            deep_a, deep_b = sign * (a[axis] - edge), sign * (b[axis] - edge)
            if (deep_a < 0) != (deep_b < 0):
                share = deep_a / (deep_a - deep_b)
                left.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
            if deep_b >= 0:
                left.append(b)
        corners = left
    return corners


REACH = 2.3
"""Largest distance of land from its city on a board without scenery, measured in typical distances between cities."""


class Country:
    """Cells of one map. Each is around a city, or around a place of a land that has no city there. Every point belongs
    to the cell of the nearest place."""

    def __init__(self, chart: Chart, name: str) -> None:
        wilds = [place for place in chart.scenery.wilds if place.map == name]
        self.chart, self.name, self.frame = chart, name, chart.frame(name)
        self.key = str(list(chart.data.maps).index(name))
        self.cities = [k for k, city in enumerate(chart.data.cities) if city.map == name]
        self.at: list[Point] = [chart.at[k] for k in self.cities] + [(place.x, place.y) for place in wilds]
        self.lands = [chart.data.cities[k].land for k in self.cities] + [place.land for place in wilds]
        self.suits = [chart.data.cities[k].suit for k in self.cities]
        self.names = [chart.data.cities[k].name for k in self.cities] + [f"~{k}" for k in range(len(wilds))]
        reach = REACH * chart.spacing if chart.bare else None
        self.cells: Sequence[Cell] = cells(tuple(self.at), self.frame, chart.spacing, reach)

    def centre(self, places: Sequence[int]) -> Point:
        """Return the mean of the points of these places."""
        columns, rows = zip(*(self.at[place] for place in places), strict=True)
        return (sum(columns) / len(places), sum(rows) / len(places))

    def border(self, place: int, corner: int) -> list[Point]:
        """Return the line along one side of a cell. `place` is the index of the cell, `corner` that of the side's first
        corner. The line is straight within a land and on the frame of the map, and winding everywhere else."""
        shape = self.cells[place]
        (a, across), (b, _) = shape[corner], shape[(corner + 1) % len(shape)]
        if across == OPEN or (across >= 0 and self.lands[across] != self.lands[place]):
            key = "+".join(sorted((self.names[place], self.names[across]))) if across >= 0 else self.names[place]
            return wander(a, b, key, least=self.chart.spacing * 0.15)
        return [a, b]


def lands(chart: Chart, country: Country) -> list[str]:
    """Draw the tinted lands, the borders between them, and the outer edge around all lands."""
    borders: list[str] = []
    shores: list[str] = []
    for k, shape in enumerate(country.cells):
        for corner, (_, across) in enumerate(shape):
            if across == OPEN:
                shores.append(path(country.border(k, corner)))
            elif across > k and country.lands[across] != country.lands[k]:
                borders.append(path(country.border(k, corner)))
    out = _grounds(chart, country)
    out += _line(chart, f"border{country.key}", borders, 2.2, ' stroke-dasharray="9 5"' if chart.stroke > 0.8 else "")
    return out + _line(chart, f"shore{country.key}", shores, 1.6, "")


def _grounds(chart: Chart, country: Country) -> list[str]:
    """Draw the ground with one area for each tint. On a board without scenery, each cell is an area."""
    tints = [chart.tint(land) for land in country.lands]
    if not chart.bare:
        areas, seam = outlines(country.cells, tints, country.border), ""
    else:
        areas, seam = {}, f' stroke-width="{number(1.5 * chart.stroke)}" stroke='
        for k, tint in enumerate(tints):
            sides = [country.border(k, corner)[:-1] for corner in range(len(country.cells[k]))]
            areas.setdefault(tint, []).append([point for side in sides for point in side])
    return [
        f'<path d="{"".join(path(loop, close=True) for loop in loops)}" fill="{tint}"'
        + (seam and f'{seam}"{tint}"')
        + "/>"
        for tint, loops in areas.items()
    ]


def _line(chart: Chart, name: str, runs: list[str], width: float, dashes: str) -> list[str]:
    """Draw the lines of a border: broad and faint lines, and fine lines over them. `width` is the width of the fine
    lines. `dashes` is an SVG attribute, or empty."""
    if not runs:
        return []
    pen = f'stroke="{chart.theme.border}" stroke-linecap="round" stroke-width='
    return [
        strokes(
            chart.id(name),
            "".join(runs),
            f'{pen}"{number(7 * chart.stroke)}" stroke-opacity="0.16"',
            f'{pen}"{number(width * chart.stroke)}" stroke-opacity="0.75"{dashes}',
        )
    ]


def hills(chart: Chart, name: str) -> list[str]:
    """Draw small hills along the ranges of a map. Cities and roads are left free."""
    scale = chart.stroke
    found: list[str] = []
    for range_ in chart.scenery.ranges:
        if range_.map == name:
            line = points(range_.line)
            count = 0
            for a, b in pairwise(line):
                steps = max(1, round(math.dist(a, b) / (27 * scale)))
                for step in range(steps):
                    count += 1
                    shift = (7, 0, -7)[count % 3] * scale
                    at = (a[0] + (b[0] - a[0]) * step / steps, a[1] + (b[1] - a[1]) * step / steps + shift)
                    if _has_room(chart, at):
                        size = 11 + chance(f"{range_.name}{count}") % 5
                        found.append(_hill(at, size * scale, len(found)))
    if not found:
        return []
    pen = f'stroke="{chart.theme.hill_edge}" stroke-width="{number(1.5 * scale)}"'
    return [f'<path d="{"".join(found)}" fill="{chart.theme.hill}" fill-opacity="0.75" {pen}/>']


def _has_room(chart: Chart, point: Point) -> bool:
    room = box_around(point, 30 * chart.unit)
    if not chart.sees(room) or chart.signs.near(room):
        return False
    return all(
        distance_to(point, segment) >= 13 * chart.stroke
        for segment, _ in chart.roads.near(enlarge(room, chart.spacing))
    )


def _hill(point: Point, radius: float, turn: int) -> str:
    """Return SVG path data with a hill and a crease in it. If `turn` is odd, the crease is longer."""
    crease = 1.4 if turn % 2 else 1.15
    left, top = (point[0] - radius, point[1] + radius * 0.55), (point[0], point[1] - radius * 0.9)
    up = f"q{number(radius * 0.7)},{number(-radius * 1.05)} {number(radius)},{number(-radius * 1.45)}"
    down = f"q{number(radius * 0.35)},{number(radius * 0.5)} {number(radius)},{number(radius * 1.45)}"
    inside = f"q{number(radius * 0.1)},{number(radius * 0.8)} {number(radius * 0.45)},{number(radius * crease)}"
    return f"M{number(left[0])},{number(left[1])}{up}{down}M{number(top[0])},{number(top[1])}{inside}"


def sectors(chart: Chart, country: Country) -> list[str]:
    """Draw the grid of sectors with their suits. If the board has no sectors, draw areas of connected cities that have
    the same suit."""
    mine = [sector for sector in chart.data.sectors if sector.map == country.name]
    if not mine:
        return _suit_areas(chart, country)
    big: defaultdict[str, list[str]] = defaultdict(list)
    small: defaultdict[str, list[str]] = defaultdict(list)
    lines: list[str] = []
    frame = country.frame
    for sector in mine:
        box: Box = (sector.x, sector.y, sector.x + sector.w, sector.y + sector.h)
        if box[0] > frame[0] + 1:
            lines.append(f"M{sector.x},{sector.y}v{sector.h}")
        if box[1] > frame[1] + 1:
            lines.append(f"M{sector.x},{sector.y}h{sector.w}")
        seen = intersection(box, chart.view)
        if seen is None:
            continue
        size = min(0.58 * min(sector.w, sector.h), 0.8 * min(seen[2] - seen[0], seen[3] - seen[1]))
        big[sector.suit].append(suit(chart, sector.suit, middle(seen), size))
        corner = min(30 * chart.stroke, 0.2 * sector.w)
        for x, y in ((box[0] + 0.8 * corner, box[1] + 0.8 * corner), (box[2] - 0.8 * corner, box[3] - 0.8 * corner)):
            small[sector.suit].append(suit(chart, sector.suit, (x, y), corner))
    return [*_suits(chart, big, 0.15), *_suits(chart, small, 0.62), *_grid(chart, country.key, lines, 1.4)]


def _suits(chart: Chart, found: dict[str, list[str]], opacity: float) -> list[str]:
    return [
        f'<g fill-opacity="{opacity}" fill="{ink_of_suit(chart.theme, name)}">{"".join(signs)}</g>'
        for name, signs in found.items()
    ]


def _grid(chart: Chart, name: str, lines: list[str], bold: float = 1.0) -> list[str]:
    if not lines:
        return []
    theme, stroke = chart.theme, chart.stroke * bold
    under = f'stroke="{theme.grid_under}" stroke-width="{number(5 * stroke)}" stroke-opacity="0.75"'
    over = f'stroke="{theme.grid}" stroke-width="{number(1.4 * stroke)}" stroke-opacity="0.8"'
    return [strokes(chart.id(f"grid-{name}"), "".join(lines), under, over)]


def _suit_areas(chart: Chart, country: Country) -> list[str]:
    """Draw the suit of each area of connected cities with the same suit, and lines between the areas. A suit is drawn
    as large as its area allows."""
    kinds = [*country.suits, *("" for _ in country.lands[len(country.suits) :])]
    lines: list[str] = []
    for k, shape in enumerate(country.cells[: len(kinds)]):
        for corner, (_, across) in enumerate(shape):
            if across > k and kinds[across] != kinds[k]:
                lines.append(path(country.border(k, corner)))
    signs: defaultdict[str, list[str]] = defaultdict(list)
    for members in clusters(country.cells, kinds):
        if kinds[members[0]]:
            seen = [k for k in members if chart.sees(box_around(country.at[k], 1))]
            if seen:
                size = chart.spacing * min(2.2, 0.7 * math.sqrt(len(seen)))
                signs[kinds[members[0]]].append(suit(chart, kinds[members[0]], country.centre(seen), size))
    return [*_suits(chart, signs, 0.2), *_grid(chart, country.key, lines, 1.8)]


def land_names(chart: Chart, country: Country) -> list[str]:
    """Draw the names of lands and seas, large and faint. On a board without scenery, there is a name in the middle of
    each large land."""
    theme, out = chart.theme, []
    names = nouns(chart.words.language)[REGIONS]
    for sign in chart.scenery.land_names:
        if sign.map == country.name:
            fill = theme.water_name if sign.water else theme.land_name
            turn = f"translate({number(sign.x)},{number(sign.y)}) rotate({number(sign.turn)})"
            extra = f' letter-spacing="{number(sign.gap)}" fill-opacity="0.5" transform="{turn}"'
            out.append(text((0, 0), names.get(sign.name, sign.name), sign.size * chart.stroke, fill, extra=extra))
    if chart.bare and len(set(country.lands)) > 1:
        for members in clusters(country.cells, country.lands):
            if len(members) >= 6:
                size = chart.spacing * min(0.75, 0.1 * math.sqrt(len(members)))
                words = chart.words.land(country.lands[members[0]]).upper()
                room = hull_box([country.at[k] for k in members])
                size = min(size, (room[2] - room[0]) / (1.1 * len(words)))
                extra = f' letter-spacing="{number(size * 0.4)}" fill-opacity="0.5"'
                out.append(text(country.centre(members), words, size, theme.land_name, extra=extra))
    return out


@cache_results(KEPT)
def roads(chart: Chart) -> str:
    """Draw all roads. Minor roads are thin. Main roads are broad and lie over them."""
    theme = chart.theme
    runs: dict[bool, list[str]] = {False: [], True: []}
    for edge in chart.edges:
        if chart.sees(enlarge(hull_box(chart.segment(edge)), 9)):
            runs[edge[2]].append(path(chart.segment(edge)))
    minor, main = chart.id("roads"), chart.id("main")

    def pen(key: str, colour: str, width: float) -> str:
        return f'<use href="#{key}" stroke="{colour}" stroke-width="{number(width * chart.stroke)}"/>'

    return (
        f'<defs><path id="{minor}" d="{"".join(runs[False])}"/><path id="{main}" d="{"".join(runs[True])}"/></defs>'
        '<g fill="none" stroke-linecap="round">'
        + pen(minor, theme.road, 3.2)
        + pen(main, theme.main_edge, 9.5)
        + pen(main, theme.main_road, 5.2)
        + "</g>"
    )


@cache_results(2 * KEPT)
def ground(chart: Chart, name: str) -> str:
    """Draw everything of one map that lies under the roads."""
    about = f"{chart.theme.name} {chart.words.lands if chart.bare else nouns(chart.words.language)[REGIONS]}"
    return chart.load_or_make_part(
        f"ground-{list(chart.data.maps).index(name)}", about, str, lambda: _ground(chart, name)
    )


def _ground(chart: Chart, name: str) -> str:
    country = Country(chart, name)
    west, north, east, south = country.frame
    rim = f'x="{number(west)}" y="{number(north)}" width="{number(east - west)}" height="{number(south - north)}"'
    out = [f'<rect {rim} fill="{chart.theme.blank}"/>', *lands(chart, country)]
    out += waters(chart, name)
    out += sectors(chart, country) + hills(chart, name) + land_names(chart, country)
    out.append(f'<rect {rim} fill="none" stroke="{chart.theme.ink}" stroke-width="{number(4 * chart.stroke)}"/>')
    return "".join(out)
