"""Glyphs of a TrueType font, as outlines and as a part of the font that is embedded in a drawing."""

from __future__ import annotations

import base64
import logging
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from msgspec import Struct

from pbem.cache import keep, load_value, name_of

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

logging.getLogger("fontTools").setLevel(logging.ERROR)  # turns off a warning about the font's kerning table

COARSE = 4
"""Number of units of the font file in one unit of an outline. Finer detail would be invisible, and would need longer
numbers."""

Spot = tuple[int, int]
"""Point of a glyph, in units of an outline. The y axis points downwards, as in SVG."""

Octagon = tuple[int, ...]
"""Octagon with upright and slanting sides: the smallest and the largest x, y, x + y and x - y of its points."""

Contour = list[tuple[int, int, bool]]
"""Points of a closed line: x, y, and True if the point is on the line, or False if it is a control point."""


class Shape(Struct, frozen=True):
    """Outline as SVG path data: its first point, its steps, and the point where it ends."""

    begin: Spot
    body: str
    last: Spot


class Glyph(Struct, frozen=True):
    """Glyph: its name in the font, the distance to the next glyph, its outline if it has one, and the octagon around
    the outline."""

    glyph: str
    advance: float
    outline: Shape | None
    hull: Octagon


class FontData(Struct):
    """Data of a font that are stored for later commands."""

    units: float
    """Number of units of an outline in the font's size (1 em)."""
    drawn: dict[str, Glyph | None]
    """Glyph of each character that was used. None for a character that the font does not have."""
    kerning: dict[str, dict[str, float]]
    """Distances by which glyphs are shifted if they follow certain other glyphs. The first key is the name of the glyph
    before, the second that of the glyph that is shifted."""


class Font:
    """Font of the program. A glyph is drawn when it is first used, and stored for later commands."""

    def __init__(self, style: str) -> None:
        """Load the glyphs of a style that were stored by earlier commands."""
        self._style, self._kept_as = style, name_of("letters", font_file(style))
        self._letters = load_value(self._kept_as, FontData) or FontData(
            self._tables["head"].unitsPerEm / COARSE, {}, {}
        )
        self._known = len(self._letters.drawn)
        self.units = self._letters.units
        self.kerning = self._letters.kerning

    @cached_property
    def _tables(self) -> TTFont:
        from fontTools.ttLib import TTFont  # imported late because it is large

        return TTFont(BytesIO(font_file(self._style)), lazy=True)

    @cached_property
    def _pairs(self) -> tuple[array[int], array[int]]:
        """Return all pairs of glyphs that have a shift, as sorted numbers, and the shift of each pair."""
        table = self._tables.getTableData("kern") if "kern" in self._tables else bytes(18)
        found = array("H", table[18 : 18 + 6 * int.from_bytes(table[10:12], "big")])
        if sys.byteorder == "little":
            found.byteswap()
        # As texts, all the pairs would take five megabytes of memory.
        pairs = array("I", (before << 16 | behind for before, behind in zip(found[::3], found[1::3], strict=True)))
        return pairs, array("h", found[2::3].tobytes())

    def _shift(self, before: str, behind: str) -> int:
        """Return the distance by which the glyph `behind` is shifted if it follows `before`, in units of the font
        file."""
        pairs, shifts = self._pairs
        pair = self._tables.getGlyphID(before) << 16 | self._tables.getGlyphID(behind)
        at = bisect_left(pairs, pair)
        return shifts[at] if at < len(pairs) and pairs[at] == pair else 0

    @cached_property
    def _glyphs(self) -> dict[int, str]:
        glyphs: dict[int, str] = self._tables.getBestCmap()
        return glyphs

    def glyph(self, character: str) -> Glyph | None:
        drawn = self._letters.drawn
        if character not in drawn:
            glyph = self._glyphs.get(ord(character))
            drawn[character] = None if glyph is None else self._letter(glyph)
            if glyph is not None:
                self._measure(glyph)
        return drawn[character]

    def _measure(self, glyph: str) -> None:
        """Store the shifts between a glyph and each other glyph that was used."""
        for other in {letter.glyph for letter in self._letters.drawn.values() if letter}:
            for before, behind in ((glyph, other), (other, glyph)):
                if shift := self._shift(before, behind):
                    self.kerning.setdefault(before, {})[behind] = shift / COARSE

    def spread(self, letters: Sequence[Glyph], anchor: str, gap: float = 0.0) -> list[float]:
        """Return the distance of each glyph from the anchor of the text, in units of an outline. The distance `gap` is
        added between glyphs."""
        pens, pen, before = [], 0.0, ""
        for letter in letters:
            pen += self.kerning.get(before, {}).get(letter.glyph, 0.0)
            pens.append(pen)
            pen += letter.advance + gap
            before = letter.glyph
        left = {"middle": 0.5, "end": 1.0}.get(anchor, 0.0) * (pen - gap)
        return [pen - left for pen in pens]

    def keep(self) -> None:
        """Store the glyphs for later commands, if any glyph is new."""
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
        """Return the contours of a glyph. If it is composed of other glyphs, their contours are included."""
        table = self._tables["glyf"]
        points, ends, flags = table[glyph].getCoordinates(table)
        spots = [
            (round(x / COARSE), round(-y / COARSE), bool(flag & 1)) for (x, y), flag in zip(points, flags, strict=True)
        ]
        return [spots[start:end] for start, end in pairwise((0, *(end + 1 for end in ends)))]


