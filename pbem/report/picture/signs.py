"""Signs of cities, suits, pieces and markers. Each is drawn around a point."""

from __future__ import annotations

import math

from msgspec import Struct

from pbem.report.picture.chart import Chart, PrintedGoal
from pbem.report.picture.geometry import Point, number, path
from pbem.report.picture.lettering import escape, width
from pbem.report.picture.theme import Theme

PIECE = 15.0
"""Radius of the disc of a general, before scaling."""

PAPER, PEN = "#f4eddd", "#20170d"
"""Colours of signs that are not filled: the colour of their ground, and that of their lines. They are the same in both
themes."""

FIGHT = "#b3160f"
"""Red colour of battles."""

SUIT_PATHS = {
    "hearts": (
        "M50,90C20,64 6,48 6,30C6,15 17,7 29,7C39,7 46,13 50,22C54,13 61,7 71,7C83,7 94,15 94,30C94,48 80,64 50,90Z"
    ),
    "diamonds": "M50,4C60,22 72,37 87,50C72,63 60,78 50,96C40,78 28,63 13,50C28,37 40,22 50,4Z",
    "spades": (
        "M50,5C54,22 92,42 92,63C92,77 81,84 71,84C63,84 57,80 54,74C55,84 60,91 66,95L34,95C40,91 45,84 46,74"
        "C43,80 37,84 29,84C19,84 8,77 8,63C8,42 46,22 50,5Z"
    ),
    "clubs": (
        "M50,5a21,21 0 0 1 17,33a21,21 0 1 1 -13,34C55,83 60,91 66,95L34,95C40,91 45,83 46,72a21,21 0 1 1 -13,-34"
        "a21,21 0 0 1 17,-33Z"
    ),
}


def text(point: Point, words: str, size: float, fill: str, *, anchor: str = "middle", extra: str = "") -> str:
    """Draw a line of text. `point` is on its baseline: at the `start`, the `middle` or the `end` of the line, as
    `anchor` says."""
    turned = "" if anchor == "start" else f' text-anchor="{anchor}"'
    place = f'x="{number(point[0])}" y="{number(point[1])}" font-size="{number(size)}"'
    return f'<text {place}{turned} fill="{fill}"{extra}>{escape(words)}</text>'


def strokes(key: str, run: str, *pens: str) -> str:
    """Draw the same lines once with each of `pens`, which are SVG attributes. `run` is the path data of the lines, and
    `key` their SVG id."""
    uses = "".join(f'<use href="#{key}" fill="none" {pen}/>' for pen in pens)
    return f'<defs><path id="{key}" d="{run}"/></defs>{uses}'


def square(point: Point, half: float, extra: str = "") -> str:
    return (
        f'<rect x="{number(point[0] - half)}" y="{number(point[1] - half)}" width="{number(2 * half)}" '
        f'height="{number(2 * half)}"{extra}/>'
    )


def disc(point: Point, radius: float, extra: str = "") -> str:
    return f'<circle cx="{number(point[0])}" cy="{number(point[1])}" r="{number(radius)}"{extra}/>'


def ink_of_suit(theme: Theme, suit: str) -> str:
    """Return the colour of a suit: the red or the black of the theme."""
    return theme.red_suit if suit in ("hearts", "diamonds") else theme.black_suit


def suit_symbols(chart: Chart) -> str:
    """Draw the four suits as SVG symbols. The function `suit` uses them."""
    return "".join(f'<path id="{chart.id(suit)}" d="{shape}"/>' for suit, shape in SUIT_PATHS.items())


def suit(chart: Chart, name: str, point: Point, size: float) -> str:
    """Draw the sign of a suit around a point, in the colour of the element in which it is."""
    place = f"translate({number(point[0] - size / 2)},{number(point[1] - size / 2)}) scale({size / 100:.3f})"
    return f'<use href="#{chart.id(name)}" transform="{place}"/>'


def town(point: Point, unit: float, theme: Theme) -> str:
    """Draw the sign of a city without a fortress."""
    rim = f' fill="{theme.city}" stroke="{theme.rim}" stroke-width="{number(2.6 * unit)}"'
    return disc(point, 8 * unit, rim)


