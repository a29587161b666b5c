"""The letters of a TrueType font as SVG outlines."""

from __future__ import annotations

import logging
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.cache import keep, name_of, recalled

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

logging.getLogger("fontTools").setLevel(logging.ERROR)  # there is more kerning in the font than its table says

COARSE = 4
"""How many units of the font make one of a letter: what is finer, nobody sees, and numbers get shorter."""

Spot = tuple[int, int]
"""A place in a letter, in units of the font, y downwards as SVG has it."""

Octagon = tuple[int, ...]
"""The least and the greatest of x, of y, of x + y and of x - y."""

Contour = list[tuple[int, int, bool]]
"""The points of one closed line, and whether each lies on it or only pulls at it."""


class Shape(Struct, frozen=True):
    """Path data: where they begin, what follows, and where their last line began, at which the pen is left."""

    begin: Spot
    body: str
    last: Spot


class Glyph(Struct, frozen=True):
    """One letter: its outline, if it has one, what holds it, and how far the pen goes."""

    glyph: str
    advance: float
    outline: Shape | None
    hull: Octagon


class Letters(Struct):
    """What is known of a font without opening it."""

    units: float
    drawn: dict[str, Glyph | None]
    kerning: dict[str, dict[str, float]]
    """How much closer a letter that was drawn stands behind another one, by their glyphs."""


class Font:
    """A font, its letters drawn when they are first asked for, and kept for the next command."""

    def __init__(self, style: str) -> None:
        """Take a style; its file is opened when something is asked that was never asked before."""
        self._style, self._kept_as = style, name_of("letters", font_file(style))
        self._letters = recalled(self._kept_as, Letters) or self._beginning()
        self._known = len(self._letters.drawn)
        self.units = self._letters.units
        self.kerning = self._letters.kerning

    @cached_property
    def _tables(self) -> TTFont:
        from fontTools.ttLib import TTFont  # loads half of a library

        return TTFont(BytesIO(font_file(self._style)), lazy=True)

    @cached_property
    def _pairs(self) -> tuple[array[int], array[int]]:
        """Pairs of letters by their numbers, in order, and their shifts: by name all of a font are five megabytes."""
        table = self._tables.getTableData("kern") if "kern" in self._tables else bytes(18)
        found = array("H", table[18 : 18 + 6 * int.from_bytes(table[10:12], "big")])
        if sys.byteorder == "little":
            found.byteswap()
        pairs = array("I", (before << 16 | behind for before, behind in zip(found[::3], found[1::3], strict=True)))
        return pairs, array("h", found[2::3].tobytes())

    def _shift(self, before: str, behind: str) -> int:
        """How much closer one letter stands behind another, in units of the font file."""
        pairs, shifts = self._pairs
        pair = self._tables.getGlyphID(before) << 16 | self._tables.getGlyphID(behind)
        at = bisect_left(pairs, pair)
        return shifts[at] if at < len(pairs) and pairs[at] == pair else 0

    @cached_property
    def _glyphs(self) -> dict[int, str]:
        glyphs: dict[int, str] = self._tables.getBestCmap()
        return glyphs

    def _beginning(self) -> Letters:
        """What the font says of all letters, and none of them drawn."""
        return Letters(self._tables["head"].unitsPerEm / COARSE, {}, {})

    def letter(self, character: str) -> Glyph | None:
        """A letter of this font, if it has it."""
        drawn = self._letters.drawn
        if character not in drawn:
            glyph = self._glyphs.get(ord(character))
            drawn[character] = None if glyph is None else self._letter(glyph)
            if glyph is not None:
                self._measure(glyph)
        return drawn[character]

    def _measure(self, glyph: str) -> None:
        """Note how close a letter stands to those that are drawn already."""
        for other in {letter.glyph for letter in self._letters.drawn.values() if letter}:
            for before, behind in ((glyph, other), (other, glyph)):
                if shift := self._shift(before, behind):
                    self.kerning.setdefault(before, {})[behind] = shift / COARSE

    def spread(self, letters: Sequence[Glyph], anchor: str, gap: float = 0.0) -> list[float]:
        """How far from where a text is anchored each of its letters begins, in units of the font."""
        pens, pen, before = [], 0.0, ""
        for letter in letters:
            pen += self.kerning.get(before, {}).get(letter.glyph, 0.0)
            pens.append(pen)
            pen += letter.advance + gap
            before = letter.glyph
        left = {"middle": 0.5, "end": 1.0}.get(anchor, 0.0) * (pen - gap)
        return [pen - left for pen in pens]

    def keep(self) -> None:
        """Keep the letters for the next command, if any was drawn for the first time."""
        if len(self._letters.drawn) > self._known:
            self._known = len(self._letters.drawn)
            keep(self._kept_as, self._letters)

    def _letter(self, glyph: str) -> Glyph:
        advance = self._tables["hmtx"][glyph][0] / COARSE
        contours = self._contours(glyph)
        if not contours:
            return Glyph(glyph, advance, None, (0,) * 8)
        (begin, body), *others = map(_line, contours)
        last = begin
        for start, line in others:
            body += f"m{start[0] - last[0]},{start[1] - last[1]}{line}"
            last = start
        spots = ((x, y) for contour in contours for x, y, _ in contour)
        return Glyph(glyph, advance, Shape(begin, body, last), _hull(spots))

    def _contours(self, glyph: str) -> list[Contour]:
        """The lines of a glyph, those of its parts where it is put together from others."""
        table = self._tables["glyf"]
        points, ends, flags = table[glyph].getCoordinates(table)
        spots = [
            (round(x / COARSE), round(-y / COARSE), bool(flag & 1)) for (x, y), flag in zip(points, flags, strict=True)
        ]
        return [spots[start:end] for start, end in pairwise((0, *(end + 1 for end in ends)))]


