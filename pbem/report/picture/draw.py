"""Drawing a board: everything in its order, from the ground up."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from pbem.engine.board import BoardData, CityData
from pbem.report.picture.boxes import BoxSign, box_signs, draw_boxes
from pbem.report.picture.chart import NAME_SIZE, READABLE, Chart, Extent, chart_of
from pbem.report.picture.geometry import Box, around, grown, hull_box, number
from pbem.report.picture.ground import ground, roads
from pbem.report.picture.labels import Label, draw_labels, place_labels
from pbem.report.picture.legend import entries
from pbem.report.picture.lettering import FONT, escape, lead
from pbem.report.picture.panel import PictureHeading, header, legend_strip, panel, title_strip
from pbem.report.picture.position import PictureWords, Place, Position
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.signs import compass, conquered_sign, crown, depot, fortress, goal, suit_symbols, text, town
from pbem.report.picture.strip_below import footer
from pbem.report.picture.theme import THEMES, ThemeName
from pbem.report.picture.tokens import Token, draw_ways, start_position, tokens, ways
from pbem.report.picture.words import words_in


def draw_board(
    data: BoardData,
    scenery: Scenery | None,
    position: Position | None = None,
    *,
    theme: ThemeName = "light",
    crop: Box | None = None,
    width: int | None = None,
    title: str | None = None,
    note: str | None = None,
    words: PictureWords | None = None,
) -> str:
    """Draw a board, or the part of it within the crop (west, north, east, south), as SVG.

    Without a position the set-up places are shown. With a width, in pixels, the picture is meant to be looked at in
    that size: signs and names grow until they can be read, and names that then find no room are left out. Title and
    note are those of the board unless given.
    """
    maps = position.maps if position else ()
    chart = chart_of(data, scenery, THEMES[theme], words or words_in(), Extent(crop, width, maps))
    caption = position.caption if position else ""
    heading = PictureHeading(data.title if title is None else title, lead(data.note) if note is None else note, caption)
    body = _body(chart, position)
    shown, foot = entries(chart, position), ""
    below = 0.0
    if chart.cropped:
        above, head = title_strip(chart, heading)
        below, foot = legend_strip(chart, shown)
    elif chart.scenery.panel and chart.entire:
        place = chart.scenery.panel
        box = (float(place.x), float(place.y), float(place.x + place.w), float(place.y + place.h))
        above, head = 0.0, panel(chart, box, heading, shown)
    else:
        above, head = header(chart, heading, shown)
    lower, rest = footer(chart, position, below)
    return _document(chart, heading, f"{body}{head}{foot}{rest}", above, below + lower)


def _document(chart: Chart, heading: PictureHeading, drawn: str, above: float, below: float) -> str:
    """The whole SVG document: what is drawn of the board in its rectangle, and in the strips above and below it."""
    west, north, east, south = chart.view
    wide, high = east - west, south - north + above + below
    scale = (chart.width or wide) / wide
    name = " · ".join(part for part in (heading.title, heading.caption, heading.note) if part)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(wide * scale)}" height="{number(high * scale)}" '
        f'viewBox="{number(west)} {number(north - above)} {number(wide)} {number(high)}" font-family="{FONT}">'
        f"<title>{escape(name)}</title>"
        f"<defs>{suit_symbols(chart)}</defs>{drawn}</svg>\n"
    )


def _body(chart: Chart, position: Position | None) -> str:
    """The board itself."""
    theme, stroke = chart.theme, chart.stroke
    shown = position or start_position(chart)
    standing, boxes, went = tokens(chart, shown), box_signs(chart), ways(chart, shown)
    labels = _labels(chart, shown, standing, boxes)
    west, north, east, south = chart.view
    place = f'x="{number(west)}" y="{number(north)}" width="{number(east - west)}" height="{number(south - north)}"'
    out = [f'<rect {place} fill="{theme.margin}"/>']
    if not chart.cropped:
        inset = 14 * stroke
        edge = f'width="{number(east - west - 2 * inset)}" height="{number(south - north - 2 * inset)}" '
        rim = f'fill="{theme.paper}" stroke="{theme.ink}" stroke-width="{number(3 * stroke)}"'
        out.append(f'<rect x="{number(west + inset)}" y="{number(north + inset)}" {edge}{rim}/>')
    out += [ground(chart, name) for name in chart.maps if chart.sees(chart.frame(name))]
    out += [roads(chart), draw_boxes(chart, boxes), draw_ways(chart, went), _cities(chart, shown)]
    out += [token.draw(token.box) for token in standing if chart.sees(token.box)]
    out += [draw_labels(chart, labels), _ornaments(chart)]
    return "".join(out)


def _labels(chart: Chart, shown: Position, standing: list[Token], boxes: list[BoxSign]) -> list[Label]:
    """The names, clear of tokens, signs of boxes and compasses."""
    taken = [token.box for token in standing] + [grown(sign.box, 4 * chart.stroke) for sign in boxes]
    taken += [around((rose.x, rose.y), 62 * chart.natural) for rose in chart.scenery.compasses]
    lines = [sign.arrow for sign in boxes]
    lines += [step for _, run in ways(chart, shown) for step in pairwise(run)]
    first = {token.city for token in standing} | {chart.city(place) for place in shown.control}
    return place_labels(chart, taken, lines, sorted(first))


def board_labels(
    data: BoardData, scenery: Scenery | None, position: Position | None = None, words: PictureWords | None = None
) -> list[Label]:
    """Where the names stand when the whole board is drawn at its own size."""
    maps = position.maps if position else ()
    chart = chart_of(data, scenery, THEMES["light"], words or words_in(), Extent(maps=maps))
    shown = position or start_position(chart)
    return _labels(chart, shown, tokens(chart, shown), box_signs(chart))


def _cities(chart: Chart, shown: Position) -> str:
    """The signs of all cities, each kind drawn once and used where it is needed."""
    kinds: dict[str, str] = {}
    holders = {chart.city(place): power for place, power in shown.control.items()}
    uses = []
    for number_, city in enumerate(chart.data.cities):
        if not (chart.has(number_) and chart.sees(chart.sign_box(city))):
            continue
        holder = holders.get(number_)
        sign = _city(chart, city, holder)
        key = kinds.setdefault(sign, chart.id(f"city{len(kinds)}"))
        about = f' data-city="{escape(city.name)}" data-holder="{escape(holder)}"' if holder else ""
        uses.append(f'<use href="#{key}" x="{city.x}" y="{city.y}"{about}/>')
    signs = "".join(f'<g id="{key}">{sign}</g>' for sign, key in kinds.items())
    return f"<defs>{signs}</defs>{''.join(uses)}"


def _city(chart: Chart, city: CityData, holder: str | None) -> str:
    """The sign of one city around the origin."""
    unit, major, aim = chart.sign, city.fortress == "major", chart.goals.get(city.name)
    if city.fortress:
        sign = fortress((0, 0), unit, chart, city.land, major=major, holder=holder)
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
    """Compasses, and the letters and numbers beside the maps."""
    scenery, theme, scale = chart.scenery, chart.theme, chart.natural
    out = [
        compass((rose.x, rose.y), scale, rose.turn, theme, chart.words.north)
        for rose in scenery.compasses
        if chart.sees(around((rose.x, rose.y), 80 * scale))
    ]
    for mark, x, y in scenery.marks:
        if chart.sees(around((x, y), 20 * scale)):
            out.append(text((x, y), mark, 23 * scale * min(chart.enlarged, 1.4), theme.ink))
    return "".join(out)


MAIL_WIDTH = 1300
"""How wide a whole board is drawn, in pixels, where nothing else is asked for: nearly all names find room, and the
picture is made in half a second."""


_AT_EASE = 11.0
"""The height, in pixels, of the smallest names in a picture of a part, which need not save room."""


def part_width(data: BoardData, crop: Box) -> int:
    """How wide a part of the board is drawn, in pixels, where nothing else is asked for."""
    natural = chart_of(data, None, THEMES["light"], words_in()).natural
    return min(MAIL_WIDTH, round((crop[2] - crop[0]) * _AT_EASE / (NAME_SIZE * natural)))


def readable_width(data: BoardData) -> int:
    """How wide the whole board must be drawn, in pixels, for its smallest names to be readable."""
    natural = chart_of(data, None, THEMES["light"], words_in()).natural
    return round(data.canvas.w * READABLE / (NAME_SIZE * natural))


def crop_around(data: BoardData, cities: Iterable[Place], *, margin: float = 3.2, shape: float = 1.4) -> Box:
    """A crop that holds these cities, with room for a march from each, no flatter or taller than the shape."""
    chart = chart_of(data, None, THEMES["light"], words_in())
    places = [chart.at[chart.city(city)] for city in cities] or chart.at
    west, north, east, south = grown(hull_box(places), margin * chart.spacing)
    wide, high = east - west, south - north
    wide, high = max(wide, high / shape), max(high, wide / shape)
    width, height = float(data.canvas.w), float(data.canvas.h)
    wide, high = min(wide, width), min(high, height)
    left = min(max((west + east - wide) / 2, 0.0), width - wide)
    top = min(max((north + south - high) / 2, 0.0), height - high)
    return (round(left), round(top), round(left + wide), round(top + high))
