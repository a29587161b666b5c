"""Pictures as PNG. They are the same on every machine. Texts are drawn with outlines of the program's font, or are put
together from stamps. A stamp is a glyph that is drawn only once."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import as_file, files
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias
from xml.etree import ElementTree

from msgspec import Struct

from pbem.report.picture.drawing import Names
from pbem.report.picture.geometry import Point
from pbem.report.picture.letterforms import Font, Glyph, Shape, Spot, font_named, keep_glyphs, rim, style_of
from pbem.report.picture.lettering import Hand, Label

if TYPE_CHECKING:
    from PIL import Image

_SVG = "{http://www.w3.org/2000/svg}"
_TYPE = ("font-size", "font-weight", "font-style", "letter-spacing", "text-anchor")
_RIM = ("stroke", "stroke-width", "stroke-linejoin", "paint-order")
_NOT_OF_PATHS = frozenset((*_TYPE, *_RIM, "x", "y"))

Element = ElementTree.Element


class _Style(Struct, frozen=True):
    """Style of text. Texts in the same style can share a path."""

    font: str
    """Name of the font's style, such as `Bold`."""
    size: float
    gap: float
    """Space that is added between glyphs."""
    rim: str
    """Colour of the rim. Empty if there is no rim."""
    rim_width: float
    rest: tuple[tuple[str, str], ...]
    """Other SVG attributes of the text."""


class _Line(Struct, frozen=True):
    """Text: its glyphs, its anchor and its style."""

    letters: tuple[Glyph, ...]
    x: float
    y: float
    anchor: str
    style: _Style


def outline_text(svg: str) -> str:
    """Return a drawing in which each text is replaced by a path. Texts that `_line` cannot convert are not replaced."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - it is a drawing of ours
    _replace(root, dict.fromkeys((*_TYPE, *_RIM), ""))
    keep_glyphs()
    return ElementTree.tostring(root, "unicode")


def _replace(parent: Element, above: dict[str, str]) -> None:
    """Replace the texts within an element by paths. Neighbouring texts in the same style share a path."""
    given = {key: parent.get(key, value) for key, value in above.items()}
    children = list(parent)
    for child in children:
        if len(child):
            _replace(child, given)
    lines = [_line(child, given) if child.tag == f"{_SVG}text" else None for child in children]
    if not any(lines):
        return
    parent[:] = []
    pairs = zip(children, lines, strict=True)
    for style, run in groupby(pairs, key=lambda pair: pair[1].style if pair[1] else None):
        same = list(run)
        parent.extend(_paths(style, [line for _, line in same if line]) if style else [child for child, _ in same])


def _line(element: Element, above: dict[str, str]) -> _Line | None:
    """Return a text as a line of glyphs. Return None if the font lacks one of the glyphs, or if the text has a rim that
    is not to be drawn under it."""
    given = {key: element.get(key, value) for key, value in above.items()}
    font = style_of(given["font-weight"], given["font-style"])
    letters = [font_named(font).glyph(character) for character in element.text or ""]
    found = tuple(letter for letter in letters if letter)
    if len(found) < len(letters) or len(element) or (given["stroke"] and given["paint-order"] != "stroke"):
        return None
    rest = tuple((key, value) for key, value in element.items() if key not in _NOT_OF_PATHS)
    size, gap, wide = (float(given[key] or 0) for key in ("font-size", "letter-spacing", "stroke-width"))
    style = _Style(font, size or 16.0, gap, given["stroke"], wide, rest)
    return _Line(found, float(element.get("x", 0)), float(element.get("y", 0)), given["text-anchor"], style)


def _paths(style: _Style, lines: list[_Line]) -> list[Element]:
    """Draw texts in the same style as paths: first one path for all rims, if there are rims, and then one for all
    glyphs."""
    font = font_named(style.font)
    scale = style.size / font.units
    placed = [spot for line in lines for spot in _place_glyphs(font, line, scale)]
    about = dict(style.rest) | {"stroke": "none"}
    about["transform"] = f"{about.get('transform', '')} scale({scale:.6f})".strip()
    letters = Element(
        f"{_SVG}path", about | {"d": _run((at, shape) for at, letter in placed if (shape := letter.outline))}
    )
    if not style.rim:
        return [letters]
    reach = round(style.rim_width / scale / 2)
    run = _run((at, rim(letter.hull, reach)) for at, letter in placed if letter.outline)
    return [Element(f"{_SVG}path", about | {"fill": style.rim, "d": run}), letters]


def _place_glyphs(font: Font, line: _Line, scale: float) -> list[tuple[Spot, Glyph]]:
    """Return the glyphs of a text, each with the point where it is drawn."""
    pens = font.spread(line.letters, line.anchor, line.style.gap / scale)
    left, foot = line.x / scale, round(line.y / scale)
    return [((round(left + pen), foot), letter) for pen, letter in zip(pens, line.letters, strict=True)]


def _run(placed: Iterable[tuple[Spot, Shape]]) -> str:
    """Return SVG path data that draws each shape at its point, in relative steps."""
    out: list[str] = []
    x = y = 0
    for (left, foot), shape in placed:
        out.append(f"m{left + shape.begin[0] - x},{foot + shape.begin[1] - y}{shape.body}")
        x, y = left + shape.last[0], foot + shape.last[1]
    return "".join(out)


def to_png(svg: str, width: int) -> bytes:
    """Return an SVG drawing as a PNG that is `width` pixels wide. Texts in it are drawn with the program's font."""
    import resvg_py

    drawn = outline_text(svg)
    if "<text" not in drawn and ":text" not in drawn:
        return bytes(resvg_py.svg_to_bytes(svg_string=drawn, width=width, skip_system_fonts=True))
    with as_file(files("fontpkg_pt_serif") / "files") as fonts:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=drawn,
                width=width,
                skip_system_fonts=True,
                font_files=sorted(str(font) for font in fonts.glob("*.ttf")),
                font_family="PT Serif",
                serif_family="PT Serif",
                sans_serif_family="PT Serif",
                monospace_family="PT Serif",
            )
        )


