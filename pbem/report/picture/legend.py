"""The legend: what every sign means that the picture uses."""

from __future__ import annotations

import math

from msgspec import Struct

from pbem.report.picture.chart import Chart, Goal, goal_of, is_depot
from pbem.report.picture.geometry import Point, number, path
from pbem.report.picture.lettering import width
from pbem.report.picture.position import Position
from pbem.report.picture.signs import (
    crown,
    depot,
    fortress,
    goal,
    held,
    hussar,
    ink_of_suit,
    piece,
    question,
    suit,
    text,
    town,
)
from pbem.report.picture.tokens import arrow

ROW = 37.0
"""The height of a row, before it is scaled."""

_SIZE = 20.0
_SIGN = 78.0


class Entry(Struct, frozen=True):
    """One line of the legend: a kind of sign, what it is shown for, and its meaning."""

    kind: str
    words: str
    key: str = ""


def entries(chart: Chart, position: Position | None) -> list[Entry]:
    """The lines that this board and position need; a reduced picture explains only the powers."""
    powers = _power_entries(chart, position)
    if chart.enlarged > 1.3:
        return powers
    words, cities = chart.words, chart.data.cities
    found = [Entry("town", words.city)]
    if any(city.fortress == "minor" for city in cities):
        found.append(Entry("minor", words.fortress))
    if any(city.fortress == "major" for city in cities):
        found.append(Entry("major", words.major_fortress))
    if any(city.elector for city in cities):
        found.append(Entry("elector", words.elector))
    aims = {aim.order for aim in map(goal_of, cities) if aim}
    found += [Entry("goal", words.goal)] if 1 in aims else []
    found += [Entry("goal2", words.second_goal)] if 2 in aims else []
    found += [Entry("depot", words.depot)] if any(is_depot(city) for city in cities) else []
    if chart.data.main_roads:
        found.append(Entry("main", words.main_road))
    found.append(Entry("road", words.road))
    found += powers
    found += _land_entries(chart)
    found += _piece_entries(chart, position)
    return [*found, Entry("suits", words.suits)]


def _power_entries(chart: Chart, position: Position | None) -> list[Entry]:
    found = dict.fromkeys(chart.data.powers)
    if position is not None:
        found |= dict.fromkeys(one.power for one in position.pieces)
        found |= dict.fromkeys(one.power for one in position.absent)
        found |= dict.fromkeys((*position.control.values(), *position.questions.values()))
    return [Entry("power", chart.words.power(power), power) for power in found]


def _land_entries(chart: Chart) -> list[Entry]:
    homes = {land for lands in chart.data.powers.values() for land in lands}
    others = dict.fromkeys((*chart.data.other_lands, *(city.land for city in chart.data.cities)))
    return [Entry("land", chart.words.land(land), land) for land in others if land not in homes]


def _piece_entries(chart: Chart, position: Position | None) -> list[Entry]:
    words = chart.words
    if position is None:
        return [Entry("general", words.general_start), Entry("train", words.train_start)] if chart.data.setup else []
    kinds = {move.kind for move in position.moves}
    shown = (
        ("general", words.general, any(one.kind == "general" for one in position.pieces)),
        ("train", words.train, any(one.kind == "train" for one in position.pieces)),
        ("face-down", words.face_down, any(one.face_down for one in position.pieces)),
        ("held", words.held, bool(position.control)),
        ("question", words.question, bool(position.questions)),
        ("hussar", words.hussar, bool(position.hussars)),
        ("march", words.march, "march" in kinds),
        ("retreat", words.retreat, "retreat" in kinds),
    )
    return [Entry(kind, meaning) for kind, meaning, is_shown in shown if is_shown]


class Columns(Struct, frozen=True):
    """Entries laid out in columns."""

    columns: tuple[tuple[Entry, ...], ...]
    widths: tuple[float, ...]
    unit: float

    @property
    def width(self) -> float:
        """How wide the columns are together."""
        return sum(self.widths)

    @property
    def height(self) -> float:
        """How high the longest column is."""
        return max((len(column) for column in self.columns), default=0) * ROW * self.unit