def fortress(point: Point, unit: float, chart: Chart, land: str, *, major: bool, holder: str | None = None) -> str:
    """Draw a minor fortress, or with `major` a major fortress, in the ink of its land. If it has a `holder`, it has the
    mark and the ink of this power."""
    hue = chart.hue(holder or land)
    half = (15.0 if major else 10.5) * unit
    x, y = point
    rim = f' fill="{hue.ink}" stroke="{chart.rim(holder or land)}" stroke-width="{number(2.4 * unit)}"'
    out = [square(point, half, rim)]
    if major:
        for dx, dy in ((-half, -half), (half, -half), (half, half), (-half, half)):
            out.append(square((x + dx, y + dy), 4.5 * unit, rim))
        out.append(square(point, half - 1.2 * unit, f' fill="{hue.ink}"'))
    if holder is None:
        out.append(square(point, 3.5 * unit, f' fill="{hue.pen}"'))
    else:
        size = (19 if major else 16.5) * unit
        out.append(_mark_text((x, y + 0.35 * size), chart.mark(holder), size, hue.pen))
    return "".join(out)


def _shield(point: Point, unit: float) -> str:
    """Return SVG path data with a shield around a point."""
    x, y = point
    w, h = 10.5 * unit, 11.5 * unit
    sides = f"M{number(x - w)},{number(y - h)}h{number(2 * w)}v{number(1.1 * h)}"
    foot = f"q0,{number(0.6 * h)} {number(-w)},{number(0.95 * h)}"
    return f"{sides}{foot}q{number(-w)},{number(-0.35 * h)} {number(-w)},{number(-0.95 * h)}z"


def _mark_text(point: Point, mark: str, size: float, fill: str) -> str:
    """Draw the mark of a power. `point` is the middle of its baseline. Two characters are drawn smaller, so that they
    need no more room than one."""
    small = size if len(mark) < 2 else 0.72 * size
    return text((point[0], point[1] - 0.12 * (size - small)), mark, small, fill, extra=' font-weight="bold"')


def conquered_sign(point: Point, unit: float, chart: Chart, holder: str, aim: PrintedGoal | None = None) -> str:
    """Draw the sign of the power `holder`, which holds a city without a fortress. Its mark is on a shield, or on a disc
    if the city is an objective of the second order."""
    hue = chart.hue(holder)
    fill, pen = (hue.hatch, PAPER if hue.line else hue.pen) if aim else (hue.ink, hue.pen)
    rim = f' fill="{fill}" stroke="{chart.rim(holder)}" stroke-width="{number(2.2 * unit)}" stroke-linejoin="round"'
    is_round = aim is not None and aim.order == 2
    shape = disc(point, 10.5 * unit, rim) if is_round else f'<path d="{_shield(point, unit)}"{rim}/>'
    return shape + _mark_text((point[0], point[1] + 4.5 * unit), chart.mark(holder), 15.5 * unit, pen)


def goal(point: Point, unit: float, chart: Chart, aim: PrintedGoal) -> str:
    """Draw the sign of a power's objective. The power's mark is on a hollow shield, or in a ring if the objective is of
    the second order."""
    ink = chart.hue(aim.power).hatch
    outer = f' fill="{PAPER}" stroke="{PEN}" stroke-width="{number((4.6 if aim.order == 1 else 3.6) * unit)}"'
    inner = f' fill="none" stroke="{ink}" stroke-width="{number((3 if aim.order == 1 else 2) * unit)}"'
    if aim.order == 1:
        shield = f'<path d="{_shield(point, unit)}"'
        shape = f'{shield}{outer} stroke-linejoin="round"/>{shield}{inner}/>'
    else:
        shape = disc(point, 10 * unit, outer) + disc(point, 10 * unit, inner)
    return shape + _mark_text((point[0], point[1] + 4.5 * unit), chart.mark(aim.power), 14.5 * unit, PEN)


def depot(point: Point, unit: float, chart: Chart, power: str) -> str:
    """Draw the sign of a city where lost pieces return: a storehouse with the mark of its power."""
    x, y = point
    corners = ((-10, 10), (-10, -4), (0, -13), (10, -4), (10, 10))
    house = path([(x + dx * unit, y + dy * unit) for dx, dy in corners], close=True)
    rim = f'fill="{PAPER}" stroke="{PEN}" stroke-width="{number(4.6 * unit)}" stroke-linejoin="round"'
    line = f'fill="none" stroke="{chart.hue(power).hatch}" stroke-width="{number(3 * unit)}"'
    return f'<path d="{house}" {rim}/><path d="{house}" {line}/>' + _mark_text(
        (x, y + 6.5 * unit), chart.mark(power), 13.5 * unit, PEN
    )


def crown(point: Point, unit: float) -> str:
    """Draw the crown over the city of an elector who votes."""
    x, y = point
    corners = ((-15, 7), (-17, -7), (-8, 0), (0, -11), (8, 0), (17, -7), (15, 7))
    shape = path([(x + dx * unit, y + dy * unit) for dx, dy in corners], close=True)
    gold = f'fill="#e9b92f" stroke="#5c430a" stroke-width="{number(1.8 * unit)}" stroke-linejoin="round"'
    return f'<path d="{shape}" {gold}/>' + disc((x, y - 11 * unit), 2.6 * unit, ' fill="#b3262a"')


