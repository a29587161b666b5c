"""Tokens on the board: stacks of pieces, hussars and markers, and plates with names. The module also draws the arrows
of marches."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise

from msgspec import Struct
from msgspec.structs import replace

from pbem.report.picture.chart import ARROW, Buckets, Chart, heading
from pbem.report.picture.geometry import (
    Box,
    Point,
    bends,
    box_around,
    enlarge,
    hull_box,
    intersection,
    is_nearer,
    length_inside,
    meet,
    middle,
    number,
    overlap,
    path,
    point_towards,
    smooth,
)
from pbem.report.picture.lettering import escape, width
from pbem.report.picture.position import DrawnFight, DrawnMarch, DrawnPiece, Position
from pbem.report.picture.signs import (
    PAPER,
    PEN,
    PIECE,
    STRENGTH,
    Marker,
    battle,
    half_strength,
    hussar,
    piece,
    piece_lettering,
    question,
    text,
)

SPOTS = (
    *((1.0, 0.0), (-1.0, 0.0), (0.55, -1.0), (-0.55, -1.0), (0.55, 1.0), (-0.55, 1.0), (0.0, -1.0), (0.0, 1.0)),
    *((1.0, -0.9), (-1.0, -0.9), (1.0, 0.9), (-1.0, 0.9), (0.8, -1.8), (-0.8, -1.8), (0.8, 1.8), (-0.8, 1.8)),
    *((1.4, 0.0), (-1.4, 0.0), (0.0, -1.8), (0.0, 1.8), (1.8, 0.0), (-1.8, 0.0), (1.8, -1.6), (-1.8, -1.6)),
    *((1.8, 1.6), (-1.8, 1.6), (0.0, -2.6), (0.0, 2.6), (1.3, -1.6), (-1.3, -1.6), (1.3, 1.6), (-1.3, 1.6)),
)
"""Positions beside a city that are tried for the plates of a stack. They are measured in a unit: half the size of the
plates plus half the size of the city's sign."""

_LARGER = 1.27
"""Factor by which a piece that has a name is larger than a piece without a name."""

_ROW = 36.0
_NAME, _TROOPS = 16.5, 19.5
"""Sizes of the text of names, and of numbers of troops, before scaling. The numbers are larger because readers look for
them."""


def half_sizes(chart: Chart, pieces: Sequence[DrawnPiece]) -> tuple[float, float]:
    """Return half the width and half the height of all plates of a stack together."""
    wide = max(_disc(chart) + _words_width(chart, one) for one in pieces)
    return wide / 2 + chart.unit, len(pieces) * _ROW * chart.unit / 2


def _disc(chart: Chart) -> float:
    return 2 * PIECE * _LARGER * chart.unit


def _words_width(chart: Chart, piece: DrawnPiece) -> float:
    """Return the width of the words on a plate. The disc before them is not included."""
    if not piece.name:
        return 0.0
    name = width(piece.name, _NAME * chart.unit, bold=bool(piece.troops)) + 12 * chart.unit
    return name + (width(str(piece.troops), _TROOPS * chart.unit, bold=True) + 7 * chart.unit if piece.troops else 0.0)


def rows(chart: Chart, pieces: Sequence[DrawnPiece], box: Box) -> Iterator[tuple[DrawnPiece, Point]]:
    """Yield each piece of a stack with the middle of its disc, from the top row down. `box` is the rectangle around all
    plates of the stack."""
    for k, one in enumerate(pieces):
        yield one, (box[0] + chart.unit + _disc(chart) / 2, box[1] + (k + 0.5) * _ROW * chart.unit)


def plate(chart: Chart, drawn: DrawnPiece, centre: Point) -> str:
    """Draw a piece as a disc around `centre`. If it has a name, a plate with its name and troops is added."""
    unit = chart.unit
    sign = piece(
        centre, _LARGER * unit, chart, Marker(drawn.power, drawn.label, drawn.kind == "train", drawn.face_down)
    )
    if not drawn.name:
        return sign
    hue = chart.hue(drawn.power)
    fill, pen = (PAPER, PEN) if drawn.face_down else (hue.ink, hue.pen)
    edge = chart.theme.rim if drawn.face_down else chart.rim(drawn.power)
    high, wide = 27 * unit, _disc(chart) / 2 + _words_width(chart, drawn)
    shape = f'x="{number(centre[0])}" y="{number(centre[1] - high / 2)}" width="{number(wide)}" height="{number(high)}"'
    back = f'<rect {shape} rx="{number(5 * unit)}" fill="{fill}" stroke="{edge}" stroke-width="{number(2 * unit)}"/>'
    return back + _words(chart, drawn, (centre[0] + _disc(chart) / 2 + 4 * unit, centre[1]), pen) + sign


