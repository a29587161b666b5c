"""Strip below a map with everything that does not lie on it: absent pieces, tallies, tracks, facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate

from msgspec import Struct

from pbem.report.picture.chart import Chart
from pbem.report.picture.geometry import Point, number
from pbem.report.picture.legend import LegendEntry, draw_row, entries_below, entry_width
from pbem.report.picture.lettering import width, wrap_text
from pbem.report.picture.panel import panel_background
from pbem.report.picture.position import AbsentPiece, Fact, Position, Track
from pbem.report.picture.signs import Marker, disc, piece, text

_SIZE = 19.0
"""Size of the letters, before scaling."""

_ROW = 46.0
_BOX = 34.0
"""Heights of a row and of the boxes of a track, before scaling."""


class _Item(Struct, frozen=True):
    """Item in a row: its width, and its drawing from the middle of its left edge."""

    wide: float
    draw: Callable[[Point], str]


def footer(chart: Chart, position: Position | None, below: float) -> tuple[float, str]:
    """Strip at this distance below the map: its height and its drawing."""
    west, _, east, edge = chart.view
    unit = min(chart.unit, (east - west) / 620)
    rows = _rows(list(_sections(chart, position, unit)), east - west - 40 * unit)
    if not rows:
        return 0.0, ""
    south = edge + below
    high = (len(rows) * _ROW + 16) * unit
    out = [panel_background(chart, (west, south, east, south + high), unit)]
    for number_, row in enumerate(rows):
        y = south + (8 + (number_ + 0.5) * _ROW) * unit
        out += [item.draw((west + 20 * unit + x, y)) for x, item in row]
    return high, "".join(out)


def _rows(sections: list[list[_Item]], room: float) -> list[list[tuple[float, _Item]]]:
    """Sections in rows, each item with its offset from the left; two short sections share a row."""
    rows: list[list[tuple[float, _Item]]] = []
    is_half_free = False
    for section in filter(None, sections):
        is_short = sum(item.wide for item in section) <= room / 2
        if is_short and is_half_free:
            rows[-1] += _in_row(section, room / 2)
            is_half_free = False
        else:
            rows += [_in_row(row, 0.0) for row in _in_rows(section, room)]
            is_half_free = is_short
    return rows


def _in_row(items: list[_Item], start: float) -> list[tuple[float, _Item]]:
    """Items side by side from an offset on."""
    places = accumulate((item.wide for item in items), initial=start)
    return list(zip(places, items, strict=False))


def _sections(chart: Chart, position: Position | None, unit: float) -> Iterator[list[_Item]]:
    """Sections of the strip; each begins a row of its own."""
    if position is None:
        return
    if position.absent:
        groups = _group_by_place(position.absent).items()
        yield [item for where, group in groups for item in _absentees(chart, where, group, unit)]
    for tallies in position.tallies:
        heading = _words(chart, f"{tallies.title}:", unit, bold=True)
        yield [heading, *(_tally(chart, power, words, unit) for power, words in tallies.powers.items())]
    if position.tracks:
        yield [_track(chart, track, unit) for track in position.tracks]
    if position.facts:
        room = chart.view[2] - chart.view[0] - 60 * unit
        yield [item for fact in position.facts for item in _fact(chart, fact, unit, room)]
    yield [_legend_item(chart, entry, unit) for entry in entries_below(chart, position)]


def _group_by_place(absent: tuple[AbsentPiece, ...]) -> dict[str, list[AbsentPiece]]:
    """Pieces by their places."""
    found: dict[str, list[AbsentPiece]] = {}
    for one in absent:
        found.setdefault(one.where, []).append(one)
    return found


def _in_rows(section: list[_Item], room: float) -> list[list[_Item]]:
    """Items of a section in rows no wider than the room."""
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


def _legend_item(chart: Chart, entry: LegendEntry, unit: float) -> _Item:
    """Line of the legend."""
    small = 0.85 * unit
    return _Item(entry_width(entry, small), lambda at: draw_row(chart, [entry], at, small))


def _fact(chart: Chart, fact: Fact, unit: float, room: float) -> Iterator[_Item]:
    """Fact behind its heading; a long one in several lines."""
    size = _SIZE * unit
    heading = f"{fact.title}:"
    wide = width(heading, size, bold=True) + 8 * unit
    first, *rest = wrap_text(fact.words, size, room - wide, 3) or [""]
    words = _words(chart, first, unit)

    def draw(at: Point) -> str:
        foot = (at[0], at[1] + 0.33 * size)
        bold = text(foot, heading, size, chart.theme.ink, anchor="start", extra=' font-weight="bold"')
        return bold + words.draw((at[0] + wide, at[1]))

    yield _Item(wide + words.wide + 12 * unit, draw)
    yield from (_words(chart, line, unit) for line in rest)


def _absentees(chart: Chart, where: str, pieces: list[AbsentPiece], unit: float) -> Iterator[_Item]:
    """Pieces at the same place, behind its name."""
    yield _words(chart, f"{where or chart.words.absent}:", unit, bold=True)
    for one in pieces:
        yield _Item((44 if one is not pieces[-1] else 64) * unit, _sign(chart, one, unit))


def _sign(chart: Chart, one: AbsentPiece, unit: float) -> Callable[[Point], str]:
    def draw(at: Point) -> str:
        sign = (at[0] + 16 * unit, at[1])
        return piece(sign, unit, chart, Marker(one.power, one.label, one.kind == "train", one.face_down))

    return draw


def _tally(chart: Chart, power: str, count: str, unit: float) -> _Item:
    """Sign of a power, and its amount."""
    words = _words(chart, count, unit)

    def draw(at: Point) -> str:
        sign = piece((at[0] + 14 * unit, at[1]), 0.85 * unit, chart, Marker(power))
        return sign + words.draw((at[0] + 34 * unit, at[1]))

    return _Item(34 * unit + words.wide + 6 * unit, draw)


def _track(chart: Chart, track: Track, unit: float) -> _Item:
    """Boxes of a track side by side, with a red marker in one of them."""
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
