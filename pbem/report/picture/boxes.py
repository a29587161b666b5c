"""Boxes beside the map: their signs, and arrows to the cities where pieces come back."""

from __future__ import annotations

import math

from msgspec import Struct

from pbem.report.picture.chart import Chart, heading
from pbem.report.picture.geometry import (
    Box,
    Point,
    Segment,
    around,
    middle,
    number,
    overlap,
    path,
    through,
    towards,
)
from pbem.report.picture.lettering import width
from pbem.report.picture.signs import text


class BoxSign(Struct, frozen=True):
    """Sign of one power's box, with the target of its arrow."""

    power: str
    title: str
    box: Box
    target: Point
    bend: float

    @property
    def arrow(self) -> Segment:
        """Straight line under the arrow, from the edge of the sign."""
        x = min(max(self.target[0], self.box[0]), self.box[2])
        y = min(max(self.target[1], self.box[1]), self.box[3])
        if self.box[0] < self.target[0] < self.box[2]:
            x += self.bend * 0.4
        return ((x, y), self.target)


def box_signs(chart: Chart) -> list[BoxSign]:
    """Signs of all boxes: where the scenery puts them, else where there is room near their cities."""
    found: list[BoxSign] = []
    for power, off_map in chart.data.off_map.items():
        city = chart.index.get(off_map.city)
        if city is None or not chart.has(city):
            continue
        title = chart.words.box(off_map.box)
        place = chart.scenery.off_map.get(power)
        if place is not None:
            at = middle((place.x, place.y, place.x + place.w, place.y + place.h))
            box, bend = around(at, place.w / 2, place.h / 2), place.bend
        else:
            box, bend = _free_place(chart, city, title, found), 14 * chart.unit
        found.append(BoxSign(power, title, box, chart.at[city], bend))
    return found


def _free_place(chart: Chart, city: int, title: str, found: list[BoxSign]) -> Box:
    """Place near a city where a sign hides least of the board."""
    unit, at = chart.unit, chart.at[city]
    half_width = width(title, 25 * unit) / 2 + 24 * unit
    frame = chart.frame(chart.data.cities[city].map)
    best, cost = around(at, half_width, 27 * unit), math.inf
    for k in range(48):
        angle, far = math.tau * (k % 16) / 16, (110 + 55 * (k // 16)) * unit
        here = (at[0] + math.cos(angle) * (far + half_width * 0.6), at[1] + math.sin(angle) * far)
        box = around(here, half_width, 27 * unit)
        price = 0.2 * far + 40 * sum(overlap(box, sign.box) for sign in found)
        price += 4 * sum(overlap(box, sign) for _, sign in chart.signs.near(box)) / unit
        price += sum(through(box, segment) for segment, _ in chart.roads.near(box))
        if box[0] < frame[0] or box[1] < frame[1] or box[2] > frame[2] or box[3] > frame[3]:
            price += 4000 * unit
        if price < cost:
            best, cost = box, price
    return best


def draw_box(chart: Chart, sign: BoxSign) -> str:
    unit, rim, hue = chart.stroke, chart.rim(sign.power), chart.hue(sign.power)
    start, target = sign.arrow
    end = towards(target, start, 20 * chart.unit)
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