def _words(chart: Chart, drawn: DrawnPiece, start: Point, pen: str) -> str:
    """Draw the name of a piece, and its troops in larger digits."""
    size, bold = _NAME * chart.unit, ' font-weight="bold"' if drawn.troops else ""
    out = text((start[0], start[1] + 0.33 * size), drawn.name, size, pen, anchor="start", extra=bold)
    if drawn.troops:
        size = _TROOPS * chart.unit
        end = (start[0] + _words_width(chart, drawn) - 8 * chart.unit, start[1] + 0.35 * size)
        out += text(end, str(drawn.troops), size, pen, anchor="end", extra=bold)
    return out


_CORNERS = ((0.75, -0.75), (-0.75, -0.75), (0.75, 0.75), (-0.75, 0.75), (1.05, 0), (-1.05, 0), (0, 1.05), (0, -1.05))

_TAKEN_FOR_ANOTHERS = 8000
"""Cost of a token that is nearer to the city of another stack. It is given as the length of road that would cost as
much to hide."""
_MOVED = 800
"""Cost of a stack's token that is on another side of its city than before, also as a length of road. It is less than
the cost of hiding a whole sign or another token."""
_STEP = 1.6
"""Distance between the discs of a stack, as a multiple of their radius. It is greater if otherwise a label would be
hidden."""


class _UnplacedToken(Struct, frozen=True):
    """Token that has no place yet: half its width and height, the function that draws it, its owner, and the positions
    to try, the best first."""

    half_width: float
    half_height: float
    draw: Callable[[Box], str]
    owner: str = ""
    spots: tuple[Point, ...] = _CORNERS
    others: Sequence[Point] = ()
    """Cities of other stacks. If a token is nearer to one of them than to its own city, readers would think that it
    belongs to that city."""
    before: int | None = None
    """Index in `spots` of the place that the first stack in this city had."""


class Token(Struct, frozen=True):
    """Something that is drawn beside a city, and its rectangle."""

    city: int
    box: Box
    draw: Callable[[Box], str]
    owner: str = ""


def start_position(chart: Chart) -> Position:
    """Return the set-up that is printed on a board, as a position."""
    pieces = []
    for power, army in chart.data.setup.items():
        for general in army.generals:
            if general.city in chart.index and chart.has(chart.index[general.city]):
                pieces.append(DrawnPiece(power, "general", str(general.rank), general.city))
        for train in army.trains:
            if train.city in chart.index and chart.has(chart.index[train.city]):
                pieces.append(DrawnPiece(power, "train", "T", train.city))
    return Position(pieces=tuple(pieces))


def tokens(
    chart: Chart, position: Position, window: Box | None = None, sides: dict[int, int] | None = None
) -> list[Token]:
    """Return the tokens of a position. Each is placed where it hides as little as possible. With a `window`, return
    only the tokens of cities in the window.

    `sides` has the place that each city's stack had in earlier pictures, as an index in `spots`. Places of new stacks
    are added to it.
    """
    sides = {} if sides is None else sides
    unit, named = chart.unit, any(one.name for one in position.pieces)
    wanted: defaultdict[int, list[_UnplacedToken]] = defaultdict(list)
    stacks: defaultdict[int, list[DrawnPiece]] = defaultdict(list)
    for one in position.pieces:
        stacks[chart.city(one.city)].append(one)
    for city in sorted(stacks):
        each = (_plates if named else _stack)(chart, city, stacks[city])
        others = [chart.at[other] for other in stacks if other != city] if named else []
        wanted[city].append(replace(each, others=others, before=sides.get(city)))
    for city in sorted(chart.city(place) for place in position.hussars):
        wanted[city].append(_UnplacedToken(15 * unit, 14 * unit, _hussar(chart, city)))
    for place, power in position.questions.items():
        city = chart.city(place)
        wanted[city].append(_UnplacedToken(18 * unit, 14 * unit, _question(chart, city, power), power))
    placed: Buckets[Token] = Buckets(chart.spacing)
    out = [_battle(chart, fight) for fight in position.fights]
    for token in out:
        placed.add(token.box, token)
    for city in sorted(city for city in wanted if not window or meet(box_around(chart.at[city], 1), window)):
        for each in wanted[city]:
            box, side = _place(chart, city, each, placed, window)
            if city in stacks:
                sides.setdefault(city, side)
            token = Token(city, box, each.draw, each.owner)
            placed.add(token.box, token)
            out.append(token)
    return out