def to_webp(svg: str, width: int, quality: int) -> bytes:
    """Return an SVG drawing as a WebP that is `width` pixels wide."""
    from PIL import Image  # imported late because drawings do not need it

    # The picture is first made twice as large, so that thin lines become smooth.
    image = Image.open(BytesIO(to_png(svg, 2 * width))).convert("RGB")
    small = image.resize((width, image.height * width // image.width), Image.Resampling.LANCZOS)
    out = BytesIO()
    small.save(out, "WEBP", quality=quality, method=6)
    return out.getvalue()


def paletted_png(image: Image.Image, level: int) -> bytes:
    """Return a picture with a palette as PNG. This is faster than `Image.save`. `level` is the level of compression."""
    import deflate

    (wide, high), pixels = image.size, image.tobytes()
    rows = b"".join(b"\0" + pixels[start : start + wide] for start in range(0, len(pixels), wide))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (
            (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)),
            (b"PLTE", bytes(image.getpalette() or ())),
            (b"IDAT", deflate.zlib_compress(rows, level)),
            (b"IEND", b""),
        )
    )


QUARTERS = 4
"""Number of positions within a pixel where a glyph can begin."""

Size = tuple[int, int]
Pixels: TypeAlias = "Callable[[str, Size], Image.Image]"
"""Function that returns the pixels of an SVG document in a given size. Only the coverage of the pixels is used."""


class Stamp(Struct, frozen=True):
    """Glyph and its rim, as pictures. Their values are not colours, but the share of each pixel that is covered."""

    letter: Image.Image
    rim: Image.Image


def font_of(hand: Hand) -> Font:
    return font_named(style_of("bold" if hand.bold else "", ""))


