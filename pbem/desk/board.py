"""Board of the desk: a background drawn once, the present position over it, and the state of the fortresses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.board import SUITS
from pbem.engine.conquest import control_of, opponents_of, protectors
from pbem.engine.events import Event
from pbem.engine.nouns import City, Piece, Power, each_piece
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.paper.lexicon import SUIT_SIGNS
from pbem.paper.library import find_board, load_board_file
from pbem.report import blocks
from pbem.report.consequences import protection_of
from pbem.report.maps import scene, scenery_of
from pbem.report.picture import Position, words_in
from pbem.report.picture.chart import Chart, Extent, chart_of
from pbem.report.picture.draw import PictureFrame, bare_board, frame_of, heading_of, labels_over
from pbem.report.picture.geometry import Box, number
from pbem.report.picture.labels import size_of_name
from pbem.report.picture.legend import legend_lines, lines_below, samples
from pbem.report.picture.lettering import FONT, Anchor, Label
from pbem.report.picture.overlay import box_signs, draw_boxed, kept_in
from pbem.report.picture.theme import THEMES, ThemeName
from pbem.site.atlas import FAMILY, PAINT, WIDTH, signs_of

BOTH: tuple[ThemeName, ...] = ("light", "dark")
"""Themes by day and by night."""


class Ground(Struct, frozen=True):
    """Background of the board in one theme."""

    theme: ThemeName
    box: str
    """Visible rectangle, as an SVG `viewBox`."""
    font: str
    """CSS families of the font for names."""
    drawn: str
    """SVG of the background."""


class Spot(Struct, frozen=True):
    """City on the page: a place for clicks, and a name."""

    city: str
    x: float
    y: float
    half: float
    """Half the width of the city's sign."""
    crowned: bool
    """True if a crown stands above the city's sign."""
    suit: str
    near: tuple[str, ...]
    """Cities to which roads lead from the city."""
    weight: int
    """Rank of the city's name. When the names are placed, the names of the lowest rank come first."""
    lines: tuple[str, ...]
    """Lines of the name."""
    size: float
    """Font size of the name at the width in which the program draws the board."""
    bold: bool
    left: float = 0.0
    """Horizontal position of the name's start, middle or end on an empty board; `anchor` says which of the three."""
    top: float = 0.0
    anchor: Anchor | Literal[""] = ""
    """Part of the name that stands at `left`. Empty if the name has no place at the width in which the program draws
    the board."""


class Picture(Struct, frozen=True):
    """Drawing of a position over the background, with a frame for each theme."""

    over: str
    """SVG of everything that lies over the background."""
    box: str
    """The `viewBox` of the drawing: the board with its frame."""
    bare: str
    """The `viewBox` of the board alone."""
    frames: dict[ThemeName, str]
    """SVG of what is drawn around the board (title, legend and strips at its edges), keyed by theme."""
    legend: list[tuple[str, str, str]]
    """Kind, meaning and drawing of each sign that occurs in the drawing."""
    boxed: dict[Power, list[str]]
    """Signs of the pieces in the off-map box of each power."""


class OffMapBox(Struct, frozen=True):
    """Off-map box of a power: a place for clicks, and the city where its pieces come back."""

    power: Power
    title: str
    box: Box
    city: str


class BoardSheet(Struct, frozen=True):
    """Parts of the board that are drawn once."""

    grounds: tuple[Ground, ...]
    spots: tuple[Spot, ...]
    reach: float
    """Greatest distance from a city at which a click still selects the city."""
    sign: float
    """Size of the cities' signs."""
    letters: dict[str, str]
    """Mark on the pieces of each power, keyed by power."""
    boxes: tuple[OffMapBox, ...]


class SeenPiece(Struct, frozen=True):
    """Piece on the map, as the reader knows it."""

    name: str
    power: Power
    kind: str
    rank: int
    city: str
    troops: int | None
    """Number of troops; None if the reader does not know it."""
    down: bool
    """True if the piece is face-down."""