def in_columns(found: list[Entry], rows: int, unit: float) -> Columns:
    """The entries in as few columns as this many rows allow, evenly filled."""
    count = math.ceil(len(found) / max(rows, 1))
    each = math.ceil(len(found) / count) if count else 0
    columns = tuple(tuple(found[k * each : (k + 1) * each]) for k in range(count))
    columns = tuple(column for column in columns if column)
    sign = (_SIGN + 22) * unit
    widths = tuple(sign + max(width(entry.words, _SIZE * unit) for entry in column) for column in columns)
    return Columns(columns, widths, unit)


def draw_columns(chart: Chart, laid: Columns, at: Point) -> str:
    """The legend with its upper left corner at this point."""
    out = []
    x, unit = at[0], laid.unit
    for column, wide in zip(laid.columns, laid.widths, strict=True):
        for row, entry in enumerate(column):
            y = at[1] + (row + 0.5) * ROW * unit
            out.append(_sample(chart, entry, (x + _SIGN / 2 * unit, y), unit))
            out.append(
                text((x + (_SIGN + 6) * unit, y + 7 * unit), entry.words, _SIZE * unit, chart.theme.ink, anchor="start")
            )
        x += wide
    return "".join(out)


def _sample(chart: Chart, entry: Entry, at: Point, unit: float) -> str:
    """The sign that an entry explains."""
    power = next(iter(chart.data.powers), "")
    power = next((other for other in chart.data.powers if chart.hue(other).pen == "#ffffff"), power)
    land = next(iter(chart.data.other_lands), power)
    match entry.kind:
        case "town":
            return town(at, unit, chart.theme)
        case "minor" | "major":
            return fortress(at, unit, chart, land, major=entry.kind == "major")
        case "elector":
            return crown(at, unit)
        case "main" | "road":
            return _road(chart, at, unit, main=entry.kind == "main")
        case "power":
            return _swatch(chart, at, unit, entry.key) + piece(at, unit * 0.85, chart, entry.key, "", train=False)
        case "land":
            return _swatch(chart, at, unit, entry.key)
        case "general" | "train":
            is_train = entry.kind == "train"
            return piece(at, unit, chart, power, "T" if is_train else "1", train=is_train)
        case "face-down":
            return piece(at, unit, chart, power, "1", train=False, face_down=True)
        case "held":
            left, right = (at[0] - 15 * unit, at[1]), (at[0] + 15 * unit, at[1])
            return fortress(left, unit, chart, land, major=False, holder=power) + held(right, unit, chart, power)
        case "goal" | "goal2":
            return goal(at, unit, chart, Goal(power, 2 if entry.kind == "goal2" else 1))
        case "depot":
            return depot(at, unit, chart.theme)
        case "question":
            return question(at, unit, chart, power)
        case "hussar":
            return hussar(at, unit, chart)
        case "march" | "retreat":
            run = [(at[0] - 36 * unit, at[1]), (at[0] + 20 * unit, at[1])]
            return arrow(chart, run, power, retreat=entry.kind == "retreat", unit=unit)
        case _:
            return _suits(chart, at, unit)


def _swatch(chart: Chart, at: Point, unit: float, key: str) -> str:
    west, north = number(at[0] - 24 * unit), number(at[1] - 15 * unit)
    size = f'width="{number(48 * unit)}" height="{number(30 * unit)}"'
    rim = f'stroke="{chart.theme.ink}" stroke-width="{number(1.6 * unit)}"'
    return f'<rect x="{west}" y="{north}" {size} fill="{chart.tint(key)}" {rim}/>'


def _road(chart: Chart, at: Point, unit: float, *, main: bool) -> str:
    theme = chart.theme
    line = path([(at[0] - 30 * unit, at[1]), (at[0] + 30 * unit, at[1])])
    pens = ((theme.main_edge, 9.5), (theme.main_road, 5.2)) if main else ((theme.road, 3.2),)
    return "".join(
        f'<path d="{line}" stroke="{colour}" stroke-width="{number(wide * unit)}" stroke-linecap="round"/>'
        for colour, wide in pens
    )


def _suits(chart: Chart, at: Point, unit: float) -> str:
    out = []
    for k, name in enumerate(("hearts", "diamonds", "clubs", "spades")):
        here = (at[0] + (k - 1.5) * 20 * unit, at[1])
        out.append(f'<g fill="{ink_of_suit(chart.theme, name)}">{suit(chart, name, here, 18 * unit)}</g>')
    return "".join(out)