class Marker(Struct, frozen=True):
    """Piece as its sign shows it: its power, the text on the sign, and its state."""

    power: str
    label: str = ""
    is_train: bool = False
    face_down: bool = False
    troops: int = 0
    """Number of troops that is shown beside a general. If it is 0, no number is shown."""


def piece(point: Point, unit: float, chart: Chart, marker: Marker) -> str:
    """Draw a general as a disc, or a train as a wagon, with the mark of its power and the number of its troops.
    Face-down pieces are hollow and hatched."""
    hue = chart.hue(marker.power)
    radius = (PIECE if not marker.is_train else PIECE - 1) * unit
    edge = chart.theme.rim if marker.face_down else chart.rim(marker.power)
    rim = f' stroke="{edge}" stroke-width="{number(2 * unit)}"'
    shape, lift = (wagon, 2.2 * unit) if marker.is_train else (disc, 0.0)
    out = [shape(point, radius, f' fill="{PAPER if marker.face_down else hue.ink}"' + rim)]
    if hue.line and not marker.face_down and not marker.is_train:  # the ground may be as light as the ink
        out.append(
            disc(point, radius - 3 * unit, f' fill="none" stroke="{hue.line}" stroke-width="{number(1.4 * unit)}"')
        )
    if marker.face_down:
        out.append(_hatching((point[0], point[1] - lift), radius - lift, unit, hue.hatch))
    pen = PEN if marker.face_down else hue.pen
    words = f"{chart.mark(marker.power)}{marker.label}"
    size = piece_lettering(words) * unit * (0.88 if marker.is_train else 1.0)
    halo = f' stroke="{PAPER}" stroke-width="{number(4.6 * unit)}" paint-order="stroke"' if marker.face_down else ""
    out.append(text((point[0], point[1] + 0.35 * size - lift), words, size, pen, extra=f' font-weight="bold"{halo}'))
    if marker.face_down:
        bar = f"M{number(point[0] - 0.62 * radius)},{number(point[1] + 0.62 * radius)}h{number(1.24 * radius)}"
        out.append(f'<path d="{bar}" stroke="{PEN}" stroke-width="{number(3 * unit)}"/>')
    if marker.troops:
        out.append(strength((point[0] + STRENGTH * unit, point[1] + 0.7 * radius), unit, str(marker.troops)))
    return "".join(out)


STRENGTH = 18.0
"""Distance between the middle of a general's disc and his number of troops, before scaling."""


def half_strength(unit: float, words: str) -> float:
    """Return half the width of the plate behind a number of troops."""
    return width(words, 16.5 * unit, bold=True) / 2 + 3 * unit


def strength(point: Point, unit: float, words: str) -> str:
    """Draw a number of troops on a plate around a point."""
    size = 16.5 * unit
    wide, high = 2 * half_strength(unit, words), 17 * unit
    place = f'x="{number(point[0] - wide / 2)}" y="{number(point[1] - high / 2)}" width="{number(wide)}"'
    rim = f'height="{number(high)}" rx="{number(4 * unit)}" stroke="{PEN}" stroke-width="{number(1.6 * unit)}"'
    number_ = text((point[0], point[1] + 0.35 * size), words, size, PEN, extra=' font-weight="bold"')
    return f'<rect {place} {rim} fill="{PAPER}"/>{number_}'


def wagon(point: Point, half: float, extra: str = "") -> str:
    """Draw a wagon with a bowed cover, on two wheels."""
    (x, y), bed = point, 0.62 * half
    cover = f"M{number(x - half)},{number(y + bed)}v{number(-bed)}"
    bow = f"q{number(0.1 * half)},{number(-half)} {number(half)},{number(-half)}t{number(half)},{number(half)}"
    wheels = "".join(disc((x + side * 0.56 * half, y + bed), 0.34 * half, extra) for side in (-1, 1))
    return f'{wheels}<path d="{cover}{bow}v{number(bed)}z" stroke-linejoin="round"{extra}/>'


def piece_lettering(words: str) -> float:
    """Return the size of the text on a piece, before scaling."""
    return 16.5 if len(words) < 3 else 13.0


