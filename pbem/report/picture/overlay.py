"""Overlay for a reader who looks something up: ends of a march, trails, declared strengths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.report.picture.chart import Chart
from pbem.report.picture.drawing import Patch
from pbem.report.picture.geometry import Box, Point, around, enlarge, hull_box, number, path, smooth
from pbem.report.picture.lettering import escape, width
from pbem.report.picture.position import DrawnEnd, DrawnMarch, Overlay
from pbem.report.picture.signs import PAPER, PEN, text
from pbem.report.picture.tokens import Token

DASHES = {"forced": (9.0, 6.0), "retreat": (2.0, 6.0)}
"""Dashes of rings: line and gap."""

SIZE = 15.0
"""Size of the numbers."""


def under(chart: Chart, overlay: Overlay | None) -> Iterator[Patch]:
    """Parts under the signs of cities: trails and rings."""
    for trail in overlay.trails if overlay else ():
        run = [chart.at[chart.city(place)] for place in trail.path]
        box = enlarge(hull_box(run), 0.25 * chart.spacing + 12 * chart.stroke)
        if chart.sees(box):
            yield Patch(box, draw_trail(chart, trail, run, chart.stroke))
    for end in overlay.ends if overlay else ():
        city = chart.city(end.city)
        box = around(chart.at[city], chart.half(chart.data.cities[city]) + 24 * chart.sign)
        if chart.has(city) and chart.sees(box):
            drawn = ring(chart, end, chart.at[city], chart.half(chart.data.cities[city]), chart.sign)
            yield Patch(box, f'<g class="end" data-city="{escape(chart.data.cities[city].name)}">{drawn}</g>')


def ring_boxes(chart: Chart, overlay: Overlay | None) -> Iterator[Box]:
    """Boxes of the rings, which names avoid."""
    for end in overlay.ends if overlay else ():
        city = chart.city(end.city)
        half = chart.half(chart.data.cities[city]) + (16 if end.aim else 9) * chart.sign
        yield around(chart.at[city], half)


def over(chart: Chart, overlay: Overlay | None, standing: Iterable[Token]) -> Iterator[Patch]:
    """Parts over the pieces: the declared strength of their stack."""
    if overlay is None or not overlay.declared:
        return
    told = {chart.city(place): words for place, words in overlay.declared.items()}
    for token in standing:
        if token.owner and token.city in told and chart.sees(token.box):
            yield badge(chart, told.pop(token.city), (token.box[2], token.box[3]), chart.unit)


def badge(chart: Chart, words: str, at: Point, unit: float) -> Patch:
    """Number on a plate around a point."""
    half = (width(words, SIZE * unit, bold=True) / 2 + 4 * unit, 0.62 * SIZE * unit)
    box = around(at, *half)
    place = f'x="{number(box[0])}" y="{number(box[1])}" width="{number(2 * half[0])}" height="{number(2 * half[1])}"'
    plate = f'<rect {place} rx="{number(4 * unit)}" fill="{PAPER}" stroke="{PEN}" stroke-width="{number(1.6 * unit)}"/>'
    foot = (at[0], at[1] + 0.36 * SIZE * unit)
    drawn = text(foot, words, SIZE * unit, PEN, extra=' font-weight="bold"')
    return Patch(enlarge(box, 2 * unit), f'<g class="declared">{plate}{drawn}</g>')


def ring(chart: Chart, end: DrawnEnd, at: Point, half: float, unit: float) -> str:
    """Ring around a city: dashed for a forced march or a retreat, double for a target, with swords beside an enemy."""
    radius = half + 7 * unit
    out = circle(chart, end, at, radius, unit)
    if end.aim:
        out += circle(chart, end, at, radius + 7 * unit, unit)
    if end.meets:
        out += cross(chart, (at[0] + 0.75 * radius, at[1] - 0.75 * radius), unit)
    return out


def circle(chart: Chart, end: DrawnEnd, at: Point, radius: float, unit: float) -> str:
    """Line around a point, with a rim that makes it visible on every ground."""
    gaps = DASHES.get("forced" if end.forced else "retreat" if end.retreat else "")
    dashes = f' stroke-dasharray="{" ".join(number(part * unit) for part in gaps)}"' if gaps else ""
    place = f'cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}" fill="none"'
    pens = ((chart.rim(end.power), 6.5), (chart.hue(end.power).ink, 4.0))
    return "".join(f'<circle {place} stroke="{ink}" stroke-width="{number(pen * unit)}"{dashes}/>' for ink, pen in pens)


def cross(chart: Chart, at: Point, unit: float) -> str:
    """Two crossed blades on a disc."""
    arm = 5 * unit
    blades = "".join(path([(at[0] - arm, at[1] + way * arm), (at[0] + arm, at[1] - way * arm)]) for way in (1, -1))
    place = f'cx="{number(at[0])}" cy="{number(at[1])}" r="{number(9 * unit)}"'
    return (
        f'<circle {place} fill="{PAPER}" stroke="{PEN}" stroke-width="{number(1.6 * unit)}"/>'
        f'<path d="{blades}" fill="none" stroke="{PEN}" stroke-width="{number(2.6 * unit)}" stroke-linecap="round"/>'
    )


def draw_trail(chart: Chart, trail: DrawnMarch, run: list[Point], unit: float) -> str:
    """Way on which a piece came, dashed and without a head because it is past."""
    line = smooth(run) if len(run) > 2 else path(run)
    dashes = f'stroke-dasharray="{number(7 * unit)} {number(8 * unit)}" stroke-linecap="round"'
    pens = ((chart.rim(trail.power), 6.0), (chart.hue(trail.power).ink, 3.2))
    lines = "".join(
        f'<path d="{line}" fill="none" stroke="{ink}" stroke-width="{number(pen * unit)}" {dashes}/>'
        for ink, pen in pens
    )
    return f'<g class="trail" data-power="{escape(trail.power)}">{lines}</g>'


def overlay_rows(overlay: Overlay | None) -> Iterator[tuple[str, str]]:
    """Lines of a legend that the overlay needs: kinds and meanings."""
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


def overlay_sample(chart: Chart, kind: str, power: str, at: Point, unit: float) -> str:
    """Sign that such a line explains."""
    if kind == "trail":
        run = [(at[0] - 36 * unit, at[1]), (at[0] + 36 * unit, at[1])]
        return draw_trail(chart, DrawnMarch(power, ()), run, unit)
    if kind == "declared":
        return badge(chart, "7?", at, unit).drawn
    what = kind.removeprefix("reach").removeprefix("-")
    end = DrawnEnd(power, 0, what == "forced", what == "meets", what == "aim", what == "retreat")
    return ring(chart, end, at, 1 * unit if end.aim else 4 * unit, unit)
