"""Colours of pictures: two themes, and for each power and land the colours of its ground and its pieces."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.engine.board import BoardData

ThemeName = Literal["light", "dark"]


class Hue(Struct, frozen=True):
    light: str
    """Colour of the ground in the light theme."""
    dark: str
    """Colour of the ground in the dark theme."""
    ink: str
    """Colour of the pieces, and of the signs of cities."""
    pen: str = "#ffffff"
    """Colour of the text on the pieces."""
    line: str = ""
    """Colour of lines on paper, if `ink` is too light for them. Else empty."""

    @property
    def hatch(self) -> str:
        """Return the colour of lines on paper. It is that of the pieces, darkened if they are too light."""
        return self.line or self.ink


class Theme(Struct, frozen=True):
    """Colours that do not depend on powers and lands."""

    name: ThemeName
    margin: str
    """Colour of the ground around the board. In a picture of a part of a board, also of the ground around the maps."""
    paper: str
    """Colour of the ground of the board around its maps."""
    panel: str
    """Colour of the ground of the title and the legend."""
    ink: str
    halo: str
    """Colour of the rim around names."""
    blank: str
    """Colour of the ground of a map in places where no land is tinted."""
    city: str
    border: str
    grid: str
    grid_under: str
    """Colour of the broad line under each line of the grid."""
    main_road: str
    main_edge: str
    """Colour of the edge of main roads."""
    road: str
    river: str
    sea: str
    coast: str
    land_name: str
    water_name: str
    hill: str
    hill_edge: str
    red_suit: str
    black_suit: str
    rim: str
    """Colour of the rim around signs."""
    bright_rim: str
    """Colour of the rim around signs in dark colours. It makes them visible on dark ground."""

    @property
    def red_on_paper(self) -> str:
        """Return the colour of the small red suits of a board. It is mixed with the colour of the paper, as if the
        suits were transparent."""
        red, paper = (bytes.fromhex(colour[1:]) for colour in (self.red_suit, self.paper))
        return "#" + bytes((62 * ours + 38 * under) // 100 for ours, under in zip(red, paper, strict=True)).hex()


LIGHT = Theme(
    name="light",
    margin="#d8caa9",
    paper="#efe6d2",
    panel="#f7f0de",
    ink="#35281a",
    halo="#fbf5e6",
    blank="#e7e3d6",
    city="#fffaf0",
    border="#7d6a4c",
    grid="#8a7656",
    grid_under="#fffaf0",
    main_road="#f0c987",
    main_edge="#6a4320",
    road="#7b5f3f",
    river="#7fa9b8",
    sea="#c4d9de",
    coast="#5f8795",
    land_name="#8a7350",
    water_name="#5f8795",
    hill="#d9c8a4",
    hill_edge="#8b7350",
    red_suit="#a8322a",
    black_suit="#2b2f3a",
    rim="#35281a",
    bright_rim="#35281a",
)

DARK = Theme(
    name="dark",
    margin="#121417",
    paper="#1b1e22",
    panel="#23272c",
    ink="#f1e9d8",
    halo="#14171a",
    blank="#22262a",
    city="#f1e9d8",
    border="#b7a98a",
    grid="#8d8570",
    grid_under="#0f1113",
    main_road="#d9a658",
    main_edge="#0d0b08",
    road="#a89878",
    river="#54808f",
    sea="#1c3640",
    coast="#5f93a3",
    land_name="#d8ccb0",
    water_name="#8fbccb",
    hill="#4a4438",
    hill_edge="#8f8469",
    red_suit="#ff7a6b",
    black_suit="#dfe6f2",
    rim="#0b0c0e",
    bright_rim="#f1e9d8",
)

THEMES = {"light": LIGHT, "dark": DARK}

APART = 20
"""Smallest distance (CIE 1976) between the colours of two powers' pieces. It also holds for people who are
colour-blind."""

TINTS_APART = 7.5
"""Smallest distance (CIE 1976) between the colours of two lands' grounds. It is small because the grounds are pale and
have borders between them."""

_HUES = {
    "austria": Hue("#f5f3e6", "#514c45", "#fffdf7", "#221a10", "#6f6552"),
    "prussia": Hue("#b3c0d3", "#283b57", "#22487f"),
    "saxony": Hue("#d2e1c3", "#3b4c2f", "#2f8142"),
    "bavaria": Hue("#f1d09a", "#604923", "#f5a023", "#221a10"),
    "france": Hue("#e5b5a9", "#4e231e", "#b20d0f"),
    "pragmatic": Hue("#c7c7c3", "#2e373c", "#474648"),
    "hanover": Hue("#c7c7c3", "#2e373c", "#474648"),
    "russia": Hue("#bfd8c4", "#28463a", "#3f8262"),
    "sweden": Hue("#cde6ec", "#2a4f58", "#4bbbd5", "#10202a"),
    "imperial": Hue("#f6eab8", "#423915", "#eaba13", "#221a10", "#826600"),
    "empire": Hue("#f6eab8", "#423915", "#b79b3a", "#221a10"),
    "silesia": Hue("#e5d5ea", "#543d52", "#8d62a3"),
    "poland": Hue("#dfcfa8", "#3c3c30", "#a5925b", "#221a10"),
}

_SPARE = (
    Hue("#d6cfe8", "#3a3554", "#5b4b9c"),
    Hue("#cfe0dc", "#2a4744", "#23756c"),
    Hue("#efd3dd", "#553040", "#a83a68"),
    Hue("#e3d0bd", "#4d3b2b", "#80552f"),
    Hue("#dfe3b4", "#454a22", "#717a1c"),
    Hue("#c6d6ea", "#2b3d55", "#3c6ea8"),
)


def hues(board: BoardData) -> dict[str, Hue]:
    """Return the colours of each power and land of a board. A land that has no colours of its own gets those of its
    power, or else spare colours."""
    found: dict[str, Hue] = {}
    owner = {land: power for power, lands in board.powers.items() for land in lands}
    lands = [land for own in board.powers.values() for land in own]
    lands += [*board.other_lands, *(city.land for city in board.cities)]
    for key in dict.fromkeys((*board.powers, *board.setup, *board.off_map, *lands)):
        hue = _HUES.get(key.lower()) or found.get(owner.get(key, ""))
        found[key] = hue or _SPARE[len(found) % len(_SPARE)]
    return found


def hue_of(found: dict[str, Hue], key: str) -> Hue:
    """Return the colours of a power or land. The board need not have this power or land."""
    return found.get(key) or _HUES.get(key.lower()) or _SPARE[0]
