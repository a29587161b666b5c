"""The letters of a TrueType font as SVG outlines, read from the font's own tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise
from struct import iter_unpack, unpack_from

from msgspec import Struct

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


class Letter(Struct, frozen=True):
    """One letter: its outline, if it has one, what holds it, and how far the pen goes."""

    glyph: int
    advance: float
    outline: Shape | None
    hull: Octagon


class Font:
    """A font, its letters drawn when they are first asked for."""

    def __init__(self, data: bytes) -> None:
        """Find the tables that say where everything is."""
        self._data = data
        (count,) = unpack_from(">H", data, 4)
        entries = (unpack_from(">4s4xI4x", data, 12 + 16 * k) for k in range(count))
        self._tables: dict[bytes, int] = dict(entries)
        head = self._tables[b"head"]
        self.units = unpack_from(">H", data, head + 18)[0] / COARSE
        (self._long_places,) = unpack_from(">h", data, head + 50)
        (self._advances,) = unpack_from(">H", data, self._tables[b"hhea"] + 34)
        self._glyphs = dict(_characters(data, self._tables[b"cmap"]))
        self.kerning = {pair: shift / COARSE for pair, shift in _kerning(data, self._tables.get(b"kern"))}
        self._drawn: dict[str, Letter | None] = {}

    def letter(self, character: str) -> Letter | None:
        """A letter of this font, if it has it."""
        if character not in self._drawn:
            glyph = self._glyphs.get(ord(character))
            self._drawn[character] = None if glyph is None else self._letter(glyph)
        return self._drawn[character]

    def _letter(self, glyph: int) -> Letter:
        place = self._tables[b"hmtx"] + 4 * min(glyph, self._advances - 1)
        (advance,) = unpack_from(">H", self._data, place)
        advance /= COARSE
        contours = [[(round(x / COARSE), round(y / COARSE), on) for x, y, on in line] for line in self._contours(glyph)]
        if not contours:
            return Letter(glyph, advance, None, (0,) * 8)
        (begin, body), *others = map(_line, contours)
        last = begin
        for start, line in others:
            body += f"m{start[0] - last[0]},{start[1] - last[1]}{line}"
            last = start
        spots = ((x, y) for contour in contours for x, y, _ in contour)
        return Letter(glyph, advance, Shape(begin, body, last), _hull(spots))

    def _contours(self, glyph: int) -> list[Contour]:
        """The lines of a glyph, those of its parts where it is put together from others."""
        form, size = (">II", 4) if self._long_places else (">HH", 2)
        start, end = unpack_from(form, self._data, self._tables[b"loca"] + size * glyph)
        if start == end:
            return []
        place = self._tables[b"glyf"] + start * (1 if self._long_places else 2)
        (count,) = unpack_from(">h", self._data, place)
        return _simple(self._data, place + 10, count) if count >= 0 else self._composed(place + 10)

    def _composed(self, place: int) -> list[Contour]:
        """The lines of a glyph made of others, each moved; fonts for reading neither turn nor scale them."""
        found: list[Contour] = []
        more = True
        while more:
            flags, glyph = unpack_from(">HH", self._data, place)
            dx, dy = unpack_from(">hh" if flags & 1 else ">bb", self._data, place + 4)
            place += 8 if flags & 1 else 6
            place += 2 if flags & 8 else 4 if flags & 64 else 8 if flags & 128 else 0
            found += [[(x + dx, y - dy, on) for x, y, on in contour] for contour in self._contours(glyph)]
            more = bool(flags & 32)
        return found


def _characters(data: bytes, table: int) -> Iterator[tuple[int, int]]:
    """The characters of the basic plane and their glyphs (format 4)."""
    (count,) = unpack_from(">H", data, table + 2)
    places = [table + unpack_from(">I", data, table + 8 + 8 * k)[0] for k in range(count)]
    place = next(place for place in places if unpack_from(">H", data, place)[0] == 4)
    (twice,) = unpack_from(">H", data, place + 6)
    form = f">{twice // 2}H"
    ends = unpack_from(form, data, place + 14)
    starts, deltas, offsets = (unpack_from(form, data, place + 16 + twice * k) for k in (1, 2, 3))
    for k, (start, end, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                (glyph,) = unpack_from(">H", data, place + 16 + 3 * twice + 2 * k + offset + 2 * (code - start))
            if glyph:
                yield code, (glyph + delta) % 0x10000


def _kerning(data: bytes, table: int | None) -> Iterator[tuple[Spot, int]]:
    """How much closer or farther two glyphs stand (the first part of the table, format 0)."""
    if table is not None and unpack_from(">HH", data, table)[1] > 0:
        (count,) = unpack_from(">H", data, table + 10)
        for left, right, shift in iter_unpack(">HHh", data[table + 18 : table + 18 + 6 * count]):
            yield (left, right), shift


def _simple(data: bytes, place: int, count: int) -> list[Contour]:
    """The lines of a glyph with points of its own."""
    ends = unpack_from(f">{count}H", data, place)
    place += 2 * count
    place += 2 + unpack_from(">H", data, place)[0]
    total = ends[-1] + 1 if ends else 0
    flags: list[int] = []
    while len(flags) < total:
        flag, repeats = data[place], 1
        place += 1
        if flag & 8:
            repeats += data[place]
            place += 1
        flags += [flag] * repeats
    columns, place = _steps(data, place, flags, short=2, same=16)
    rows, place = _steps(data, place, flags, short=4, same=32)
    spots = [(x, -y, bool(flag & 1)) for x, y, flag in zip(columns, rows, flags, strict=True)]
    return [spots[start:end] for start, end in pairwise((0, *(end + 1 for end in ends)))]


def _steps(data: bytes, place: int, flags: list[int], *, short: int, same: int) -> tuple[list[int], int]:
    """The coordinates of all points in one direction, and where the data go on."""
    steps = []
    for flag in flags:
        step = 0
        if flag & short:
            step = data[place] if flag & same else -data[place]
            place += 1
        elif not flag & same:
            (step,) = unpack_from(">h", data, place)
            place += 2
        steps.append(step)
    return list(accumulate(steps)), place


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


@lru_cache(maxsize=4)
def font_named(style: str) -> Font:
    """A style of the font that comes with the program: Regular, Bold, Italic or BoldItalic."""
    from importlib.resources import files

    return Font((files("fontpkg_pt_serif") / "files" / f"PT_Serif-Web-{style}.ttf").read_bytes())