def _line(contour: Contour) -> tuple[Spot, str]:
    """Return the first point of a contour, and SVG path data for the line from there."""
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
    """Return the smallest octagon with upright and slanting sides that contains all points."""
    found = list(spots)
    sums, differences = [x + y for x, y in found], [x - y for x, y in found]
    columns, rows = zip(*found, strict=True)
    return (
        min(columns), max(columns), min(rows), max(rows), min(sums), max(sums), min(differences), max(differences)
    )  # fmt: skip


@lru_cache(maxsize=1024)
def rim(hull: Octagon, reach: int) -> Shape:
    """Return an octagon that is larger than `hull` by the distance `reach` on each side."""
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
    """Return the program's font in a style, such as `Regular`."""
    if style not in _fonts:
        _fonts[style] = Font(style)
    return _fonts[style]


def keep_glyphs() -> None:
    """Store the glyphs of all fonts for later commands."""
    for font in _fonts.values():
        font.keep()


def style_of(weight: str, slant: str) -> str:
    """Return the name of the font's style: Regular, Bold, Italic or BoldItalic."""
    return ("Bold" * (weight == "bold") + "Italic" * (slant == "italic")) or "Regular"


def font_file(style: str) -> bytes:
    from importlib.resources import files

    return (files("fontpkg_pt_serif") / "files" / f"PT_Serif-Web-{style}.ttf").read_bytes()


FAMILY = "PT Serif"


def with_font(svg: str) -> str:
    """Return a drawing with the glyphs that it needs embedded in it."""
    head, title, rest = svg.partition("</title>")
    return f"{head}{title}<style>{font_rules([svg])}</style>{rest}"


def font_rules(drawings: Iterable[str], family: str = FAMILY) -> str:
    """Return CSS rules for a font with the name `family`. They embed the glyphs that `drawings` need."""
    used: dict[str, set[str]] = {}
    for drawing in drawings:
        _collect(ElementTree.fromstring(drawing), {"font-weight": "", "font-style": ""}, used)  # noqa: S314 - ours
    return "".join(rule_of(family, style, used[style]) for style in sorted(used))


def _collect(element: ElementTree.Element, above: Mapping[str, str], used: dict[str, set[str]]) -> None:
    """Add all characters within an element to `used`, under the style in which they are written. `above` is the style
    of the parent element."""
    given = {key: element.get(key, value) for key, value in above.items()}
    words = "".join([element.text or "", *(child.tail or "" for child in element)])
    if words.strip() and not element.tag.endswith("}title"):
        used.setdefault(style_of(given["font-weight"], given["font-style"]), set()).update(words)
    for child in element:
        _collect(child, given, used)


def rule_of(family: str, style: str, letters: Iterable[str]) -> str:
    """Return a CSS rule for a font with the name `family`. It embeds the glyphs of these characters in one style."""
    weight = "bold" if "Bold" in style else "normal"
    slant = "italic" if "Italic" in style else "normal"
    data = base64.b64encode(part_of_font(style, "".join(sorted(letters)))).decode()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{slant};"
        f"src:url(data:font/woff;base64,{data})format('woff')}}"
    )


@lru_cache(maxsize=64)
def part_of_font(style: str, letters: str) -> bytes:
    """Return a WOFF file with the glyphs of these characters in one style. It also has their kerning."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    # The time of today is left out, so that the same characters always give the same bytes.
    font = TTFont(BytesIO(font_file(style)), lazy=True, recalcTimestamp=False)
    options = subset.Options(hinting=False, layout_features=["kern"], name_IDs=[], notdef_outline=True)
    chosen = subset.Subsetter(options)
    chosen.populate(text=letters)
    chosen.subset(font)
    font.flavor = "woff"
    out = BytesIO()
    font.save(out)
    return out.getvalue()