def _hatching(point: Point, radius: float, unit: float, ink: str) -> str:
    """Draw slanting lines over a round area. They mark a face-down piece."""
    lines = []
    inner = radius - 1.5 * unit
    for k in (-2, -1, 0, 1, 2):
        off = k * inner * 0.42
        along = math.sqrt(inner * inner - off * off) / math.sqrt(2)
        x, y = point[0] + off / math.sqrt(2), point[1] + off / math.sqrt(2)
        lines.append(f"M{number(x - along)},{number(y + along)}L{number(x + along)},{number(y - along)}")
    return f'<path d="{"".join(lines)}" stroke="{ink}" stroke-width="{number(2.6 * unit)}"/>'


def hussar(point: Point, unit: float, chart: Chart) -> str:
    """Draw hussars: two crossed sabres on a pennon."""
    x, y = point
    r = 13 * unit
    pennon = path([(x - r * 1.1, y - r * 0.8), (x + r * 1.1, y - r * 0.8), (x, y + r * 1.15)], close=True)
    rim = f'stroke="{chart.theme.bright_rim}" stroke-width="{number(2 * unit)}" stroke-linejoin="round"'
    sabres = "".join(
        f"M{number(x - s * 0.62 * r)},{number(y + 0.2 * r)}"
        f"Q{number(x + s * 0.3 * r)},{number(y + 0.02 * r)} {number(x + s * 0.52 * r)},{number(y - 0.62 * r)}"
        for s in (-1, 1)
    )
    blades = f'fill="none" stroke="#fff6d8" stroke-width="{number(2.2 * unit)}" stroke-linecap="round"'
    return f'<path d="{pennon}" fill="#7a1f5c" {rim}/><path d="{sabres}" {blades}/>'


def battle(point: Point, unit: float) -> str:
    """Draw the mark of a battle: two crossed swords on a disc."""
    x, y = point
    r = 13 * unit
    rim = f' fill="{PAPER}" stroke="{FIGHT}" stroke-width="{number(3 * unit)}"'
    blades, hilts = "", ""
    for side in (-1, 1):
        blades += f"M{number(x - side * 0.62 * r)},{number(y + 0.62 * r)}l{number(side * 1.24 * r)},{number(-1.24 * r)}"
        hilts += f"M{number(x - side * 0.58 * r)},{number(y + 0.1 * r)}l{number(side * 0.5 * r)},{number(0.5 * r)}"
    pen = f'fill="none" stroke="{FIGHT}" stroke-linecap="round" stroke-width='
    return (
        disc(point, r, rim)
        + f'<path d="{blades}" {pen}"{number(3.4 * unit)}"/><path d="{hilts}" {pen}"{number(3 * unit)}"/>'
    )


def question(point: Point, unit: float, chart: Chart, power: str) -> str:
    """Draw the question mark of a power on a diamond, with the power's mark."""
    hue = chart.hue(power)
    x, y = point
    r = 16 * unit
    shape = path([(x, y - r * 0.85), (x + r * 1.15, y), (x, y + r * 0.85), (x - r * 1.15, y)], close=True)
    rim = f'stroke="{chart.rim(power)}" stroke-width="{number(2 * unit)}" stroke-linejoin="round"'
    words = f"{chart.mark(power)}?"
    size = (14 if len(words) < 3 else 11) * unit
    letters = text((x, y + 0.35 * size), words, size, hue.pen, extra=' font-weight="bold"')
    return f'<path d="{shape}" fill="{hue.ink}" {rim}/>{letters}'


def compass(point: Point, unit: float, turn: float, theme: Theme, north: str) -> str:
    """Draw a compass rose. `turn` is the angle by which its north is turned to the left, in degrees."""
    radius = 58 * unit
    thin, thick = number(unit), number(1.4 * unit)
    out = [
        f'<g transform="translate({number(point[0])},{number(point[1])}) rotate({number(-turn)})">',
        disc((0, 0), radius, f' fill="none" stroke="{theme.ink}" stroke-width="{thick}" stroke-opacity="0.5"'),
        disc((0, 0), radius * 0.62, f' fill="none" stroke="{theme.ink}" stroke-width="{thin}" stroke-opacity="0.4"'),
    ]
    for k in range(8):
        angle = math.radians(45 * k - 90)
        length = radius * (1.0 if k % 2 == 0 else 0.62)
        tip = (length * math.cos(angle), length * math.sin(angle))
        for side, fill in ((1, theme.ink), (-1, theme.panel)):
            wing = angle + side * math.radians(45)
            corner = (radius * 0.16 * math.cos(wing), radius * 0.16 * math.sin(wing))
            shape = path([(0, 0), corner, tip], close=True)
            out.append(f'<path d="{shape}" fill="{fill}" stroke="{theme.ink}" stroke-width="{thin}"/>')
    out.append(text((0, -radius - 8 * unit), north, 24 * unit, theme.ink, extra=' font-weight="bold"'))
    return "".join(out) + "</g>"
