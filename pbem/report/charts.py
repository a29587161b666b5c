"""Lines over the turns of a war, one for each power, as a drawing that tells in words what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from msgspec import Struct

WIDE, HIGH = 420, 250
LEFT, RIGHT, TOP, BOTTOM = 30, 240, 12, 222
"""Where the lines are; the names stand right of them."""
APART = 14
"""How far apart two names are at least."""
DASHES = ("", "7 3", "2 3", "10 3 2 3", "4 2", "1 2", "12 4")
"""What tells the lines apart where colours do not."""
MOST_TICKS = 8


class ChartLine(Struct, frozen=True):
    """What one power had at the end of each turn; nothing of turns of which nothing is known."""

    place: int
    """Its place among the powers, by which it has its colour and its dashes in all charts."""
    name: str
    values: Mapping[int, int]

    @property
    def colour(self) -> str:
        """The class of its colour."""
        return colour(self.place)

    @property
    def dash(self) -> str:
        """How its line is broken."""
        return DASHES[self.place % len(DASHES)]


class CourseChart(Struct, frozen=True):
    """One thing that was counted, of all powers."""

    title: str
    turns: tuple[int, ...]
    lines: tuple[ChartLine, ...]


def colour(place: int) -> str:
    """The class of a power's colour."""
    return f"power{place}"


def drawn(chart: CourseChart, turn: str) -> str:
    """A chart as an SVG; `turn` is the word for a turn."""
    plot = plot_of(chart)
    every = 1 + (len(chart.turns) - 1) // MOST_TICKS
    parts = [grid(step, plot.y(step)) for step in plot.steps]
    parts += [
        f'<text x="{plot.x(each):.1f}" y="{BOTTOM + 16}" text-anchor="middle">{each}</text>'
        for each in chart.turns[::every]
    ]
    parts += [run(plot, line, turn) for line in chart.lines]
    ends = [plot.y(line.values[max(line.values)]) for line in chart.lines]
    parts += [named(plot, line, end, place) for line, end, place in zip(chart.lines, ends, spread(ends), strict=True)]
    said = escape(said_of(chart, turn))
    return f'<svg class="course" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{said}">{"".join(parts)}</svg>'


class Plot(Struct, frozen=True):
    """Where turns and numbers are on a chart."""

    first: int
    last: int
    steps: Sequence[int]

    def x(self, turn: int) -> float:
        """How far to the right a turn is."""
        return LEFT + (RIGHT - LEFT) * (turn - self.first) / max(1, self.last - self.first)

    def y(self, value: int) -> float:
        """How far down a number is."""
        return BOTTOM - (BOTTOM - TOP) * (value - self.steps[0]) / (self.steps[-1] - self.steps[0])


def plot_of(chart: CourseChart) -> Plot:
    """As much as all lines of a chart need."""
    values = [value for line in chart.lines for value in line.values.values()]
    return Plot(chart.turns[0], chart.turns[-1], ticks(min(0, *values), max(1, *values)))


def run(plot: Plot, line: ChartLine, turn: str) -> str:
    """The line of a power, with a dot for each turn that tells its number."""
    at = {each: f"{plot.x(each):.1f},{plot.y(value):.1f}" for each, value in line.values.items()}
    dots = []
    for each, value in line.values.items():
        x, y = at[each].split(",")
        said = escape(f"{line.name}, {turn} {each}: {value}")
        dots.append(f'<circle class="{line.colour}" cx="{x}" cy="{y}" r="2.6"><title>{said}</title></circle>')
    dashes = f' stroke-dasharray="{line.dash}"' if line.dash else ""
    return f'<polyline class="{line.colour}" points="{" ".join(at.values())}"{dashes}/>{"".join(dots)}'


def named(plot: Plot, line: ChartLine, end: float, place: float) -> str:
    """The name of a power and what it ended with, led to from the end of its line."""
    last = max(line.values)
    return (
        f'<path class="lead {line.colour}" d="M{plot.x(last) + 4:.1f} {end:.1f}L{RIGHT + 10} {place:.1f}"/>'
        f'<text x="{RIGHT + 13}" y="{place + 4:.1f}">{line.values[last]} {escape(line.name)}</text>'
    )


def said_of(chart: CourseChart, turn: str) -> str:
    """What a chart shows, in words: how each power began and ended."""
    told = []
    for line in chart.lines:
        first, last = min(line.values), max(line.values)
        told.append(f"{line.name} {line.values[first]} → {line.values[last]}")
    return f"{chart.title}, {turn} {chart.turns[0]}–{chart.turns[-1]}: {', '.join(told)}"


def grid(step: int, height: float) -> str:
    """A line across, with its number."""
    return (
        f'<path class="grid" d="M{LEFT} {height:.1f}H{RIGHT}"/>'
        f'<text x="{LEFT - 6}" y="{height + 4:.1f}" text-anchor="end">{step}</text>'
    )


def ticks(lowest: int, highest: int) -> list[int]:
    """Round numbers from the lowest or below to the highest or above, no more than a handful."""
    step = next(size for size in steps_of_size() if (highest - lowest) / size <= MOST_TICKS - 3)
    return list(range(lowest // step * step, -(-highest // step) * step + 1, step))


def steps_of_size() -> Sequence[int]:
    """How far apart two lines of the grid may be."""
    return [size * 10**power for power in range(6) for size in (1, 2, 5)]


def spread(wanted: Sequence[float]) -> list[float]:
    """Where names stand that want to stand there: as near as may be, and none upon another."""
    order = sorted(range(len(wanted)), key=lambda each: wanted[each])
    found = dict(enumerate(wanted))
    for before, each in pairwise(order):
        found[each] = max(found[each], found[before] + APART)
    overhang = max(0.0, (found[order[-1]] if order else 0) - BOTTOM)
    limit = found[order[-1]] - overhang if order else 0
    for each in reversed(order):
        found[each] = min(found[each], limit)
        limit = found[each] - APART
    return [found[each] for each in range(len(wanted))]