def _line(contour: Contour) -> tuple[Spot, str]:
    """Where a contour starts, and its path data from there on; between two pulling points lies one on the line."""
    full: Contour = []
    for (x, y, on), (next_x, next_y, next_on) in pairwise((*contour, contour[0])):
        full.append((x, y, on))
        if not on and not next_on:
            full.append(((x + next_x) // 2, (y + next_y) // 2, True))
    first = next(k for k, spot in enumerate(full) if spot[2])
    full = [*full[first:], *full[: first + 1]]
    out, (x, y, _), pull = [], full[0], ""
    for next_x, next_y, on in full[1:]:
        if not on:
            pull = f"{next_x - x},{next_y - y} "
            continue
        out.append(f"{'q' if pull else 'l'}{pull}{next_x - x},{next_y - y}")
        x, y, pull = next_x, next_y, ""
    return (full[0][0], full[0][1]), "".join(out) + "z"


def _hull(spots: Iterable[Spot]) -> Octagon:
    """The smallest upright octagon that holds all the spots."""
    found = list(spots)
    sums, differences = [x + y for x, y in found], [x - y for x, y in found]
    columns, rows = zip(*found, strict=True)
    return (
        min(columns), max(columns), min(rows), max(rows), min(sums), max(sums), min(differences), max(differences)
    )  # fmt: skip


@lru_cache(maxsize=1024)
def rim(hull: Octagon, reach: int) -> Shape:
    """The octagon that keeps so far away from what the hull holds."""
    slant = round(1.4 * reach)
    west, east, north, south = hull[0] - reach, hull[1] + reach, hull[2] - reach, hull[3] + reach
    low, high, left, right = hull[4] - slant, hull[5] + slant, hull[6] - slant, hull[7] + slant
    corners = (
        (low - north, north), (right + north, north), (east, east - right), (east, high - east),
        (high - south, south), (left + south, south), (west, west - left), (west, low - west),
    )  # fmt: skip
    steps = "".join(f"l{x - from_x},{y - from_y}" for (from_x, from_y), (x, y) in pairwise(corners))
    return Shape(corners[0], steps + "z", corners[0])


_fonts: dict[str, Font] = {}


def font_named(style: str) -> Font:
    """A style of the font that comes with the program."""
    if style not in _fonts:
        _fonts[style] = Font(style)
    return _fonts[style]


def keep_letters() -> None:
    """Keep the letters of all fonts for the next command."""
    for font in _fonts.values():
        font.keep()


def style_of(weight: str, slant: str) -> str:
    """How the font calls a style: Regular, Bold, Italic or BoldItalic."""
    return ("Bold" * (weight == "bold") + "Italic" * (slant == "italic")) or "Regular"


def font_file(style: str) -> bytes:
    """The file of a style."""
    from importlib.resources import files

    return (files("fontpkg_pt_serif") / "files" / f"PT_Serif-Web-{style}.ttf").read_bytes()
