"""Signs that a player has asked for: ends of a march, paths on which pieces came, and strengths that were stated. The
module also draws the off-map boxes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from msgspec import Struct

from pbem.report.picture.chart import Chart, heading
from pbem.report.picture.drawing import Patch
from pbem.report.picture.geometry import (
    Box,
    Point,
    Segment,
    box_around,
    enlarge,
    hull_box,
    length_inside,
    middle,
    number,
    overlap,
    path,
    point_towards,
    smooth,
)
from pbem.report.picture.lettering import escape, width
from pbem.report.picture.position import AbsentPiece, DrawnEnd, DrawnMarch, Overlay, Position
from pbem.report.picture.signs import PAPER, PEN, PIECE, Marker, piece, text
from pbem.report.picture.tokens import Token

DASHES = {"forced": (9.0, 6.0), "retreat": (2.0, 6.0)}
"""Lengths of a dash and of the gap after it, in rings for forced marches and for retreats."""

SIZE = 15.0
"""Size of the numbers that give a stated strength, before scaling."""


def patches_under_signs(chart: Chart, overlay: Overlay | None) -> Iterator[Patch]:
    """Yield the drawings that lie under the signs of cities: paths on which pieces came, and rings around ends of a
    march."""
    for trail in overlay.trails if overlay else ():
        run = [chart.at[chart.city(place)] for place in trail.path]
        box = enlarge(hull_box(run), 0.25 * chart.spacing + 12 * chart.stroke)
        if chart.sees(box):
            yield Patch(box, draw_trail(chart, trail, run, chart.stroke))
    for end in overlay.ends if overlay else ():
        city = chart.city(end.city)
        box = box_around(chart.at[city], chart.half(chart.data.cities[city]) + 24 * chart.sign)
        if chart.has(city) and chart.sees(box):
            drawn = ring(chart, end, chart.at[city], chart.half(chart.data.cities[city]), chart.sign)
            yield Patch(box, f'<g class="end" data-city="{escape(chart.data.cities[city].name)}">{drawn}</g>')


def ring_boxes(chart: Chart, overlay: Overlay | None) -> Iterator[Box]:
    """Yield the rectangles of the rings around cities. Names must not hide them."""
    for end in overlay.ends if overlay else ():
        city = chart.city(end.city)
        half = chart.half(chart.data.cities[city]) + (16 if end.aim else 9) * chart.sign
        yield box_around(chart.at[city], half)


def patches_over_pieces(chart: Chart, overlay: Overlay | None, standing: Iterable[Token]) -> Iterator[Patch]:
    """Yield the drawings that lie over the pieces: the strengths that stacks have stated."""
    if overlay is None or not overlay.declared:
        return
    told = {chart.city(place): words for place, words in overlay.declared.items()}
    for token in standing:
        if token.owner and token.city in told and chart.sees(token.box):
            yield badge(chart, told.pop(token.city), (token.box[2], token.box[3]), chart.unit)


def badge(chart: Chart, words: str, point: Point, unit: float) -> Patch:
    """Draw a strength that was stated, on a plate around a point."""
    half = (width(words, SIZE * unit, bold=True) / 2 + 4 * unit, 0.62 * SIZE * unit)
    box = box_around(point, *half)
    place = f'x="{number(box[0])}" y="{number(box[1])}" width="{number(2 * half[0])}" height="{number(2 * half[1])}"'
    plate = f'<rect {place} rx="{number(4 * unit)}" fill="{PAPER}" stroke="{PEN}" stroke-width="{number(1.6 * unit)}"/>'
    foot = (point[0], point[1] + 0.36 * SIZE * unit)
    drawn = text(foot, words, SIZE * unit, PEN, extra=' font-weight="bold"')
    return Patch(enlarge(box, 2 * unit), f'<g class="declared">{plate}{drawn}</g>')


def ring(chart: Chart, end: DrawnEnd, point: Point, half: float, unit: float) -> str:
    """Draw a ring around a city where a march or a retreat can end. For a forced march or a retreat it is dashed. For a
    conquest it is double. Swords on it mean that an enemy is beside the city."""
    radius = half + 7 * unit
    out = circle(chart, end, point, radius, unit)
    if end.aim:
        out += circle(chart, end, point, radius + 7 * unit, unit)
    if end.meets:
        out += cross(chart, (point[0] + 0.75 * radius, point[1] - 0.75 * radius), unit)
    return out


def circle(chart: Chart, end: DrawnEnd, point: Point, radius: float, unit: float) -> str:
    """Draw a circle that has a rim, so that it can be seen on every ground. For a forced march or a retreat it is
    dashed."""
    gaps = DASHES.get("forced" if end.forced else "retreat" if end.retreat else "")
    dashes = f' stroke-dasharray="{" ".join(number(part * unit) for part in gaps)}"' if gaps else ""
    place = f'cx="{number(point[0])}" cy="{number(point[1])}" r="{number(radius)}" fill="none"'
    pens = ((chart.rim(end.power), 6.5), (chart.hue(end.power).ink, 4.0))
    return "".join(f'<circle {place} stroke="{ink}" stroke-width="{number(pen * unit)}"{dashes}/>' for ink, pen in pens)


def cross(chart: Chart, point: Point, unit: float) -> str:
    """Draw two crossed swords on a disc."""
    arm = 5 * unit
    blades = "".join(
        path([(point[0] - arm, point[1] + way * arm), (point[0] + arm, point[1] - way * arm)]) for way in (1, -1)
    )
    place = f'cx="{number(point[0])}" cy="{number(point[1])}" r="{number(9 * unit)}"'
    return (
        f'<circle {place} fill="{PAPER}" stroke="{PEN}" stroke-width="{number(1.6 * unit)}"/>'
        f'<path d="{blades}" fill="none" stroke="{PEN}" stroke-width="{number(2.6 * unit)}" stroke-linecap="round"/>'
    )


def draw_trail(chart: Chart, trail: DrawnMarch, run: list[Point], unit: float) -> str:
    """Draw the path on which a piece came. It is dashed and has no arrowhead, because the march is over."""
    line = smooth(run) if len(run) > 2 else path(run)
    dashes = f'stroke-dasharray="{number(7 * unit)} {number(8 * unit)}" stroke-linecap="round"'
    pens = ((chart.rim(trail.power), 6.0), (chart.hue(trail.power).ink, 3.2))
    lines = "".join(
        f'<path d="{line}" fill="none" stroke="{ink}" stroke-width="{number(pen * unit)}" {dashes}/>'
        for ink, pen in pens
    )
    return f'<g class="trail" data-power="{escape(trail.power)}">{lines}</g>'


def overlay_rows(overlay: Overlay | None) -> Iterator[tuple[str, str]]:
    """Yield the lines of the legend that the overlay needs. Each is given by the kind of its sign, and its meaning."""
    if overlay is None:
        return
    ends, words = overlay.ends, overlay.words
    shown = {
        "reach": any(not end.forced and not end.retreat for end in ends),
        "reach-forced": any(end.forced for end in ends),
        "reach-retreat": any(end.retreat for end in ends),
        "reach-aim": any(end.aim for end in ends),
        "reach-meets": any(end.meets for end in ends),
        "trail": bool(overlay.trails),
        "declared": bool(overlay.declared),
    }
    yield from ((kind, words[kind]) for kind, is_shown in shown.items() if is_shown)


def overlay_sample(chart: Chart, kind: str, power: str, point: Point, unit: float) -> str:
    """Draw the sign of the overlay that a line of the legend explains. `kind` is the kind of this line."""
    if kind == "trail":
        run = [(point[0] - 36 * unit, point[1]), (point[0] + 36 * unit, point[1])]
        return draw_trail(chart, DrawnMarch(power, ()), run, unit)
    if kind == "declared":
        return badge(chart, "7?", point, unit).drawn
    what = kind.removeprefix("reach").removeprefix("-")
    end = DrawnEnd(power, 0, what == "forced", what == "meets", what == "aim", what == "retreat")
    return ring(chart, end, point, 1 * unit if end.aim else 4 * unit, unit)


class BoxSign(Struct, frozen=True):
    """Sign of a power's off-map box, and the point at which its arrow ends."""

    power: str
    title: str
    box: Box
    target: Point
    bend: float

    @property
    def arrow(self) -> Segment:
        """Return the straight line from the edge of the sign to the end of its arrow."""
        x = min(max(self.target[0], self.box[0]), self.box[2])
        y = min(max(self.target[1], self.box[1]), self.box[3])
        if self.box[0] < self.target[0] < self.box[2]:
            x += self.bend * 0.4
        return ((x, y), self.target)


