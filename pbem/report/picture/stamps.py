"""Names in a picture of pixels, put together from letters that are drawn once.

Drawing every letter of every name would take the renderer longer than the board. A letter stands on a whole pixel or
some quarters of one to the right; half a pixel up or down is invisible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from pbem.report.picture.drawing import Names
from pbem.report.picture.geometry import Point
from pbem.report.picture.labels import Hand, Label
from pbem.report.picture.letterforms import Font, Glyph, Shape, font_named, rim, style_of

if TYPE_CHECKING:
    from PIL import Image

QUARTERS = 4
"""Positions between two pixels in which a letter is drawn."""

Size = tuple[int, int]
Pixels: TypeAlias = "Callable[[str, Size], Image.Image]"
"""Function that renders a drawing in a size; only the coverage of its pixels counts."""


class Stamp(Struct, frozen=True):
    """Coverage of a letter and of its rim."""

    letter: Image.Image
    rim: Image.Image


def font_of(hand: Hand) -> Font:
    return font_named(style_of("bold" if hand.bold else "", ""))


class Case:
    """All letters of one kind in a band of a sheet: a row for each quarter, first of letters, then of rims."""

    def __init__(self, hand: Hand, letters: str, rim: float, scale: float) -> None:
        """Measure the letters for a picture of this scale."""
        self.font = font_of(hand)
        self.unit = hand.size * scale / self.font.units
        self.reach = round(rim * scale / self.unit / 2)
        found = (self.font.letter(letter) for letter in letters)
        self.drawn = {glyph.glyph: glyph for glyph in found if glyph and glyph.outline}
        self.columns = {glyph: column for column, glyph in enumerate(self.drawn)}
        west, east, north, south = zip(*((0, 0, 0, 0), *(glyph.hull[:4] for glyph in self.drawn.values())), strict=True)
        self.left, self.above = self._pixels(-min(west)), self._pixels(-min(north))
        self.wide, self.high = self.left + self._pixels(max(east)) + 1, self.above + self._pixels(max(south))

    def _pixels(self, units: int) -> int:
        """Pixels that so many units, with the rim beyond them, can touch."""
        return math.ceil((units + self.reach) * self.unit) + 1

    @property
    def size(self) -> Size:
        """Size of the band."""
        return len(self.drawn) * self.wide, 2 * QUARTERS * self.high

    def drawing(self, top: int) -> Iterator[str]:
        """Drawing of the band, which begins at `top` on the sheet."""
        for glyph in self.drawn.values():
            assert glyph.outline is not None
            for row, shape in enumerate((glyph.outline, rim(glyph.hull, self.reach))):
                for quarter in range(QUARTERS):
                    x, y = self._corner(glyph, quarter, row)
                    place = f"{x + self.left + quarter / QUARTERS:.2f},{top + y + self.above}"
                    yield f'<path transform="translate({place}) scale({self.unit:.6f})" d="{_data(shape)}"/>'

    def _corner(self, glyph: Glyph, quarter: int, row: int) -> Size:
        return self.columns[glyph.glyph] * self.wide, (row * QUARTERS + quarter) * self.high

    def stamp(self, sheet: Image.Image, top: int, glyph: Glyph, quarter: int) -> Stamp:
        """One letter, cut out of the sheet."""

        def cut(row: int) -> Image.Image:
            x, y = self._corner(glyph, quarter, row)
            return sheet.crop((x, top + y, x + self.wide, top + y + self.high))

        return Stamp(cut(0), cut(1))


def _data(shape: Shape) -> str:
    return f"M{shape.begin[0]},{shape.begin[1]}{shape.body}"


class Stamps:
    """Letters of all names of a board, cut out of their sheet when first needed."""

    def __init__(self, letters: Iterable[tuple[Hand, str]], rim: float, scale: float, pixels: Pixels) -> None:
        """Draw all letters for a picture of this scale, with rims of this width."""
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
        """One letter, so many quarters of a pixel to the right."""
        key = (hand, glyph.glyph, quarter)
        if key not in self._cut:
            self._cut[key] = self.cases[hand].stamp(self.sheet, self.tops[hand], glyph, quarter)
        return self._cut[key]

    def place_letters(self, label: Label, corner: Point) -> Iterator[tuple[Stamp, Size]]:
        """Letters of a name, each with its pixel in a picture that begins at this corner of the board."""
        case = self.cases[label.hand]
        for line, (x, y) in label.feet:
            glyphs = [letter for letter in map(case.font.letter, line) if letter]
            left, foot = (x - corner[0]) * self.scale, round((y - corner[1]) * self.scale)
            for pen, glyph in zip(case.font.spread(glyphs, label.anchor), glyphs, strict=True):
                if glyph.outline:
                    at, quarter = divmod(round((left + pen * case.unit) * QUARTERS), QUARTERS)
                    yield self.stamp(label.hand, glyph, quarter), (at - case.left, foot - case.above)


def write_names(image: Image.Image, names: Names, stamps: Stamps, corner: Point) -> None:
    """Write names into a picture that begins at this corner of the board: first all rims, then all letters."""
    found = [placed for label in names.labels for placed in stamps.place_letters(label, corner)]
    _ink(image, names.halo, ((stamp.rim, at) for stamp, at in found))
    _ink(image, names.ink, ((stamp.letter, at) for stamp, at in found))


def _ink(image: Image.Image, colour: str, found: Iterable[tuple[Image.Image, Size]]) -> None:
    """Lay a colour over a picture where masks cover it. `Image.paste` takes twice as long, because it checks types."""
    from PIL import ImageColor

    ink = ImageColor.getrgb(colour)
    image.load()
    for mask, (x, y) in found:
        image.im.paste(ink, (x, y, x + mask.width, y + mask.height), mask.im)
