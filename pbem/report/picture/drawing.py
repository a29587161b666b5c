"""A picture as it is put together: its ground, what stands there in an order, its names, and what lies around it."""

from __future__ import annotations

from msgspec import Struct

from pbem.report.picture.geometry import Box, number
from pbem.report.picture.lettering import FONT, escape
from pbem.report.picture.names import Names, draw_labels


class Patch(Struct, frozen=True):
    """Something that is drawn, and a box that holds all of it."""

    box: Box
    drawn: str


class Signs(Struct, frozen=True):
    """The signs that are printed on a board."""

    symbols: str
    """What their drawings use."""
    cities: tuple[tuple[int, Patch], ...]


class Inset(Struct, frozen=True):
    """A whole board in little: where its ground stands in the picture."""

    box: Box
    ground: str


class Part(Struct, frozen=True):
    """How a window is taken out of a whole board, whose pixels are kept for all windows."""

    sheet: Box
    """The whole board."""
    scale: float
    window: Box
    """What of it is seen; the rest of the view are strips."""
    rim: tuple[str, float]
    """The colour of the line around it, and how wide that is."""
    inset: Inset | None = None


class Drawing(Struct, frozen=True):
    """The layers of a picture, from below."""

    title: str
    """What the picture is called by programs that read it aloud."""
    view: Box
    """What is seen: the board with the strips above and below it."""
    edge: float
    """Where the board ends and the strips below it begin."""
    width: int | None
    """How many pixels wide it is meant to be; as wide as its board if it does not matter."""
    paper: str
    """The colour of what nothing is drawn on."""
    symbols: str
    """What any of it uses."""
    ground: str
    below: tuple[Patch, ...]
    """What lies under the signs of cities."""
    signs: Signs
    held: Signs
    """What stands in the place of some of these signs."""
    above: tuple[Patch, ...]
    names: Names
    around: tuple[Patch, ...]
    """The panel or the strips."""
    lasting: bool
    """Whether it is a whole board that ships with a game, as wide as mails show it: one that is drawn again."""
    part: Part | None = None
    """What it is part of, if it shows but a window of a board."""

    @property
    def scale(self) -> float:
        """How many pixels a pixel of the board becomes."""
        if self.part:
            return self.part.scale
        return (self.width or self.view[2] - self.view[0]) / (self.view[2] - self.view[0])

    @property
    def svg(self) -> str:
        """All of it in one document."""
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