def box_signs(chart: Chart) -> list[BoxSign]:
    """Return the signs of the off-map boxes whose cities are on maps that are shown. Their places are given by the
    scenery. If they are not, each is placed near its city."""
    found: list[BoxSign] = []
    for power, off_map in chart.data.off_map.items():
        city = chart.index.get(off_map.city)
        if city is None or not chart.has(city):
            continue
        title = chart.words.box(off_map.box)
        place = chart.scenery.off_map.get(power)
        if place is not None:
            at = middle((place.x, place.y, place.x + place.w, place.y + place.h))
            box, bend = box_around(at, place.w / 2, place.h / 2), place.bend
        else:
            box, bend = _free_place(chart, city, title, found), 14 * chart.unit
        found.append(BoxSign(power, title, box, chart.at[city], bend))
    return found


def _free_place(chart: Chart, city: int, title: str, found: list[BoxSign]) -> Box:
    """Return a rectangle for a sign near a city, where the sign hides as little of the board as possible."""
    unit, at = chart.unit, chart.at[city]
    half_width = width(title, 25 * unit) / 2 + 24 * unit
    frame = chart.frame(chart.data.cities[city].map)
    best, cost = box_around(at, half_width, 27 * unit), math.inf
    for k in range(48):
        angle, far = math.tau * (k % 16) / 16, (110 + 55 * (k // 16)) * unit
        here = (at[0] + math.cos(angle) * (far + half_width * 0.6), at[1] + math.sin(angle) * far)
        box = box_around(here, half_width, 27 * unit)
        price = 0.2 * far + 40 * sum(overlap(box, sign.box) for sign in found)
        price += 4 * sum(overlap(box, sign) for _, sign in chart.signs.near(box)) / unit
        price += sum(length_inside(box, segment) for segment, _ in chart.roads.near(box))
        if box[0] < frame[0] or box[1] < frame[1] or box[2] > frame[2] or box[3] > frame[3]:
            price += 4000 * unit
        if price < cost:
            best, cost = box, price
    return best


def kept_in(position: Position, power: str) -> list[AbsentPiece]:
    """Return the pieces that are in a power's off-map box."""
    return [each for each in position.absent if each.where and each.power == power]


def draw_boxed(chart: Chart, sign: BoxSign, pieces: list[AbsentPiece]) -> str:
    """Draw the pieces in an off-map box beside each other, over the lower edge of the sign."""
    wide = 2.2 * PIECE * chart.unit
    west = middle(sign.box)[0] - wide * (len(pieces) - 1) / 2
    return "".join(
        piece(
            (west + at * wide, sign.box[3]),
            chart.unit,
            chart,
            Marker(one.power, one.label, one.kind == "train", one.face_down),
        )
        for at, one in enumerate(pieces)
    )


def draw_box(chart: Chart, sign: BoxSign) -> str:
    unit, rim, hue = chart.stroke, chart.rim(sign.power), chart.hue(sign.power)
    start, target = sign.arrow
    end = point_towards(target, start, 20 * chart.unit)
    length = math.dist(start, end) or 1.0
    bow = (
        (start[0] + end[0]) / 2 + (end[1] - start[1]) / length * sign.bend,
        (start[1] + end[1]) / 2 - (end[0] - start[0]) / length * sign.bend,
    )
    turn = heading(bow, end)
    wings = [(end[0] - 17 * unit * math.cos(turn + s), end[1] - 17 * unit * math.sin(turn + s)) for s in (-0.42, 0.42)]
    head = path([end, *wings], close=True)
    line = " ".join(f"{letter}{number(x)},{number(y)}" for letter, (x, y) in (("M", start), ("Q", bow), ("", end)))
    west, north, east, south = sign.box
    size = min(25 * chart.unit, 0.5 * (south - north), 25 * (east - west - 24) / max(width(sign.title, 25), 1))
    frame = 'x="{}" y="{}" width="{}" height="{}"'
    outer = frame.format(number(west), number(north), number(east - west), number(south - north))
    inner = frame.format(number(west + 6), number(north + 6), number(east - west - 12), number(south - north - 12))
    name = (middle(sign.box)[0], middle(sign.box)[1] + 0.32 * size)
    return (
        f'<path d="{line}" fill="none" stroke="{rim}" stroke-width="{number(8.5 * unit)}" stroke-linecap="round"/>'
        f'<path d="{head}" fill="{rim}" stroke="{rim}" stroke-width="{number(5 * unit)}" stroke-linejoin="round"/>'
        f'<path d="{line}" fill="none" stroke="{hue.ink}" stroke-width="{number(4.5 * unit)}"/>'
        f'<path d="{head}" fill="{hue.ink}"/>'
        f'<rect {outer} rx="8" fill="{hue.ink}" stroke="{rim}" stroke-width="3"/>'
        f'<rect {inner} rx="5" fill="none" stroke="{hue.pen}" stroke-width="1.2" stroke-opacity="0.7"/>'
        + text(name, sign.title, size, hue.pen, extra=' font-style="italic"')
    )