def _place(
    chart: Chart, city: int, unplaced: _UnplacedToken, placed: Buckets[Token], window: Box | None
) -> tuple[Box, int]:
    """Return the rectangle for a token beside a city that costs least, and its index in the token's `spots`. A
    rectangle costs more if the token would hide more there."""
    unit, at = chart.unit, chart.at[city]
    frame = chart.frame(chart.data.cities[city].map)
    frame = (window and intersection(frame, window)) or frame
    best, cost = (box_around(at, unplaced.half_width), 0), math.inf
    for side, (box, price) in enumerate(_corners(chart, city, unplaced)):
        price += _MOVED * unit * (unplaced.before not in (None, side))
        if price >= cost:
            continue  # other tokens there could only add to the cost
        for token in placed.near(box):
            price += overlap(box, token.box) / unit * 24
        price += _TAKEN_FOR_ANOTHERS * unit * is_nearer(box, unplaced.others, at)
        if box[0] < frame[0] or box[1] < frame[1] or box[2] > frame[2] or box[3] > frame[3]:
            price += 20000 * unit
        if price < cost:
            best, cost = (box, side), price
    return best


def _corners(chart: Chart, city: int, token: _UnplacedToken) -> list[tuple[Box, float]]:
    """Return the rectangles beside a city where a token can be drawn. Each has a cost, which depends on what the token
    would hide of the board."""
    half_width, half_height = token.half_width, token.half_height
    key = (city, half_width, half_height, token.spots)
    if (known := chart.corners.get(key)) is not None:
        return known
    unit, at, data = chart.unit, chart.at[city], chart.data.cities[city]
    far_x, far_y = chart.half(data) + half_width, chart.half(data) + half_height
    found = chart.corners[key] = []
    for rank, (dx, dy) in enumerate(token.spots):
        lift = 9 * unit if data.elector and dy < 0 else 0.0
        box = box_around((at[0] + dx * far_x, at[1] + dy * far_y - lift), half_width, half_height)
        price = rank * 0.7 * unit
        for segment, main in chart.roads.near(box):
            price += length_inside(box, segment) * (1.3 if main else 1.0)
        for other, sign in chart.signs.near(box):
            price += overlap(box, sign) / unit * (0.5 if other == city else 4)
        found.append((box, price))
    return found


def _stack(chart: Chart, city: int, pieces: list[DrawnPiece]) -> _UnplacedToken:
    """Return the token of a stack without names. Its discs are in a row, the commander in front."""
    unit = chart.unit
    radius = PIECE * unit
    plates = [half_strength(unit, str(one.troops)) for one in pieces if one.troops]
    beside = (STRENGTH - PIECE) * unit + max(plates) if plates else 0.0
    step = max(_STEP * radius + beside, *(radius + 2 * unit + _half_label(chart, one) for one in pieces))
    half_width = radius + (step * (len(pieces) - 1) + beside) / 2

    def draw(box: Box) -> str:
        at = chart.at[city]
        turned = middle(box)[0] < at[0] - radius
        out = []
        for k, one in reversed(list(enumerate(pieces))):
            here = (box[2] - radius - beside - k * step if turned else box[0] + radius + k * step, middle(box)[1])
            tip = point_towards(at, here, 0.75 * chart.half(chart.data.cities[city]))
            pointer = "" if k else _pointer(chart, here, tip, one.power)
            shown = Marker(one.power, one.label, one.kind == "train", one.face_down, one.troops)
            sign = piece(here, chart.unit, chart, shown)
            out.append(_with_attributes(chart, city, one, pointer + sign))
        return "".join(out)

    return _UnplacedToken(half_width + unit, radius + unit, draw, pieces[0].power)


def _plates(chart: Chart, city: int, pieces: list[DrawnPiece]) -> _UnplacedToken:
    """Return the token of a stack with names. Its plates are one below the other."""

    def draw(box: Box) -> str:
        at, inner = chart.at[city], enlarge(box, -PIECE * chart.unit)
        here = (min(max(at[0], inner[0]), inner[2]), min(max(at[1], inner[1]), inner[3]))
        tip = point_towards(at, here, 0.75 * chart.half(chart.data.cities[city]))
        signs = (_with_attributes(chart, city, one, plate(chart, one, disc)) for one, disc in rows(chart, pieces, box))
        return _pointer(chart, here, tip, pieces[0].power) + "".join(signs)

    return _UnplacedToken(*half_sizes(chart, pieces), draw, pieces[0].power, SPOTS)


def _battle(chart: Chart, fight: DrawnFight) -> Token:
    """Return the token of a combat: two swords between its two cities."""
    one, other = chart.city(fight.attacking), chart.city(fight.defending)
    half = 15 * chart.unit
    where = f'data-city="{escape(chart.data.cities[other].name)}"'

    def draw(box: Box) -> str:
        return f'<g class="battle" {where}>{battle(middle(box), chart.unit)}</g>'

    return Token(other, box_around(middle((*chart.at[one], *chart.at[other])), half), draw)


def _half_label(chart: Chart, drawn: DrawnPiece) -> float:
    words = f"{chart.mark(drawn.power)}{drawn.label}"
    return width(words, piece_lettering(words) * chart.unit, bold=True) / 2


