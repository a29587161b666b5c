"""Legend of a picture. It explains each sign in the picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.board import CityData
from pbem.engine.nouns import Power
from pbem.report.picture import signs
from pbem.report.picture.chart import Chart, PrintedGoal
from pbem.report.picture.geometry import Box, Point, meet, number, path
from pbem.report.picture.lettering import width
from pbem.report.picture.overlay import overlay_rows, overlay_sample
from pbem.report.picture.position import Place, Position
from pbem.report.picture.tokens import arrow, start_position

T = TypeVar("T")

ROW = 37.0
"""Height of a row of the legend, before scaling."""

_REDUCED = 1.3
"""Enlargement of signs above which there is no room in the legend for all signs."""

_SIZE = 20.0
_SIGN = 78.0


class LegendLine(Struct, frozen=True):
    """Line of the legend: the kind of the sign, its meaning, and the key of the power or land for which it is drawn."""

    kind: str
    words: str
    key: str = ""


def legend_lines(chart: Chart, position: Position | None) -> list[LegendLine]:
    """Return the lines of the legend that this picture needs. If there is no room for all of them beside a whole board,
    return only the lines about powers."""
    shown = position or start_position(chart)
    if chart.cropped or not chart.entire:
        shown = _visible_position(chart, shown)
    cities = chart.visible
    powers = _power_lines(chart, cities, shown)
    if chart.enlarged > _REDUCED and not chart.cropped:
        return powers
    found = _city_lines(chart, cities)
    found += powers
    found += _land_lines(chart, cities)
    found += _piece_lines(chart, shown, at_start=position is None)
    return [*found, LegendLine("suits", chart.words.suits)]


def lines_below(chart: Chart, position: Position) -> list[LegendLine]:
    """Return the lines about pieces and markers for which there is no room in the legend of a whole board. They are
    shown in the strip below the board."""
    if chart.cropped or chart.enlarged <= _REDUCED:
        return []
    shown = position if chart.entire else _visible_position(chart, position)
    return _piece_lines(chart, shown, at_start=False)


def lines_of_parts(chart: Chart, position: Position, windows: Sequence[Box]) -> list[LegendLine]:
    """Return the lines of the legend that these parts of a board need: their powers, and the meaning of pieces, marks
    and objectives."""

    def is_seen(place: Place) -> bool:
        return any(meet(chart.sign_box(chart.data.cities[chart.city(place)]), window) for window in windows)

    shown = _position_in(position, is_seen)
    powers = (*(one.power for one in shown.pieces), *shown.control.values(), *shown.questions.values())
    aims = {chart.goals[name].order for name in chart.goals if is_seen(name)}
    rows = (("goal", chart.words.goal, 1 in aims), ("goal2", chart.words.second_goal, 2 in aims))
    return [
        *(LegendLine("power", chart.words.power(power), power) for power in dict.fromkeys(powers)),
        *_piece_lines(chart, shown, at_start=False),
        *(LegendLine(kind, meaning) for kind, meaning, is_shown in rows if is_shown),
    ]


def samples(chart: Chart, position: Position) -> list[tuple[str, str, str]]:
    """Return the signs of a position, and of the part of the board that is visible. Each has its kind, its meaning, and
    its drawing around the origin."""
    lines = [*_piece_lines(chart, position, at_start=False), *_city_lines(chart, chart.visible)]
    lines += [*_power_lines(chart, chart.visible, position), LegendLine("suits", chart.words.suits)]
    return [(line.kind, line.words, _sample(chart, line, (0.0, 0.0), 1.0)) for line in lines]


def _visible_position(chart: Chart, position: Position) -> Position:
    """Return the position without anything that is not visible in the picture."""

    def is_seen(place: Place) -> bool:
        city = chart.city(place)
        return chart.has(city) and chart.sees(chart.sign_box(chart.data.cities[city]))

    return _position_in(position, is_seen)


def _position_in(position: Position, seen: Callable[[Place], bool]) -> Position:
    """Return the position with only those things that are in cities for which `seen` returns True, or touch such
    cities."""
    return replace(
        position,
        pieces=tuple(one for one in position.pieces if seen(one.city)),
        control={place: power for place, power in position.control.items() if seen(place)},
        questions={place: power for place, power in position.questions.items() if seen(place)},
        hussars=tuple(place for place in position.hussars if seen(place)),
        moves=tuple(move for move in position.moves if any(seen(place) for place in move.path)),
        fights=tuple(fight for fight in position.fights if seen(fight.attacking) or seen(fight.defending)),
    )


def _city_lines(chart: Chart, cities: Sequence[CityData]) -> list[LegendLine]:
    """Return the lines about roads, and about signs that these cities have."""
    words = chart.words
    orders = {chart.goals[city.name].order for city in cities if city.name in chart.goals}
    shown = (
        ("town", words.city, True),
        ("minor", words.fortress, any(city.fortress == "minor" for city in cities)),
        ("major", words.major_fortress, any(city.fortress == "major" for city in cities)),
        ("elector", words.elector, any(city.elector for city in cities)),
        ("goal", words.goal, 1 in orders),
        ("goal2", words.second_goal, 2 in orders),
        ("depot", words.depot, any(city.name in chart.depots for city in cities)),
        ("main", words.main_road, bool(chart.data.main_roads)),
        ("road", words.road, True),
    )
    return [LegendLine(kind, meaning) for kind, meaning, is_shown in shown if is_shown]


def _power_lines(chart: Chart, cities: Sequence[CityData], shown: Position) -> list[LegendLine]:
    """Return the lines about powers. For a whole board these are all powers; for a part of it, only powers that have a
    city or a piece there."""
    present = dict.fromkeys(one.power for one in shown.pieces)
    present |= dict.fromkeys(one.power for one in shown.absent)
    present |= dict.fromkeys((*shown.control.values(), *shown.questions.values()))
    present |= dict.fromkeys(move.power for move in shown.moves)
    present |= dict.fromkeys(chart.goals[city.name].power for city in cities if city.name in chart.goals)
    present |= dict.fromkeys(chart.depots[city.name] for city in cities if city.name in chart.depots)
    here = {city.land for city in cities}
    owners = [power for power, lands in chart.data.powers.items() if here.intersection(lands) or power in present]
    if not chart.cropped and chart.entire:
        owners = list(chart.data.powers)
    return [LegendLine("power", chart.words.power(power), power) for power in dict.fromkeys((*owners, *present))]


def _land_lines(chart: Chart, cities: Sequence[CityData]) -> list[LegendLine]:
    """Return the lines about lands whose ground has a different tint from that of the power to which they belong."""
    owners = {land: power for power, lands in chart.data.powers.items() for land in lands}
    here = {city.land for city in cities}
    every = dict.fromkeys((*owners, *chart.data.other_lands, *(city.land for city in chart.data.cities)))
    found = [land for land in every if land in here and chart.tint(owners.get(land, "")) != chart.tint(land)]
    return [LegendLine("land", chart.words.land(land), land) for land in found]


def _piece_lines(chart: Chart, shown: Position, *, at_start: bool) -> list[LegendLine]:
    words = chart.words
    kinds = {move.kind for move in shown.moves}
    general, train = (words.general_start, words.train_start) if at_start else (words.general, words.train)
    rows = (
        ("general", general, any(one.kind == "general" for one in shown.pieces)),
        ("troops", words.troops, any(one.troops for one in shown.pieces)),
        ("train", train, any(one.kind == "train" for one in shown.pieces)),
        ("face-down", words.face_down, any(one.face_down for one in shown.pieces)),
        ("held", words.held, bool(shown.control)),
        ("question", words.question, bool(shown.questions)),
        ("hussar", words.hussar, bool(shown.hussars)),
        ("march", words.march, "march" in kinds),
        ("retreat", words.retreat, "retreat" in kinds),
        ("battle", words.battle, bool(shown.fights)),
    )
    found = [LegendLine(kind, meaning) for kind, meaning, is_shown in rows if is_shown]
    return [*found, *(LegendLine(kind, meaning) for kind, meaning in overlay_rows(shown.overlay))]


class Columns(Struct, frozen=True):
    """Legend whose lines are laid out in columns, with the width of each column."""

    columns: tuple[tuple[LegendLine, ...], ...]
    widths: tuple[float, ...]
    unit: float
    """Number of pixels of the board for each unit in which the legend's sizes are given."""

    @property
    def width(self) -> float:
        return sum(self.widths)

    @property
    def height(self) -> float:
        return max((len(column) for column in self.columns), default=0) * ROW * self.unit


