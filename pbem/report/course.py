"""Course of a war in charts. Each chart has a line for each power, from turn to turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise

from msgspec import Struct

from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.kit import AnyTable, game_of
from pbem.report.language.templates import macros_of
from pbem.report.picture.theme import Hue, ThemeName
from pbem.report.telling import game_report

WIDE, HIGH = 420, 250
LEFT, RIGHT, TOP, BOTTOM = 30, 240, 12, 222
"""Edges of that part of a chart in which the lines are. The names of the powers are to the right of it."""
APART = 14
"""Smallest distance between the names of two powers."""
DASHES = ("", "7 3", "2 3", "10 3 2 3", "4 2", "1 2", "12 4")
"""Patterns of dashes, one for each power. With them, lines can be told apart even without colours."""
MOST_TICKS = 8


class ChartLine(Struct, frozen=True):
    """Line of one power in a chart: its figure at the end of each turn. Turns without a known figure are left out."""

    place: int
    """Index of the power among all powers. It decides the colour and the dashes of the power in all charts."""
    name: str
    values: Mapping[int, int]

    @property
    def colour(self) -> str:
        return colour(self.place)

    @property
    def dash(self) -> str:
        return DASHES[self.place % len(DASHES)]


class CourseChart(Struct, frozen=True):
    """Chart of one quantity, such as troops. It has a line for each power."""

    title: str
    turns: tuple[int, ...]
    lines: tuple[ChartLine, ...]


def colour(place: int) -> str:
    """Return the CSS class that gives a power its colour."""
    return f"power{place}"


def chart_svg(chart: CourseChart, turn: str) -> str:
    """Return a chart as SVG. `turn` is the word for a turn."""
    values = [value for line in chart.lines for value in line.values.values()]
    plot = Plot(chart.turns[0], chart.turns[-1], ticks(min(0, *values), max(1, *values)))
    every = 1 + (len(chart.turns) - 1) // MOST_TICKS
    parts = [grid(step, plot.y(step)) for step in plot.steps]
    parts += [
        f'<text x="{plot.x(each):.1f}" y="{BOTTOM + 16}" text-anchor="middle">{each}</text>'
        for each in chart.turns[::every]
    ]
    parts += [line_svg(plot, line, turn) for line in chart.lines]
    ends = [plot.y(line.values[max(line.values)]) for line in chart.lines]
    parts += [
        name_at_end(plot, line, end, place) for line, end, place in zip(chart.lines, ends, spread(ends), strict=True)
    ]
    said = escape(chart_in_words(chart, turn))
    return f'<svg class="course" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{said}">{"".join(parts)}</svg>'


class Plot(Struct, frozen=True):
    """Scale of a chart: the first and the last turn, and the numbers of its horizontal lines."""

    first: int
    last: int
    steps: Sequence[int]

    def x(self, turn: int) -> float:
        return LEFT + (RIGHT - LEFT) * (turn - self.first) / max(1, self.last - self.first)

    def y(self, value: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * (value - self.steps[0]) / (self.steps[-1] - self.steps[0])


def line_svg(plot: Plot, line: ChartLine, turn: str) -> str:
    """Return a power's line as SVG, with a dot at each turn. A dot's label gives the number."""
    at = {each: f"{plot.x(each):.1f},{plot.y(value):.1f}" for each, value in line.values.items()}
    dots = []
    for each, value in line.values.items():
        x, y = at[each].split(",")
        said = escape(f"{line.name}, {turn} {each}: {value}")
        dots.append(f'<circle class="{line.colour}" cx="{x}" cy="{y}" r="2.6"><title>{said}</title></circle>')
    dashes = f' stroke-dasharray="{line.dash}"' if line.dash else ""
    return f'<polyline class="{line.colour}" points="{" ".join(at.values())}"{dashes}/>{"".join(dots)}'


def name_at_end(plot: Plot, line: ChartLine, end: float, place: float) -> str:
    """Return a power's name and last number as SVG. They are drawn at the height `place`. The end of the power's line
    is at the height `end`; a stroke joins the two."""
    last = max(line.values)
    return (
        f'<path class="lead {line.colour}" d="M{plot.x(last) + 4:.1f} {end:.1f}L{RIGHT + 10} {place:.1f}"/>'
        f'<text x="{RIGHT + 13}" y="{place + 4:.1f}">{line.values[last]} {escape(line.name)}</text>'
    )


def chart_in_words(chart: CourseChart, turn: str) -> str:
    """Describe a chart in words for those who cannot see it. The words give each power's first and last number."""
    told = []
    for line in chart.lines:
        first, last = min(line.values), max(line.values)
        told.append(f"{line.name} {line.values[first]} → {line.values[last]}")
    return f"{chart.title}, {turn} {chart.turns[0]}–{chart.turns[-1]}: {', '.join(told)}"


def grid(step: int, height: float) -> str:
    """Return a horizontal line at the height `height`, with the number `step` beside it, as SVG."""
    return (
        f'<path class="grid" d="M{LEFT} {height:.1f}H{RIGHT}"/>'
        f'<text x="{LEFT - 6}" y="{height + 4:.1f}" text-anchor="end">{step}</text>'
    )


