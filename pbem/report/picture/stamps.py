"""Names in a picture of pixels, put together from letters that are drawn once.

To draw every letter of every name takes the renderer longer than the board. A letter stands on a whole pixel, or some
quarters of one to the right of it; half a pixel up or down nobody sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from pbem.report.picture.geometry import Point
from pbem.report.picture.labels import Hand, Label
from pbem.report.picture.letterforms import Font, Glyph, Shape, font_named, rim, style_of
from pbem.report.picture.names import Names

if TYPE_CHECKING:
    from PIL import Image

QUARTERS = 4
"""In how many places between two pixels a letter is drawn."""

Size = tuple[int, int]
Pixels: TypeAlias = "Callable[[str, Size], Image.Image]"
"""What makes of a drawing so many pixels, of which only it matters how far they are covered."""


class Stamp(Struct, frozen=True):
    """A letter and its rim: how far they cover which pixels."""

    letter: Image.Image
    rim: Image.Image


def font_of(hand: Hand) -> Font:
    """The font of names of one kind."""
    return font_named(style_of("bold" if hand.bold else "", ""))


class Case:
    """All letters of one kind, in a band of a sheet: a row for each place between two pixels, then such of rims."""

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
        """How many pixels so many units and the rim beyond them can touch."""
        return math.ceil((units + self.reach) * self.unit) + 1

    @property
    def size(self) -> Size:
        """How large the band is."""
        return len(self.drawn) * self.wide, 2 * QUARTERS * self.high

    def drawing(self, top: int) -> Iterator[str]:
        """The band, which begins so far down the sheet."""
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
    """The letters of all names of a board, cut out of their sheet when they are first wanted."""

    def __init__(self, letters: Iterable[tuple[Hand, str]], rim: float, scale: float, pixels: Pixels) -> None:
        """Draw them for a picture of this scale, with rims so wide."""
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

    def placed(self, label: Label, corner: Point) -> Iterator[tuple[Stamp, Size]]:
        """The letters of a name, and the pixel where each is laid in a picture that begins at this corner."""
        case = self.cases[label.hand]
        for line, (x, y) in label.feet:
            glyphs = [letter for letter in map(case.font.letter, line) if letter]
            left, foot = (x - corner[0]) * self.scale, round((y - corner[1]) * self.scale)
            for pen, glyph in zip(case.font.spread(glyphs, label.anchor), glyphs, strict=True):
                if glyph.outline:
                    at, quarter = divmod(round((left + pen * case.unit) * QUARTERS), QUARTERS)
                    yield self.stamp(label.hand, glyph, quarter), (at - case.left, foot - case.above)


def write_names(image: Image.Image, names: Names, stamps: Stamps, corner: Point) -> None:
    """Write names into a picture of a board that is seen from this corner of it on: all rims, and then all letters."""
    found = [placed for label in names.labels for placed in stamps.placed(label, corner)]
    _ink(image, names.halo, ((stamp.rim, at) for stamp, at in found))
    _ink(image, names.ink, ((stamp.letter, at) for stamp, at in found))


def _ink(image: Image.Image, colour: str, found: Iterable[tuple[Image.Image, Size]]) -> None:
    """Lay a colour over a picture where something covers it; `Image.paste` takes twice as long to ask what it got."""
    from PIL import ImageColor

    ink = ImageColor.getrgb(colour)
    image.load()
    for mask, (x, y) in found:
        image.im.paste(ink, (x, y, x + mask.width, y + mask.height), mask.im)
