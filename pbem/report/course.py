"""The course of a war by turns: what each power held, and what a closed campaign has opened besides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.kit import AnyTable, game_of
from pbem.report.charts import HIGH, WIDE, ChartLine, CourseChart, colour, drawn
from pbem.report.game_report import game_report
from pbem.report.language.templates import macros_of
from pbem.report.picture.theme import Hue, ThemeName

Figures = Mapping[str, Mapping[Power, int]]
"""What was counted of every power."""

PAPERS: dict[ThemeName, str] = {"light": "#fbf7ec", "dark": "#1f1b16"}
"""The grounds on which charts are drawn (`--leaf` of site.css)."""
GAP = 24
"""How much room the title of a chart has in a drawing of its own."""
WORDS = "course_words.txt.j2"
STYLE = (
    ":root{--ink:#2a2016;--rule:#c8b891;--leaf:#fbf7ec}"
    "@media (prefers-color-scheme:dark){:root{--ink:#e9e0cd;--rule:#4b4232;--leaf:#1f1b16}}"
    ".course{font:12.5px Georgia,serif;fill:var(--ink)}.paper{fill:var(--leaf)}.course polyline{fill:none;"
    "stroke:var(--line);stroke-width:2}.course circle{fill:var(--line)}.course .grid{stroke:var(--rule);fill:none}"
    ".course .lead{stroke:var(--line);fill:none}"
)
"""What site.css says of charts, for a drawing of their own."""
CONTRAST = 3.2
"""What a line has at least against its ground."""


def figures_of(table: AnyTable) -> Figures:
    """What everybody sees of a position, counted."""
    rules, view = table.rules, game_of(table).view(table, ())
    cards = {power: view.hand_sizes[power] for power in rules.powers}
    return {**game_report(rules.terms.game).counted(view), "troops": dict(view.troops), "cards": cards}


def charts_of(turns: Mapping[int, Figures], rules: GameRules, language: str) -> list[CourseChart]:
    """A chart for everything that has a title and was counted, of the powers that ever had any."""
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
    """The word for a turn."""
    return str(macros_of(language, rules.terms.game, WORDS).TURN)


def picture(charts: Sequence[CourseChart], turn: str, hues: Iterable[Hue]) -> str:
    """All charts below each other in one drawing that stands alone, by day and by night."""
    high = GAP + HIGH
    parts = [
        f'<g transform="translate(0 {place * high})">'
        f'<text x="{WIDE / 2}" y="18" text-anchor="middle">{escape(chart.title)}</text>'
        f'<svg y="{GAP}" width="{WIDE}" height="{HIGH}">{drawn(chart, turn)}</svg></g>'
        for place, chart in enumerate(charts)
    ]
    size = f'viewBox="0 0 {WIDE} {high * len(charts)}"'
    ground = f'<rect class="paper" width="{WIDE}" height="{high * len(charts)}"/>'
    style = f"<style>{colours(hues)}{STYLE}</style>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} class="course">{style}{ground}{"".join(parts)}</svg>\n'


def colours(hues: Iterable[Hue]) -> str:
    """The rules of a style that give every power its colour, by day and by night; print has those of the day."""
    day, night = [], []
    for place, hue in enumerate(hues):
        day.append(f".{colour(place)}{{--line:{apart(hue.hatch, PAPERS['light'], 0)}}}")
        night.append(f".{colour(place)}{{--line:{apart(hue.ink, PAPERS['dark'], 255)}}}")
    dark = "".join(f':root[data-theme="dark"] {rule}' for rule in night)
    auto = "".join(f':root:not([data-theme="light"]) {rule}' for rule in night)
    return "".join(day) + f"@media screen{{{dark}@media (prefers-color-scheme: dark){{{auto}}}}}"


def apart(ink: str, ground: str, towards: int) -> str:
    """An ink, moved towards black or white until it can be told from the ground."""
    found = parts_of(ink)
    while contrast(found, parts_of(ground)) < CONTRAST:
        found = tuple(each + (towards - each) // 8 + (towards > each) for each in found)
    return "#" + "".join(f"{max(0, min(255, each)):02x}" for each in found)


def parts_of(ink: str) -> tuple[int, ...]:
    """Red, green and blue."""
    return tuple(int(ink[place : place + 2], 16) for place in (1, 3, 5))


def contrast(one: Sequence[int], other: Sequence[int]) -> float:
    """The contrast of two colours, as WCAG 2 has it."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def luminance(parts: Sequence[int]) -> float:
    """How bright a colour is."""
    shares = [each / 255 for each in parts]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