def ticks(lowest: int, highest: int) -> list[int]:
    """Return round numbers with equal distances between them. The lowest is no higher than `lowest`, and the highest no
    lower than `highest`."""
    sizes = (size * 10**power for power in range(6) for size in (1, 2, 5))
    step = next(size for size in sizes if (highest - lowest) / size <= MOST_TICKS - 3)
    return list(range(lowest // step * step, -(-highest // step) * step + 1, step))


def spread(wanted: Sequence[float]) -> list[float]:
    """Return the height at which each name is drawn: near to its height in `wanted`, and so that names do not overlap.
    They stay in the same order."""
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


Figures = Mapping[str, Mapping[Power, int]]
"""Numbers of each power, for each quantity that is counted. The first key is the name of the quantity."""

PAPERS: dict[ThemeName, str] = {"light": "#fbf7ec", "dark": "#1f1b16"}
"""Background colour of charts in each theme. It is the same as `--leaf` in site.css."""
GAP = 24
"""Height of the space for the title above each chart, if a file has several charts, in pixels."""
WORDS = "course_words.txt.j2"
STYLE = (
    ":root{--ink:#2a2016;--rule:#c8b891;--leaf:#fbf7ec}"
    "@media (prefers-color-scheme:dark){:root{--ink:#e9e0cd;--rule:#4b4232;--leaf:#1f1b16}}"
    ".course{font:12.5px Georgia,serif;fill:var(--ink)}.paper{fill:var(--leaf)}.course polyline{fill:none;"
    "stroke:var(--line);stroke-width:2}.course circle{fill:var(--line)}.course .grid{stroke:var(--rule);fill:none}"
    ".course .lead{stroke:var(--line);fill:none}"
)
"""Style of charts that have a file of their own. Charts within a page get the same style from site.css."""
CONTRAST = 3.2
"""Smallest contrast that a line must have to the background of its chart."""


def figures_of(table: AnyTable) -> Figures:
    """Return the numbers that everybody can see in a position: troops, cards, and whatever else the game counts."""
    rules, view = table.rules, game_of(table).view(table, ())
    cards = {power: view.hand_sizes[power] for power in rules.powers}
    return {**game_report(rules.terms.game).counted(view), "troops": dict(view.troops), "cards": cards}


def charts_of(turns: Mapping[int, Figures], rules: GameRules, language: str) -> list[CourseChart]:
    """Return a chart for each quantity for which the templates have a title. Powers that had 0 in all turns are left
    out."""
    words = macros_of(language, rules.terms.game, WORDS)
    titles: dict[str, str] = words.TITLES
    names = {power: str(words.name(power)).strip() for power in rules.powers}
    found = []
    for key, title in titles.items():
        counted = {turn: figures[key] for turn, figures in turns.items() if figures.get(key)}
        lines = [
            ChartLine(place, name, {turn: each.get(power, 0) for turn, each in counted.items()})
            for place, (power, name) in enumerate(names.items())
            if any(each.get(power) for each in counted.values())
        ]
        if lines:
            found.append(CourseChart(title, tuple(counted), tuple(lines)))
    return found


def turn_in(rules: GameRules, language: str) -> str:
    return str(macros_of(language, rules.terms.game, WORDS).TURN)


def picture(charts: Sequence[CourseChart], turn: str, hues: Iterable[Hue]) -> str:
    """Return all charts, one below the other, as an SVG file that needs no other file. Its colours follow the light or
    dark mode of the reader's system."""
    high = GAP + HIGH
    parts = [
        f'<g transform="translate(0 {place * high})">'
        f'<text x="{WIDE / 2}" y="18" text-anchor="middle">{escape(chart.title)}</text>'
        f'<svg y="{GAP}" width="{WIDE}" height="{HIGH}">{chart_svg(chart, turn)}</svg></g>'
        for place, chart in enumerate(charts)
    ]
    size = f'viewBox="0 0 {WIDE} {high * len(charts)}"'
    ground = f'<rect class="paper" width="{WIDE}" height="{high * len(charts)}"/>'
    style = f"<style>{colours(hues)}{STYLE}</style>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} class="course">{style}{ground}{"".join(parts)}</svg>\n'


def colours(hues: Iterable[Hue]) -> str:
    """Return CSS rules with the colour of each power in the light and in the dark theme."""
    day, night = [], []
    for place, hue in enumerate(hues):
        day.append(f".{colour(place)}{{--line:{contrasting_colour(hue.hatch, PAPERS['light'], 0)}}}")
        night.append(f".{colour(place)}{{--line:{contrasting_colour(hue.ink, PAPERS['dark'], 255)}}}")
    dark = "".join(f':root[data-theme="dark"] {rule}' for rule in night)
    auto = "".join(f':root:not([data-theme="light"]) {rule}' for rule in night)
    return "".join(day) + f"@media screen{{{dark}@media (prefers-color-scheme: dark){{{auto}}}}}"


def contrasting_colour(ink: str, ground: str, towards: int) -> str:
    """Return the colour `ink`, moved towards black (0) or white (255), until its contrast to `ground` is at least
    `CONTRAST`."""
    found = rgb_of(ink)
    while contrast(found, rgb_of(ground)) < CONTRAST:
        found = tuple(each + (towards - each) // 8 + (towards > each) for each in found)
    return "#" + "".join(f"{max(0, min(255, each)):02x}" for each in found)


def rgb_of(ink: str) -> tuple[int, ...]:
    return tuple(int(ink[place : place + 2], 16) for place in (1, 3, 5))


def contrast(first: Sequence[int], second: Sequence[int]) -> float:
    """Return the contrast between two colours, from 1 to 21, as WCAG 2 defines it."""
    dark, bright = sorted((luminance(first), luminance(second)))
    return (bright + 0.05) / (dark + 0.05)


def luminance(parts: Sequence[int]) -> float:
    """Return the luminance of a colour, from 0 to 1, as WCAG 2 defines it."""
    shares = [each / 255 for each in parts]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
