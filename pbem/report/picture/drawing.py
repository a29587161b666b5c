"""Picture in layers: its ground, the signs and pieces on it, its names, and the strips around it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.paper.boards.files import city_names_in
from pbem.report.language.templates import languages
from pbem.report.picture.chart import KEPT, Chart, cache_results
from pbem.report.picture.geometry import Box, number
from pbem.report.picture.labels import size_of_name
from pbem.report.picture.lettering import FONT, Hand, Label, escape


class Names(Struct, frozen=True):
    """Names of cities in a picture. They have a light rim, so that they can be read over roads."""

    labels: tuple[Label, ...]
    ink: str
    halo: str
    rim: float
    """Width of the pen with which the light rim is drawn."""
    letters: tuple[tuple[Hand, str], ...]
    """Kinds of lettering, each with all characters that names on this board have in any language."""


def names_of(chart: Chart, labels: Sequence[Label]) -> Names:
    return Names(tuple(labels), chart.theme.ink, chart.theme.halo, 3.6 * chart.unit, _characters(chart))


@cache_results(KEPT)
def _characters(chart: Chart) -> tuple[tuple[Hand, str], ...]:
    """Return the kinds of lettering, each with all characters that names on the board have in any language."""
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
    """Drawing, and a rectangle that contains it."""

    box: Box
    drawn: str


class Signs(Struct, frozen=True):
    """Signs of cities, each with the index of its city."""

    symbols: str
    """SVG symbols that the signs use."""
    cities: tuple[tuple[int, Patch], ...]


class Inset(Struct, frozen=True):
    """Small picture of the whole board inside another picture: its rectangle there (`box`), and what it shows in SVG
    (`ground`)."""

    box: Box
    ground: str


class Part(Struct, frozen=True):
    """Part of a board that is cut out of the picture of the whole board."""

    sheet: Box
    """Rectangle of the whole board."""
    scale: float
    """Number of pixels of the picture for each pixel of the board."""
    window: Box
    """Rectangle of the part of the board that is visible. The title and the strips fill the other parts of the
    picture."""
    rim: tuple[str, float]
    """Colour and width of the line around the visible part."""
    inset: Inset | None = None


class Drawing(Struct, frozen=True):
    """Layers of a picture, in order from the lowest."""

    title: str
    """Title for programs that read pictures aloud."""
    view: Box
    """Rectangle of the whole picture: the board, and the strips above and below it."""
    edge: float
    """Height (y) of the lower edge of the board, below which strips can follow."""
    width: int | None
    """Width that the picture should have, in pixels. None means the width of the board."""
    paper: str
    """Colour of the ground in places where nothing is drawn."""
    symbols: str
    """SVG symbols that some layer uses."""
    ground: str
    below: tuple[Patch, ...]
    """Drawings that lie under the signs of cities, such as arrows."""
    signs: Signs
    held: Signs
    """Signs of cities that a power holds. They replace the signs of these cities that are printed on the board."""
    above: tuple[Patch, ...]
    names: Names
    around: tuple[Patch, ...]
    """Drawings of the title, the legend and the strips."""
    lasting: bool
    """True if the pixels are to be stored for later commands. This is so if the board belongs to a game and the picture
    is no larger than in a mail."""
    part: Part | None = None
    """Part of the board that is visible. None means the whole board."""

    @property
    def scale(self) -> float:
        """Return the number of pixels of the picture for each pixel of the board."""
        if self.part:
            return self.part.scale
        return (self.width or self.view[2] - self.view[0]) / (self.view[2] - self.view[0])

    @property
    def svg(self) -> str:
        """Return the whole picture as one SVG document."""
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
