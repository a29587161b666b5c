"""The board of the desk: one ground, drawn once, and over it what stands there now; the archive site draws alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.events import Event
from pbem.engine.nouns import Power, each_piece
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.paper.library import find_board, load_board_file
from pbem.report import blocks
from pbem.report.maps import scene, scenery_of
from pbem.report.picture import Position, words_in
from pbem.report.picture.chart import Chart, Extent, chart_of
from pbem.report.picture.draw import Frame, frame_of, heading_of
from pbem.report.picture.geometry import Box, number
from pbem.report.picture.theme import THEMES, ThemeName
from pbem.site.pages import PAINT, WIDTH, sheet, signs_of

BOTH: tuple[ThemeName, ...] = ("light", "dark")
"""By day and by night."""


class Ground(Struct, frozen=True):
    """Background of the board in one theme."""

    theme: ThemeName
    box: str
    font: str
    drawn: str


class Spot(Struct, frozen=True):
    """A city where one can click."""

    city: str
    x: float
    y: float


class Picture(Struct, frozen=True):
    """Drawing of a position over the ground, and its frame: title, legend and strips, by day and by night."""

    over: str
    box: str
    """Visible box: the board with its frame."""
    frames: dict[ThemeName, str]


class BoardSheet(Struct, frozen=True):
    """Parts of the board that are drawn once."""

    grounds: tuple[Ground, ...]
    spots: tuple[Spot, ...]
    reach: float
    """Greatest distance from a city at which a click still means it."""


class Standing(Struct, frozen=True):
    """A piece on the map, and what the reader knows of it."""

    name: str
    power: Power
    kind: str
    rank: int
    city: str
    suit: str
    """Sign of the suit that is played where it stands."""
    troops: int | None
    down: bool


class LaidBoard:
    """A board, laid out for all that will stand on it."""

    def __init__(self, path: Path, everything: Position, language: str) -> None:
        """Leave its names where no piece hides them; marks of control lie over the ground, for they come and go."""
        self.path, self.first = path, replace(everything, control={})
        self.data, self.words = load_board_file(path), words_in(language)
        self.chart: Chart = chart_of(
            self.data, scenery_of(path), PAINT, self.words, Extent(width=WIDTH, maps=everything.maps)
        )

    def sheet(self) -> BoardSheet:
        """The ground by day and by night, and where the cities are."""
        grounds = [sheet(self.path, self.data, self.first, theme, self.words) for theme in BOTH]
        spots = [
            Spot(city.name, *self.chart.at[number])
            for number, city in enumerate(self.data.cities)
            if self.chart.has(number)
        ]
        return BoardSheet(
            tuple(Ground(each.theme, each.view_box, each.font, each.drawn) for each in grounds),
            tuple(spots),
            self.chart.spacing * 0.45,
        )

    def signs(self, position: Position) -> str:
        """Drawing of a position, without the ground."""
        return "".join(signs_of(self.chart, position))


class DeskBoard(LaidBoard):
    """The board of one game."""

    def __init__(self, table: Table, powers: Sequence[Power], language: str, folder: Path | None = None) -> None:
        """Lay it out for the position that the reader begins from."""
        self.powers, self.language = powers, language
        super().__init__(find_board(table.rules.terms.board, folder), self.scene_of(table), language)

    def sheet(self) -> BoardSheet:
        """The ground without the frame, which changes with the position."""
        found = super().sheet()
        grounds = [
            replace(each, drawn=each.drawn.removesuffix(framed(self.frame(self.first, each.theme))))
            for each in found.grounds
        ]
        return replace(found, grounds=tuple(grounds))

    def frame(self, position: Position, theme: ThemeName) -> Frame:
        """Title, legend and strips of a position."""
        extent = Extent(width=WIDTH, maps=self.first.maps)
        chart = chart_of(self.data, scenery_of(self.path), THEMES[theme], self.words, extent)
        return frame_of(chart, position, heading_of(self.data, position, None, self.words.notes.get(self.data.name)))

    def picture(self, position: Position) -> Picture:
        """Drawing of a position with its frame."""
        frames = {theme: self.frame(position, theme) for theme in BOTH}
        return Picture(
            self.signs(position),
            view_box(frames["light"].view),
            {theme: framed(frame) for theme, frame in frames.items()},
        )

    def scene_of(self, table: Table, events: Sequence[Event] = ()) -> Position:
        """Position of a table as the players see it, with arrows for marches."""
        view = game_of(table).view(table, self.powers)
        return scene(view, [(table.rules.common, event) for event in events], self.language)

    def over(self, table: Table, events: Sequence[Event] = ()) -> Picture:
        """Drawing of a table, without the ground."""
        return self.picture(self.scene_of(table, events))


def framed(frame: Frame) -> str:
    """Drawing of a frame."""
    return "".join(patch.drawn for patch in frame.around)


def view_box(box: Box) -> str:
    """A box as drawings name it."""
    west, north, east, south = box
    return f"{number(west)} {number(north)} {number(east - west)} {number(south - north)}"


def standing(table: Table, powers: Sequence[Power]) -> tuple[Standing, ...]:
    """The pieces on the map as a reader knows them, the supreme commander of a stack first."""
    rules, view = table.rules.common, game_of(table).view(table, powers)
    found = [
        (piece.rank, not piece.on_top, Standing(
            blocks.piece(rules, index), piece.power, piece.kind, piece.rank, blocks.city(rules, piece.city),
            blocks.city_suit(rules, piece.city), piece.troops, piece.down,
        ))
        for index, piece in each_piece(view.pieces)
        if piece.city >= 0
    ]  # fmt: skip
    return tuple(each for _, _, each in sorted(found, key=lambda row: row[:2]))