class LaidBoard:
    """Board whose names leave room for all pieces and signs."""

    def __init__(self, path: Path, everything: Position, language: str) -> None:
        """Lay out the names so that they leave room for all pieces and signs of the position `everything`. Marks of
        control are ignored."""
        self.path, self.first = path, replace(everything, control={})
        self.data, self.words = load_board_file(path), words_in(language)
        self.chart: Chart = chart_of(
            self.data, scenery_of(path), PAINT, self.words, Extent(width=WIDTH, maps=everything.maps)
        )
        self.sides: dict[int, int] = {}
        """Side of a city on which its pieces were first drawn, keyed by city. Pieces stay on that side while orders
        change."""
        self.near: dict[int, list[int]] = {number: [] for number in range(len(self.data.cities))}
        for one, other, _ in self.chart.edges:
            self.near[one].append(other)
            self.near[other].append(one)

    def sheet(self) -> BoardSheet:
        """Return the parts of the board that are drawn once."""
        labels = {label.city: label for label in labels_over(self.chart, self.first)}
        shown = filter(self.chart.has, range(len(self.data.cities)))
        spots = tuple(self.spot(number, labels.get(number)) for number in shown)
        signs = {each.power: each for each in box_signs(self.chart)}
        boxes = tuple(
            OffMapBox(power, signs[power].title, signs[power].box, place.city)
            for power, place in self.data.off_map.items()
            if power in signs
        )
        grounds = tuple(map(self.ground, BOTH))
        return BoardSheet(grounds, spots, self.chart.spacing * 0.45, self.chart.sign, self.chart.marks, boxes)

    def ground(self, theme: ThemeName) -> Ground:
        frame = self.frame(self.first, theme)
        return Ground(theme, view_box(frame.view), f"{FAMILY},{FONT}", self.draw_ground(self.chart_in(theme), frame))

    def draw_ground(self, chart: Chart, frame: PictureFrame) -> str:
        return bare_board(chart) + framed(frame)

    def chart_in(self, theme: ThemeName) -> Chart:
        extent = Extent(width=WIDTH, maps=self.first.maps)
        return chart_of(self.data, scenery_of(self.path), THEMES[theme], self.words, extent)

    def frame(self, position: Position, theme: ThemeName) -> PictureFrame:
        """Return the title, legend and strips around the board for a position."""
        chart = self.chart_in(theme)
        return frame_of(chart, position, heading_of(self.data, position, None, self.words.notes.get(self.data.name)))

    def spot(self, number: int, label: Label | None) -> Spot:
        """Return the city with the index `number` as the page shows it. Without a `label`, its name has no place on the
        board."""
        chart, city = self.chart, self.data.cities[number]
        weight = ("major", "minor").index(city.fortress) if city.fortress else 2 - (not chart.is_plain(city))
        spot = Spot(
            city=city.name,
            x=chart.at[number][0],
            y=chart.at[number][1],
            half=chart.half(city),
            crowned=city.elector,
            suit=SUIT_SIGNS[SUITS.index(city.suit)],
            near=tuple(self.data.cities[other].name for other in self.near[number]),
            weight=weight,
            lines=label.lines if label else (chart.called[number],),
            size=size_of_name(city) * chart.unit,
            bold=city.fortress is not None,
        )
        if label is None:
            return spot
        west, north, east, _ = label.box
        left = {"start": west, "end": east, "middle": (west + east) / 2}[label.anchor]
        return replace(spot, left=left, top=north, anchor=label.anchor)

    def signs(self, position: Position) -> str:
        """Return the SVG of a position without background."""
        boxed = (draw_boxed(self.chart, each, kept_in(position, each.power)) for each in box_signs(self.chart))
        return "".join((*signs_of(self.chart, position, self.sides), *boxed))


class DeskBoard(LaidBoard):
    """Board of a game, as some powers see it."""

    def __init__(self, table: Table, powers: Sequence[Power], language: str, folder: Path | None = None) -> None:
        """Lay out the board for the position of `table`, as the owner of these powers sees it."""
        self.powers, self.language = powers, language
        super().__init__(find_board(table.rules.terms.board, folder), self.scene_of(table), language)
        self.beside_of: object = None
        self.last_beside: tuple[dict[ThemeName, PictureFrame], list[tuple[str, str, str]]] = ({}, [])

    def draw_ground(self, chart: Chart, _frame: PictureFrame) -> str:
        """Draw the board without names and without its frame. The frame is drawn with each position."""
        return bare_board(chart)

    def picture(self, position: Position) -> Picture:
        """Return the drawing of a position, without the background."""
        frames, legend = self.beside(position)
        return Picture(
            self.signs(position),
            view_box(frames["light"].view),
            view_box(self.chart.view),
            {theme: framed(frame) for theme, frame in frames.items()},
            legend,
            {
                power: [f"{self.chart.marks[power]}{each.label}" for each in there]
                for power in self.data.off_map
                if (there := kept_in(position, power))
            },
        )

    def beside(self, position: Position) -> tuple[dict[ThemeName, PictureFrame], list[tuple[str, str, str]]]:
        """Return the frame of a position in each theme, and its legend. The last ones are kept: most orders change only
        the board."""
        bare = replace(position, pieces=(), control={}, questions={}, hussars=(), moves=(), fights=(), overlay=None)
        of = legend_lines(self.chart, position), lines_below(self.chart, position), bare
        if of != self.beside_of:
            frames = {theme: self.frame(position, theme) for theme in BOTH}
            self.beside_of, self.last_beside = of, (frames, samples(self.chart, position))
        return self.last_beside

    def scene_of(self, table: Table, events: Sequence[Event] = ()) -> Position:
        """Return the drawable position of a table as the reader sees it, with an arrow for each march in `events`."""
        view = game_of(table).view(table, self.powers)
        found = scene(view, [(table.rules.common, event) for event in events], self.language, named=True)
        return with_majors(replace(found, pieces=tuple(replace(piece, name="") for piece in found.pieces)), table)

    def over(self, table: Table, events: Sequence[Event] = ()) -> Picture:
        """Return the drawing of a table's position as the reader sees it, with an arrow for each march in `events`."""
        return self.picture(self.scene_of(table, events))


