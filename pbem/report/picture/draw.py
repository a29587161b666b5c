"""Drawing of a board in layers, from the ground to the title, the legend and the strips around the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, TypedDict, Unpack

from msgspec.structs import replace

from pbem.engine.board import BoardData, CityData
from pbem.report.picture.chart import KEPT, MAIL_WIDTH, NAME_SIZE, READABLE, Chart, Extent, cache_results, chart_of
from pbem.report.picture.drawing import Drawing, Part, Patch, Signs, names_of
from pbem.report.picture.geometry import Box, area, box_around, corners, enlarge, hull_box, meet, number
from pbem.report.picture.ground import ground, roads
from pbem.report.picture.labels import place_labels
from pbem.report.picture.legend import legend_lines
from pbem.report.picture.lettering import Label, escape, note_beginning
from pbem.report.picture.overlay import (
    BoxSign,
    box_signs,
    draw_box,
    patches_over_pieces,
    patches_under_signs,
    ring_boxes,
)
from pbem.report.picture.panel import PictureHeading, footer, header, legend_strip, panel, title_strip
from pbem.report.picture.position import PictureWords, Place, Position, words_in
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.signs import compass, conquered_sign, crown, depot, fortress, goal, suit_symbols, text, town
from pbem.report.picture.theme import THEMES, ThemeName
from pbem.report.picture.tokens import Token, draw_way, start_position, tokens, way_box, ways


class Look(TypedDict, total=False):
    """Optional arguments of `drawing_of`. The default theme is light."""

    theme: ThemeName
    crop: Box | None
    """Part of the board that is drawn."""
    width: int | None
    """Width in pixels in which signs and names must be large enough to be read. Names for which there is no room are
    left out."""
    title: str | None
    """Title that is shown in place of the board's own title. The note below it replaces the board's own note."""
    note: str | None
    words: PictureWords | None


def draw_board(
    board: BoardData, scenery: Scenery | None, position: Position | None = None, **look: Unpack[Look]
) -> str:
    return drawing_of(board, scenery, position, **look).svg


def drawing_of(
    board: BoardData, scenery: Scenery | None, position: Position | None = None, **look: Unpack[Look]
) -> Drawing:
    """Draw a board, or the part of it that `crop` gives. If there is no position, the set-up is shown."""
    extent = Extent(look.get("crop"), look.get("width"), position.maps if position else ())
    chart = chart_of(board, scenery, THEMES[look.get("theme", "light")], look.get("words") or words_in(), extent)
    heading = heading_of(board, position, look.get("title"), look.get("note"))
    frame = frame_of(chart, position, heading)
    name = " · ".join(part for part in (heading.title, heading.caption, heading.note) if part)
    return replace(layers_of(chart, position or start_position(chart), frame.view, frame.around), title=name)


def heading_of(board: BoardData, position: Position | None, title: str | None, note: str | None) -> PictureHeading:
    """Return the heading of a picture. If no title or note is given, it has those of the board."""
    caption = position.caption if position else ""
    return PictureHeading(
        board.title if title is None else title, note_beginning(board.note) if note is None else note, caption
    )


class PictureFrame(NamedTuple):
    """Rectangle of the whole picture (`view`), and the drawings that are `around` the board: the title, the legend and
    the strips."""

    view: Box
    around: tuple[Patch, ...]


def frame_of(chart: Chart, position: Position | None, heading: PictureHeading) -> PictureFrame:
    """Draw everything around the board. Return these drawings, with the rectangle of the whole picture."""
    shown = legend_lines(chart, position)
    west, north, east, south = chart.view
    around_it, top, edge = [], north, south
    if chart.cropped:
        high, head = title_strip(chart, heading)
        below, foot = legend_strip(chart, shown)
        top, edge = north - high, south + below
        around_it += [Patch((west, top, east, north), head), Patch((west, south, east, edge), foot)]
    elif chart.scenery.panel and chart.entire:
        place = chart.scenery.panel
        box = (float(place.x), float(place.y), float(place.x + place.w), float(place.y + place.h))
        around_it.append(Patch(box, panel(chart, box, heading, shown)))
    else:
        high, head = header(chart, heading, shown)
        top = north - high
        around_it.append(Patch((west, top, east, north), head))
    lower, rest = footer(chart, position, edge - south)
    if rest:
        around_it.append(Patch((west, edge, east, edge + lower), rest))
    return PictureFrame((west, top, east, edge + lower), tuple(around_it))


def layers_of(
    chart: Chart, shown: Position, view: Box, around_it: Iterable[Patch], part: Part | None = None
) -> Drawing:
    """Draw all layers of a position. With a `part`, only this part of the board is shown. `around_it` has the drawings
    around the board, and `view` is the rectangle of the whole picture."""
    window = part.window if part else None
    standing, boxes, went = tokens(chart, shown, window), box_signs(chart), ways(chart, shown)
    holders = {chart.city(place): power for place, power in shown.control.items()}
    seen = [token for token in standing if chart.sees(token.box)]
    arrows = (Patch(way_box(chart, run), draw_way(chart, move, run)) for move, run in went)
    below = (*_box_patches(chart, boxes), *arrows, *patches_under_signs(chart, shown.overlay))
    above = (
        *(
            Patch(enlarge(hull_box([*corners(token.box), chart.at[token.city]]), 4 * chart.unit), token.draw(token.box))
            for token in seen
        ),
        *patches_over_pieces(chart, shown.overlay, seen),
    )
    is_usual = part is not None or 0 < (chart.width or 0) <= MAIL_WIDTH
    return Drawing(
        title="",
        view=view,
        edge=window[3] if window else chart.view[3],
        width=chart.width,
        paper=chart.theme.margin,
        symbols=suit_symbols(chart),
        ground=_ground(chart),
        below=_join_patches(_visible_patches(below, window)),
        signs=_printed_signs(chart),
        held=_signs(chart, holders, "held", window),
        above=_visible_patches(above, window),
        names=names_of(chart, _labels(chart, shown, standing, boxes, window)),
        around=tuple(Patch(enlarge(patch.box, 3 * chart.unit), patch.drawn) for patch in around_it),
        lasting=bool(chart.lasting) and not chart.cropped and is_usual,
        part=part,
    )


def _visible_patches(patches: Iterable[Patch], window: Box | None) -> tuple[Patch, ...]:
    """Return the patches that are at least partly inside the window. If there is no window, return all."""
    return tuple(patch for patch in patches if not window or meet(patch.box, window))


def _join_patches(patches: tuple[Patch, ...]) -> tuple[Patch, ...]:
    """Join all patches into one, and return it in a tuple. Return the patches unchanged if the joined patch would be
    larger than all of them together."""
    if not patches:
        return ()
    hull = hull_box([corner for patch in patches for corner in corners(patch.box)])
    if sum(area(patch.box) for patch in patches) < area(hull):
        return patches
    return (Patch(hull, "".join(patch.drawn for patch in patches)),)


@cache_results(KEPT)
def _ground(chart: Chart) -> str:
    """Draw the layers that depend on nothing but the board: ground, roads and ornaments."""
    theme, stroke = chart.theme, chart.stroke
    west, north, east, south = chart.view
    place = f'x="{number(west)}" y="{number(north)}" width="{number(east - west)}" height="{number(south - north)}"'
    out = [f'<rect {place} fill="{theme.margin}"/>']
    if not chart.cropped:
        inset = 14 * stroke
        edge = f'width="{number(east - west - 2 * inset)}" height="{number(south - north - 2 * inset)}" '
        rim = f'fill="{theme.paper}" stroke="{theme.ink}" stroke-width="{number(3 * stroke)}"'
        out.append(f'<rect x="{number(west + inset)}" y="{number(north + inset)}" {edge}{rim}/>')
    out += [ground(chart, name) for name in chart.maps if chart.sees(chart.frame(name))]
    return "".join(out) + roads(chart) + _ornaments(chart)


def _box_patches(chart: Chart, boxes: list[BoxSign]) -> Iterator[Patch]:
    for sign in boxes:
        if chart.sees(enlarge(sign.box, chart.spacing)):
            bend = abs(sign.bend) + 17 * chart.stroke
            hull = hull_box([*corners(sign.box), *sign.arrow])
            yield Patch(enlarge(hull, bend), draw_box(chart, sign))


def _labels(
    chart: Chart, shown: Position, standing: list[Token], boxes: list[BoxSign], window: Box | None = None
) -> list[Label]:
    """Place the names of cities so that they hide no pieces, rings, signs of off-map boxes, compasses or arrows."""
    taken = [token.box for token in standing] + [enlarge(sign.box, 4 * chart.stroke) for sign in boxes]
    taken += [box_around((rose.x, rose.y), 62 * chart.natural) for rose in chart.scenery.compasses]
    taken += ring_boxes(chart, shown.overlay)
    lines = [sign.arrow for sign in boxes]
    lines += [step for _, run in ways(chart, shown) for step in pairwise(run)]
    first = {token.city for token in standing} | {chart.city(place) for place in shown.control}
    return place_labels(chart, taken, lines, sorted(first), window)


def board_labels(
    board: BoardData, scenery: Scenery | None, position: Position | None = None, words: PictureWords | None = None
) -> list[Label]:
    """Place the names of cities on the whole board in its own size."""
    maps = position.maps if position else ()
    chart = chart_of(board, scenery, THEMES["light"], words or words_in(), Extent(maps=maps))
    return labels_over(chart, position or start_position(chart))


def labels_over(chart: Chart, position: Position) -> list[Label]:
    """Place the names of cities so that they hide nothing that is drawn on the board."""
    return _labels(chart, position, tokens(chart, position), box_signs(chart))


def bare_board(chart: Chart) -> str:
    """Draw a board without pieces, arrows and names. Return the SVG without its root element."""
    signs = _printed_signs(chart)
    patches = (*_box_patches(chart, box_signs(chart)), *(patch for _, patch in signs.cities))
    drawn = "".join(patch.drawn for patch in patches)
    return f"<defs>{suit_symbols(chart)}{signs.symbols}</defs>{_ground(chart)}{drawn}"


@cache_results(KEPT)
def _printed_signs(chart: Chart) -> Signs:
    """Draw the signs of all cities as they are printed on the board."""
    return _signs(chart, dict.fromkeys(range(len(chart.at)), ""), "city")


def _signs(chart: Chart, holders: dict[int, str], name: str, window: Box | None = None) -> Signs:
    """Draw the signs of cities. `holders` has the power that holds each city, or an empty text. The ids of symbols
    begin with `name`."""
    kinds: dict[str, str] = {}
    found = []
    for number_, holder in sorted(holders.items()):
        city = chart.data.cities[number_]
        box = chart.sign_box(city)
        if not (chart.has(number_) and chart.sees(box) and (window is None or meet(box, window))):
            continue
        key = kinds.setdefault(_city(chart, city, holder), chart.id(f"{name}{len(kinds)}"))
        about = f' data-city="{escape(city.name)}" data-holder="{escape(holder)}"' if holder else ""
        use = f'<use href="#{key}" x="{city.x}" y="{city.y}"{about}/>'
        found.append((number_, Patch(enlarge(box, 6 * chart.sign), use)))
    return Signs("".join(f'<g id="{key}">{sign}</g>' for sign, key in kinds.items()), tuple(found))


def _city(chart: Chart, city: CityData, holder: str) -> str:
    """Draw the sign of one city with its middle at the origin."""
    unit, major, aim = chart.sign, city.fortress == "major", chart.goals.get(city.name)
    if city.fortress:
        sign = fortress((0, 0), unit, chart, city.land, major=major, holder=holder or None)
    elif holder:
        sign = conquered_sign((0, 0), unit, chart, holder, aim)
    elif aim:
        sign = goal((0, 0), unit, chart, aim)
    elif city.name in chart.depots:
        sign = depot((0, 0), unit, chart, chart.depots[city.name])
    else:
        sign = town((0, 0), unit, chart.theme)
    return sign + crown((0, -(26 if major else 18) * unit), unit) if city.elector else sign


def _ornaments(chart: Chart) -> str:
    """Draw the compasses, and the marks beside maps."""
    scenery, theme, scale = chart.scenery, chart.theme, chart.natural
    out = [
        compass((rose.x, rose.y), scale, rose.turn, theme, chart.words.north)
        for rose in scenery.compasses
        if chart.sees(box_around((rose.x, rose.y), 80 * scale))
    ]
    for mark, x, y in scenery.marks:
        if chart.sees(box_around((x, y), 20 * scale)):
            out.append(text((x, y), mark, 23 * scale * min(chart.enlarged, 1.4), theme.ink))
    return "".join(out)


_AT_EASE = 11.0
"""Height of the smallest names in a picture of a part of the board, in pixels."""


def part_width(board: BoardData, crop: Box) -> int:
    """Return the usual width of a picture of this part of a board, in pixels."""
    natural = chart_of(board, None, THEMES["light"], words_in()).natural
    return min(MAIL_WIDTH, round((crop[2] - crop[0]) * _AT_EASE / (NAME_SIZE * natural)))


def readable_width(board: BoardData) -> int:
    """Return the width of the whole board with which its smallest names can be read, in pixels."""
    natural = chart_of(board, None, THEMES["light"], words_in()).natural
    return round(board.canvas.w * READABLE / (NAME_SIZE * natural))


def crop_around(board: BoardData, cities: Iterable[Place], *, margin: float = 3.2, shape: float = 1.4) -> Box:
    """Return a rectangle around these cities, with room for a march from each. If there are no cities, it is around all
    cities of the board. If possible, its longer side is at most `shape` times as long as the shorter."""
    chart = chart_of(board, None, THEMES["light"], words_in())
    places = [chart.at[chart.city(city)] for city in cities] or chart.at
    west, north, east, south = enlarge(hull_box(places), margin * chart.spacing)
    wide, high = east - west, south - north
    wide, high = max(wide, high / shape), max(high, wide / shape)
    width, height = float(board.canvas.w), float(board.canvas.h)
    wide, high = min(wide, width), min(high, height)
    left = min(max((west + east - wide) / 2, 0.0), width - wide)
    top = min(max((north + south - high) / 2, 0.0), height - high)
    return (round(left), round(top), round(left + wide), round(top + high))