def _with_attributes(chart: Chart, city: int, drawn: DrawnPiece, sign: str) -> str:
    down = " face-down" if drawn.face_down else ""
    what = f'class="{drawn.kind}{down}" data-power="{escape(drawn.power)}" data-label="{escape(drawn.label)}"'
    return f'<g {what} data-city="{escape(chart.data.cities[city].name)}">{sign}</g>'


def _pointer(chart: Chart, start: Point, tip: Point, power: str) -> str:
    """Draw a wedge that points from a disc to its city."""
    angle = heading(start, tip)
    across = (-math.sin(angle) * 7 * chart.unit, math.cos(angle) * 7 * chart.unit)
    shape = path(
        [(start[0] + across[0], start[1] + across[1]), tip, (start[0] - across[0], start[1] - across[1])], close=True
    )
    rim = f'stroke="{chart.rim(power)}" stroke-width="{number(2 * chart.unit)}" stroke-linejoin="round"'
    return f'<path d="{shape}" fill="{chart.hue(power).ink}" {rim}/>'


def _hussar(chart: Chart, city: int) -> Callable[[Box], str]:
    name = escape(chart.data.cities[city].name)
    return lambda box: f'<g class="hussar" data-city="{name}">{hussar(middle(box), chart.unit, chart)}</g>'


def _question(chart: Chart, city: int, power: str) -> Callable[[Box], str]:
    what = f'class="question" data-power="{escape(power)}" data-city="{escape(chart.data.cities[city].name)}"'
    return lambda box: f"<g {what}>{question(middle(box), chart.unit, chart, power)}</g>"


def ways(chart: Chart, position: Position) -> list[tuple[DrawnMarch, list[Point]]]:
    """Return each march and retreat that is at least partly in the picture, with the points of its arrow."""
    found = []
    for move in position.moves:
        places = [chart.at[chart.city(place)] for place in move.path]
        if len(places) > 1:
            # The arrow is a little to the right of the roads, so that they stay visible.
            run = []
            for k, (x, y) in enumerate(places):
                angle = heading(places[max(k - 1, 0)], places[min(k + 1, len(places) - 1)])
                share = 0.0 if k == len(places) - 1 else 6 * chart.unit
                run.append((x - math.sin(angle) * share, y + math.cos(angle) * share))
            run[-1] = point_towards(run[-1], run[-2], 15 * chart.unit)
            if any(chart.sees(enlarge(hull_box(step), chart.spacing)) for step in pairwise(run)):
                found.append((move, run))
    return found


def draw_way(chart: Chart, move: DrawnMarch, run: list[Point]) -> str:
    return arrow(chart, run, move.power, retreat=move.kind == "retreat", unit=chart.stroke)


def way_box(chart: Chart, run: list[Point]) -> Box:
    """Return a rectangle that contains the arrow of a march or a retreat."""
    pulls = chain(*bends(run)) if len(run) > 2 else ()
    return enlarge(hull_box([*run, *pulls, *_head(run, chart.stroke)]), 0.6 * ARROW * chart.stroke)


def _head(run: list[Point], unit: float) -> list[Point]:
    """Return the corners of the head of an arrow."""
    tip = point_towards(run[-1], run[-2], -10 * unit)
    angle = heading(run[-2], run[-1])
    turns = (angle + 0.45, angle - 0.45)
    return [tip, *((tip[0] - 23 * unit * math.cos(turn), tip[1] - 23 * unit * math.sin(turn)) for turn in turns)]


def arrow(chart: Chart, run: list[Point], power: str, *, retreat: bool, unit: float) -> str:
    """Draw an arrow through these points, in the colour of a power. The arrow of a retreat is dashed and has a hollow
    head."""
    hue = chart.hue(power)
    ink, rim = (hue.hatch, chart.theme.bright_rim) if retreat else (hue.ink, chart.rim(power))
    head = path(_head(run, unit), close=True)
    line = smooth(run) if len(run) > 2 else path(run)
    fill = PAPER if retreat else ink
    dashes = f' stroke-dasharray="{number(15 * unit)} {number(10 * unit)}"' if retreat else ""
    kind = "retreat" if retreat else "march"
    return (
        f'<g class="{kind}" data-power="{escape(power)}" stroke-linejoin="round">'
        f'<path d="{line}" fill="none" stroke="{rim}" stroke-width="{number(ARROW * unit)}"{dashes}/>'
        f'<path d="{line}" fill="none" stroke="{ink}" stroke-width="{number(5.5 * unit)}"{dashes}/>'
        f'<path d="{head}" fill="{fill}" stroke="{rim}" stroke-width="{number(7 * unit)}"/>'
        f'<path d="{head}" fill="{fill}" stroke="{ink}" stroke-width="{number(3.5 * unit)}"/></g>'
    )
