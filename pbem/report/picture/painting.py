"""Pictures in pixels, small enough to be sent by mail.

A picture is laid together from parts that are drawn apart: its ground, what stands there, each thing in a box of its
own, and the letters of its names. What a board has printed on it is kept for the next picture.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from importlib.metadata import version
from itertools import chain, islice
from typing import Literal

from msgspec.structs import replace
from PIL import Image

from pbem.cache import PIXELS, fetch, name_of, store
from pbem.report.picture.drawing import Drawing, Patch
from pbem.report.picture.geometry import Box, grown, number
from pbem.report.picture.labels import Names, draw_labels
from pbem.report.picture.letterforms import keep_letters
from pbem.report.picture.lettering import FONT
from pbem.report.picture.png import to_png
from pbem.report.picture.stamps import font_of, write_names

COLOURS = 256
"""How many colours a small picture has; the eye does not miss the others, and it weighs a third."""

BAND = 420
"""How many rows of the ground are drawn at once: the renderer needs eight times the room of its pixels."""

BLEED = 4
"""How many rows above and below a band are drawn with it: at the edge the renderer rounds otherwise."""

_PRESSED = 6
"""How hard a small picture is compressed: nine would take seven times as long for a thirtieth of the size."""

Mode = Literal["RGB", "RGBA", "L"]
Size = tuple[int, int]
Pixels = tuple[int, int, int, int]
"""West, north, east, south, in whole pixels."""

Laid = tuple[Image.Image, Size]
"""Pixels, and where they are laid."""


def small_png(drawing: Drawing) -> bytes:
    """A picture in 256 colours of its own, as wide as it is meant to be.

    Each pixel gets the nearest of the colours that a quarter of them need most. It has no transparency, whose colours
    would be missed elsewhere.
    """
    image = painted(drawing)
    sample = image.resize((-(-image.width // 2), -(-image.height // 2)), Image.Resampling.NEAREST)
    palette = sample.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", compress_level=_PRESSED)
    return out.getvalue()


def painted(drawing: Drawing) -> Image.Image:
    """A picture in all its colours."""
    names, strange = _names_apart(drawing.names)
    held = [patch for _, patch in drawing.held.cities]
    things = (drawing.below, (*held, *drawing.above), (*strange, *drawing.around))
    laid = iter(_cut(drawing, list(chain(*things)), drawing.symbols + drawing.held.symbols, lasting=False))
    below, above, around = (list(islice(laid, len(each))) for each in things)
    image = _ground(drawing)
    lay(image, (*below, *_shown_signs(drawing), *above))
    pixels = partial(_pixels, mode="L", lasting=drawing.lasting)
    write_names(image, names, drawing.scale, drawing.view[:2], pixels)
    lay(image, around)
    keep_letters()
    return image


def lay(image: Image.Image, laid: Iterable[Laid]) -> None:
    """Lay pixels over a picture, one after the other."""
    for pixels, at in laid:
        image.paste(pixels, at, pixels)


def _names_apart(names: Names) -> tuple[Names, tuple[Patch, ...]]:
    """The names whose letters the font has, and the others as the renderer is to write them."""
    known = {hand: set(filter(font_of(hand).letter, letters)) for hand, letters in names.letters}
    strange = [one for one in names.labels if not known[one.hand].issuperset(chain(*one.lines))]
    patches = (Patch(grown(one.box, one.size), draw_labels(replace(names, labels=(one,)))) for one in strange)
    return replace(names, labels=tuple(one for one in names.labels if one not in strange)), tuple(patches)


def _ground(drawing: Drawing) -> Image.Image:
    """A new picture with nothing on it but the ground."""
    wide, high = size_of(drawing)
    edge = min(high, math.ceil((drawing.edge - drawing.view[1]) * drawing.scale))
    image = Image.new("RGB", (wide, high), drawing.paper)
    for top in range(0, edge, BAND):
        rows = min(BAND, edge - top)
        size = (wide, rows + 2 * BLEED)
        paper = f'<rect width="{wide}" height="{size[1]}" fill="{drawing.paper}"/>'
        drawn = f"<defs>{drawing.symbols}</defs>{paper}{_placed(drawing, (0, BLEED - top), drawing.ground)}"
        band = _pixels(_document(size, drawn), size, "RGB", drawing.lasting)
        image.paste(band.crop((0, BLEED, wide, BLEED + rows)), (0, top))
    return image


def size_of(drawing: Drawing) -> Size:
    """How many pixels wide and high a picture is."""
    west, north, east, south = drawing.view
    wide, high = (math.ceil(float(number(side * drawing.scale))) for side in (east - west, south - north))
    return wide, high


def _shown_signs(drawing: Drawing) -> Iterator[Laid]:
    """The printed signs of cities that nothing else stands in the place of."""
    patches = [patch for _, patch in drawing.signs.cities]
    cut = _cut(drawing, patches, drawing.symbols + drawing.signs.symbols, lasting=drawing.lasting)
    hidden = dict(drawing.held.cities)
    for (city, _), laid in zip(drawing.signs.cities, cut, strict=True):
        if city not in hidden:
            yield laid


def _cut(drawing: Drawing, patches: Sequence[Patch], symbols: str, *, lasting: bool) -> list[Laid]:
    """Things as pixels: drawn side by side on one sheet, and cut out."""
    touched = [_touched(drawing, patch.box) for patch in patches]
    places = [_within(size_of(drawing), box) for box in touched]
    sizes = [(east - west, south - north) for west, north, east, south in places]
    corners, size = side_by_side(sizes, size_of(drawing)[0])
    drawn = (
        _in_cell(drawing, patch, place, corner, place == box)
        for patch, place, corner, box in zip(patches, places, corners, touched, strict=True)
    )
    sheet = _pixels(_document(size, f"<defs>{symbols}</defs>{''.join(drawn)}"), size, "RGBA", lasting)
    return [
        (sheet.crop((x, y, x + wide, y + high)), place[:2])
        for (x, y), (wide, high), place in zip(corners, sizes, places, strict=True)
    ]


def _in_cell(drawing: Drawing, patch: Patch, place: Pixels, corner: Size, is_whole: bool) -> str:
    """A thing at its place in a sheet; what of it is not in the picture must not be seen beside it either."""
    (x, y), (west, north, east, south) = corner, place
    if is_whole:
        return _placed(drawing, (x - west, y - north), patch.drawn)
    shown = _placed(drawing, (-west, -north), patch.drawn)
    return f'<svg x="{x}" y="{y}" width="{east - west}" height="{south - north}">{shown}</svg>'


def side_by_side(sizes: Sequence[Size], wide: int) -> tuple[list[Size], Size]:
    """Where things have room on a sheet so wide, the high ones first and each in the first row, and its size."""
    corners: dict[int, Size] = {}
    rows: list[Size] = []
    foot = 0
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k][1]):
        row = next((row for row, (x, _) in enumerate(rows) if x + sizes[k][0] <= wide), len(rows))
        if row == len(rows):
            rows.append((0, foot))
            foot += sizes[k][1]
        corners[k] = x, y = rows[row]
        rows[row] = (x + sizes[k][0], y)
    return [corners[k] for k in range(len(sizes))], (wide, max(foot, 1))


def _touched(drawing: Drawing, box: Box) -> Pixels:
    """The pixels that a box touches, in the picture or beside it."""
    (left, top), scale = drawing.view[:2], drawing.scale
    west, north = (math.floor(scale * side) for side in (box[0] - left, box[1] - top))
    east, south = (math.ceil(scale * side) for side in (box[2] - left, box[3] - top))
    return west, north, east, south


def _within(size: Size, box: Pixels) -> Pixels:
    """The part of some pixels that is in a picture of this size."""
    west, east = (min(max(side, 0), size[0]) for side in (box[0], box[2]))
    north, south = (min(max(side, 0), size[1]) for side in (box[1], box[3]))
    return west, north, east, south


def _placed(drawing: Drawing, shift: Size, drawn: str) -> str:
    """Something of a board in pixels of its picture, shifted by some."""
    x, y = (by - side * drawing.scale for by, side in zip(shift, drawing.view, strict=False))
    return f'<g transform="translate({x:.4f},{y:.4f}) scale({drawing.scale:.8f})">{drawn}</g>'


def _document(size: Size, drawn: str) -> str:
    wide, high = size
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-family="{FONT}">{drawn}</svg>'


def _pixels(svg: str, size: Size, mode: Mode, lasting: bool) -> Image.Image:
    """A drawing as pixels: in colour, with what of them is clear, or only how far they are covered."""
    name = name_of(PIXELS, f"{mode} {size} {_renderer()} {svg}".encode()) if lasting else ""
    data = (fetch(name) if name else None) or b""
    if len(data) == size[0] * size[1] * len(mode):
        return Image.frombytes(mode, size, data)
    with Image.open(io.BytesIO((_drawn if lasting else to_png)(svg, size[0]))) as drawn:
        image = drawn.getchannel("A") if mode == "L" else drawn.convert(mode)
    if name:
        store(name, image.tobytes())
    return image


_drawn = lru_cache(maxsize=8)(to_png)
"""What pictures of one report have in common, which differ in their languages, where nothing is kept on the disk."""


@cache
def _renderer() -> str:
    """What draws, and the font that it has."""
    return f"{version('resvg-py')} {version('fontpkg-pt-serif')}"
