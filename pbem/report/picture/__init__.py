"""Pictures of boards: SVG drawn from a board's data, its scenery and a position, and PNG made of it."""

from pbem.report.picture.draw import (
    MAIL_WIDTH,
    board_labels,
    crop_around,
    draw_board,
    drawing_of,
    part_width,
    readable_width,
)
from pbem.report.picture.drawing import Drawing
from pbem.report.picture.labels import Label
from pbem.report.picture.painting import small_png
from pbem.report.picture.png import to_png
from pbem.report.picture.position import (
    AbsentPiece,
    Beside,
    DrawnMarch,
    DrawnPiece,
    Fact,
    PictureWords,
    Position,
    Tallies,
    Track,
)
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.theme import ThemeName
from pbem.report.picture.words import words_in

__all__ = [
    "MAIL_WIDTH",
    "AbsentPiece",
    "Beside",
    "Drawing",
    "DrawnMarch",
    "DrawnPiece",
    "Fact",
    "Label",
    "PictureWords",
    "Position",
    "Scenery",
    "Tallies",
    "ThemeName",
    "Track",
    "board_labels",
    "crop_around",
    "draw_board",
    "drawing_of",
    "part_width",
    "readable_width",
    "small_png",
    "to_png",
    "words_in",
]