def with_majors(position: Position, table: Table) -> Position:
    """Return the position with question marks of major powers. A question mark is of the major power, even if a general
    of its minor power left the fortress (§10.3)."""
    major = table.state.field.alliances.principal
    return replace(position, questions={city: major[Power(power)] for city, power in position.questions.items()})


def framed(frame: PictureFrame) -> str:
    """Return the SVG of a frame around the board."""
    return "".join(patch.drawn for patch in frame.around)


def view_box(box: Box) -> str:
    """Return the value of the SVG attribute `viewBox` for a rectangle."""
    west, north, east, south = box
    return f"{number(west)} {number(north)} {number(east - west)} {number(south - north)}"


def seen_pieces(table: Table, powers: Sequence[Power]) -> tuple[SeenPiece, ...]:
    """Return the pieces on the map that a reader knows. Trains come first, then generals by their rank and their height
    in the stack."""
    rules, view = table.rules.common, game_of(table).view(table, powers)
    found = [
        (piece.rank, not piece.on_top, SeenPiece(
            blocks.piece(rules, index), piece.power, piece.kind, piece.rank, blocks.city(rules, piece.city),
            piece.troops, piece.down,
        ))
        for index, piece in each_piece(view.pieces)
        if piece.city >= 0
    ]  # fmt: skip
    return tuple(each for _, _, each in sorted(found, key=lambda row: row[:2]))


class Guard(Struct, frozen=True):
    """Pieces in one city that protect a fortress."""

    pieces: tuple[str, ...]
    city: str
    by: int
    """Smallest margin by which an enemy must win a battle to drive all these pieces too far away to protect the
    fortress."""


class Fortress(Struct, frozen=True):
    """State of a fortress, as everybody sees it."""

    holder: Power
    guards: tuple[Guard, ...]
    """Protectors of the fortress, the nearest first."""
    far: int
    """Greatest distance, counted in cities, from which one of the protectors can protect the fortress. Without
    protectors, the usual distance."""
    takers: tuple[Power, ...]
    """Powers that could take the fortress from its holder."""


def fortresses(table: Table) -> dict[str, Fortress]:
    """Return the state of each fortress that a power holds, keyed by city."""
    rules, field = table.rules.common, table.state.field
    reach = protection_of(table)
    prey = {
        power: opponents_of(rules, field, power).fortresses
        for power in table.rules.powers
        if power in field.alliances.side
    }
    found = {}
    for city, holder in sorted(control_of(rules, field).holder.items()):
        if holder is None or not rules.board.in_play(city):
            continue
        usual, away = rules.limits.protection, rules.board.distance(city)
        at: dict[City, list[Piece]] = {}
        for piece in protectors(rules, field, city, reach):
            at.setdefault(field.pieces[piece].city, []).append(piece)
        far = {stood: max(reach.get(piece, usual) for piece in pieces) for stood, pieces in at.items()}
        guards = tuple(
            Guard(tuple(blocks.pieces(rules, at[stood])), blocks.city(rules, stood), far[stood] + 1 - away[stood])
            for stood in sorted(at, key=lambda each: (away[each], each))
        )
        takers = tuple(power for power, cities in prey.items() if city in cities)
        found[blocks.city(rules, city)] = Fortress(holder, guards, max(far.values(), default=usual), takers)
    return found