def in_columns(found: list[LegendLine], rows: int, unit: float) -> Columns:
    """Put the lines of a legend into as few columns as possible, each with at most `rows` rows. All columns have about
    the same number of lines."""
    count = math.ceil(len(found) / max(rows, 1))
    each = math.ceil(len(found) / count) if count else 0
    columns = tuple(tuple(found[k * each : (k + 1) * each]) for k in range(count))
    columns = tuple(column for column in columns if column)
    sign = (_SIGN + 22) * unit
    widths = tuple(sign + max(width(line.words, _SIZE * unit) for line in column) for column in columns)
    return Columns(columns, widths, unit)


def in_rows(items: Iterable[T], room: float, width_of: Callable[[T], float]) -> list[list[T]]:
    """Put items beside each other, in rows that are no wider than `room`."""
    rows: list[list[T]] = []
    left = 0.0
    for item in items:
        if (wide := width_of(item)) > left:
            rows.append([])
            left = room
        rows[-1].append(item)
        left -= wide
    return rows


def line_width(line: LegendLine, unit: float) -> float:
    """Return the width of a line of the legend, with the space that follows it."""
    return (_SIGN + 22) * unit + width(line.words, _SIZE * unit)


def draw_row(chart: Chart, row: list[LegendLine], left_middle: Point, unit: float) -> str:
    """Draw lines of the legend beside each other. The left edge of the first line has its middle at `left_middle`."""
    out, (x, y) = [], left_middle
    for line in row:
        out.append(_draw_line(chart, line, (x, y), unit))
        x += line_width(line, unit)
    return "".join(out)


