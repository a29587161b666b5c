"""The strip below a map with what does not lie on it: absent pieces, tallies of the powers, tracks, facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from pbem.report.picture.chart import Chart
from pbem.report.picture.geometry import Point, number
from pbem.report.picture.lettering import width, wrapped
from pbem.report.picture.panel import sheet
from pbem.report.picture.position import AbsentPiece, Position, Track
from pbem.report.picture.signs import disc, piece, text

_SIZE = 19.0
"""The size of the letters, before it is scaled."""

_ROW = 46.0
_BOX = 34.0
"""The height of a row and of the boxes of a track, before they are scaled."""


class _Item(Struct, frozen=True):
    """Something in a row: how wide it is, and how it is drawn from the middle of its left edge."""

    wide: float
    draw: Callable[[Point], str]


def footer(chart: Chart, position: Position | None, below: float) -> tuple[float, str]:
    """A strip so far below the map with what does not lie on it: how high it is, and its drawing."""
    west, _, east, edge = chart.view
    unit = min(chart.unit, (east - west) / 620)
    rows = [row for section in _sections(chart, position, unit) for row in _in_rows(section, east - west - 40 * unit)]
    if not rows:
        return 0.0, ""
    south = edge + below
    high = (len(rows) * _ROW + 16) * unit
    out = [sheet(chart, (west, south, east, south + high), unit)]
    for number_, row in enumerate(rows):
        x, y = west + 20 * unit, south + (8 + (number_ + 0.5) * _ROW) * unit
        for item in row:
            out.append(item.draw((x, y)))
            x += item.wide
    return high, "".join(out)


def _sections(chart: Chart, position: Position | None, unit: float) -> Iterator[list[_Item]]:
    """What stands in the strip, each part beginning a row of its own."""
    if position is None:
        return
    if position.absent:
        heading = _words(chart, f"{chart.words.absent}:", unit, bold=True)
        yield [heading, *(_absent(chart, one, unit) for one in position.absent)]
    for tallies in position.tallies:
        heading = _words(chart, f"{tallies.title}:", unit, bold=True)
        yield [heading, *(_tally(chart, power, words, unit) for power, words in tallies.powers.items())]
    if position.tracks:
        yield [_track(chart, track, unit) for track in position.tracks]
    room = chart.view[2] - chart.view[0] - 60 * unit
    for fact in position.facts:
        for line in wrapped(fact, _SIZE * unit, room, 3):
            yield [_words(chart, line, unit)]


def _in_rows(section: list[_Item], room: float) -> list[list[_Item]]:
    """The items of a part in rows no wider than the room."""
    rows: list[list[_Item]] = []
    left = 0.0
    for item in section:
        if item.wide > left:
            rows.append([])
            left = room
        rows[-1].append(item)
        left -= item.wide
    return rows


def _words(chart: Chart, words: str, unit: float, *, bold: bool = False) -> _Item:
    size = _SIZE * unit
    weight = ' font-weight="bold"' if bold else ""

    def draw(at: Point) -> str:
        return text((at[0], at[1] + 0.33 * size), words, size, chart.theme.ink, anchor="start", extra=weight)

    return _Item(width(words, size, bold=bold) + 20 * unit, draw)


def _absent(chart: Chart, one: AbsentPiece, unit: float) -> _Item:
    """A piece, and where it is."""
    words = _words(chart, one.where, unit)

    def draw(at: Point) -> str:
        sign = (at[0] + 16 * unit, at[1])
        drawn = piece(sign, unit, chart, one.power, one.label, train=one.kind == "train", face_down=one.face_down)
        return drawn + (words.draw((at[0] + 38 * unit, at[1])) if one.where else "")

    return _Item(44 * unit + (words.wide if one.where else 0.0), draw)


def _tally(chart: Chart, power: str, count: str, unit: float) -> _Item:
    """The sign of a power, and what it has."""
    words = _words(chart, count, unit)

    def draw(at: Point) -> str:
        sign = piece((at[0] + 14 * unit, at[1]), 0.85 * unit, chart, power, "", train=False)
        return sign + words.draw((at[0] + 34 * unit, at[1]))

    return _Item(34 * unit + words.wide + 6 * unit, draw)


def _track(chart: Chart, track: Track, unit: float) -> _Item:
    """The boxes of a track side by side, a red marker in one of them, before its words."""
    heading = _words(chart, f"{track.title}:", unit, bold=True)
    size, small = _BOX * unit, 0.8 * _SIZE * unit
    room = [26 * unit if place == track.at else 0.0 for place in range(1, len(track.boxes) + 1)]
    wides = [
        max(size, left + width(words, small) + 14 * unit if words else 0.0)
        for left, words in zip(room, track.boxes, strict=True)
    ]

    def draw(at: Point) -> str:
        theme, out, x = chart.theme, [heading.draw(at)], at[0] + heading.wide
        for left, words, wide in zip(room, track.boxes, wides, strict=True):
            box = f'x="{number(x)}" y="{number(at[1] - size / 2)}" width="{number(wide)}" height="{number(size)}"'
            rim = f'fill="{theme.blank}" stroke="{theme.ink}" stroke-width="{number(1.6 * unit)}"'
            out.append(f"<rect {box} {rim}/>")
            if left:
                rim = f'fill="{theme.red_suit}" stroke="{theme.rim}" stroke-width="{number(2 * unit)}"'
                out.append(disc((x + 17 * unit, at[1]), 10 * unit, f" {rim}"))
            if words:
                foot = (x + (left + wide) / 2, at[1] + 0.33 * small)
                out.append(text(foot, words, small, theme.ink))
            x += wide
        return f'<g class="track" data-at="{track.at}">{"".join(out)}</g>'

    return _Item(heading.wide + sum(wides) + 30 * unit, draw)
