"""The course of a war by turns: what each power held, and what a closed campaign has opened besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pbem.engine.nouns import Power
from pbem.kit import AnyTable, game_of
from pbem.report.game_report import game_report
from pbem.report.picture.theme import Hue, ThemeName
from pbem.site.charts import ChartLine, CourseChart
from pbem.site.story import Stage

Figures = Mapping[str, Mapping[Power, int]]
"""What was counted of every power."""

PAPERS: dict[ThemeName, str] = {"light": "#fbf7ec", "dark": "#1f1b16"}
"""The grounds on which charts are drawn (`--leaf` of site.css)."""
CONTRAST = 3.2
"""What a line has at least against its ground."""


def figures_of(table: AnyTable) -> Figures:
    """What everybody sees of a position, counted."""
    rules, view = table.rules, game_of(table).view(table, ())
    cards = {power: view.hand_sizes[power] for power in rules.powers}
    return {**game_report(rules.terms.game).counted(view), "troops": dict(view.troops), "cards": cards}


def held_in(stage: Stage) -> Figures:
    """What follows from public events alone: who holds how many cities that were another's."""
    return {"held": Counter(map(Power, stage.on_map.markers.values()))}


def by_turn(stages: Sequence[Stage], known: Mapping[int, Figures]) -> dict[int, Figures]:
    """The figures at the end of each turn: those of the last entry of which any are known, or else of the map."""
    found: dict[int, Figures] = {}
    for stage in stages:
        opened = [known[entry] for entry in stage.entries if entry in known]
        if opened or stage.turn not in found or not known:
            found[stage.turn] = opened[-1] if opened else held_in(stage)
    return found


def charts_of(turns: Mapping[int, Figures], titles: Mapping[str, str], names: Mapping[Power, str]) -> list[CourseChart]:
    """A chart for everything that has a title and was counted, of the powers that ever had any."""
    found = []
    for key, title in titles.items():
        counted = {turn: figures[key] for turn, figures in turns.items() if figures.get(key)}
        lines = [
            ChartLine(colour(place), name, {turn: each.get(power, 0) for turn, each in counted.items()})
            for place, (power, name) in enumerate(names.items())
            if any(each.get(power) for each in counted.values())
        ]
        if lines:
            found.append(CourseChart(title, tuple(counted), tuple(lines)))
    return found


def colour(place: int) -> str:
    """The class of a power's colour."""
    return f"power{place}"


def colours(hues: Iterable[Hue]) -> str:
    """The rules of a style that give every power its colour, by day and by night."""
    day, night = [], []
    for place, hue in enumerate(hues):
        day.append(f".{colour(place)}{{--line:{apart(hue.hatch, PAPERS['light'], 0)}}}")
        night.append(f".{colour(place)}{{--line:{apart(hue.ink, PAPERS['dark'], 255)}}}")
    dark = "".join(f':root[data-theme="dark"] {rule}' for rule in night)
    auto = "".join(f':root:not([data-theme="light"]) {rule}' for rule in night)
    return "".join(day) + dark + f"@media (prefers-color-scheme: dark){{{auto}}}"


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