def draw_columns(chart: Chart, laid: Columns, corner: Point) -> str:
    """Draw a legend in columns, with its upper left corner at `corner`."""
    out = []
    x, unit = corner[0], laid.unit
    for column, wide in zip(laid.columns, laid.widths, strict=True):
        for row, line in enumerate(column):
            out.append(_draw_line(chart, line, (x, corner[1] + (row + 0.5) * ROW * unit), unit))
        x += wide
    return "".join(out)


def _draw_line(chart: Chart, line: LegendLine, left_middle: Point, unit: float) -> str:
    x, y = left_middle
    words = (x + (_SIGN + 6) * unit, y + 7 * unit)
    return _sample(chart, line, (x + _SIGN / 2 * unit, y), unit) + signs.text(
        words, line.words, _SIZE * unit, chart.theme.ink, anchor="start"
    )


def _sample(chart: Chart, line: LegendLine, point: Point, unit: float) -> str:
    """Draw the sign that is explained by a line of the legend."""
    power = next(iter(chart.data.powers), "")
    power = next((other for other in chart.data.powers if chart.hue(other).pen == "#ffffff"), power)
    land = next(iter(chart.data.other_lands), power)
    match line.kind:
        case "town":
            return signs.town(point, unit, chart.theme)
        case "minor" | "major":
            return signs.fortress(point, unit, chart, land, major=line.kind == "major")
        case "elector":
            return signs.crown(point, unit)
        case "main" | "road":
            return _road(chart, point, unit, main=line.kind == "main")
        case "power":
            ground = _swatch(chart, point, unit, line.key) if chart.data.powers.get(Power(line.key)) else ""
            return ground + signs.piece(point, unit * 0.85, chart, signs.Marker(line.key))
        case "land":
            return _swatch(chart, point, unit, line.key)
        case "general" | "train":
            is_train = line.kind == "train"
            return signs.piece(point, unit, chart, signs.Marker(power, "T" if is_train else "1", is_train))
        case "troops":
            foot, bold = (point[0], point[1] + 8 * unit), ' font-weight="bold"'
            return signs.text(foot, "5", 1.2 * _SIZE * unit, chart.theme.ink, extra=bold)
        case "face-down":
            return signs.piece(point, unit, chart, signs.Marker(power, "1", face_down=True))
        case "held":
            if not any(city.fortress for city in chart.data.cities):
                return signs.conquered_sign(point, unit, chart, power, PrintedGoal(power, 1) if chart.goals else None)
            left, right = (point[0] - 15 * unit, point[1]), (point[0] + 15 * unit, point[1])
            return signs.fortress(left, unit, chart, land, major=False, holder=power) + signs.conquered_sign(
                right, unit, chart, power
            )
        case "goal" | "goal2":
            return signs.goal(point, unit, chart, PrintedGoal(power, 2 if line.kind == "goal2" else 1))
        case "depot":
            return signs.depot(point, unit, chart, power)
        case "question":
            return signs.question(point, unit, chart, power)
        case "hussar":
            return signs.hussar(point, unit, chart)
        case "battle":
            return signs.battle(point, unit)
        case "march" | "retreat":
            run = [(point[0] - 36 * unit, point[1]), (point[0] + 20 * unit, point[1])]
            return arrow(chart, run, power, retreat=line.kind == "retreat", unit=unit)
        case "suits":
            out = []
            for k, name in enumerate(("hearts", "diamonds", "clubs", "spades")):
                here = (point[0] + (k - 1.5) * 20 * unit, point[1])
                out.append(
                    f'<g fill="{signs.ink_of_suit(chart.theme, name)}">{signs.suit(chart, name, here, 18 * unit)}</g>'
                )
            return "".join(out)
        case _:
            return overlay_sample(chart, line.kind, power, point, unit)


def _swatch(chart: Chart, point: Point, unit: float, key: str) -> str:
    west, north = number(point[0] - 24 * unit), number(point[1] - 15 * unit)
    size = f'width="{number(48 * unit)}" height="{number(30 * unit)}"'
    rim = f'stroke="{chart.theme.ink}" stroke-width="{number(1.6 * unit)}"'
    return f'<rect x="{west}" y="{north}" {size} fill="{chart.tint(key)}" {rim}/>'


def _road(chart: Chart, point: Point, unit: float, *, main: bool) -> str:
    theme = chart.theme
    line = path([(point[0] - 30 * unit, point[1]), (point[0] + 30 * unit, point[1])])
    pens = ((theme.main_edge, 9.5), (theme.main_road, 5.2)) if main else ((theme.road, 3.2),)
    return "".join(
        f'<path d="{line}" stroke="{colour}" stroke-width="{number(wide * unit)}" stroke-linecap="round"/>'
        for colour, wide in pens
    )