class Case:
    """Part of a sheet with the glyphs of one lettering. It has a row of glyphs for each shift by a quarter of a pixel.
    Below these, it has as many rows of rims."""

    def __init__(self, hand: Hand, letters: str, rim: float, scale: float) -> None:
        """Measure the glyphs of these letters for a picture of this scale."""
        self.font = font_of(hand)
        self.unit = hand.size * scale / self.font.units
        self.reach = round(rim * scale / self.unit / 2)
        found = (self.font.glyph(letter) for letter in letters)
        self.drawn = {glyph.glyph: glyph for glyph in found if glyph and glyph.outline}
        self.columns = {glyph: column for column, glyph in enumerate(self.drawn)}
        west, east, north, south = zip(*((0, 0, 0, 0), *(glyph.hull[:4] for glyph in self.drawn.values())), strict=True)
        self.left, self.above = self._pixels(-min(west)), self._pixels(-min(north))
        self.wide, self.high = self.left + self._pixels(max(east)) + 1, self.above + self._pixels(max(south))

    def _pixels(self, units: int) -> int:
        """Return the number of pixels that a length can touch, with the rim around it. The length is given in units of
        an outline."""
        return math.ceil((units + self.reach) * self.unit) + 1

    @property
    def size(self) -> Size:
        return len(self.drawn) * self.wide, 2 * QUARTERS * self.high

    def drawing(self, top: int) -> Iterator[str]:
        """Yield the drawing of each glyph and each rim. On the sheet, this lettering begins at the row of pixels
        `top`."""
        for glyph in self.drawn.values():
            assert glyph.outline is not None
            for row, shape in enumerate((glyph.outline, rim(glyph.hull, self.reach))):
                for quarter in range(QUARTERS):
                    x, y = self._corner(glyph, quarter, row)
                    path = f"M{shape.begin[0]},{shape.begin[1]}{shape.body}"
                    place = f"{x + self.left + quarter / QUARTERS:.2f},{top + y + self.above}"
                    yield f'<path transform="translate({place}) scale({self.unit:.6f})" d="{path}"/>'

    def _corner(self, glyph: Glyph, quarter: int, row: int) -> Size:
        return self.columns[glyph.glyph] * self.wide, (row * QUARTERS + quarter) * self.high

    def stamp(self, sheet: Image.Image, top: int, glyph: Glyph, quarter: int) -> Stamp:
        """Cut a glyph and its rim out of the sheet."""

        def cut(row: int) -> Image.Image:
            x, y = self._corner(glyph, quarter, row)
            return sheet.crop((x, top + y, x + self.wide, top + y + self.high))

        return Stamp(cut(0), cut(1))


class Stamps:
    """Glyphs of all names of a board, on one sheet. A glyph is cut out when it is first needed."""

    def __init__(self, letters: Iterable[tuple[Hand, str]], rim: float, scale: float, pixels: Pixels) -> None:
        """Draw all glyphs for a picture of this scale, with rims of this width. The sheet is drawn by the function
        `pixels`."""
        self.scale = scale
        self.cases = {hand: Case(hand, written, rim, scale) for hand, written in letters}
        self.tops: dict[Hand, int] = {}
        wide, high = 1, 0
        for hand, case in self.cases.items():
            self.tops[hand] = high
            wide, high = max(wide, case.size[0]), high + case.size[1]
        drawn = "".join(shape for hand, case in self.cases.items() for shape in case.drawing(self.tops[hand]))
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}">{drawn}</svg>'
        self.sheet = pixels(svg, (wide, high))
        self._cut: dict[tuple[Hand, str, int], Stamp] = {}

    def stamp(self, hand: Hand, glyph: Glyph, quarter: int) -> Stamp:
        """Return a glyph with its rim. It is shifted to the right by `quarter` quarters of a pixel."""
        key = (hand, glyph.glyph, quarter)
        if key not in self._cut:
            self._cut[key] = self.cases[hand].stamp(self.sheet, self.tops[hand], glyph, quarter)
        return self._cut[key]

    def place_glyphs(self, label: Label, corner: Point) -> Iterator[tuple[Stamp, Size]]:
        """Yield the stamps of a name, each with the pixel at which it belongs in the picture. The point `corner` of the
        board is at the upper left corner of the picture."""
        case = self.cases[label.hand]
        for line, (x, y) in label.feet:
            glyphs = [letter for letter in map(case.font.glyph, line) if letter]
            left, foot = (x - corner[0]) * self.scale, round((y - corner[1]) * self.scale)
            for pen, glyph in zip(case.font.spread(glyphs, label.anchor), glyphs, strict=True):
                if glyph.outline:
                    at, quarter = divmod(round((left + pen * case.unit) * QUARTERS), QUARTERS)
                    yield self.stamp(label.hand, glyph, quarter), (at - case.left, foot - case.above)


def write_names(image: Image.Image, names: Names, stamps: Stamps, corner: Point) -> None:
    """Write names into a picture: first all rims, then all glyphs. The point `corner` of the board is at the upper left
    corner of the picture."""
    found = [placed for label in names.labels for placed in stamps.place_glyphs(label, corner)]
    _ink(image, names.halo, ((stamp.rim, at) for stamp, at in found))
    _ink(image, names.ink, ((stamp.letter, at) for stamp, at in found))


def _ink(image: Image.Image, colour: str, found: Iterable[tuple[Image.Image, Size]]) -> None:
    """Paint a colour over a picture. The masks say where, and how strongly."""
    from PIL import ImageColor

    ink = ImageColor.getrgb(colour)
    image.load()
    # `Image.paste` also checks types, and takes twice as long.
    for mask, (x, y) in found:
        image.im.paste(ink, (x, y, x + mask.width, y + mask.height), mask.im)
