"""A picture before it is rendered: its ground, the things on it in order, its names, and the strips around it."""

from __future__ import annotations

from msgspec import Struct

from pbem.report.picture.geometry import Box, number
from pbem.report.picture.lettering import FONT, escape
from pbem.report.picture.names import Names, draw_labels


class Patch(Struct, frozen=True):
    """A drawing and a box that holds all of it."""

    box: Box
    drawn: str


class Signs(Struct, frozen=True):
    """Signs printed on a board."""

    symbols: str
    """Symbols that their drawings reference."""
    cities: tuple[tuple[int, Patch], ...]


class Inset(Struct, frozen=True):
    """Small whole board, and the box of its ground in the picture."""

    box: Box
    ground: str


class Part(Struct, frozen=True):
    """A window cut out of a whole board, whose pixels are kept for all windows."""

    sheet: Box
    """Box of the whole board."""
    scale: float
    window: Box
    """Box of the visible part; the rest of the view are strips."""
    rim: tuple[str, float]
    """Colour and width of the line around it."""
    inset: Inset | None = None


class Drawing(Struct, frozen=True):
    """Layers of a picture, from below."""

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
    """Signs that replace some of the printed ones."""
    above: tuple[Patch, ...]
    names: Names
    around: tuple[Patch, ...]
    """Panel or strips."""
    lasting: bool
    """True for a whole board that comes with a game, in the size of mails: it will be drawn again."""
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
