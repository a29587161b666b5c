"""A picture in layers: its ground, the things on it, its names, and the strips around it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.paper.boards.files import city_names_in
from pbem.report.language.templates import languages
from pbem.report.picture.chart import KEPT, Chart, cache_results
from pbem.report.picture.geometry import Box, number
from pbem.report.picture.labels import Hand, Label, size_of_name
from pbem.report.picture.signs import FONT, escape


class Names(Struct, frozen=True):
    """Names of a picture, with a light rim that keeps them readable over roads."""

    labels: tuple[Label, ...]
    ink: str
    halo: str
    rim: float
    """Width of the pen that draws the light rim."""
    letters: tuple[tuple[Hand, str], ...]
    """All characters of the names that could be written on this board."""


def names_of(chart: Chart, labels: Sequence[Label]) -> Names:
    return Names(tuple(labels), chart.theme.ink, chart.theme.halo, 3.6 * chart.unit, _characters(chart))


@cache_results(KEPT)
def _characters(chart: Chart) -> tuple[tuple[Hand, str], ...]:
    """Characters of all names in any language, by their lettering."""
    names = tuple(city.name for city in chart.data.cities)
    found: dict[Hand, set[str]] = {}
    for called_there in (city_names_in(chart.data.name, names, language) for language in languages()):
        for city, name in zip(chart.data.cities, called_there, strict=True):
            hand = Hand(size_of_name(city) * chart.unit, city.fortress is not None)
            found.setdefault(hand, set()).update(name, *chart.scenery.two_lines.get(name, ()))
    return tuple((hand, "".join(sorted(found[hand]))) for hand in sorted(found))


def draw_labels(names: Names) -> str:
    pen = f'stroke-width="{number(names.rim)}" stroke-linejoin="round" paint-order="stroke"'
    out = [f'<g fill="{names.ink}" stroke="{names.halo}" {pen}>']
    for hand in sorted({label.hand for label in names.labels}):
        weight = ' font-weight="bold"' if hand.bold else ""
        out.append(f'<g font-size="{number(hand.size)}"{weight}>')
        out += [_draw_label(label) for label in names.labels if label.hand == hand]
        out.append("</g>")
    return "".join(out) + "</g>"


def _draw_label(label: Label) -> str:
    turned = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    return "".join(
        f'<text x="{number(x)}" y="{number(y)}"{turned}>{escape(line)}</text>' for line, (x, y) in label.feet
    )


class Patch(Struct, frozen=True):
    """A drawing, and a box that holds the whole drawing."""

    box: Box
    drawn: str


class Signs(Struct, frozen=True):
    """Signs printed on a board."""

    symbols: str
    """Symbols that the signs reference."""
    cities: tuple[tuple[int, Patch], ...]


class Inset(Struct, frozen=True):
    """Small whole board, and the box of its ground in the picture."""

    box: Box
    ground: str


class Part(Struct, frozen=True):
    """A window of a whole board. The pixels of the whole board are stored for all windows."""

    sheet: Box
    """Box of the whole board."""
    scale: float
    window: Box
    """Box of the visible part of the board; strips fill the rest of the view."""
    rim: tuple[str, float]
    """Colour and width of the line around the window."""
    inset: Inset | None = None


class Drawing(Struct, frozen=True):
    """Layers of a picture, from below to above."""

    title: str
    """Title for programs that read pictures aloud."""
    view: Box
    """Visible box: the board with the strips above and below it."""
    edge: float
    """y at which the board ends and the strips below it begin."""
    width: int | None
    """Intended width in pixels; None for the width of the board."""
    paper: str
    """Colour of empty ground."""
    symbols: str
    """Symbols that any layer references."""
    ground: str
    below: tuple[Patch, ...]
    """Layers under the signs of cities."""
    signs: Signs
    held: Signs
    """Signs with holders, which replace the printed signs of their cities."""
    above: tuple[Patch, ...]
    names: Names
    around: tuple[Patch, ...]
    """Panel or strips around the board."""
    lasting: bool
    """True for a whole board of a game in the size of mails: its pixels are stored for the next command."""
    part: Part | None = None
    """Window, if only a part of a board is shown."""

    @property
    def scale(self) -> float:
        """Pixels for each pixel of the board."""
        if self.part:
            return self.part.scale
        return (self.width or self.view[2] - self.view[0]) / (self.view[2] - self.view[0])

    @property
    def svg(self) -> str:
        """Whole drawing as one SVG document."""
        west, north, east, south = self.view
        wide, high = east - west, south - north
        hidden = dict(self.held.cities)
        shown = (patch for city, patch in self.signs.cities if city not in hidden)
        drawn = "".join(patch.drawn for patch in (*self.below, *shown, *hidden.values(), *self.above))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(wide * self.scale)}" '
            f'height="{number(high * self.scale)}" '
            f'viewBox="{number(west)} {number(north)} {number(wide)} {number(high)}" font-family="{FONT}">'
            f"<title>{escape(self.title)}</title><defs>{self.symbols}{self.signs.symbols}{self.held.symbols}</defs>"
            f"{self.ground}{drawn}{draw_labels(self.names)}{''.join(patch.drawn for patch in self.around)}</svg>\n"
        )
