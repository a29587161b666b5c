"""Pictures in pixels that are small enough for a mail. The ground, the signs, the pieces and the characters are drawn
separately, and then put together."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import version
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.cache import PIXELS, fetch, name_of, store
from pbem.report.picture.chart import MAIL_WIDTH, cache_results
from pbem.report.picture.drawing import Drawing, Inset, Names, Part, Patch, Signs, draw_labels
from pbem.report.picture.geometry import Box, Point, area, enlarge, meet, number
from pbem.report.picture.letterforms import keep_glyphs
from pbem.report.picture.lettering import FONT, Hand
from pbem.report.picture.png import Stamps, font_of, to_png, write_names

if TYPE_CHECKING:
    from PIL import Image


BAND = 420
"""Number of rows of the ground that are drawn at the same time. The renderer needs eight times as much memory as the
pixels."""

BLEED = 4
"""Number of rows that are drawn in addition, above and below a band. They are needed because the renderer rounds in a
different way at an edge."""

_BLOCK = 1 << 16
"""Number of bytes in one block of memory for a picture. With blocks of this size, memory that was freed is used again
(ADR 20)."""


Mode = Literal["RGB", "RGBA", "L"]
Size = tuple[int, int]
Pixels = tuple[int, int, int, int]
"""Rectangle of pixels: west, north, east, south."""

PlacedPixels: TypeAlias = "tuple[Image.Image, Size]"
"""Pixels, and where their upper left corner is in the picture."""

Cell = tuple[Size, Pixels]
"""Place of a patch on the sheet on which it is drawn, and the rectangle that it fills in the picture."""


class PixelMap(Struct, frozen=True):
    """Conversion of points of a board into pixels of a picture."""

    corner: Point
    """Point of the board that is at the upper left corner of the picture."""
    scale: float
    size: Size


def pixel_map_of(drawing: Drawing) -> PixelMap:
    return PixelMap(drawing.view[:2], drawing.scale, size_of(drawing))


def paint(drawing: Drawing) -> Image.Image:
    """Return a picture in pixels, with all its colours. New glyphs are stored for later commands."""
    from PIL import Image

    Image.core.set_block_size(_BLOCK)  # type: ignore[attr-defined]
    names, strange = _split_names(drawing.names)
    held = [patch for _, patch in drawing.held.cities]
    things = (drawing.below, (*held, *drawing.above), (*strange, *drawing.around))
    image = _ground(drawing)
    sheet, cells = _draw_on_sheet(pixel_map_of(drawing), list(chain(*things)), drawing.symbols + drawing.held.symbols)
    laid = (_cut_out(sheet, cell) for cell in cells)
    below, above, around = [list(islice(laid, len(each))) for each in things]
    lay(image, (*below, *_shown_signs(drawing), *above))
    write_names(image, names, _stamps(names.letters, names.rim, drawing.scale, drawing.lasting), drawing.view[:2])
    if drawing.part and drawing.part.inset:
        lay(image, [_inset_pixels(drawing, drawing.part.inset)])
    lay(image, around)
    if drawing.part:
        _frame(image, drawing, drawing.part)
    keep_glyphs()
    return image


def _frame(image: Image.Image, drawing: Drawing, part: Part) -> None:
    """Draw the line around the part of the board that is visible."""
    colour, line = part.rim[0], max(1, round(part.rim[1] * part.scale))
    west, north, east, south = _pixels_of_box(pixel_map_of(drawing), part.window)
    east, south = min(east, image.width), min(south, image.height)
    for box in (
        (west, north, east, north + line),
        (west, south - line, east, south),
        (west, north, west + line, south),
        (east - line, north, east, south),
    ):
        image.paste(colour, box)


def lay(image: Image.Image, laid: Iterable[PlacedPixels]) -> None:
    """Paste the given sets of pixels over a picture, one after the other, each at its place."""
    for pixels, at in laid:
        image.paste(pixels, at, pixels)


def _split_names(names: Names) -> tuple[Names, tuple[Patch, ...]]:
    """Return the names for which the font has all characters. Also return the other names, as patches that the renderer
    draws."""
    known = {hand: set(filter(font_of(hand).glyph, letters)) for hand, letters in names.letters}
    strange = [one for one in names.labels if not known[one.hand].issuperset(chain(*one.lines))]
    patches = (Patch(enlarge(one.box, one.size), draw_labels(replace(names, labels=(one,)))) for one in strange)
    return replace(names, labels=tuple(one for one in names.labels if one not in strange)), tuple(patches)


def _ground(drawing: Drawing) -> Image.Image:
    """Draw the ground alone, as a new picture."""
    from PIL import Image

    image = Image.new("RGB", size_of(drawing), drawing.paper)
    whole, (west, north, east, south), (x, y) = _window(drawing)
    high, edge = min(BAND, max(1, BAND * MAIL_WIDTH // size_of(whole)[0])), _edge(whole)
    for top in range(north // high * high, south, high):
        first, last = max(top, north), min(top + high, south)
        image.paste(_band(whole, top, min(high, edge - top), (west, first, east, last)), (x, y + first - north))
    return image


def _window(drawing: Drawing) -> tuple[Drawing, Pixels, Size]:
    """Return the drawing of the whole board, the rectangle of its pixels that is visible, and the place of this
    rectangle in the picture."""
    part = drawing.part
    if part is None:
        return drawing, (0, 0, size_of(drawing)[0], _edge(drawing)), (0, 0)
    whole = replace(drawing, view=part.sheet, edge=part.sheet[3])
    west, north, east, south = (
        round((side - start) * part.scale) for side, start in zip(part.window, part.sheet[:2] * 2, strict=True)
    )
    return whole, (west, north, east, south), (0, round((part.window[1] - drawing.view[1]) * part.scale))


def _edge(drawing: Drawing) -> int:
    """Return the number of the row of pixels where the board ends."""
    return min(size_of(drawing)[1], math.ceil((drawing.edge - drawing.view[1]) * drawing.scale))


def _band(drawing: Drawing, top: int, rows: int, seen: Pixels) -> Image.Image:
    """Return the part `seen` of a band of the ground, as pixels. The band begins at the row `top`, and has `rows`
    rows."""
    from PIL import Image

    size = (wide, high) = (size_of(drawing)[0], rows + 2 * BLEED)
    west, north, east, south = seen[0], BLEED + seen[1] - top, seen[2], BLEED + seen[3] - top

    def whole() -> Image.Image:
        paper = f'<rect width="{wide}" height="{high}" fill="{drawing.paper}"/>'
        placed = _transform(pixel_map_of(drawing), (0, BLEED - top), drawing.ground)
        return _render(_document(size, f"<defs>{drawing.symbols}</defs>{paper}{placed}"), size, "RGB")

    if not drawing.lasting:
        return whole().crop((west, north, east, south))
    name = name_of(PIXELS, f"{_ground_print(drawing)} {size} {top} {_renderer()}".encode())
    data = fetch(name) or b""
    if len(data) != 3 * wide * high:
        image = whole()
        store(name, image.tobytes())
        return image.crop((west, north, east, south))
    begun = memoryview(data)[3 * (wide * north + west) :]
    return Image.frombytes("RGB", (east - west, south - north), begun, "raw", "RGB", 3 * wide, 1)


def _ground_print(drawing: Drawing) -> str:
    """Return a text that is different if the pixels of the ground can be different."""
    lies = (drawing.view[:2], drawing.scale, drawing.paper)
    return f"{lies} {_print_of(drawing.symbols)} {_print_of(drawing.ground)}"


@cache_results(4)
def _print_of(drawn: str) -> str:
    return sha256(drawn.encode()).hexdigest()


def _inset_pixels(drawing: Drawing, inset: Inset) -> PlacedPixels:
    """Draw the ground of the inset. Return its pixels, and their place in the picture."""
    assert drawing.part
    west, north, east, south = _pixels_of_box(pixel_map_of(drawing), inset.box)
    size = (east - west, south - north)
    little = replace(drawing, view=drawing.part.sheet, width=size[0], part=None)
    paper = f'<rect width="{size[0]}" height="{size[1]}" fill="{drawing.paper}"/>'
    drawn = f"<defs>{drawing.symbols}</defs>{paper}{_transform(pixel_map_of(little), (0, 0), inset.ground)}"
    return _pixels(_document(size, drawn), size, "RGBA", drawing.lasting), (west, north)


def size_of(drawing: Drawing) -> Size:
    west, north, east, south = drawing.view
    wide, high = (math.ceil(float(number(side * drawing.scale))) for side in (east - west, south - north))
    return wide, high


def _shown_signs(drawing: Drawing) -> Iterator[PlacedPixels]:
    """Yield the pixels of signs that are printed on the board. Only visible cities that no power holds are included."""
    whole, window, (x, y) = _window(drawing)
    frame, hidden = pixel_map_of(whole), dict(drawing.held.cities)
    sheet, cells = _render_signs(drawing.signs, frame, drawing.symbols, drawing.lasting)
    for (city, patch), cell in zip(drawing.signs.cities, cells, strict=True):
        if city not in hidden and meet(_pixels_of_box(frame, patch.box), window):
            pixels, (left, top) = _cut_out(sheet, cell)
            yield pixels, (x + left - window[0], y + top - window[1])


@cache_results(1)
def _render_signs(signs: Signs, frame: PixelMap, symbols: str, lasting: bool) -> tuple[Image.Image, list[Cell]]:
    return _draw_on_sheet(frame, [patch for _, patch in signs.cities], symbols + signs.symbols, lasting=lasting)


@cache_results(2)
def _stamps(letters: tuple[tuple[Hand, str], ...], rim: float, scale: float, lasting: bool) -> Stamps:
    """Draw all characters that names on a board have: `letters`, each with its hand. With `lasting`, the pixels are
    stored on disk."""
    return Stamps(letters, rim, scale, partial(_pixels, mode="L", lasting=lasting))


def _draw_on_sheet(
    frame: PixelMap, patches: Sequence[Patch], symbols: str, *, lasting: bool = False
) -> tuple[Image.Image, list[Cell]]:
    """Draw patches beside each other on one sheet. Return its pixels, and the cell of each patch. With `lasting`, the
    pixels are stored on disk."""
    touched = [_pixels_of_box(frame, patch.box) for patch in patches]
    places = [_pixels_worth_drawing(frame.size, box) for box in touched]
    sizes = [(east - west, south - north) for west, north, east, south in places]
    corners, size = sheet_places(sizes, max([frame.size[0], *(wide for wide, _ in sizes)]))
    cells = list(zip(corners, places, strict=True))
    drawn = (
        _in_cell(frame, patch, cell, cell[1] == box) for patch, cell, box in zip(patches, cells, touched, strict=True)
    )
    return _pixels(_document(size, f"<defs>{symbols}</defs>{''.join(drawn)}"), size, "RGBA", lasting), cells


def _cut_out(sheet: Image.Image, cell: Cell) -> PlacedPixels:
    (x, y), (west, north, east, south) = cell
    return sheet.crop((x, y, x + east - west, y + south - north)), (west, north)


def _in_cell(frame: PixelMap, patch: Patch, cell: Cell, is_whole: bool) -> str:
    """Return the SVG of a patch at its place on the sheet. It is clipped to its cell, unless the whole patch is in the
    cell (`is_whole`)."""
    (x, y), (west, north, east, south) = cell
    if is_whole:
        return _transform(frame, (x - west, y - north), patch.drawn)
    shown = _transform(frame, (-west, -north), patch.drawn)
    return f'<svg x="{x}" y="{y}" width="{east - west}" height="{south - north}">{shown}</svg>'


def sheet_places(sizes: Sequence[Size], wide: int) -> tuple[list[Size], Size]:
    """Return places for things of these sizes on a sheet of this width, and the size of the sheet. The things are
    placed in rows, the highest first."""
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


def _pixels_of_box(frame: PixelMap, box: Box) -> Pixels:
    """Return the smallest rectangle of whole pixels that covers a rectangle of the board. It may go beyond the
    picture."""
    (left, top), scale = frame.corner, frame.scale
    west, north = (math.floor(scale * side) for side in (box[0] - left, box[1] - top))
    east, south = (math.ceil(scale * side) for side in (box[2] - left, box[3] - top))
    return west, north, east, south


def _pixels_worth_drawing(size: Size, box: Pixels) -> Pixels:
    """Return the part of the rectangle `box` that is inside the picture. If `box` is at most twice as large as this
    part, return the whole `box`, because cutting it would take longer than drawing it."""
    inside = _clipped_pixels(size, box)
    return box if area(box) <= 2 * area(inside) else inside


def _clipped_pixels(size: Size, box: Pixels) -> Pixels:
    """Return the part of a rectangle that is inside a picture of this size."""
    west, east = (min(max(side, 0), size[0]) for side in (box[0], box[2]))
    north, south = (min(max(side, 0), size[1]) for side in (box[1], box[3]))
    return west, north, east, south


def _transform(frame: PixelMap, shift: Size, drawn: str) -> str:
    """Return an SVG drawing moved from pixels of the board to pixels of the picture, and then by `shift`."""
    x, y = (by - side * frame.scale for by, side in zip(shift, frame.corner, strict=True))
    return f'<g transform="translate({x:.4f},{y:.4f}) scale({frame.scale:.8f})">{drawn}</g>'


def _document(size: Size, drawn: str) -> str:
    wide, high = size
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-family="{FONT}">{drawn}</svg>'


def _pixels(svg: str, size: Size, mode: Mode, lasting: bool) -> Image.Image:
    """Return the pixels of an SVG document. In the mode L, they only say how much of each pixel is covered. With
    `lasting`, the pixels are stored on disk."""
    return _cached_pixels(svg, size, mode) if lasting else _render(svg, size, mode)


@cache_results(2)
def _cached_pixels(svg: str, size: Size, mode: Mode) -> Image.Image:
    """Return the pixels of an SVG document. They stay in memory for the pictures of one report, and are stored on disk
    for the next command."""
    from PIL import Image

    name = name_of(PIXELS, f"{mode} {size} {_renderer()} {svg}".encode())
    data = fetch(name) or b""
    if len(data) == size[0] * size[1] * len(mode):
        return Image.frombytes(mode, size, data)
    image = _render(svg, size, mode)
    store(name, image.tobytes())
    return image


def _render(svg: str, size: Size, mode: Mode) -> Image.Image:
    from PIL.PngImagePlugin import PngImageFile  # `Image.open` would load the readers for all formats

    drawn: Image.Image = PngImageFile(io.BytesIO(to_png(svg, size[0])))
    drawn.load()
    if drawn.mode == mode:
        return drawn  # no copy is made, because it would need the same memory again
    return drawn.getchannel("A") if mode == "L" else drawn.convert(mode)


@cache
def _renderer() -> str:
    """Return the versions of the renderer and of the font. All pixels depend on them."""
    return f"{version('resvg-py')} {version('fontpkg-pt-serif')}"
